import { type ClientRequest, type IncomingMessage, request as httpRequest, STATUS_CODES, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '../../kernel/errors.ts'
import type { Connections } from './connections.ts'
import { mayOpenSocket } from './cors.ts'
import { HttpContext, type HttpHost } from './http-context.ts'
import type { Owners } from './owner.ts'
import { problemOf } from './problem.ts'
import type { Entry } from './routes.ts'
import { securityHeaders } from './security-headers.ts'
import { createStreamPair } from './stream-pair.ts'
import { TimedResponse } from './timed-response.ts'
import { countFor } from './unread.ts'
import type { Upgraded } from './upgraded.ts'

type Upgrading = {
  readonly server: Server
  readonly connections: Connections
  readonly host: HttpHost
  readonly owners: Pick<Owners, 'of'>
  readonly handlerOf: (path: string) => Entry
  /** Whether pages of this origin may read answers. */
  readonly allowsOrigin: (origin: string) => boolean
}

/** Whether the request wants a web socket and its path has them. Every other request is answered as if it did not ask. */
export function wantsSocket({ headers, url = '/' }: IncomingMessage, handlerOf: (path: string) => Entry): boolean {
  const [path = '/'] = url.split('?', 1)
  return headers.upgrade?.toLowerCase() === 'websocket' && handlerOf(path).handler.upgrade !== undefined
}

/** Begins a connection that has left HTTP. It is a stream under way like any other: counted, and ended when the service stops. */
export function upgrade(request: IncomingMessage, { socket, head }: Pick<Upgraded, 'socket' | 'head'>, upgrading: Upgrading): void {
  // Node has taken its own listener away, and an error without one ends the process.
  socket.on('error', () => socket.destroy())
  const { server, connections, host, handlerOf, owners } = upgrading
  // Never sent, because the protocol has an answer of its own. Its status is counted.
  const response = new TimedResponse(request)
  const ctx = new HttpContext(request, response, { host, deadlineMs: Number.POSITIVE_INFINITY })
  const { path, handler } = handlerOf(ctx.path)
  ctx.route = path
  socket.once('close', () => response.emit('close'))
  if (!connections.enter(ctx)) {
    response.writeHead(429)
    return void socket.end('HTTP/1.1 429 Too Many Requests\r\nretry-after: 5\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  }
  if (request.headers['sec-websocket-version'] !== '13') return refuse(ctx, socket, otherVersion)
  if (!mayOpenSocket(request, upgrading.allowsOrigin)) return refuse(ctx, socket, otherOrigin)
  response.writeHead(101)
  ctx.startStream()
  ctx.waitsForClient = true
  handler.upgrade?.(ctx, { socket, head, owner: () => owners.of(request), post: (...given) => post(server, ctx, given) })
}

type Refusal = { readonly error: AppError; readonly status: number; readonly head: readonly string[] }

const otherOrigin: Refusal = {
  error: new AppError('ORIGIN_REFUSED', {
    detail: 'Pages of this origin may not open web sockets here: an administrator can add it to the setting ALLOWED_ORIGINS',
  }),
  status: 403,
  head: ['connection: close'],
}
/** Draft 8, which the library takes too, has the origin in another header. */
const otherVersion: Refusal = {
  error: new AppError('INVALID_INPUT', { detail: 'The version of web sockets must be 13: Sec-WebSocket-Version: 13' }),
  status: 426,
  head: ['connection: Upgrade, close', 'upgrade: websocket', 'sec-websocket-version: 13'],
}

function refuse({ requestId, response }: HttpContext, socket: Duplex, { error, status, head }: Refusal): void {
  const body = JSON.stringify(problemOf(error, requestId, status))
  response.writeHead(status)
  const about = [
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
  ]
  const security = securityHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${securityHeaders[index + 1]}`] : []))
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...about, ...security, 'cache-control: no-store', ...head, '', body]
  socket.end(lines.join('\r\n'))
}

type Posted = Parameters<Upgraded['post']>

/** The request takes the way of every other one, from the parser to the handler, over a pair of streams instead of a network. */
function post(server: Server, ctx: HttpContext, [path, headers, body]: Posted): ClientRequest {
  const { request } = ctx
  const [near, far] = createStreamPair()
  // What the server uses of a network's socket.
  const connection = Object.assign(far, {
    remoteAddress: request.socket.remoteAddress,
    destroySoon: () => void far.end(() => far.destroy()),
  })
  countFor(ctx, connection)
  near.once('close', () => far.destroy())
  server.emit('connection', connection)
  const inner = httpRequest({ createConnection: () => near, method: 'POST', path, headers: { ...clientHeaders(request), ...headers } })
  inner.end(body)
  return inner
}

function clientHeaders({ headers }: IncomingMessage): Record<string, string> {
  const { origin, 'x-forwarded-for': forwardedFor, 'user-agent': userAgent, 'accept-language': language } = headers
  return {
    ...(origin !== undefined && { origin }),
    ...(forwardedFor !== undefined && { 'x-forwarded-for': String(forwardedFor) }),
    ...(userAgent !== undefined && { 'user-agent': userAgent }),
    ...(language !== undefined && { 'accept-language': language }),
  }
}
