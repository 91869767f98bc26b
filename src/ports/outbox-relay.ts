import { deadlineSignal } from '../kernel/deadlines.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { AppError } from '../kernel/errors.ts'
import { inSpan } from '../kernel/tracing.ts'
import { loggedReason } from '../kernel/logged-error.ts'
import { workspaceIn } from './event-catalogue.ts'
import type { Delivery, Outbox } from './outbox.ts'
import { NonRetryableError } from './non-retryable-error.ts'

export type RelayOptions = {
  readonly outbox: Outbox
  /** The receiver whose events it takes out of the outbox. */
  readonly receiver: string
  /** Delivers one event. A `NonRetryableError` ends the tries, NOT_CONFIGURED parks the event, every other error leads to another try. */
  readonly deliver: (delivery: Delivery, signal: AbortSignal) => Promise<void>
  /** It hands events to a broker, in whose traces it is the sender. */
  readonly sends?: boolean
  /** Stores a dead letter and removes the event from the outbox. Default: the outbox's own dead letters. */
  readonly moveToDeadLetters?: (delivery: Delivery, error: NonRetryableError) => Promise<void>
  /** Whether an error concerns the destination rather than one event: then all events wait, and one at a time tests whether it is over. */
  readonly isOutage?: (error: unknown) => boolean
  readonly concurrency: number
  readonly log: Log
  readonly clock?: Clock
  /** For one try. */
  readonly deadlineMs?: number
}

/** Takes events out of the outbox and delivers each until it is delivered or becomes a dead letter. */
export interface Relay {
  start(): void
  /** Checks the outbox now: there may be a new event. */
  wake(): void
  /** Claims no more events and waits for the running deliveries; aborts those that take longer than some seconds. */
  stop(): Promise<void>
}

const eventBackoff = { firstMs: 200, longestMs: 60_000 }
const outageBackoff = { firstMs: 100, longestMs: 5_000 }
const parkedForMs = 60_000
const dayMs = 86_400_000
/** An event that waits longer becomes a dead letter, which can be replayed: for a configuration, or because every try fails. */
const atMostMs = { parked: 3 * dayMs, failing: 7 * dayMs }
const pollMs = 250
const finishWithinMs = 5_000
/** How long the events of a process that has died wait for another one. While a delivery runs, its lease is renewed. */
const leaseMs = 15_000
const renewEveryMs = 4_000
const defaultDeadlineMs = 90_000

export function createRelay(options: RelayOptions): Relay {
  const { outbox, receiver, concurrency, log } = options
  const outage = createOutage()
  const deliveries = createDeliveries(options, outage)
  let stopped = true
  let pumping: Promise<void> | null = null
  let isWoken = false
  let timers: readonly NodeJS.Timeout[] = []

  const claim = async (): Promise<void> => {
    isWoken = false
    const limit = (outage.isOn() ? 1 : concurrency) - deliveries.running()
    if (stopped || limit <= 0 || outage.isWaiting()) return
    const claimed = await outbox.claim({ receiver, limit, leaseMs })
    for (const delivery of claimed) deliveries.begin(delivery, wake)
    if (isWoken || claimed.length === limit) await claim()
  }

  const wake = (): void => {
    isWoken = true
    if (stopped || pumping) return
    pumping = claim()
      .catch((error: unknown) => log.error({ receiver, reason: loggedReason(error) }, 'outbox.read-failed'))
      .finally(() => {
        pumping = null
        if (isWoken && !stopped && !outage.isWaiting() && deliveries.running() < concurrency) setImmediate(wake)
      })
  }

  return {
    start() {
      stopped = false
      timers = [setInterval(wake, pollMs).unref(), setInterval(() => void deliveries.renew(), renewEveryMs).unref()]
      wake()
    },
    wake,
    async stop() {
      stopped = true
      await pumping
      await deliveries.finish()
      for (const timer of timers) clearInterval(timer)
    },
  }
}

