import type { Log } from '../kernel/log.ts'
import { AppError } from '../kernel/errors.ts'
import type { Delivery, Outbox } from './outbox.ts'
import { PoisonedEvent } from './poisoned-event.ts'

export type RelayOptions = {
  readonly outbox: Outbox
  /** Whose events it takes out of the outbox. */
  readonly receiver: string
  /** Delivers one event; a `PoisonedEvent` ends the tries, every other fault leads to another. */
  readonly deliver: (delivery: Delivery, signal: AbortSignal) => Promise<void>
  readonly concurrency: number
  readonly log: Log
  /** For one try. */
  readonly deadlineMs?: number
}

/** Takes events out of the outbox and delivers them until each is delivered or found poisonous. */
export interface Relay {
  start(): void
  /** Says that there may be something new. */
  wake(): void
  /** Claims nothing any more and waits for the deliveries under way. */
  stop(): Promise<void>
}

const firstDelayMs = 200
const longestDelayMs = 60_000
const lookEveryMs = 250
/** Added to the deadline of a try: the lease outlasts it. */
const leaseMarginMs = 15_000

export function createRelay({ outbox, receiver, deliver, concurrency, log, deadlineMs = 90_000 }: RelayOptions): Relay {
  const underWay = new Set<Promise<void>>()
  let stopped = true
  let pumping: Promise<void> | null = null
  let again = false
  let timer: NodeJS.Timeout | undefined

  const handle = async (delivery: Delivery): Promise<void> => {
    try {
      await deliver(delivery, AbortSignal.timeout(deadlineMs))
      await outbox.settle(delivery)
    } catch (error) {
      if (error instanceof PoisonedEvent) await bury(delivery, error)
      else await postpone(delivery, error)
    }
  }

  const bury = async (delivery: Delivery, error: PoisonedEvent): Promise<void> => {
    log.error({ ...factsOf(delivery), poison: error.reason }, 'an event became a dead letter')
    await outbox.bury(delivery, error.reason)
  }

  const postpone = async (delivery: Delivery, error: unknown): Promise<void> => {
    const delayMs = backoff(delivery.tries)
    log.warn({ ...factsOf(delivery), delayMs, reason: reasonOf(error) }, 'an event was not delivered; it is tried again')
    await outbox.postpone(delivery, delayMs)
  }

  const take = async (): Promise<void> => {
    again = false
    const limit = concurrency - underWay.size
    if (stopped || limit === 0) return
    for (const delivery of await outbox.claim({ receiver, limit, leaseMs: deadlineMs + leaseMarginMs })) begin(delivery)
    if (again) await take()
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
      await Promise.all(underWay)
    },
  }
}

/** Twice as long after each try, up to a minute, shortened by up to a half so that what failed together does not return together. */
function backoff(tries: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(tries, 20)) * (1 - Math.random() / 2)
}

function factsOf({ receiver, topic, eventId, tries }: Delivery) {
  return { receiver, topic, eventId, tries }
}

/** For the log: no text of a provider or an event. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.reason
  return error instanceof Error ? `${error.name}: ${error.message}` : 'unknown'
}
