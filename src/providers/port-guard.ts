import {
  BrokenCircuitError,
  circuitBreaker,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhen,
  type IPolicy,
  retry,
  wrap,
} from 'cockatiel'
import { LRUCache } from 'lru-cache'
import { AppError, type ErrorReason } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { logRefusal } from '../kernel/refusal.ts'

/** One call of a port's method, for metrics: how long it took and how it ended. */
export type PortCall = { readonly port: string; readonly method: string; readonly outcome: 'OK' | ErrorReason; readonly seconds: number }

export type GuardOptions = {
  /** Receives every call. */
  readonly observe?: (call: PortCall) => void
  /** For refusals. */
  readonly log?: Log
  /** How long the provider gets no requests after `failuresToOpen` failures in a row. */
  readonly openMs?: number
  readonly failuresToOpen?: number
  readonly retryAfterMs?: number
}

type Kind = 'once' | 'again' | 'stream'

export type Guarded<Port> = {
  /** The port's name in metrics: `telephony`. */
  readonly port: string
  /** The account or address of the provider. Failures of one account do not count against another. */
  readonly account: string
  /**
   * The guarded methods. `again`: is repeated once after a temporary failure. `stream`: returns an async iterable; the breaker counts
   * whether it begins, and the measured time is the time until it begins. Other methods are not changed.
   */
  readonly methods: Readonly<Partial<Record<keyof Port & string, Kind>>>
}

/** Adds a circuit breaker, retries and metrics to any port. Deadlines are up to the port. */
export interface PortGuard {
  guard<Port extends object>(target: Port, guarded: Guarded<Port>): Port
}

const maxAccounts = 1_000

export function createPortGuard({ observe, log, openMs = 5_000, failuresToOpen = 5, retryAfterMs = 150 }: GuardOptions = {}): PortGuard {
  const breakers = new LRUCache<string, IPolicy>({ max: maxAccounts })
  const again = retry(handleWhen(isPassing), { maxAttempts: 1, backoff: new ExponentialBackoff({ initialDelay: retryAfterMs }) })

  const breakerOf = (key: string): IPolicy => {
    const breaker = breakers.get(key) ?? createBreaker(openMs, failuresToOpen)
    breakers.set(key, breaker)
    return breaker
  }

  const run = async (step: () => unknown, { port, method, policy }: Guarding): Promise<unknown> => {
    const startedAt = performance.now()
    let outcome: PortCall['outcome'] = 'OK'
    try {
      return await policy.execute(async () => step())
    } catch (thrown) {
      const error = errorOf(thrown, openMs, log && { log, operation: `${port}.${method}` })
      outcome = outcomeOf(error)
      throw error
    } finally {
      observe?.({ port, method, outcome, seconds: secondsSince(startedAt) })
    }
  }

  async function* stream(open: () => unknown, { port, method, policy }: Guarding): AsyncGenerator {
    const startedAt = performance.now()
    let seconds: number | null = null
    let outcome: PortCall['outcome'] = 'OK'
    const parts = iteratorOf(open())
    try {
      let part = await policy.execute(() => parts.next())
      seconds = secondsSince(startedAt)
      while (part.done !== true) {
        yield part.value
        part = await parts.next()
      }
    } catch (thrown) {
      const error = errorOf(thrown, openMs, log && { log, operation: `${port}.${method}` })
      outcome = outcomeOf(error)
      throw error
    } finally {
      observe?.({ port, method, outcome, seconds: seconds ?? secondsSince(startedAt) })
      await parts.return?.()
    }
  }

  return {
    guard(target, { port, account, methods }) {
      const kinds = new Map<PropertyKey, Kind | undefined>(Object.entries(methods))
      return new Proxy(target, {
        get(unguarded, name) {
          const value: unknown = Reflect.get(unguarded, name)
          const kind = kinds.get(name)
          if (typeof value !== 'function' || kind === undefined) return value
          const breaker = breakerOf(`${port}:${account}`)
          const policy = kind === 'again' ? wrap(again, breaker) : breaker
          const guard = kind === 'stream' ? stream : run
          return (...input: readonly unknown[]) =>
            guard(() => Reflect.apply(value, unguarded, input), { port, method: String(name), policy })
        },
      })
    },
  }
}

function createBreaker(openMs: number, failuresToOpen: number): IPolicy {
  return circuitBreaker(handleWhen(isBroken), { halfOpenAfter: openMs, breaker: new ConsecutiveBreaker(failuresToOpen) })
}

/** If the breaker is open, calls fail with an error of the port. A refusal is logged. */
function errorOf(thrown: unknown, openMs: number, logging: { readonly log: Log; readonly operation: string } | undefined): unknown {
  if (logging) logRefusal(logging.log, logging.operation, thrown)
  return thrown instanceof BrokenCircuitError ? resting(openMs) : thrown
}

type Guarding = { readonly port: string; readonly method: string; readonly policy: IPolicy }

function outcomeOf(error: unknown): ErrorReason {
  return error instanceof AppError ? error.reason : 'UNKNOWN'
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

/** True if the provider cannot be reached or does not work. Refusals are answers. A rate limit reports itself when to retry. */
function isBroken(error: unknown): boolean {
  if (!(error instanceof AppError) || error.data?.retryAfterSeconds !== undefined) return false
  return error.reason === 'PROVIDER_UNAVAILABLE' || error.reason === 'DEADLINE_PASSED' || error.reason === 'PROVIDER_ANSWER_INVALID'
}

function isPassing(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'PROVIDER_UNAVAILABLE' && error.data?.retryAfterSeconds === undefined
}

function resting(openMs: number): AppError {
  const data = { retryAfterSeconds: Math.max(1, Math.ceil(openMs / 1000)) }
  return new AppError('PROVIDER_UNAVAILABLE', {
    detail: 'The provider has failed several times. Requests to it are paused for a moment',
    data,
  })
}
