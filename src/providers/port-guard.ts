import { setTimeout as delay } from 'node:timers/promises'
import { createBreakers, type Breakers } from '../kernel/breakers.ts'
import type { BreakerRules, CircuitBreaker } from '../kernel/circuit-breaker.ts'
import { AppError, type ErrorReason } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { logRefusal, refusalOf } from '../kernel/refusal.ts'
import { inSpan } from '../kernel/tracing.ts'
import type { UpstreamCall } from '../ports/figures.ts'

export type GuardSetup = {
  /** Receives every call, with its repetition, that was sent and whose caller waited for the end. */
  readonly observe?: ((call: UpstreamCall) => void) | undefined
  readonly log: Log
  /** Default: breakers of its own. */
  readonly breakers?: Breakers
  /** The usual rules of the breakers. */
  readonly rules?: BreakerRules
  readonly retryAfterMs?: number
}

type Kind = 'once' | 'again' | 'stream'

export type Guarded<Port> = {
  /** The port's name in `/health`, metrics and the log: `telephony`. */
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

/**
 * Adds a circuit breaker, retries and metrics to any port. Deadlines are up to the port: a provider that does not meet the port's usual deadline
 * has failed. Who waits for less passes a `signal` (the first input, or its property). After its abort nobody knows what the
 * provider would have answered: the call is no verdict about it, and is not measured.
 */
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
          const call = { port, provider, method: String(name), breaker, log, observe, retryAfterMs: kind === 'once' ? null : retryAfterMs }
          return (...input: readonly unknown[]) =>
            guard(() => Reflect.apply(value, unguarded, input), {
              ...call,
              signal: signalIn(input),
              startedAt: performance.now(),
              isSent: false,
            })
        },
      })
    },
  }
}

async function run(step: () => unknown, call: Call): Promise<unknown> {
  const send = async (): Promise<unknown> => {
    call.isSent = true
    return step()
  }
  try {
    const { port, method, breaker } = call
    const answer = await inSpan({ name: `${port}.${method}`, kind: 'INTERNAL' }, () =>
      attempt(call, () => breaker.run(send, (error) => isFailure(call, error))),
    )
    report(call, 'OK')
    return answer
  } catch (error) {
    reportFailure(call, error)
    throw error
  }
}

async function* stream(open: () => unknown, call: Call): AsyncGenerator {
  let seconds: number | null = null
  let failure: { readonly error: unknown } | null = null
  const opened: AsyncIterator<unknown>[] = []
  const begin = async () => {
    const parts = iteratorOf(open())
    opened.push(parts)
    const first = async (): Promise<IteratorResult<unknown>> => {
      call.isSent = true
      return parts.next()
    }
    // A stream whose reader has left ends without an error.
    const isAnswer = ({ done }: IteratorResult<unknown>): boolean => done !== true || !hasLeft(call)
    return { parts, first: await call.breaker.run(first, (error) => isFailure(call, error), isAnswer) }
  }
  try {
    const { parts, first } = await attempt(call, begin)
    if (first.done !== true || !hasLeft(call)) seconds = secondsSince(call.startedAt)
    let part = first
    while (part.done !== true) {
      yield part.value
      part = await parts.next()
    }
  } catch (error) {
    failure = { error }
    throw error
  } finally {
    if (failure) reportFailure(call, failure.error, seconds)
    else if (seconds !== null) report(call, 'OK', seconds)
    for (const parts of opened) await parts.return?.()
  }
}

type Call = Pick<GuardSetup, 'observe' | 'log'> &
  Pick<UpstreamCall, 'provider'> & {
    readonly port: string
    readonly method: string
    readonly breaker: CircuitBreaker
    /** Null if a call is never repeated. */
    readonly retryAfterMs: number | null
    /** Aborts when the caller does not wait any longer. */
    readonly signal: AbortSignal | null
    readonly startedAt: number
    /** False as long as the breaker refuses it. */
    isSent: boolean
  }

function signalIn([first]: readonly unknown[]): AbortSignal | null {
  if (first instanceof AbortSignal) return first
  const isObject = typeof first === 'object' && first !== null
  return isObject && 'signal' in first && first.signal instanceof AbortSignal ? first.signal : null
}

function hasLeft({ signal }: Call): boolean {
  return signal !== null && signal.aborted
}

/** Once more after a temporary failure. The retries of an upstream are shared by all of its calls. */
async function attempt<Answer>(call: Call, step: () => Promise<Answer>): Promise<Answer> {
  const { breaker, retryAfterMs } = call
  try {
    return await step()
  } catch (error) {
    if (retryAfterMs === null || !isPassing(error) || hasLeft(call) || breaker.isOpen || !breaker.takeRetry()) throw error
    await delay(retryAfterMs * (0.5 + Math.random()))
    return step()
  }
}

function reportFailure(call: Call, error: unknown, seconds?: number | null): void {
  logRefusal(call.log, `${call.port}.${call.method}`, error)
  const { accountFault = null } = refusalOf(error) ?? {}
  if (accountFault !== null) call.breaker.noteAccount(accountFault)
  if (call.isSent && !hasLeft(call)) report(call, error instanceof AppError ? error.reason : 'UNKNOWN', seconds)
}

function report({ observe, provider, method, startedAt, breaker }: Call, result: UpstreamCall['result'], seconds?: number | null): void {
  if (result === 'OK') breaker.noteAccount(null)
  observe?.({ provider, operation: method, result, seconds: seconds ?? secondsSince(startedAt) })
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
 * True if the provider cannot be reached or does not work, false if it has answered: a refusal, a rate limit, or an answer that cannot be used,
 * which may be due to the question. Null: the error says nothing about it, for example because the store is away or the caller left.
 */
function isFailure(call: Call, error: unknown): boolean | null {
  if (!(error instanceof AppError) || hasLeft(call)) return null
  const isLimited = error.data?.retryAfterSeconds !== undefined
  if (!isLimited && failures.has(error.reason)) return true
  return answers.has(error.reason) || refusalOf(error) !== null ? false : null
}

const failures: ReadonlySet<ErrorReason> = new Set(['PROVIDER_UNAVAILABLE', 'DEADLINE_PASSED'])
const answers: ReadonlySet<ErrorReason> = new Set(['PROVIDER_REFUSED', 'PROVIDER_ANSWER_INVALID'])

function isPassing(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'PROVIDER_UNAVAILABLE' && error.data?.retryAfterSeconds === undefined
}
