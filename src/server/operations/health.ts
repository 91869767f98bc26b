import { scaled } from '../../kernel/deadlines.ts'
import { isoMoment, systemClock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { HttpContext } from '../http/http-context.ts'

/** `problem`: why the part works only partly, in plain words for the operator; null if it works. */
export type PartReport = { readonly problem: string | null; readonly detail?: unknown }
/** Checks one part that the service needs. Rejects if the part does not work. */
export type HealthCheck = (signal: AbortSignal) => Promise<PartReport | void>

export type PartHealth = {
  readonly state: 'up' | 'degraded' | 'down' | 'unknown'
  /** Why it is degraded or down, or has become unknown; a text for people. Absent before the first check. */
  readonly reason?: string
  readonly checkedAt: string | null
  readonly checkMs: number | null
  readonly detail?: unknown
}
export type Health = {
  readonly status: 'ok' | 'degraded'
  readonly parts: Readonly<Record<string, PartHealth>>
  /** A necessary part answers, and has refused what it must do for half a minute: what a new process, with new connections, may find mended. */
  readonly isRefused: boolean
}

export type HealthMonitor = Disposable & {
  /** Begins the checks. */
  start(): void
  /** What is known now. Only after the start it waits for the first checks, a quarter of a second at most. */
  read(): Promise<Health>
  /** The same, but after the start it waits until the necessary parts are checked, so that a busy start is not reported as a failure. */
  readForReadiness(): Promise<Health>
}

const roundMs = 2_000
const checkDeadlineMs = 2_000
const firstRoundMs = 250
/** An older state says nothing any longer: the timer was late, because the process was suspended or its event loop was blocked. */
const oldestMs = 10_000
/** A Redis that fails over, or restarts, refuses for some seconds. */
const refusedMs = 30_000
/** A later failure is no longer a refusal. It covers the time in which a connection is opened anew. */
const refusalCountsMs = 10_000
/** Each of these checks is a request to another system, so they are made in every second round only. */
const remote: ReadonlySet<string> = new Set(['platform', 'broker'])
/** Without these an instance can do nothing; everything else may be away for a while. */
const necessary: ReadonlySet<string> = new Set(['store', 'bus'])
const unknown: PartHealth = { state: 'unknown', checkedAt: null, checkMs: null }
const outdated: PartHealth = { ...unknown, reason: 'No result in the last ten seconds' }

/** Checks the parts every two or four seconds, whether somebody asks or not, so a part that hangs delays no response. */
export function createHealth(checks: Readonly<Record<string, HealthCheck>>, log: Log): HealthMonitor {
  const parts = Object.entries(checks).map(([name, check]) => createPart(name, check, log))
  const [first, firstNecessary] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let rounds = 0
  const round = async (): Promise<void> => {
    const due = parts.filter(({ name }) => rounds % 2 === 0 || !remote.has(name))
    rounds += 1
    const checked = due.map((part) => part.run())
    // Each within its deadline.
    const needed = checked.filter((_, index) => necessary.has(due[index]?.name ?? ''))
    if (rounds === 1) void Promise.all(needed).then(() => firstNecessary.resolve())
    await Promise.all(checked)
  }
  const states = (): Health => {
    const found = Object.fromEntries(parts.map((part) => [part.name, part.read()]))
    const isBad = Object.values(found).some(({ reason }) => reason !== undefined)
    const isRefused = parts.some((part) => necessary.has(part.name) && part.isRefused())
    return { status: isBad ? 'degraded' : 'ok', parts: found, isRefused }
  }
  let timer: NodeJS.Timeout | undefined
  let starting: NodeJS.Immediate | undefined
  return {
    start() {
      setTimeout(first.resolve, firstRoundMs).unref()
      // Later, because only after the server has opened its port do the features know their own address.
      starting = setImmediate(() => {
        // Each after the sockets are read: answers that came while the event loop was blocked count.
        timer = setInterval(() => setImmediate(() => void round()), roundMs).unref()
        void round().then(first.resolve)
      })
    },
    read: () => first.promise.then(states),
    readForReadiness: () => firstNecessary.promise.then(states),
    [Symbol.dispose]() {
      clearImmediate(starting)
      clearInterval(timer)
      for (const part of parts) part.end()
    },
  }
}

type Part = {
  readonly name: string
  /** Checks it, and resolves when its state is known; a check that still hangs is not repeated. */
  run(): Promise<void>
  read(): PartHealth
  isRefused(): boolean
  /** Aborts a check that is under way. */
  end(): void
}

function createPart(name: string, check: HealthCheck, log: Log): Part {
  let last = unknown
  let lastAt = Number.NEGATIVE_INFINITY
  let runningSince: number | null = null
  let checking = new AbortController()
  let isEnded = false
  /** The first and the last refusal since it was up or away. */
  let refused: { readonly since: number; readonly last: number } | null = null

  const record = ({ refuses, ...found }: Found, startedAt: number): void => {
    if (isEnded) return
    const before = last.state
    lastAt = performance.now()
    if (found.state !== 'down' || (refused && lastAt - refused.last > refusalCountsMs)) refused = null
    if (refuses === true) refused = { since: refused?.since ?? startedAt, last: lastAt }
    last = { ...found, checkedAt: isoMoment(systemClock.now()), checkMs: Math.round(lastAt - startedAt) }
    if (found.state !== before && (found.state !== 'up' || before !== 'unknown')) logChange(log, name, found)
  }

  return {
    name,
    read: () => (last === unknown || performance.now() - lastAt <= oldestMs ? last : outdated),
    isRefused: () => refused !== null && refused.last - refused.since >= refusedMs,
    end() {
      isEnded = true
      checking.abort()
    },
    async run() {
      const now = performance.now()
      if (runningSince !== null) return now - runningSince < scaled(checkDeadlineMs) ? undefined : record(silent, runningSince)
      runningSince = now
      checking = new AbortController()
      const settled = (async () => check(checking.signal))().then(resultOf, failureOf)
      void settled.then(() => (runningSince = null))
      const late = Promise.withResolvers<Found>()
      const endLate = (): void => {
        if (runningSince !== now) return
        checking.abort()
        late.resolve(silent)
      }
      const timer = setTimeout(() => setImmediate(endLate), scaled(checkDeadlineMs)).unref()
      record(await Promise.race([settled, late.promise]), now)
      clearTimeout(timer)
    },
  }
}

type Found = Pick<PartHealth, 'reason' | 'detail'> & {
  readonly state: 'up' | 'degraded' | 'down'
  /** It is down although it answers. */
  readonly refuses?: boolean
}

function resultOf(report: PartReport | void): Found {
  const detail = report?.detail === undefined ? {} : { detail: report.detail }
  const problem = report?.problem ?? null
  return problem === null ? { state: 'up', ...detail } : { state: 'degraded', reason: problem, ...detail }
}

const silent: Found = { state: 'down', reason: 'It does not answer' }

function failureOf(error: unknown): Found {
  return error instanceof AppError ? { state: 'down', reason: error.message, refuses: isAnswer(error.cause) } : silent
}

/** Of Redis, or of SQLite. */
function isAnswer(cause: unknown): boolean {
  return cause instanceof Error && (cause.name === 'ReplyError' || ('code' in cause && cause.code === 'ERR_SQLITE_ERROR'))
}

function logChange(log: Log, part: string, { state, reason }: Found): void {
  if (state === 'up') log.info({ part }, 'health.part-up')
  else log.warn({ part, why: reason }, state === 'down' ? 'health.part-down' : 'health.part-degraded')
}

/** For operators. 503 if a necessary part has refused for too long. */
export function sendHealth(ctx: HttpContext, { status, parts, isRefused }: Health): void {
  sendJson(ctx, isRefused ? 503 : 200, { status, parts })
}

/** For everybody else: the parts would show workspaces and partners. */
export function sendState(ctx: HttpContext, { parts, isRefused }: Health): void {
  // Right after the start nothing is known, and nothing is wrong.
  const isDown = missingOf(parts).some(([, { reason }]) => reason !== undefined)
  sendJson(ctx, isRefused ? 503 : 200, { status: isDown ? 'down' : 'up' })
}

/** 200 if the instance can serve requests, 503 if it cannot write what it must store: with the parts that are missing, for operators with the reasons. */
export function sendReadiness(ctx: HttpContext, { parts }: Health, isOperator: boolean): void {
  const missing = missingOf(parts)
  sendReasons(
    ctx,
    missing.map(([name, { reason = 'It is not checked yet' }]) => (isOperator ? `${name}: ${reason}` : name)),
  )
}

/** 503 from the moment the stop begins: a load balancer sends its requests elsewhere while the port still accepts them. */
export function sendStopping(ctx: HttpContext): void {
  sendReasons(ctx, ['The service stops'])
}

function missingOf(parts: Health['parts']): readonly (readonly [string, PartHealth])[] {
  return Object.entries(parts).filter(([name, { state }]) => necessary.has(name) && (state === 'down' || state === 'unknown'))
}

function sendReasons(ctx: HttpContext, reasons: readonly string[]): void {
  sendJson(ctx, reasons.length === 0 ? 200 : 503, { ready: reasons.length === 0, reasons })
}

function sendJson({ request, response }: HttpContext, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  response.end(request.method === 'HEAD' ? undefined : JSON.stringify(body))
}
