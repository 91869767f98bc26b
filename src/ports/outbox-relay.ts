import { type Clock, systemClock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { AppError } from '../kernel/errors.ts'
import { workspaceIn } from './event-catalogue.ts'
import type { Delivery, Outbox } from './outbox.ts'
import { NonRetryableError } from './non-retryable-error.ts'

export type RelayOptions = {
  readonly outbox: Outbox
  /** Whose events it takes out of the outbox. */
  readonly receiver: string
  /** Delivers one event; a `NonRetryableError` ends the tries, NOT_CONFIGURED parks it, every other fault leads to another. */
  readonly deliver: (delivery: Delivery, signal: AbortSignal) => Promise<void>
  /** Puts a poisoned event away, after which it is gone from the outbox; the outbox's own dead letters where left out. */
  readonly bury?: (delivery: Delivery, poison: NonRetryableError) => Promise<void>
  /** Faults of the way rather than of one event: everything waits, and one event at a time finds out when it is over. */
  readonly isOutage?: (error: unknown) => boolean
  readonly concurrency: number
  readonly log: Log
  readonly clock?: Clock
  /** For one try. */
  readonly deadlineMs?: number
}

/** Takes events out of the outbox and delivers them until each is delivered or found poisonous. */
export interface Relay {
  start(): void
  /** Says that there may be something new. */
  wake(): void
  /** Claims nothing any more and waits for the deliveries under way; those that take longer than some seconds are told to end. */
  stop(): Promise<void>
}

const eventBackoff = { firstMs: 200, longestMs: 60_000 }
const outageBackoff = { firstMs: 100, longestMs: 5_000 }
const parkedForMs = 60_000
/** What nobody configured in that time becomes a dead letter, which can be replayed. */
const parkedAtMostMs = 3 * 86_400_000
const lookEveryMs = 250
const finishWithinMs = 5_000
/** Added to the deadline of a try: the lease outlasts it. */
const leaseMarginMs = 15_000

export function createRelay(options: RelayOptions): Relay {
  const { outbox, receiver, deliver, concurrency, log, deadlineMs = 90_000 } = options
  const underWay = new Set<Promise<void>>()
  const outage = createOutage()
  const unlucky = createUnlucky(options)
  const ending = new AbortController()
  let stopped = true
  let pumping: Promise<void> | null = null
  let again = false
  let timer: NodeJS.Timeout | undefined

  const handle = async (delivery: Delivery): Promise<void> => {
    try {
      await deliver(delivery, AbortSignal.any([AbortSignal.timeout(deadlineMs), ending.signal]))
      outage.end()
    } catch (error) {
      if (options.isOutage?.(error) === true) outage.meet()
      return unlucky(delivery, error)
    }
    await outbox.settle(delivery)
  }

  const take = async (): Promise<void> => {
    again = false
    const limit = (outage.isOn() ? 1 : concurrency) - underWay.size
    if (stopped || limit <= 0 || outage.isWaiting()) return
    const deliveries = await outbox.claim({ receiver, limit, leaseMs: deadlineMs + leaseMarginMs })
    for (const delivery of deliveries) begin(delivery)
    if (again || deliveries.length === limit) await take()
  }

  const begin = (delivery: Delivery): void => {
    const work = handle(delivery)
      // The outbox itself failed: the lease runs out and the event is claimed again.
      .catch((error: unknown) => log.error({ ...factsOf(delivery), reason: reasonOf(error) }, 'the outbox cannot be written'))
      .finally(() => {
        underWay.delete(work)
        wake()
      })
    underWay.add(work)
  }

  const wake = (): void => {
    again = true
    if (stopped || pumping) return
    pumping = take()
      .catch((error: unknown) => log.error({ receiver, reason: reasonOf(error) }, 'the outbox cannot be read'))
      .finally(() => {
        pumping = null
        if (again && !stopped && !outage.isWaiting() && underWay.size < concurrency) setImmediate(wake)
      })
  }

  return {
    start() {
      stopped = false
      timer = setInterval(wake, lookEveryMs).unref()
      wake()
    },
    wake,
    async stop() {
      stopped = true
      clearInterval(timer)
      await pumping
      const patience = setTimeout(() => ending.abort(), finishWithinMs)
      await Promise.all(underWay)
      clearTimeout(patience)
    },
  }
}

/** What becomes of an event that was not delivered. */
function createUnlucky({ outbox, bury = buryIn(outbox), log, isOutage, clock = systemClock }: RelayOptions) {
  const putAway = async (delivery: Delivery, poison: NonRetryableError): Promise<void> => {
    try {
      await bury(delivery, poison)
      log.error({ ...factsOf(delivery), poison: poison.reason }, 'an event became a dead letter')
    } catch (error) {
      log.warn({ ...factsOf(delivery), reason: reasonOf(error) }, 'a dead letter cannot be kept yet')
      await outbox.postpone(delivery, { delayMs: backoff(delivery.tries, eventBackoff), parked: false })
    }
  }

  const park = async (delivery: Delivery): Promise<void> => {
    if (!delivery.parked) log.warn(factsOf(delivery), 'an event waits until its workspace is configured')
    await outbox.postpone(delivery, { delayMs: parkedForMs * (1 - Math.random() / 2), parked: true })
  }

  return async (delivery: Delivery, error: unknown): Promise<void> => {
    if (error instanceof NonRetryableError) return putAway(delivery, error)
    if (error instanceof AppError && error.reason === 'NOT_CONFIGURED') {
      const tooLong = clock.now() - delivery.addedAt > parkedAtMostMs
      return tooLong ? putAway(delivery, new NonRetryableError('NOT_CONFIGURED')) : park(delivery)
    }
    const delayMs = isOutage?.(error) === true ? 0 : backoff(delivery.tries, eventBackoff)
    log.warn({ ...factsOf(delivery), delayMs, reason: reasonOf(error) }, 'an event was not delivered; it is tried again')
    await outbox.postpone(delivery, { delayMs, parked: false })
  }
}

function buryIn(outbox: Outbox) {
  return (delivery: Delivery, { reason }: NonRetryableError) => outbox.bury(delivery, { reason, workspaceId: workspaceIn(delivery.body) })
}

function createOutage() {
  let met = 0
  let waitUntil = 0
  const isWaiting = (): boolean => performance.now() < waitUntil
  return {
    isOn: () => met > 0,
    isWaiting,
    meet() {
      // Deliveries that were under way together meet the same outage.
      if (isWaiting()) return
      waitUntil = performance.now() + backoff(met, outageBackoff)
      met += 1
    },
    end() {
      met = 0
      waitUntil = 0
    },
  }
}

/** Twice as long after each try, up to a bound, shortened by up to a half so that what failed together does not return together. */
function backoff(tries: number, { firstMs, longestMs }: { firstMs: number; longestMs: number }): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(tries, 20)) * (1 - Math.random() / 2)
}

function factsOf({ receiver, topic, eventId, tries }: Delivery) {
  return { receiver, topic, eventId, tries }
}

/** For the log: no text of a provider or an event. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.reason
  return error instanceof Error ? `${error.name}: ${error.message}` : 'unknown'
}
