import type { EventDepth } from './event-bus.ts'
import type { DeadLetter, DeadLetterStore } from './dead-letters.ts'

/** An event as it is stored. Each of the `receivers` gets it, at its own pace. */
export type OutboxEvent = {
  readonly id: string
  readonly topic: string
  /** Events of one topic and key reach a receiver one after the other. */
  readonly key: string
  /** The event as JSON. */
  readonly body: string
  readonly receivers: readonly string[]
  /** The trace that it belongs to, as W3C `traceparent`. Default: that of the span around the call. */
  readonly traceparent?: string | null
  /** Replaces the outbox's own bound for these receivers. */
  readonly bound?: OutboxBound
}

/** The outbox is full if more events than this wait for a receiver, or one is older (null: any age). Parked events do not count. */
export type OutboxBound = { readonly maxEvents: number; readonly maxAgeMs: number | null }

export const outboxBound = { maxEvents: 100_000, maxAgeMs: 3 * 86_400_000 } satisfies OutboxBound

/** One event on its way to one receiver, leased to the process that claimed it. */
export type Delivery = {
  readonly sequence: string
  readonly receiver: string
  readonly eventId: string
  readonly topic: string
  readonly key: string
  readonly body: string
  /** How many tries failed before this one. */
  readonly tries: number
  /** Epoch milliseconds. */
  readonly addedAt: number
  /** Whether it waits until somebody configures something. */
  readonly parked: boolean
  /** Null or absent: it belongs to no trace. */
  readonly traceparent?: string | null
}

export type Postponement = { readonly delayMs: number; readonly parked: boolean }
export type DeadLetterCause = Pick<DeadLetter, 'reason' | 'workspaceId'>

/** The durable queue between publishing and delivering. Every method throws STORE_UNAVAILABLE if it cannot work. */
export interface Outbox {
  /**
   * Durable when it resolves. An id that was added for a receiver in the last eight days is not added again: false if that holds for all receivers.
   * Throws OVERLOADED if it is full.
   */
  add(event: OutboxEvent): Promise<boolean>
  /** The first event of each lane (receiver, topic, key) that is due, leased for `leaseMs`: no other claim gets that lane meanwhile. */
  claim(claim: { readonly receiver: string; readonly limit: number; readonly leaseMs: number }): Promise<readonly Delivery[]>
  /** Leases deliveries that still run for another `leaseMs`. Those that were settled or postponed meanwhile stay as they are. */
  renew(renewal: { readonly deliveries: readonly Delivery[]; readonly leaseMs: number }): Promise<void>
  /** Delivered: removes the event; the next event of its lane is due. */
  settle(delivery: Delivery): Promise<void>
  /** Not delivered: its lane is due again in `delayMs`, and the try is counted. */
  postpone(delivery: Delivery, postponement: Postponement): Promise<void>
  /** Given up: moves the event to the dead letters, in one step. */
  moveToDeadLetters(delivery: Delivery, cause: DeadLetterCause): Promise<void>
  depth(): Promise<EventDepth>
  readonly deadLetters: DeadLetterStore
  close(): Promise<void>
}
