import { createServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { pass } from './pass.ts'

type Garble = (response: ServerResponse, socket: Socket) => void

const fiftyMegabytes = Buffer.from(`{"data":"${'a'.repeat(50 * 1024 ** 2)}"}`)
const packed = gzipSync(fiftyMegabytes)
const json = { 'content-type': 'application/json' }
const start = 'HTTP/1.1 200 OK\r\n'

/** Something that is no answer, all of it at once. */
const quick = {
  'a web page': (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html><h1>It works!</h1></html>'),
  'JSON of another form': (response) => void response.writeHead(200, json).end('[[1,{"data":{"errors":{}}}],null]'),
  'data that is a text': (response) => void response.writeHead(200, json).end('{"data":"","status":[],"message":{}}'),
  'bytes that are no text': (response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(4_096, 0xfe)),
  'an empty answer': (response) => void response.writeHead(200, json).end(),
  'a redirect to itself': (response) => void response.writeHead(307, { location: response.req.url ?? '/' }).end(),
  'no HTTP': (_response, socket) => void socket.end('220 mail.example ESMTP\r\n'),
  'half of what it announces': (response, socket) =>
    void response.writeHead(200, { ...json, 'content-length': 4_096 }).write('{"data":', () => socket.destroy()),
} satisfies Record<string, Garble>

/** So much that it must not be read to its end. */
const large = {
  '50 MB': (response) => void response.writeHead(200, json).end(fiftyMegabytes),
  '50 MB in 50 kB': (response) => void response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(packed),
  'headers without end': (_response, socket) => pour(socket, { first: start, more: `x-more: ${'a'.repeat(1_000)}\r\n` }),
} satisfies Record<string, Garble>

/** So slow that only a deadline ends it. */
const slow = {
  'a byte a second': (response, socket) => {
    response.writeHead(200, json)
    drip(socket, () => response.write(' '))
  },
  'a header a second': (_response, socket) => {
    socket.write(start)
    drip(socket, () => socket.write('x-more: a\r\n'))
  },
  'an interim answer a second': (_response, socket) => drip(socket, () => socket.write('HTTP/1.1 102 Processing\r\n\r\n')),
} satisfies Record<string, Garble>

const garbles = { ...quick, ...large, ...slow }
export type Garbage = keyof typeof garbles
export const garbage = { quick: names(quick), large: names(large), slow: names(slow) }

function names<Name extends string>(kinds: Readonly<Record<Name, Garble>>): readonly Name[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of an object literal
  return Object.keys(kinds) as Name[]
}

function pour(socket: Socket, { first, more }: { first: string; more: string }): void {
  const block = more.repeat(64)
  const go = (): void => {
    while (!socket.destroyed && socket.write(block));
  }
  socket.on('drain', go).write(first)
  go()
}

function drip(socket: Socket, drop: () => void): void {
  const timer = setInterval(drop, 1_000)
  socket.once('close', () => clearInterval(timer))
}

export type GarblingUpstream = AsyncDisposable & {
  readonly url: string
  /** Null: what the upstream behind it answers. */
  answers: Garbage | null
  /** How many requests it has answered itself. */
  count(): number
}

/** Stands before an upstream, and can answer with garbage instead. */
export async function startGarblingUpstream(target: string): Promise<GarblingUpstream> {
  let count = 0
  const server = createServer((request, response) => {
    const { answers } = upstream
    if (answers === null) return pass(request, response, target)
    count += 1
    const { socket } = request
    request.resume().once('end', () => garbles[answers](response, socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const upstream: GarblingUpstream = {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    answers: null,
    count: () => count,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
  return upstream
}