/** The deliveries that run now. */
function createDeliveries(options: RelayOptions, outage: Outage) {
  const { outbox, deliver, log, deadlineMs = defaultDeadlineMs } = options
  const running = new Set<Promise<void>>()
  /** Whose lease must not expire: not those that are being settled or postponed. */
  const delivering = new Set<Delivery>()
  const ending = new AbortController()

  const attempt = async (delivery: Delivery): Promise<void> => {
    delivering.add(delivery)
    try {
      await inSpan(spanOf(options, delivery), () => deliver(delivery, AbortSignal.any([deadlineSignal(deadlineMs), ending.signal])))
      outage.end()
      delivering.delete(delivery)
    } catch (error) {
      delivering.delete(delivery)
      if (options.isOutage?.(error) === true) outage.begin()
      return handleFailure(options, delivery, error)
    }
    await outbox.settle(delivery)
  }

  return {
    running: () => running.size,
    async renew() {
      if (delivering.size === 0) return
      await outbox.renew({ deliveries: [...delivering], leaseMs }).catch((error: unknown) => {
        log.warn({ receiver: options.receiver, reason: loggedReason(error) }, 'outbox.lease-not-renewed')
      })
    },
    begin(delivery: Delivery, onEnd: () => void) {
      const work = attempt(delivery)
        // The outbox itself failed: the lease expires and the event is claimed again.
        .catch((error: unknown) => log.error({ ...factsOf(delivery), reason: loggedReason(error) }, 'outbox.write-failed'))
        .finally(() => {
          running.delete(work)
          onEnd()
        })
      running.add(work)
    },
    async finish() {
      const timer = setTimeout(() => ending.abort(), finishWithinMs)
      await Promise.all(running)
      clearTimeout(timer)
    },
  }
}

/** Of the trace in which the event was published. */
function spanOf({ sends = false }: RelayOptions, { topic, receiver, traceparent }: Delivery) {
  const step = sends ? 'send' : 'process'
  return {
    name: `${step} ${topic}`,
    kind: sends ? 'PRODUCER' : 'CONSUMER',
    parent: traceparent ?? null,
    attributes: {
      'messaging.operation.name': step,
      'messaging.destination.name': topic,
      'messaging.consumer.group.name': receiver,
    },
  } as const
}

async function handleFailure(options: RelayOptions, delivery: Delivery, error: unknown): Promise<void> {
  const { outbox, log, isOutage, clock = systemClock } = options
  const ageMs = clock.now() - delivery.addedAt
  if (error instanceof NonRetryableError) return giveUp(options, delivery, error)
  if (error instanceof AppError && error.reason === 'NOT_CONFIGURED') {
    const isTooOld = ageMs > atMostMs.parked
    return isTooOld ? giveUp(options, delivery, new NonRetryableError('NOT_CONFIGURED')) : park(options, delivery)
  }
  if (ageMs > atMostMs.failing) return giveUp(options, delivery, new NonRetryableError('NOT_DELIVERED', { cause: error }))
  const delayMs = isOutage?.(error) === true ? 0 : Math.min(backoff(delivery.tries, eventBackoff), retryAfterMs(error))
  log.warn({ ...factsOf(delivery), delayMs, reason: loggedReason(error) }, 'event.delivery-failed')
  await outbox.postpone(delivery, { delayMs, parked: false })
}

async function giveUp(options: RelayOptions, delivery: Delivery, error: NonRetryableError): Promise<void> {
  const { outbox, log } = options
  const { reason } = error
  try {
    if (options.moveToDeadLetters) await options.moveToDeadLetters(delivery, error)
    else await outbox.moveToDeadLetters(delivery, { reason, workspaceId: workspaceIn(delivery.body) })
    log.error({ ...factsOf(delivery), reason }, 'event.dead-lettered')
  } catch (failure) {
    log.warn({ ...factsOf(delivery), reason: loggedReason(failure) }, 'event.dead-letter-failed')
    await outbox.postpone(delivery, { delayMs: backoff(delivery.tries, eventBackoff), parked: false })
  }
}

async function park({ outbox, log }: RelayOptions, delivery: Delivery): Promise<void> {
  if (!delivery.parked) log.warn(factsOf(delivery), 'event.parked')
  await outbox.postpone(delivery, { delayMs: parkedForMs * (1 - Math.random() / 2), parked: true })
}

type Outage = ReturnType<typeof createOutage>

function createOutage() {
  let failures = 0
  let waitUntil = 0
  const isWaiting = (): boolean => performance.now() < waitUntil
  return {
    isOn: () => failures > 0,
    isWaiting,
    begin() {
      // Deliveries that ran at the same time fail for the same outage.
      if (isWaiting()) return
      waitUntil = performance.now() + backoff(failures, outageBackoff)
      failures += 1
    },
    end() {
      failures = 0
      waitUntil = 0
    },
  }
}

/** Doubles after each try up to a bound, less a random part of up to a half: events that failed together are not retried together. */
function backoff(tries: number, { firstMs, longestMs }: { firstMs: number; longestMs: number }): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(tries, 20)) * (1 - Math.random() / 2)
}

/** An error that says when to try again is not waited for longer. */
function retryAfterMs(error: unknown): number {
  const seconds = error instanceof AppError ? error.data?.retryAfterSeconds : undefined
  return seconds === undefined ? Number.POSITIVE_INFINITY : seconds * 1_000
}

function factsOf({ receiver, topic, eventId, tries }: Delivery) {
  return { receiver, topic, eventId, tries }
}
