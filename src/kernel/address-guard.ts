import type { LookupAddress } from 'node:dns'
import { lookup as lookupAll } from 'node:dns/promises'
import { type LookupFunction, isIP } from 'node:net'
import { callbackify } from 'node:util'
import ipaddr from 'ipaddr.js'
import { Agent, type Dispatcher, buildConnector } from 'undici'
import { withDeadline } from './with-fallback.ts'
import { AppError } from './errors.ts'

/** Keeps addresses that people give from leading the service into its own network. */
export interface AddressGuard {
  /** Why nothing may be sent to this address, in words for people; null where it may. Resolves the host (5 s at most). */
  faultOf(url: string): Promise<string | null>
  /** Connects to what is allowed alone, and to the very address that was looked at; else the request fails with INVALID_INPUT. */
  readonly dispatcher: Dispatcher
}

export type AddressGuardOptions = {
  /** Origins (scheme, host and port) that the operator of the service has named and that may be private. */
  readonly trusted: readonly string[]
  /** For slow providers: how long headers and body may take. */
  readonly timeouts?: Pick<Agent.Options, 'headersTimeout' | 'bodyTimeout'>
  /** How hosts are resolved; the system's resolver where left out. */
  readonly resolve?: Resolve
}

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

/** All that is given out in IPv6; the old ::a.b.c.d, for one, lies outside. */
const globalUnicast = ipaddr.parseCIDR('2000::/3')
const notPublic = 'is not a public address'
const connectTimeoutMs = 10_000
const resolveTimeoutMs = 5_000

export function createAddressGuard({ trusted, timeouts = {}, resolve = resolveAll }: AddressGuardOptions): AddressGuard {
  const trustedOrigins = new Set(trusted.map((url) => new URL(url).origin))
  const direct = buildConnector({ timeout: connectTimeoutMs })
  const guarded = buildConnector({ timeout: connectTimeoutMs, lookup: publicLookup(resolve) })

  const connect: buildConnector.connector = (options, callback) => {
    const origin = originOf(options)
    if (trustedOrigins.has(origin)) return direct(options, callback)
    const fault = isIP(bare(options.hostname)) !== 0 && !isPublic(bare(options.hostname)) ? refusal(options.hostname) : null
    return fault ? callback(fault, null) : guarded(options, callback)
  }

  return {
    dispatcher: new Agent({ connect, ...timeouts }),
    async faultOf(text) {
      if (!URL.canParse(text)) return 'must be an address'
      const { protocol, origin, hostname, username, password } = new URL(text)
      if (protocol !== 'http:' && protocol !== 'https:') return 'must be an http(s) address'
      if (username !== '' || password !== '') return 'must not carry a name or password'
      if (trustedOrigins.has(origin)) return null
      try {
        const addresses =
          isIP(bare(hostname)) === 0 ? await withDeadline(resolve(hostname), resolveTimeoutMs) : [{ address: bare(hostname), family: 0 }]
        return addresses.length > 0 && addresses.every(({ address }) => isPublic(address)) ? null : notPublic
      } catch {
        return 'names a host that cannot be found'
      }
    },
  }
}

/** Only what everybody on the Internet could reach; an IPv4 address in IPv6 clothes is looked at as what it is. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast))
}

function resolveAll(host: string): Promise<LookupAddress[]> {
  return lookupAll(host, { all: true, verbatim: true })
}

/** A host with one address inside is refused whole: which of its addresses is taken is not ours to choose. */
function publicLookup(resolve: Resolve): LookupFunction {
  const publicAddresses = callbackify(async (host: string): Promise<readonly LookupAddress[]> => {
    const addresses = await resolve(host)
    if (addresses.length === 0 || !addresses.every(({ address }) => isPublic(address))) throw refusal(host)
    return addresses
  })
  return (host, { all }, callback) => {
    publicAddresses(host, (error, addresses) => {
      if (error) callback(error, [])
      else if (all) callback(null, [...addresses])
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
    })
  }
}

function refusal(host: string): AppError {
  return new AppError('INVALID_INPUT', { detail: `${host} ${notPublic}` })
}

function originOf({ protocol, hostname, port }: buildConnector.Options): string {
  return new URL(`${protocol}//${hostname}${port === '' ? '' : `:${port}`}`).origin
}

/** IPv6 addresses stand in brackets in a URL. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}
