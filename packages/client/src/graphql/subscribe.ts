import { graphqlError, isJson, type Json } from '../errors/read-errors.ts'
import { refusesToken, ServiceError } from '../errors/service-error.ts'
import { backOffMs, pause, type Timers } from '../timers.ts'
import { brokenOff } from './event-stream.ts'
import type { Sending } from './request.ts'

export interface StreamOptions {
  /** Ends the stream: the iteration is over, without an error. */
  readonly signal?: AbortSignal | undefined
  /**
   * Called each time the stream is opened, also with a renewed token: the current state comes next. And when it is interrupted and will be opened
   * again by itself, once for each reason: TOO_MANY_STREAMS, for example, means that the member has too many of them.
   */
  readonly onState?: ((state: 'OPEN' | 'INTERRUPTED', error: ServiceError | null) => void) | undefined
}

/**
 * Another way to open subscriptions than server-sent events, such as one web socket for all. Resolves when the service has accepted the subscription, with
 * its results as JSON until the service completes it; throws if the connection breaks off. `overHttp` opens it by server-sent events all the same.
 */
export type OpenStream = (
  sending: Sending,
  signal: AbortSignal,
  overHttp: () => Promise<AsyncIterable<unknown>>,
) => Promise<AsyncIterable<unknown>>

export interface StreamSource {
  readonly timers: Timers
  open(token: string | null, signal: AbortSignal): Promise<AsyncIterable<unknown>>
  /** A token that is good for a while. */
  access(): Promise<string | null>
  renew(refused: string, refusal: ServiceError): Promise<string>
  /** Whether the error says that this device's own session took over from an earlier one of its tokens. */
  isOwnTakeOver(error: ServiceError): boolean
  /** Called for the error that ends the stream. */
  onEnd(error: ServiceError): void
}

/**
 * The data of a subscription. Interrupted, it is opened again, at first after about a second, then more rarely; the service then sends the
 * current state first. It ends when the service completes it, when the signal is aborted, or with the error that no further try can help.
 */
export async function* subscribe(source: StreamSource, options: StreamOptions, signal: AbortSignal): AsyncGenerator<Json, void> {
  const onState = changes(options.onState)
  let tries = noTries
  while (!signal.aborted) {
    let token: string | null = null
    let openedAt = Number.POSITIVE_INFINITY
    try {
      token = await source.access()
      const results = await source.open(token, signal)
      openedAt = source.timers.now()
      onState('OPEN', null)
      for await (const data of dataOf(results)) {
        tries = { ...noTries, hasOpened: true }
        if (signal.aborted) return
        yield data
      }
      return
    } catch (failure) {
      if (signal.aborted) return
      if (source.timers.now() - openedAt > steadyMs) tries = { ...noTries, hasOpened: true }
      const { step, error } = await nextStep(source, { failure, token, tries })
      if (step === 'END') {
        source.onEnd(error)
        throw error
      }
      if (step === 'AGAIN') tries = { ...tries, hasTriedAgain: true }
      else {
        onState('INTERRUPTED', error)
        await pause(source.timers, waitMs(error, tries.failures), signal)
        tries = { ...tries, failures: tries.failures + 1 }
      }
    }
  }
}

/** A stream that was open so long, or that brought an event, was good: the next interruption is a new one. */
const steadyMs = 60_000
const noTries: Tries = { hasOpened: false, failures: 0, hasTriedAgain: false }

function changes(onState: StreamOptions['onState']): NonNullable<StreamOptions['onState']> {
  let current = ''
  return (state, error) => {
    const next = `${state} ${error?.reason ?? ''}`
    if (state === 'OPEN' || next !== current) onState?.(state, error)
    current = next
  }
}

/** Since the last event. */
type Tries = { readonly hasOpened: boolean; readonly failures: number; readonly hasTriedAgain: boolean }
type Failure = { readonly failure: unknown; readonly token: string | null; readonly tries: Tries }
type Step = { readonly step: 'AGAIN' | 'WAIT' | 'END'; readonly error: ServiceError }

/** What helps only once is not tried a second time. */
async function nextStep(source: StreamSource, { failure, token, tries }: Failure): Promise<Step> {
  const error = failure instanceof ServiceError ? failure : brokenOff(failure)
  const once = tries.hasTriedAgain ? 'END' : 'AGAIN'
  if (refusesToken(error) && token !== null && once === 'AGAIN') {
    return source.renew(token, error).then(
      () => ({ step: once, error }),
      (refusal: unknown) =>
        refusal instanceof ServiceError && refusal.retryable ? { step: 'WAIT', error: refusal } : { step: 'END', error },
    )
  }
  if (source.isOwnTakeOver(error) || (error.reason === 'ROLE_MISSING' && tries.hasOpened)) return { step: once, error }
  return { step: error.retryable ? 'WAIT' : 'END', error }
}

function waitMs({ data }: ServiceError, failures: number): number {
  return Math.max(backOffMs(failures), (data?.retryAfterSeconds ?? 0) * 1_000)
}

/** Throws the error that the stream ends with. A result that has data too is data: its null fields have failed. */
async function* dataOf(results: AsyncIterable<unknown>): AsyncGenerator<Json, void> {
  for await (const result of results) {
    if (!isJson(result)) throw brokenOff()
    const values = isJson(result['data']) ? result['data'] : {}
    const error = graphqlError(result)
    if (error && Object.values(values).every((value) => value === null)) throw error
    yield values
  }
}
