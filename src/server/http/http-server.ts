import { createServer, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Registry } from 'prom-client'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { networkOf } from '../../kernel/network.ts'
import { watchLoop } from '../../kernel/loop-watch.ts'
import { type Admission, createHttpAdmission, queueDelay } from './admission.ts'
import { isTracing } from '../../kernel/tracing.ts'
import { affordable, createAddressLimit } from './address-limit.ts'
import { addressReader } from './client-address.ts'
import { type Connections, createConnections } from './connections.ts'
import { createBeginQueue } from './begin-queue.ts'
import { corsHeaders, isPreflight } from './cors.ts'
import { answerClientError } from './client-error.ts'
import { createHandlerTable, type Entry } from './routes.ts'
import { type Handler, HttpContext, type HttpHost } from './http-context.ts'
import { listen } from './listen.ts'
import { createHealth, type HealthCheck } from '../operations/health.ts'
import { countRequest, createHttpFigures } from '../operations/http-figures.ts'
import { operationHandlers } from '../operations/operation-handlers.ts'
import { checkLoad } from '../operations/overload.ts'
import { beginOrShed, type Shedding, shedUpgrade } from './shed.ts'
import { isVital } from './vital-requests.ts'
import { defaultPatience, timeoutsOf } from './patience.ts'
import { toAppError } from './problem.ts'
import { logRequest, type Requester } from './request-log.ts'
import { beginTraced, endTraced } from './request-span.ts'
import { securityHeaders } from './security-headers.ts'
import { answerLast, createStop, type Stop, type StopOptions } from './stop.ts'
import { TimedResponse } from './timed-response.ts'
import { upgrade, wantsSocket } from './upgrade.ts'

export type HttpServerOptions = StopOptions & {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** The proxies whose `x-forwarded-for` counts: addresses, ranges, `loopback`, or one whole number of hops. */
  readonly trustProxy: readonly string[]
  /** The addresses and ranges that may read `/metrics`; default: nobody. */
  readonly metricsFrom?: readonly string[] | null
  /** Handlers by path: `/graphql` is that path only, `/api/*` is every path below it. An exact path wins, then the longest prefix. */
  readonly handlers: Readonly<Record<string, Handler>>
  readonly health: Readonly<Record<string, HealthCheck>>
  readonly log: Log
  /** Whose token it is, if that is known here without asking the platform; for the log. */
  readonly requesterOf?: (accessToken: string) => Requester | null
  readonly registry?: Registry
  /** A response that has not begun after this time is refused with TIMEOUT. */
  readonly deadlineMs?: number
  /** Connections of one address (IPv6: one /64 network) that have shown no valid token. Default 1,000. */
  readonly connectionsPerAddress?: number
  readonly patience?: Partial<typeof defaultPatience>
  /** Requests are refused if the event loop is later than this. Default 0: never. */
  readonly overloadDelayMs?: number
  /** Decides about refusals instead. */
  readonly admission?: Admission
  /** Whether pages of this origin may call the service from a browser; none may without it. */
  readonly allowsOrigin?: (origin: string) => boolean
}

export type HttpServer = AsyncDisposable & {
  readonly url: string
  readonly port: number
  /** From now on `/ready` answers 503, and each answer closes its connection. Everything else goes on until it is disposed. */
  beginStop(): void
}

/** How often deadlines are checked: one timer for all requests costs less than one each. */
const deadlineCheckMs = 100
/** Time for the last answer of a request that was aborted. */
const lastAnswerMs = 500

