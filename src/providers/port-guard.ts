import { setTimeout as delay } from 'node:timers/promises'
import { createBreakers, type Breakers } from '../kernel/breakers.ts'
import type { BreakerRules, CircuitBreaker } from '../kernel/circuit-breaker.ts'
import { AppError, type ErrorReason } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { logRefusal, refusalOf } from '../kernel/refusal.ts'
import { inSpan } from '../kernel/tracing.ts'

/** One call of a port's method, for metrics: how long it took and how it ended. */
export type PortCall = {
  readonly port: string
  readonly provider: string
  readonly method: string
  readonly outcome: 'OK' | ErrorReason
  readonly seconds: number
}

export type GuardSetup = {
  /** Receives every call. */
  readonly observe?: ((call: PortCall) => void) | undefined
  readonly log: Log
  /** Default: breakers of its own. */
  readonly breakers?: Breakers
  /** The usual rules of the breakers. */
  readonly rules?: BreakerRules
  readonly retryAfterMs?: number
}

type Kind = 'once' | 'again' | 'stream'

export type Guarded<Port> = {
  /** The port's name in metrics: `telephony`. */
  readonly port: string
  /** The provider's id, for metrics: `ozonetel`. */
  readonly provider: string
  /** Whom errors name: `The telephony provider`. */
  readonly who: string
  /** The account or address of the provider. Failures of one account do not count against another. */
  readonly account: string
  /** Whose account it is; without it, all workspaces share it. */
  readonly workspaceId?: string
  readonly rules?: BreakerRules
  /**
   * The guarded methods. `again`: is repeated once after a temporary failure, if the upstream's budget of retries allows it. `stream`: the same
   * for an async iterable until its first part; the breaker counts whether it begins, and the measured time is the time until it begins. Other
   * methods are not changed.
   */
  readonly methods: Readonly<Partial<Record<keyof Port & string, Kind>>>
}

/** Adds a circuit breaker, retries and metrics to any port. Deadlines are up to the port. */
export interface PortGuard {
  guard<Port extends object>(target: Port, guarded: Guarded<Port>): Port
}

export function createPortGuard({ observe, log, breakers = createBreakers(log), rules, retryAfterMs = 150 }: GuardSetup): PortGuard {
  return {
    guard(target, { port, provider, who, account, workspaceId, rules: ownRules, methods }) {
      const kinds = new Map<PropertyKey, Kind | undefined>(Object.entries(methods))
      const upstream = { party: port, who, workspaceId: workspaceId ?? null }
      return new Proxy(target, {
        get(unguarded, name) {
          const value: unknown = Reflect.get(unguarded, name)
          const kind = kinds.get(name)
          if (typeof value !== 'function' || kind === undefined) return value
          const breaker = breakers.of(`${port}:${workspaceId ?? ''}:${account}`, upstream, { ...rules, ...ownRules })
          const guard = kind === 'stream' ? stream : run
          const guarding = {
            port,
            provider,
            method: String(name),
            breaker,
            log,
            observe,
            retryAfterMs: kind === 'once' ? null : retryAfterMs,
          }
          return (...input: readonly unknown[]) => guard(() => Reflect.apply(value, unguarded, input), guarding)
        },
      })
    },
  }
}

async function run(step: () => unknown, { breaker, retryAfterMs, ...call }: Guarding): Promise<unknown> {
  const startedAt = performance.now()
  let outcome: PortCall['outcome'] = 'OK'
  try {
    const { port, method } = call
    return await inSpan({ name: `${port}.${method}`, kind: 'INTERNAL' }, () =>
      attempt(breaker, retryAfterMs, () => breaker.run(async () => step(), isBroken)),
    )
  } catch (error) {
    outcome = reportFailure(call, error)
    throw error
  } finally {
    report(call, outcome, secondsSince(startedAt))
  }
}

async function* stream(open: () => unknown, { breaker, retryAfterMs, ...call }: Guarding): AsyncGenerator {
  const startedAt = performance.now()
  let seconds: number | null = null
  let outcome: PortCall['outcome'] = 'OK'
  const opened: AsyncIterator<unknown>[] = []
  const begin = async () => {
    const parts = iteratorOf(open())
    opened.push(parts)
    return { parts, first: await breaker.run(() => parts.next(), isBroken) }
  }
  try {
    const { parts, first } = await attempt(breaker, retryAfterMs, begin)
    seconds = secondsSince(startedAt)
    let part = first
    while (part.done !== true) {
      yield part.value
      part = await parts.next()
    }
  } catch (error) {
    outcome = reportFailure(call, error)
    throw error
  } finally {
    report(call, outcome, seconds ?? secondsSince(startedAt))
    for (const parts of opened) await parts.return?.()
  }
}

type Call = Pick<GuardSetup, 'observe' | 'log'> & Pick<PortCall, 'port' | 'provider' | 'method'>
/** `retryAfterMs`: null if a call is never repeated. */
type Guarding = Call & { readonly breaker: CircuitBreaker; readonly retryAfterMs: number | null }

/** Once more after a temporary failure. The retries of an upstream are shared by all of its calls. */
async function attempt<Answer>(breaker: CircuitBreaker, retryAfterMs: number | null, step: () => Promise<Answer>): Promise<Answer> {
  try {
    return await step()
  } catch (error) {
    if (retryAfterMs === null || !isPassing(error) || breaker.isOpen || !breaker.takeRetry()) throw error
    await delay(retryAfterMs * (0.5 + Math.random()))
    return step()
  }
}

function reportFailure({ log, port, method }: Call, error: unknown): ErrorReason {
  logRefusal(log, `${port}.${method}`, error)
  return error instanceof AppError ? error.reason : 'UNKNOWN'
}

function report({ observe, port, provider, method }: Call, outcome: PortCall['outcome'], seconds: number): void {
  observe?.({ port, provider, method, outcome, seconds })
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000
}

function iteratorOf(value: unknown): AsyncIterator<unknown> {
  if (typeof value === 'object' && value !== null && isAsyncIterable(value)) return value[Symbol.asyncIterator]()
  throw new TypeError('a method that is guarded as a stream answered something else')
}

function isAsyncIterable(value: object): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in value
}

/**
 * True if the provider cannot be reached or does not work, false if it has answered: a refusal or a rate limit. Null: the error says nothing
 * about it, for example because the store is away.
 */
function isBroken(error: unknown): boolean | null {
  if (!(error instanceof AppError)) return null
  const isLimited = error.data?.retryAfterSeconds !== undefined
  if (!isLimited && broken.has(error.reason)) return true
  return error.reason === 'PROVIDER_REFUSED' || refusalOf(error) !== null ? false : null
}

const broken: ReadonlySet<ErrorReason> = new Set(['PROVIDER_UNAVAILABLE', 'DEADLINE_PASSED', 'PROVIDER_ANSWER_INVALID'])

function isPassing(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'PROVIDER_UNAVAILABLE' && error.data?.retryAfterSeconds === undefined
}
