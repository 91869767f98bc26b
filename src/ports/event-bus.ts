import type { DomainEvent, EventOf, Topic } from './event-catalogue.ts'
import type { DeadLetter, DeadLetterStore } from './dead-letters.ts'

/** Publishes events to other systems and to our own consumers: at least once, in order per key. */
export interface EventBus {
  /**
   * Resolves when the event is durable, so that it survives kill -9 and a power cut; never waits for a broker. An event id is stored once.
   * Throws OVERLOADED (with `retryAfterSeconds`) if the outbox is full, STORE_UNAVAILABLE if it cannot be written.
   */
  publish(event: DomainEvent): Promise<void>
  /** Adds a consumer; call before `start`. Each consumer gets every event of its topic, independently of the other consumers. */
  subscribe<Name extends Topic>(consumer: EventConsumer<Name>): void
  /** Begins delivering; does not wait for a broker. */
  start(): Promise<void>
  /** Events that are durable and not delivered yet, and the age of the oldest. */
  depth(): Promise<EventDepth>
  /** How many events each consumer has not taken from the broker yet. Empty without a broker. Rejects if it does not answer. */
  lag(): Promise<Readonly<Record<string, number>>>
  /** Resolves if events can reach their destination: a broker answers or, without a broker, the outbox does. */
  ping(): Promise<void>
  /** Events that their consumers gave up. */
  readonly deadLetters: DeadLetterStore
  /** Delivers a dead letter to its consumer again; durable when it resolves. Does not remove it. Throws PROVIDER_UNAVAILABLE without the broker. */
  replay(deadLetter: DeadLetter): Promise<void>
  /** Stops accepting and delivering, lets running handlers finish, closes. */
  close(): Promise<void>
}

/** `parked` events wait until somebody configures something; `events` and `oldestAgeMs` do not include them. */
export type QueueDepth = { readonly events: number; readonly oldestAgeMs: number; readonly parked: number }
/** The total, the depth of each receiver that has events waiting, and how many dead letters are stored. */
export type EventDepth = QueueDepth & { readonly receivers: Readonly<Record<string, QueueDepth>>; readonly deadLetters: number }

export type EventConsumer<Name extends Topic> = {
  /** Must not change: undelivered events are stored under this name. */
  readonly name: string
  readonly topic: Name
  /**
   * Called with one event of a key at a time, in order, and again after each failure until it succeeds. A `NonRetryableError` ends the
   * tries, NOT_CONFIGURED parks the event. An event may arrive twice. `signal` aborts when the time for one try is over.
   */
  readonly handle: (event: EventOf<Name>, signal: AbortSignal) => Promise<void>
}
