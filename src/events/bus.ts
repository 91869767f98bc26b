import type { DomainEvent, EventOf, Topic } from './catalogue.ts'

/** Tells events to the world and to our own consumers: at least once, in order per key. */
export interface EventBus {
  /**
   * Resolves when the event is durable: it outlives kill -9 from then on. The same event id is kept once. Throws OVERLOADED rather
   * than losing an event when the outbox is full.
   */
  publish(event: DomainEvent): Promise<void>
  /** Hands each event of the topic to the handler until it succeeds or is found poisonous; call before `start`. */
  subscribe<Name extends Topic>(topic: Name, handler: (event: EventOf<Name>, signal: AbortSignal) => Promise<void>): void
  /** Begins delivering. */
  start(): Promise<void>
  /** Events that are durable and not delivered yet, and the age of the oldest. */
  depth(): Promise<{ readonly events: number; readonly oldestAgeMs: number }>
  /** Stops taking, lets handlers under way finish, closes. */
  close(): Promise<void>
}
