import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddr from 'proxy-addr'

/** The client's address: the connection's, or the last one in `x-forwarded-for` that does not belong to a trusted proxy. */
export function addressReader(trustProxy: readonly string[]): (request: IncomingMessage) => string {
  const [only] = trustProxy
  const hops = trustProxy.length === 1 && only !== undefined && /^\d+$/.test(only) ? Number(only) : null
  const trusted = hops === null ? proxyAddr.compile([...trustProxy]) : (_address: string, index: number): boolean => index < hops
  return (request) => {
    // A closed connection has no address.
    if (request.socket.remoteAddress === undefined) return '0.0.0.0'
    const address = proxyAddr(request, trusted)
    // A proxy may forward any text: only an IP address counts.
    return (isIP(address) === 0 ? request.socket.remoteAddress : address).replace(/^::ffff:(?=\d+\.)/, '')
  }
}
