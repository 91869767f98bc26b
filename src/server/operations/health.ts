import { isoMoment, systemClock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { HttpContext } from '../http/http-context.ts'

/** Checks one part that the service needs. Resolves if it works, with details if there are any; rejects if it does not. */
export type HealthCheck = (signal: AbortSignal) => Promise<unknown>

export type PartHealth = {
  readonly state: 'up' | 'down' | 'unknown'
  readonly checkedAt: string | null
  readonly checkMs: number | null
  /** What the check resolved with. */
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
    const down = Object.values(states).some((part) => part.state === 'down')
    return { status: down ? 'degraded' : 'ok', parts: states }
  }
}

function createPart(name: string, check: HealthCheck, log: Log): () => Promise<PartHealth> {
  let last = unknown
  let lastAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | null = null

  const run = async (): Promise<void> => {
    const startedAt = performance.now()
    const before = last.state
    const { state, detail } = await within(check, checkDeadlineMs).then(
      (result) => ({ state: 'up' as const, detail: result }),
      () => ({ state: 'down' as const, detail: undefined }),
    )
    lastAt = performance.now()
    last = {
      state,
      checkedAt: isoMoment(systemClock.now()),
      checkMs: Math.round(lastAt - startedAt),
      ...(detail === undefined ? {} : { detail }),
    }
    if (state === 'down' && before !== 'down') log.warn({ part: name }, 'health.part-down')
    if (state === 'up' && before === 'down') log.info({ part: name }, 'health.part-up')
    running = null
  }

  return async () => {
    if (performance.now() - lastAt < freshForMs) return last
    running ??= run()
    await Promise.race([running, pause(maxWaitMs)])
    return last
  }
}

async function within(check: HealthCheck, deadlineMs: number): Promise<unknown> {
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
