import type { DomainEvent, EventOf, Topic } from './event-catalogue.ts'
import type { DeadLetter, DeadLetterStore } from './dead-letters.ts'

/** Tells events to the world and to our own consumers: at least once, in order per key. */
export interface EventBus {
  /**
   * Resolves when the event is durable: it outlives kill -9 and a power cut from then on; it never waits for a broker. The same event id is
   * kept once. Throws OVERLOADED (with when to try again) rather than losing an event when the outbox is full, STORE_UNAVAILABLE where it
   * cannot be written.
   */
  publish(event: DomainEvent): Promise<void>
  /** Adds a consumer; call before `start`. Each consumer gets every event of its topic, apart from the other consumers' progress. */
  subscribe<Name extends Topic>(consumer: EventConsumer<Name>): void
  /** Begins delivering; does not wait for a broker. */
  start(): Promise<void>
  /** Events that are durable and not delivered yet, and the age of the oldest. */
  depth(): Promise<EventDepth>
  /** Resolves where events can go to where they are meant to go: a broker answers, or the outbox where there is none. */
  ping(): Promise<void>
  /** Events that their consumers gave up. */
  readonly dead: DeadLetterStore
  /** Hands a dead letter to its consumer once more; durable when it resolves. It stays on the shelf. PROVIDER_UNAVAILABLE without the broker. */
  replay(deadLetter: DeadLetter): Promise<void>
  /** Stops taking and delivering, lets handlers under way finish, closes. */
  close(): Promise<void>
}

/** `parked` wait for somebody to configure something; they are counted and timed apart from the others. */
export type QueueDepth = { readonly events: number; readonly oldestAgeMs: number; readonly parked: number }
/** Of all, and of each receiver that has something to come. */
export type EventDepth = QueueDepth & { readonly receivers: Readonly<Record<string, QueueDepth>> }

export type EventConsumer<Name extends Topic> = {
  /** Lasting: what is not delivered yet is kept under this name. */
  readonly name: string
  readonly topic: Name
  /**
   * Called with one event of a key at a time, in order, again after each failure until it succeeds; a `NonRetryableError` ends the tries, and
   * NOT_CONFIGURED parks the event. An event may come twice. `signal` aborts when the time for one try is over.
   */
  readonly handle: (event: EventOf<Name>, signal: AbortSignal) => Promise<void>
}
