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
  /** Why it is degraded or down; a text for people. */
  readonly reason?: string
  readonly checkedAt: string | null
  readonly checkMs: number | null
  readonly detail?: unknown
}
export type Health = { readonly status: 'ok' | 'degraded'; readonly parts: Readonly<Record<string, PartHealth>> }

const freshForMs = 2_000
const checkDeadlineMs = 2_000
/** A response never waits longer than this: a part without a result by then is `unknown`. */
const maxWaitMs = 250
const unknown: PartHealth = { state: 'unknown', checkedAt: null, checkMs: null }

/** The states of the parts. Each part is checked at most every two seconds, and a part that hangs does not delay the response. */
export function createHealth(checks: Readonly<Record<string, HealthCheck>>, log: Log): () => Promise<Health> {
  const parts = Object.entries(checks).map(([name, check]) => ({ name, read: createPart(name, check, log) }))
  return async () => {
    const readings = parts.map(async (part): Promise<[string, PartHealth]> => [part.name, await part.read()])
    const states = Object.fromEntries(await Promise.all(readings))
    const isBad = Object.values(states).some(({ state }) => state === 'down' || state === 'degraded')
    return { status: isBad ? 'degraded' : 'ok', parts: states }
  }
}

function createPart(name: string, check: HealthCheck, log: Log): () => Promise<PartHealth> {
  let last = unknown
  let lastAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | null = null

  const run = async (): Promise<void> => {
    const startedAt = performance.now()
    const before = last.state
    const found = await within(check, checkDeadlineMs).then(resultOf, failureOf)
    lastAt = performance.now()
    last = {
      ...found,
      checkedAt: isoMoment(systemClock.now()),
      checkMs: Math.round(lastAt - startedAt),
    }
    if (found.state !== before && (found.state !== 'up' || before !== 'unknown')) logChange(log, name, found)
    running = null
  }

  return async () => {
    if (performance.now() - lastAt < freshForMs) return last
    running ??= run()
    await Promise.race([running, pause(maxWaitMs)])
    return last
  }
}

type Found = Pick<PartHealth, 'reason' | 'detail'> & { readonly state: 'up' | 'degraded' | 'down' }

function resultOf(report: PartReport | void): Found {
  const detail = report?.detail === undefined ? {} : { detail: report.detail }
  const problem = report?.problem ?? null
  return problem === null ? { state: 'up', ...detail } : { state: 'degraded', reason: problem, ...detail }
}

function failureOf(error: unknown): Found {
  return { state: 'down', reason: error instanceof AppError ? error.message : 'It does not answer' }
}

function logChange(log: Log, part: string, { state, reason }: Found): void {
  if (state === 'up') log.info({ part }, 'health.part-up')
  else log.warn({ part, why: reason }, state === 'down' ? 'health.part-down' : 'health.part-degraded')
}

async function within(check: HealthCheck, deadlineMs: number): Promise<PartReport | void> {
  const signal = AbortSignal.timeout(deadlineMs)
  const passed = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('no answer in time')), { once: true })
  })
  return Promise.race([Promise.resolve(check(signal)), passed])
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

export function sendHealth(ctx: HttpContext, health: Health): void {
  const body = JSON.stringify(health)
  ctx.response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  ctx.response.end(ctx.request.method === 'HEAD' ? undefined : body)
}

/** Without these an instance can do nothing; everything else may be away for a while. */
const necessary: ReadonlySet<string> = new Set(['store', 'bus'])

/** 200 if the instance can serve requests, 503 with the reasons if it cannot write what it must store. */
export function sendReadiness(ctx: HttpContext, { parts }: Health): void {
  const missing = Object.entries(parts).filter(([name, { state }]) => necessary.has(name) && (state === 'down' || state === 'unknown'))
  const reasons = missing.map(([name, { reason = 'It is not checked yet' }]) => `${name}: ${reason}`)
  sendReasons(ctx, reasons)
}

/** 503 from the moment the stop begins: a load balancer sends its requests elsewhere while the port still accepts them. */
export function sendStopping(ctx: HttpContext): void {
  sendReasons(ctx, ['The service stops'])
}

function sendReasons(ctx: HttpContext, reasons: readonly string[]): void {
  const head = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  ctx.response.writeHead(reasons.length === 0 ? 200 : 503, head)
  ctx.response.end(ctx.request.method === 'HEAD' ? undefined : JSON.stringify({ ready: reasons.length === 0, reasons }))
}
