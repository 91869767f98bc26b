import type { Settings } from './settings.ts'

/**
 * Every http(s) address that the environment seeds the configuration with, and the SIP servers of the console: the operator of the service has
 * named them, so they may be private.
 */
export function trustedAddresses({ seeds, http }: Pick<Settings, 'seeds' | 'http'>): readonly string[] {
  // A web socket begins as a request of HTTP.
  const sipServers = (http.sipServers ?? []).map((url) => url.replace('ws', 'http'))
  return [...seeds.flatMap(({ sections }) => addressesIn(sections)), ...sipServers]
}

function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^https?:\/\//.test(value) && URL.canParse(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(addressesIn)
}
