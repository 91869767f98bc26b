import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A client that keeps its connection open whatever the service does. `received`: what the service sent, if the client reads. */
export type LingeringClient = { readonly socket: Socket; received: string; serviceEnded: boolean; closed: boolean }

const login = JSON.stringify({ email: 'nobody@demo.example', password: 'wrong', workspace: 'demo' })
const complete = 'GET /health HTTP/1.1\r\nhost: a\r\n\r\n'

/** Every way in which a connection can linger, and what the client sends. `reads`: false if the client takes nothing of its answers. */
export const lingeringWays = {
  'sends nothing': { sends: '', reads: true, halfCloses: false },
  'sends half of the headers': { sends: 'POST /auth/login HTTP/1.1\r\nhost: a\r\nx-slow: ', reads: true, halfCloses: false },
  'sends half of the body': {
    sends: `POST /auth/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${login.length}\r\n\r\n${login.slice(0, 9)}`,
    reads: true,
    halfCloses: false,
  },
  'sends what is not HTTP': { sends: 'EHLO a\r\n\r\n', reads: true, halfCloses: false },
  'stays after its answer': { sends: complete, reads: true, halfCloses: false },
  'closes its half before its request is complete': { sends: 'POST /auth/login HTTP/1.1\r\nhost: a\r\n', reads: true, halfCloses: true },
  'closes its half after its request': { sends: complete, reads: true, halfCloses: true },
  'takes nothing of its answers': {
    sends: 'GET /docs/assets/swagger-ui-bundle.js HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(40),
    reads: false,
    halfCloses: false,
  },
} as const

export type LingeringWay = keyof typeof lingeringWays

export const isWay = (name: string): name is LingeringWay => Object.hasOwn(lingeringWays, name)

/** Connects and sends; resolves when the connection is open or refused. The client never closes its side by itself. */
export async function linger(url: string, way: LingeringWay): Promise<LingeringClient> {
  const { hostname, port } = new URL(url)
  const { sends, reads, halfCloses } = lingeringWays[way]
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  const client: LingeringClient = { socket, received: '', serviceEnded: false, closed: false }
  socket.on('error', () => undefined)
  socket.on('close', () => (client.closed = true))
  socket.on('end', () => (client.serviceEnded = true))
  if (reads) socket.on('data', (chunk: Buffer) => (client.received = (client.received + chunk.toString('latin1')).slice(0, 2_000)))
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined)
  if (halfCloses) socket.end(sends)
  else socket.write(sends)
  return client
}
