import type { IncomingMessage } from 'node:http'
import { isIP, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import proxyAddr from 'proxy-addr'
import type { Log } from '../../kernel/log.ts'

const maxEntries = 20
/** Used if the address is not known: no trusted proxy has it, and it is in no private network. */
const unknownAddress = '0.0.0.0'

/**
 * The client's address: the connection's, or the last one in `x-forwarded-for` that does not belong to a trusted proxy; `0.0.0.0` if that entry
 * is no address (`unknown`), never the proxy's own. Logs once if a peer that is not trusted sends that header: behind a proxy, everybody then
 * has the proxy's address. The log names no address, because it may be a person's.
 */
export function addressReader(trustProxy: readonly string[], log: Pick<Log, 'warn'>): (request: IncomingMessage) => string {
  const trusted = trustOf(trustProxy)
  let isReported = false
  const report = (): void => {
    isReported = true
    const advice = 'TRUST_PROXY does not name the proxy in front of this service, or somebody forges x-forwarded-for: the header is ignored'
    log.warn({ trustProxy, advice }, 'http.forwarded-for-ignored')
  }
  return (request) => {
    const peer = addressOf(request.socket)
    if (peer === unknownAddress || request.headers['x-forwarded-for'] === undefined) return peer
    if (!isReported && !trusted(peer, 0)) report()
    return senderOf(request, trusted).address
  }
}

/** Whether a trusted proxy sent the request on its own account, not for somebody else. */
export function trustedSender(trustProxy: readonly string[]): (request: IncomingMessage) => boolean {
  const trusted = trustOf(trustProxy)
  return (request) => senderOf(request, trusted).isTrusted
}

const proxyHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/** Whether the address of the request is its client's own, as far as is known: not that of a proxy which nobody trusts, or which does not say for whom it asks. */
export function hasOwnAddress(request: IncomingMessage, trusted: Trust): boolean {
  const { hops, isFirst } = senderOf(request, trusted)
  return isFirst && (hops > 0 || proxyHeaders.every((name) => request.headers[name] === undefined))
}

export type Trust = (address: string, index: number) => boolean

/** `hops`: how many addresses of the header have been read. `isFirst`: there is none before. */
type Sender = { readonly address: string; readonly hops: number; readonly isFirst: boolean; readonly isTrusted: boolean }

/** The last address that no trusted proxy has, or the first of all. What is before it in the header is not read: anybody may have written it. */
function senderOf(request: IncomingMessage, trusted: Trust): Sender {
  let [address, hops] = [addressOf(request.socket), 0]
  for (const before of forwardedFor(request)) {
    if (!trusted(address, hops)) return { address, hops, isFirst: false, isTrusted: false }
    ;[address, hops] = [before, hops + 1]
  }
  return { address, hops, isFirst: true, isTrusted: trusted(address, hops) }
}

/** Whether the address is that of a trusted proxy; `index` is how many hops it is away. */
export function trustOf(trustProxy: readonly string[]): Trust {
  const [only] = trustProxy
  const hops = trustProxy.length === 1 && only !== undefined && /^\d+$/.test(only) ? Number(only) : null
  return hops === null ? proxyAddr.compile([...trustProxy]) : (_address, index) => index < hops
}

/** The address of the connection's peer. A closed connection has none. */
export function addressOf({ remoteAddress }: Pick<Socket, 'remoteAddress'>): string {
  return remoteAddress === undefined ? unknownAddress : addressIn(remoteAddress)
}

/** The addresses in `x-forwarded-for`, the last one first. Nobody has more proxies than that: the address is then unknown. */
function* forwardedFor({ headers }: IncomingMessage): Generator<string, void> {
  const header = String(headers['x-forwarded-for'] ?? '')
  let end = header.length
  for (let count = 0; end > 0; count += 1) {
    if (count === maxEntries) {
      yield unknownAddress
      return
    }
    const start = header.lastIndexOf(',', end - 1) + 1
    const entry = header.slice(start, end).trim()
    end = start - 1
    if (entry !== '') yield addressIn(entry)
  }
}

/** Some proxies add a port or brackets: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function addressIn(entry: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry
  return isIP(bare) !== 0 ? ipaddr.process(bare).toString() : unknownAddress
}
