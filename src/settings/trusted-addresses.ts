import type { Settings } from './settings.ts'

/** Every http(s) address that the environment seeds the configuration with: the operator of the service has named it, so it may be private. */
export function trustedAddresses({ seeds }: Pick<Settings, 'seeds'>): readonly string[] {
  return seeds.flatMap(({ sections }) => addressesIn(sections))
}

function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^https?:\/\//.test(value) && URL.canParse(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(addressesIn)
}
