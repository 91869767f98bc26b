import { scaled } from '../../kernel/deadlines.ts'
import { createServer, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { networkOf } from '../../kernel/network.ts'
import { watchLoop } from '../../kernel/loop-watch.ts'
import { type Admission, createHttpAdmission, queueDelay } from './admission.ts'
import { isTracing } from '../../kernel/tracing.ts'
import { affordable, createAddressLimit } from './address-limit.ts'
import { addressReader, trustedSender } from './client-address.ts'
import { type Connections, createConnections } from './connections.ts'
import { type Arrived, BeginQueue } from './begin-queue.ts'
import { createCrowding, type Crowding } from './crowding.ts'
import { corsHeaders, isPreflight } from './cors.ts'
import { answerClientError } from './client-error.ts'
import { createHandlerTable, type Entry } from './routes.ts'
import { type Handler, HttpContext, type HttpHost } from './http-context.ts'
import { listen } from './listen.ts'
import { createHealth, type HealthCheck } from '../operations/health.ts'
import { countRequest, createHttpFigures, type HttpFigures } from '../operations/http-figures.ts'
import { type OperationOptions, operationHandlers } from '../operations/operation-handlers.ts'
import type { PrincipalsByToken } from '../operations/operator-check.ts'
import { checkLoad } from '../operations/overload.ts'
import { Owners } from './owner.ts'
import { beginOrShed, refuse as refuseLate, shedUpgrade } from './shed.ts'
import { isVital } from './vital-requests.ts'
import { defaultPatience, timeoutsOf } from './patience.ts'
import { toAppError } from './problem.ts'
import { type KnownRequesters, logRequest } from './request-log.ts'
import { beginTraced, endTraced } from './request-span.ts'
import { securityHeaders } from './security-headers.ts'
import { answerLast, createStop, type Stop, type StopOptions } from './stop.ts'
import { TimedResponse } from './timed-response.ts'
import { defaultUnreadLimits, type UnreadLimits, UnreadWatch } from './unread.ts'
import { upgrade, wantsSocket } from './upgrade.ts'

type Operations = StopOptions & OperationOptions

export type HttpServerOptions = Operations & {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** Handlers by path: `/graphql` is that path only, `/api/*` is every path below it. An exact path wins, then the longest prefix. */
  readonly handlers: Readonly<Record<string, Handler>>
  readonly health: Readonly<Record<string, HealthCheck>>
  readonly log: Log
  /** Whose token it is. */
  readonly principals?: KnownRequesters & PrincipalsByToken
  /** A response that has not begun after this time is refused with TIMEOUT. */
  readonly deadlineMs?: number
  /** Connections of one address (IPv6: one /64 network) that have shown no valid token. Default 1,000. */
  readonly connectionsPerAddress?: number
  readonly patience?: Partial<typeof defaultPatience>
  /** Of answers that clients do not read. */
  readonly unread?: UnreadLimits
  /** Requests are refused if the event loop is later than this. Default 0: never. */
  readonly overloadDelayMs?: number
  /** Decides about refusals instead. */
  readonly admission?: Admission
  /** Decides how much one owner may have under way instead. */
  readonly crowding?: Crowding
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
  const connections = createConnections(limit, patience, {
    onOver(ctx) {
      countRequest(ctx, figures)
      logRequest(ctx, { log: options.log, principals: options.principals })
      if (ctx.span) endTraced(ctx, ctx.span)
    },
    onClosed: (cause) => (figures.closed[cause] += 1),
  })
  const stop = createStop(connections, options)
  const unread = unreadWatchOf(options, figures)
  const admission = options.admission ?? createHttpAdmission(options.overloadDelayMs ?? 0, options.log)
  const loop = watchLoop()
  const rules = rulesOf(options)
  const owners = new Owners(rules.host.addressOf, options.principals)
  const queue: BeginQueue = createQueue(options, owners, () => countUnderWay(connections, queue))
  const health = createHealth({ ...options.health, load: async () => checkLoad(admission) }, options.log)
  const running = { connections, stop, admission, queue, health }
  const handlerOf = createHandlerTable({ ...options.handlers, ...operationHandlers(options, figures, running) })
  const serving: Serving = { options, connections, handlerOf, stop, ...rules }

  const deadlineCheck = setInterval(() => {
    const underWay = abortLate(serving)
    unread.check(connections)
    connections.closeLingering()
    const { delayMs, utilization } = loop.read()
    queue.check({ delayMs, utilization }, underWay)
    admission.check(underWay + queue.length, { delayMs: Math.max(delayMs, queueDelay(queue)), utilization })
  }, deadlineCheckMs)
  const shedding = sheddingOf(serving, { admission, queue })
  // One that comes before the answers of others would come into the middle of them.
  const upgrades = {
    shouldUpgradeCallback: (request: IncomingMessage) => connections.isAnswered(request.socket) && wantsSocket(request, handlerOf),
  }
  const server = createServer({ ...timeoutsOf(patience), ...upgrades, ServerResponse: TimedResponse }, (request, response) => {
    // Node goes on reading what came in one piece with the requests for which the connection was closed.
    if (!request.socket.destroyed && connections.arrives({ request, response })) receive({ request, response }, serving, shedding)
  })
  server.timeout = patience.silenceMs
  server.on('connection', (socket) => connections.open(socket))
  server.on('clientError', (error, socket: Socket) => answerClientError(error, socket, connections.isAnswering(socket)))
  server.on('upgrade', (request, socket, head) => {
    if (admission.isCalm() || queue.makeRoom(request)) upgrade(request, { socket, head }, { ...serving, server, owners })
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
  readonly isTrusted: (request: IncomingMessage) => boolean
  readonly allowsOrigin: (origin: string) => boolean
}

function rulesOf({ log, trustProxy, allowsOrigin = () => false }: HttpServerOptions): Pick<Serving, 'allowsOrigin' | 'host' | 'isTrusted'> {
  return { host: { log, addressOf: addressReader(trustProxy, log) }, isTrusted: trustedSender(trustProxy), allowsOrigin }
}

type Shed = Parameters<typeof beginOrShed>[1]

/** Begins a request, lets it wait, or refuses it. */
function receive({ request, response }: Pick<Arrived, 'request' | 'response'>, serving: Serving, shedding: Shed & Deciding): void {
  const { connections, stop } = serving
  const { admission, queue } = shedding
  const arrived: Arrived = {
    request,
    response,
    begin: () => serve(request, response, serving),
    refuse: () => refuseLate(arrived, shedding, () => connections.begin(arrived)),
  }
  // A refusal too closes its connection.
  if (stop.isBegun) response.shouldKeepAlive = false
  if (!admission.isCalm(queue)) beginOrShed(arrived, shedding)
  else if (queue.isBusy && isVital(request) && admission.admitsVital(shedding.networkOf(request))) connections.begin(arrived)
  else connections.begin(arrived, queue)
}

function createQueue({ crowding, overloadDelayMs = 0 }: HttpServerOptions, owners: Owners, onCrowded: () => void): BeginQueue {
  return new BeginQueue(crowding ?? createCrowding(overloadDelayMs), owners, onCrowded)
}

function unreadWatchOf({ log, principals, unread = defaultUnreadLimits }: HttpServerOptions, { closed }: HttpFigures): UnreadWatch {
  return new UnreadWatch({ limits: unread, log, principals, closed })
}

function serve(request: IncomingMessage, response: TimedResponse, serving: Serving): void {
  if (request.socket.destroyed) return
  const { options, host, handlerOf, connections } = serving
  const ctx = new HttpContext(request, response, { host, deadlineMs: scaled(options.deadlineMs ?? 30_000) })
  const entry = handlerOf(ctx.path)
  ctx.route = entry.path
  const { handler } = entry
  const isAdmitted = connections.enter(ctx)
  if (serving.stop.isBegun) answerLast(ctx, connections)
  ctx.baseHead = baseHead(ctx, handler, serving)
  if (!handler.writesOwnHead) ctx.setBaseHead()
  if (!isAdmitted) return refuse(ctx, entry, new AppError('TOO_MANY_CONNECTIONS', tooManyConnections))
  if (handler.ownsCors || !isPreflight(request)) return begin(ctx, entry, serving)
  if (handler.writesOwnHead) ctx.writeHead(204, [])
  else response.writeHead(204)
  response.end()
}

function begin(ctx: HttpContext, entry: Entry, { isTrusted }: Serving): void {
  if (!isTracing()) return enter(entry, ctx)
  beginTraced(ctx, isTrusted(ctx.request), () => enter(entry, ctx))
}

function baseHead(ctx: HttpContext, { ownsCors }: Handler, { allowsOrigin }: Serving): string[] {
  const head = ['x-request-id', ctx.requestId, ...securityHeaders]
  const { origin } = ctx.request.headers
  if (origin !== undefined && !ownsCors) head.push(...corsHeaders(ctx, origin, allowsOrigin))
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

/** How many requests are under way that have a deadline and do not wait on purpose: streams have none. */
function abortLate({ connections, handlerOf }: Serving): number {
  const now = performance.now()
  let underWay = 0
  connections.forEach((ctx) => {
    if (ctx.deadlineAt <= now) endLate(ctx, handlerOf(ctx.path))
    if (ctx.deadlineAt < Number.POSITIVE_INFINITY && !ctx.isPausing) underWay += 1
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

/** Limits have begun: those that began before count too. */
function countUnderWay(connections: Connections, queue: BeginQueue): void {
  connections.forEach((ctx) => {
    if (ctx.deadlineAt < Number.POSITIVE_INFINITY && !ctx.isPausing) queue.count(ctx.request, ctx.response)
  })
}

type Deciding = { readonly admission: Admission; readonly queue: BeginQueue }

function sheddingOf({ allowsOrigin, handlerOf, host, connections, stop }: Serving, { admission, queue }: Deciding): Shed & Deciding {
  return {
    admission,
    queue,
    begin: (arrived) => connections.begin(arrived),
    beginQueued: (arrived) => connections.begin(arrived, queue),
    isStopping: () => stop.isBegun,
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