/** Opens the service's one port: the given handlers, `/health`, `/ready` and `/metrics`. Disposing drains it. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const figures = createHttpFigures()
  const patience = { ...defaultPatience, ...options.patience }
  const limit = createAddressLimit(affordable(options.connectionsPerAddress ?? 1_000), { figures: figures.closed, log: options.log })
  const requestLog = { log: options.log, requesterOf: options.requesterOf }
  const connections = createConnections(limit, patience, {
    onOver(ctx) {
      countRequest(ctx, figures)
      logRequest(ctx, requestLog)
      if (ctx.span) endTraced(ctx, ctx.span)
    },
    onClosed: (cause) => (figures.closed[cause] += 1),
  })
  const stop = createStop(connections, options)
  const admission = options.admission ?? createHttpAdmission(options.overloadDelayMs ?? 0, options.log)
  const loop = watchLoop()
  const queue = createBeginQueue()
  const health = createHealth({ ...options.health, load: async () => checkLoad(admission) }, options.log)
  const running = { connections, stop, admission, health }
  const handlerOf = createHandlerTable({ ...options.handlers, ...operationHandlers(options, figures, running) })
  const serving: Serving = { options, connections, handlerOf, host: hostOf(options), stop }

  const deadlineCheck = setInterval(() => {
    const underWay = abortLate(serving)
    connections.closeLingering()
    const { delayMs, utilization } = loop.read()
    admission.check(underWay + queue.length, { delayMs: Math.max(delayMs, queueDelay(queue)), utilization })
  }, deadlineCheckMs)
  const shedding = sheddingOf(serving, admission)
  const upgrades = { shouldUpgradeCallback: (request: IncomingMessage) => wantsSocket(request, handlerOf) }
  const server = createServer({ ...timeoutsOf(patience), ...upgrades, ServerResponse: TimedResponse }, (request, response) => {
    // Node goes on reading what came in one piece with the requests for which the connection was closed.
    if (request.socket.destroyed) return
    const own = (): void => serve(request, response, serving)
    const begin = (): void => connections.begin(request.socket, own)
    const beginQueued = (): void => connections.begin(request.socket, own, queue)
    // A refusal too closes its connection.
    if (stop.isBegun) response.shouldKeepAlive = false
    if (!admission.isCalm(queue)) beginOrShed(request, response, { ...shedding, begin, beginQueued })
    else if (queue.length > 0 && isVital(request)) begin()
    else beginQueued()
  })
  server.timeout = patience.silenceMs
  server.on('connection', (socket) => connections.open(socket))
  server.on('clientError', (error, socket: Socket) => answerClientError(error, socket, connections.isAnswering(socket)))
  server.on('upgrade', (request, socket, head) => {
    if (admission.isCalm()) upgrade(request, { socket, head }, { ...serving, server })
    else shedUpgrade(socket, admission)
  })
  const port = await listen(server, options)
  health.start()
  return {
    port,
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    beginStop: () => stop.begin(),
    async [Symbol.asyncDispose]() {
      await stop.drain(server)
      clearInterval(deadlineCheck)
      health[Symbol.dispose]()
      loop[Symbol.dispose]()
    },
  }
}

type Serving = {
  readonly options: HttpServerOptions
  readonly connections: Connections
  readonly handlerOf: (path: string) => Entry
  readonly host: HttpHost
  readonly stop: Stop
}

function hostOf({ log, trustProxy }: HttpServerOptions): HttpHost {
  return { log, addressOf: addressReader(trustProxy, log) }
}

function serve(request: IncomingMessage, response: TimedResponse, serving: Serving): void {
  if (request.socket.destroyed) return
  const { options, host, handlerOf, connections } = serving
  const ctx = new HttpContext(request, response, { host, deadlineMs: options.deadlineMs ?? 30_000 })
  const entry = handlerOf(ctx.path)
  ctx.route = entry.path
  const { handler } = entry
  const isAdmitted = connections.enter(ctx)
  if (serving.stop.isBegun) answerLast(ctx, connections)
  ctx.baseHead = baseHead(ctx, handler, options)
  if (!handler.writesOwnHead) ctx.setBaseHead()
  if (!isAdmitted) return refuse(ctx, entry, new AppError('TOO_MANY_CONNECTIONS', tooManyConnections))
  if (handler.ownsCors || !isPreflight(request)) return isTracing() ? beginTraced(ctx, () => enter(entry, ctx)) : enter(entry, ctx)
  if (handler.writesOwnHead) ctx.writeHead(204, [])
  else response.writeHead(204)
  response.end()
}

function baseHead(ctx: HttpContext, { ownsCors }: Handler, options: HttpServerOptions): string[] {
  const head = ['x-request-id', ctx.requestId, ...securityHeaders]
  const { origin } = ctx.request.headers
  if (origin !== undefined && !ownsCors) head.push(...corsHeaders(ctx, origin, options.allowsOrigin ?? (() => false)))
  return head
}

/** A failing handler never ends the process: its error becomes a response, or closes the connection if the response had begun. */
function enter(entry: Entry, ctx: HttpContext): void {
  try {
    const handled = entry.handler.handle(ctx)
    if (handled) handled.catch((error: unknown) => fail(ctx, entry, error))
  } catch (error) {
    fail(ctx, entry, error)
  }
}

function fail(ctx: HttpContext, entry: Entry, error: unknown): void {
  if (ctx.aborted) return
  const shown = toAppError(error)
  if (shown.reason === 'UNKNOWN') ctx.log.error({ err: error, route: ctx.route }, 'http.handler-failed')
  if (ctx.response.headersSent) return void ctx.response.destroy()
  entry.handler.answerError(ctx, shown)
}

const tooManyConnections = {
  detail: 'Your network has too many requests under way here without a sign-in: try again in a few seconds',
  data: { retryAfterSeconds: 5 },
}

function refuse(ctx: HttpContext, { handler }: Entry, error: AppError): void {
  ctx.response.setHeader('connection', 'close')
  handler.answerError(ctx, error)
}

/** How many requests are under way that have a deadline: streams have none. */
function abortLate({ connections, handlerOf }: Serving): number {
  const now = performance.now()
  let underWay = 0
  connections.forEach((ctx) => {
    if (ctx.deadlineAt <= now) endLate(ctx, handlerOf(ctx.path))
    if (ctx.deadlineAt < Number.POSITIVE_INFINITY) underWay += 1
  })
  return underWay
}

/** The error that ends a late request has a deadline too: its client may not read it. */
function endLate(ctx: HttpContext, entry: Entry): void {
  const isFirst = ctx.aborted === null && !ctx.isStopping
  ctx.deadlineAt = performance.now() + lastAnswerMs
  ctx.abort('DEADLINE')
  if (isFirst) ctx.log.warn({ route: ctx.route }, 'http.deadline-passed')
  if (ctx.response.headersSent) return void ctx.request.socket.destroy()
  refuse(ctx, entry, new AppError('DEADLINE_PASSED'))
}

function sheddingOf({ options, handlerOf, host, connections }: Serving, admission: Admission): Shedding {
  const { allowsOrigin = () => false } = options
  return {
    admission,
    networkOf: (request) => networkOf(host.addressOf(request)),
    onRefused: ({ socket }) => connections.hasAnswered(socket),
    isGraphql: (path) => handlerOf(path).handler.takesGraphql === true,
    // Some pages may call from anywhere, and the refusal shows nothing.
    corsOf: (request) => corsHeaders({ request }, request.headers.origin ?? '', (origin) => ownsCors(request) || allowsOrigin(origin)),
  }
  function ownsCors({ url = '/' }: IncomingMessage): boolean {
    return handlerOf(url.split('?', 1)[0] ?? '/').handler.ownsCors === true
  }
}
