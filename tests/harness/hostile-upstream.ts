import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pass } from './pass.ts'

/** How it answers: by the upstream behind it, or with everything that it received, in the forms of an error or as no JSON; or not at all. */
export const hostileAnswers = [
  'refuses with 400',
  'refuses with 200',
  'fails with 500',
  'gives no JSON',
  'breaks the connection',
  'hangs',
] as const
export type HostileAnswer = (typeof hostileAnswers)[number]

export type HostileUpstream = AsyncDisposable & {
  readonly url: string
  /** Null: what the upstream behind it answers. */
  answers: HostileAnswer | null
  /** How many requests it has answered itself. */
  readonly count: () => number
  /** Whether a request had this text: in its address, its headers (Basic credentials in clear) or its body. */
  received(text: string): boolean
}

/** Stands before an upstream, and can answer with all that it was sent: address, headers and body, as a careless provider does. */
export async function startHostileUpstream(target: string): Promise<HostileUpstream> {
  let count = 0
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.url} ${JSON.stringify(request.headers)} ${decoded(request)}`)
    request.on('data', (chunk: Buffer) => seen.push(chunk.toString()))
    if (upstream.answers === null) return pass(request, response, target)
    count += 1
    void answer(request, response, upstream.answers)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  const upstream: HostileUpstream = {
    url: `http://127.0.0.1:${port}`,
    answers: null,
    count: () => count,
    received: (wanted) => seen.some((text) => text.includes(wanted)),
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
  return upstream
}

async function answer(request: IncomingMessage, response: ServerResponse, how: HostileAnswer): Promise<void> {
  const body = await text(request).catch(() => '')
  if (how === 'hangs') return
  if (how === 'breaks the connection') return void response.destroy()
  const echo = `${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body} ${decoded(request)}`
  const error = { message: echo, type: echo, code: echo, reason: echo, extensions: { code: echo, subCode: echo, echo } }
  const json = JSON.stringify({
    errors: [error],
    error,
    err_code: echo,
    err_msg: echo,
    message: echo,
    status: 'error',
    reason: echo,
    details: echo,
    data: null,
  })
  const status = how === 'fails with 500' ? 500 : how === 'refuses with 400' ? 400 : 200
  response.writeHead(status, {
    'content-type': how === 'gives no JSON' ? 'text/html' : 'application/json',
    'x-echo': encodeURIComponent(echo).slice(0, 4_000),
  })
  response.end(how === 'gives no JSON' ? `${echo.slice(0, 20)} {` + echo : json)
}

/** Credentials of `Authorization: Basic` in clear. */
function decoded({ headers }: IncomingMessage): string {
  const [scheme, value = ''] = (headers.authorization ?? '').split(' ')
  return scheme === 'Basic' ? Buffer.from(value, 'base64').toString() : ''
}
