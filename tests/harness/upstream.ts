import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A platform of the test's own: each answer is written by hand, what was asked is kept. */
export type Upstream = AsyncDisposable & {
  readonly url: string
  readonly seen: UpstreamSeen[]
  /** All that were made, also those without a request. */
  readonly connections: readonly Socket[]
  readonly open: () => number
}
export type UpstreamSeen = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }
export type UpstreamHandler = (seen: UpstreamSeen, response: ServerResponse, request: IncomingMessage) => void | Promise<void>

export async function startUpstream(handle: UpstreamHandler): Promise<Upstream> {
  const seen: UpstreamSeen[] = []
  const connections: Socket[] = []
  let open = 0
  const server = createServer((request, response) => {
    open += 1
    response.on('close', () => {
      open -= 1
    })
    const answer = async (): Promise<void> => {
      // Who leaves before all was said asked nothing.
      const body = await readText(request).catch(() => null)
      if (body === null) return
      const one = { path: request.url ?? '', headers: request.headers, body }
      seen.push(one)
      await handle(one, response, request)
    }
    void answer()
  })
  server.on('connection', (socket) => connections.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    seen,
    connections,
    open: () => open,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value))
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(request, 'end')
  return Buffer.concat(chunks).toString()
}
