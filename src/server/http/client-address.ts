import type { IncomingMessage } from 'node:http'
import { isIP, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import proxyAddr from 'proxy-addr'
import type { Log } from '../../kernel/log.ts'

/** Used if the address is not known: no trusted proxy has it, and it is in no private network. */
const unknownAddress = '0.0.0.0'

/**
 * The client's address: the connection's, or the last one in `x-forwarded-for` that does not belong to a trusted proxy; `0.0.0.0` if that entry
 * is no address (`unknown`), never the proxy's own. Logs once if a peer that is not trusted sends that header: behind a proxy, everybody then
 * has the proxy's address. The log names no address, because it may be a person's.
 */
export function addressReader(trustProxy: readonly string[], log: Pick<Log, 'warn'>): (request: IncomingMessage) => string {
  const [only] = trustProxy
  const hops = trustProxy.length === 1 && only !== undefined && /^\d+$/.test(only) ? Number(only) : null
  const trusted = hops === null ? proxyAddr.compile([...trustProxy]) : (_address: string, index: number): boolean => index < hops
  let isReported = false
  const report = (): void => {
    isReported = true
    const advice = 'TRUST_PROXY does not name the proxy in front of this service, or somebody forges x-forwarded-for: the header is ignored'
    log.warn({ trustProxy, advice }, 'http.forwarded-for-ignored')
  }
  return ({ socket, headers }) => {
    const peer = addressOf(socket)
    if (peer === unknownAddress) return peer
    const header = headers['x-forwarded-for']
    if (header === undefined) return peer
    if (!isReported && !trusted(peer, 0)) report()
    const chain = [peer, ...entriesOf(header).toReversed()]
    return chain.find((address, index) => !trusted(address, index)) ?? chain.at(-1) ?? peer
  }
}

/** The address of the connection's peer. A closed connection has none. */
export function addressOf({ remoteAddress }: Pick<Socket, 'remoteAddress'>): string {
  return remoteAddress === undefined ? unknownAddress : addressIn(remoteAddress)
}

function entriesOf(header: string | readonly string[]): readonly string[] {
  const entries = String(header).split(',')
  return entries.filter((entry) => entry.trim() !== '').map((entry) => addressIn(entry.trim()))
}

/** Some proxies add a port or brackets: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function addressIn(entry: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry
  return isIP(bare) !== 0 ? ipaddr.process(bare).toString() : unknownAddress
}
