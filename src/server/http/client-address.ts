import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddr from 'proxy-addr'
import type { Log } from '../../kernel/log.ts'

/**
 * The client's address: the connection's, or the last one in `x-forwarded-for` that does not belong to a trusted proxy. Logs once if a peer that
 * is not trusted sends that header: behind a proxy, everybody then has the proxy's address. The log names no address, because it may be a
 * person's.
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
  return (request) => {
    // A closed connection has no address.
    if (request.socket.remoteAddress === undefined) return '0.0.0.0'
    if (!isReported && request.headers['x-forwarded-for'] !== undefined && !trusted(request.socket.remoteAddress, 0)) report()
    const address = proxyAddr(request, trusted)
    // A proxy may forward any text: only an IP address counts.
    return (isIP(address) === 0 ? request.socket.remoteAddress : address).replace(/^::ffff:(?=\d+\.)/, '')
  }
}
