import { createServer, type Socket } from 'node:net'
import { freePort } from '../../harness/free-port.ts'

export type EchoingServer = AsyncDisposable & { readonly port: number; received(text: string): boolean }

/** Takes connections, remembers what it is sent, and answers it. */
async function startServer(answer: (socket: Socket, piece: Buffer) => void): Promise<EchoingServer> {
  const port = await freePort()
  let seen = ''
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('data', (piece) => {
      seen += piece.toString('latin1')
      answer(socket, piece)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port,
    received: (text) => seen.includes(text),
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** A Redis that refuses every command, and repeats it in its error. */
export function startEchoingRedis(): Promise<EchoingServer> {
  return startServer((socket, piece) => socket.write(`-WRONGPASS invalid: ${piece.toString('latin1').replaceAll(/[\r\n]+/g, ' ')}\r\n`))
}

const [saslHandshake, apiVersions, saslAuthenticate] = [17, 18, 36]
const authenticationFailed = 58

/** A broker that refuses the password, and repeats it in its error. */
export function startEchoingKafka(): Promise<EchoingServer> {
  return startServer((socket, piece) => {
    for (let at = 0; at + 12 <= piece.length; at += 4 + piece.readInt32BE(at)) {
      const body = bodyFor(piece.readInt16BE(at + 4), piece.readInt16BE(at + 6), piece.toString('latin1', at))
      socket.write(Buffer.concat([int32(4 + body.length), piece.subarray(at + 8, at + 12), body]))
    }
  })
}

function bodyFor(api: number, version: number, request: string): Buffer {
  if (api === saslHandshake) return Buffer.concat([int16(0), int32(1), text('PLAIN')])
  if (api === saslAuthenticate)
    return Buffer.concat([int16(authenticationFailed), text(`refused: ${request}`), int32(0), int32(0), int32(0)])
  const known = [saslHandshake, apiVersions, saslAuthenticate].flatMap((key) => [int16(key), int16(0), int16(1)])
  return Buffer.concat([int16(0), int32(3), ...known, ...(version > 0 ? [int32(0)] : [])])
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function text(value: string): Buffer {
  return Buffer.concat([int16(value.length), Buffer.from(value, 'latin1')])
}
