import type { LookupAddress } from 'node:dns'
import { lookup as lookupAll } from 'node:dns/promises'
import { type LookupFunction, isIP } from 'node:net'
import { callbackify } from 'node:util'
import ipaddr from 'ipaddr.js'
import { Agent, type Dispatcher, buildConnector } from 'undici'
import { withDeadline } from './with-fallback.ts'
import { AppError } from './errors.ts'

/** Prevents requests to private networks through addresses that people enter (SSRF). */
export interface AddressGuard {
  /** The reason why requests to this address are not allowed, as a readable text; null if they are allowed. Resolves the host (5 s at most). */
  faultOf(url: string): Promise<string | null>
  /** Connects only to allowed addresses, and to exactly the IP address that was checked. Other requests fail with INVALID_INPUT. */
  readonly dispatcher: Dispatcher
}

export type AddressGuardOptions = {
  /** Origins (scheme, host and port) that the operator of the service has configured. They may be private. */
  readonly trusted: readonly string[]
  /** Time limits for headers and body, for slow providers. */
  readonly timeouts?: Pick<Agent.Options, 'headersTimeout' | 'bodyTimeout'>
  /** Resolves host names. Default: the system's resolver. */
  readonly resolve?: Resolve | undefined
}

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

/** All allocated global unicast addresses of IPv6. Obsolete forms such as ::a.b.c.d are outside this range. */
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

/** True only for publicly reachable addresses. An IPv4 address that is embedded in an IPv6 address is checked as IPv4. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast))
}

function resolveAll(host: string): Promise<LookupAddress[]> {
  return lookupAll(host, { all: true, verbatim: true })
}

/** A host with at least one private address is refused, because we cannot choose which of its addresses is used. */
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

/** A URL has brackets around an IPv6 address. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}
