import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** The first bits of frames. */
export const opcodes = { continuation: 0, text: 1, ping: 9, pong: 10 } as const

/** A frame of a client, with a mask of zeros. */
export function frame(opcode: number, payload: Buffer | string = '', { fin = true } = {}): Buffer {
  const data = Buffer.from(payload)
  const head = Buffer.from([opcode | (fin ? 0x80 : 0)])
  return Buffer.concat([head, lengthOf(data.length), Buffer.alloc(4), data])
}

/** The beginning of a frame that announces more than it brings. */
export function unfinishedFrame(payload: Buffer, announced: number): Buffer {
  return Buffer.concat([Buffer.from([0x80 | opcodes.text]), lengthOf(announced), Buffer.alloc(4), payload])
}

function lengthOf(length: number): Buffer {
  if (length < 126) return Buffer.from([0x80 | length])
  const bytes = Buffer.alloc(length < 65_536 ? 2 : 8)
  if (length < 65_536) bytes.writeUInt16BE(length)
  else bytes.writeBigUInt64BE(BigInt(length))
  return Buffer.concat([Buffer.from([0x80 | (length < 65_536 ? 126 : 127)]), bytes])
}

/** A client that sends bytes as it likes. `closed`: why the service closed the web socket. */
export type RawWebSocket = {
  readonly socket: Socket
  readonly messages: readonly string[]
  readonly closed: { readonly code: number; readonly reason: string } | null
  readonly ended: boolean
}

/** Resolves when the web socket is open. `localAddress`: from which the client connects; `header`: a long line in the head of its request. */
export async function openRawWebSocket(port: number, { localAddress = '127.0.0.1', header = '' } = {}): Promise<RawWebSocket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
  const state: { messages: string[]; closed: RawWebSocket['closed']; ended: boolean } = { messages: [], closed: null, ended: false }
  socket.on('error', () => undefined)
  socket.once('close', () => (state.ended = true))
  const head = ['GET /graphql HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
  const own = [
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Protocol: graphql-transport-ws',
    ...(header === '' ? [] : [header]),
  ]
  socket.write([...head, ...own, '', ''].join('\r\n'))
  let waiting = Buffer.alloc(0)
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      waiting = Buffer.concat([waiting, chunk])
      const end = waiting.indexOf('\r\n\r\n')
      if (end < 0) return
      socket.off('data', read)
      if (!waiting.toString('latin1').startsWith('HTTP/1.1 101')) return reject(new Error(waiting.toString('latin1', 0, 200)))
      waiting = waiting.subarray(end + 4)
      resolve()
    }
    socket.on('data', read)
    once(socket, 'close').then(() => reject(new Error('closed before it was open')), reject)
  })
  const readFrames = (chunk: Buffer): void => {
    waiting = Buffer.concat([waiting, chunk])
    for (let next = frameIn(waiting); next; next = frameIn(waiting)) {
      waiting = waiting.subarray(next.length)
      if (next.opcode === opcodes.text) state.messages.push(next.payload.toString())
      else if (next.opcode === 8) state.closed ??= { code: next.payload.readUInt16BE(), reason: next.payload.toString('utf8', 2) }
    }
  }
  socket.on('data', readFrames)
  readFrames(Buffer.alloc(0))
  return Object.assign(state, { socket })
}

function frameIn(bytes: Buffer): { readonly opcode: number; readonly payload: Buffer; readonly length: number } | null {
  if (bytes.length < 2) return null
  const short = bytes.readUInt8(1) & 0x7f
  const start = short === 127 ? 10 : short === 126 ? 4 : 2
  if (bytes.length < start) return null
  const size = short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short
  if (bytes.length < start + size) return null
  return { opcode: bytes.readUInt8(0) & 0x0f, payload: bytes.subarray(start, start + size), length: start + size }
}
