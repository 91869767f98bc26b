import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP relay to a real server whose network a test can take away: packets are swallowed, no connection is ever refused or closed. */
export type TcpGate = AsyncDisposable & {
  readonly port: number
  swallow(): void
  /** New connections pass again; what was swallowed stays lost, as behind a router that forgot its connections. */
  heal(): void
  /** New connections go to another server; those that are open stay where they are, as after a fail-over behind one name. */
  leadTo(port: number): void
}

export async function openTcpGate(targetPort: number): Promise<TcpGate> {
  let swallowing = false
  let target = targetPort
  const sockets = new Set<Socket>()
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    track(client)
    if (swallowing) client.resume()
    else client.pipe(track(connect(target, '127.0.0.1'))).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = addressOf(server.address())
  return {
    port,
    swallow() {
      swallowing = true
      for (const socket of sockets) socket.unpipe().resume()
    },
    heal: () => void (swallowing = false),
    leadTo: (other) => void (target = other),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (typeof address === 'object' && address) return address
  throw new Error('The gate has no port')
}
