import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddr from 'proxy-addr'

/** The client's address: the connection's, or the first one that no trusted proxy vouches for in `x-forwarded-for`. */
export function addressReader(trustProxy: readonly string[]): (request: IncomingMessage) => string {
  const [only] = trustProxy
  const hops = trustProxy.length === 1 && only !== undefined && /^\d+$/.test(only) ? Number(only) : null
  const trusted = hops === null ? proxyAddr.compile([...trustProxy]) : (_address: string, index: number): boolean => index < hops
  return (request) => {
    // A connection that is gone has no address any more.
    if (request.socket.remoteAddress === undefined) return '0.0.0.0'
    const told = proxyAddr(request, trusted)
    // A proxy that hands on whatever it was sent vouches for nothing.
    return (isIP(told) === 0 ? request.socket.remoteAddress : told).replace(/^::ffff:(?=\d+\.)/, '')
  }
}
