import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Registry } from 'prom-client'
import proxyAddr from 'proxy-addr'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { StartError } from '../../kernel/start-error.ts'
import { addressReader } from './client-address.ts'
import { type Connections, createConnections } from './connections.ts'
import { corsHeaders, isPreflight } from './cors.ts'
import { createHandlerTable, type Entry, onlyMethods, problemHandler, unknownPath } from './routes.ts'
import { type Handler, HttpContext, type HttpHost } from './http-context.ts'
import { createHealth, type HealthCheck, sendHealth } from '../operations/health.ts'
import { createHttpFigures, type HttpFigures, registerHttpMetrics } from '../operations/metrics.ts'
import { toAppError } from './problem.ts'

export type HttpServerOptions = {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Whose `x-forwarded-for` counts: addresses, ranges, `loopback`, or one whole number of hops. */
  readonly trustProxy: readonly string[]
  /** Who may read `/metrics`, as addresses and ranges; default: loopback. */
  readonly metricsFrom?: readonly string[]
  /** Handlers by path: `/graphql` is that path alone, `/api/*` all below it. An exact path wins, then the longest prefix. */
  readonly handlers: Readonly<Record<string, Handler>>
  readonly health: Readonly<Record<string, HealthCheck>>
  readonly log: Log
  readonly registry?: Registry
  /** After this an answer that has not begun is refused with TIMEOUT. */
  readonly deadlineMs?: number
  /** How long answers under way may take once the server closes. */
  readonly drainMs?: number
  /** Whether pages of this origin may call us from a browser; none where left out. */
  readonly allowsOrigin?: (origin: string) => boolean
}

export type HttpServer = AsyncDisposable & { readonly url: string; readonly port: number }

/** How often deadlines are looked at: one timer for all requests costs less than one each. */
const sweepEveryMs = 100
/** The longest that a request may take to come in: an upload; all others meet their deadline before. */
const longestRequestMs = 10 * 60_000

/** Opens the service's one port: paths to doors, `/health`, `/metrics`. Disposing drains it. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { log } = options
  const connections = createConnections({ onOver: (ctx) => countAnswer(ctx, handlerOf(ctx.path), figures) })
  const figures = createHttpFigures(connections.inFlight)
  const host: HttpHost = { log, addressOf: addressReader(options.trustProxy) }
  const handlerOf = createHandlerTable({ ...options.handlers, ...ownHandlers(options, figures) }, figures)
  const deadlineMs = options.deadlineMs ?? 30_000
  const allowsOrigin = options.allowsOrigin ?? (() => false)
  let draining = false

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const ctx = new HttpContext(request, response, { host, deadlineAt: performance.now() + deadlineMs })
    const { handler } = handlerOf(ctx.path)
    connections.enter(ctx)
    ctx.baseHead = baseHead(ctx, handler)
    if (!handler.writesOwnHead) ctx.setBaseHead()
    if (!handler.ownsCors && isPreflight(request))
      return void (handler.writesOwnHead ? ctx.writeHead(204, []) : response.writeHead(204), response.end())
    enter(handler, ctx)
  }
  const baseHead = (ctx: HttpContext, { ownsCors }: Handler): string[] => {
    const head = ['x-request-id', ctx.requestId, 'x-content-type-options', 'nosniff']
    const { origin } = ctx.request.headers
    if (origin !== undefined && !ownsCors) head.push(...corsHeaders(ctx, origin, allowsOrigin))
    if (draining) head.push('connection', 'close')
    return head
  }

  const sweep = setInterval(() => {
    const now = performance.now()
    connections.sweep((ctx) => {
      if (ctx.deadlineAt <= now) endLate(ctx, handlerOf(ctx.path).handler)
    })
  }, sweepEveryMs)
  const server = createServer({ requestTimeout: longestRequestMs, headersTimeout: 20_000, keepAliveTimeout: 72_000 }, onRequest)
  server.on('connection', (socket) => connections.open(socket))
  server.on('clientError', answerClientError)
  const port = await listen(server, options)
  return {
    port,
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    async [Symbol.asyncDispose]() {
      draining = true
      await drain(server, { drainMs: options.drainMs ?? 10_000, connections })
      clearInterval(sweep)
    },
  }
}

/** Nothing that a door does ends the process: what it throws becomes an answer, or ends the connection where one had begun. */
function enter(handler: Handler, ctx: HttpContext): void {
  try {
    const handled = handler.handle(ctx)
    if (handled) handled.catch((error: unknown) => fail(ctx, handler, error))
  } catch (error) {
    fail(ctx, handler, error)
  }
}

function fail(ctx: HttpContext, handler: Handler, error: unknown): void {
  if (ctx.aborted) return
  const shown = toAppError(error)
  if (shown.reason === 'UNKNOWN') ctx.log.error({ err: error, path: ctx.path }, 'a door failed')
  if (ctx.response.headersSent) return void ctx.response.destroy()
  handler.answerError(ctx, shown)
}

function endLate(ctx: HttpContext, handler: Handler): void {
  ctx.deadlineAt = Number.POSITIVE_INFINITY
  ctx.abort('DEADLINE')
  ctx.log.warn({ path: ctx.path }, 'the deadline of a request passed')
  if (ctx.response.headersSent) return void ctx.response.destroy()
  ctx.response.setHeader('connection', 'close')
  handler.answerError(ctx, new AppError('DEADLINE_PASSED'))
}

function ownHandlers(options: HttpServerOptions, figures: HttpFigures): Record<string, Handler> {
  const health = createHealth(options.health, options.log)
  const registry = options.registry ?? new Registry()
  registerHttpMetrics(registry, figures)
  const mayRead = proxyAddr.compile([...(options.metricsFrom ?? ['loopback'])])
  return {
    '/health': problemHandler(onlyMethods(['GET', 'HEAD'], async (ctx) => sendHealth(ctx, await health()))),
    '/metrics': problemHandler(
      onlyMethods(['GET'], async (ctx) => {
        if (!mayRead(ctx.clientAddress, 0)) return unknownPath(ctx)
        const text = await registry.metrics()
        ctx.response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text)
      }),
    ),
  }
}

function countAnswer({ response, aborted }: HttpContext, entry: Entry, figures: HttpFigures): void {
  const statusClass = Math.trunc(response.statusCode / 100)
  entry.figures[statusClass] = (entry.figures[statusClass] ?? 0) + 1
  if (aborted) figures.aborted[aborted] += 1
}

function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenFault(error, `${host}:${port}`)))
    server.listen({ host, port, backlog: 1_024 }, resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address ? address.port : port
}

function listenFault(error: NodeJS.ErrnoException, at: string): Error {
  if (error.code === 'EADDRINUSE')
    return new StartError(`${at} is taken by another process: stop it, or set PORT to another`, { cause: error })
  if (error.code === 'EACCES' || error.code === 'EADDRNOTAVAIL') {
    return new StartError(`${at} cannot be listened on (${error.code}): set HOST and PORT to what this machine allows`, { cause: error })
  }
  return error
}

async function drain(server: Server, { drainMs, connections }: { drainMs: number; connections: Connections }): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // A connection that becomes idle later is closed then.
  const idle = setInterval(() => {
    server.closeIdleConnections()
    connections.closeSilent()
  }, 50)
  const late = setTimeout(() => server.closeAllConnections(), drainMs)
  await closed
  clearInterval(idle)
  clearTimeout(late)
}
