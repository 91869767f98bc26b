import type { EventDepth } from './event-bus.ts'
import type { DeadLetter, DeadLetterStore } from './dead-letters.ts'

/** An event as it is kept: `receivers` are those who must get it, each at its own pace. */
export type OutboxEvent = {
  readonly id: string
  readonly topic: string
  /** What keeps the order: events of one topic and key reach a receiver one after the other. */
  readonly key: string
  /** The event as JSON. */
  readonly body: string
  readonly receivers: readonly string[]
  /** For these receivers in the place of the outbox's own bound. */
  readonly bound?: OutboxBound
}

/** Full: more events than this wait for a receiver, or one is older (null: whatever their age). Parked events count apart. */
export type OutboxBound = { readonly maxEvents: number; readonly maxAgeMs: number | null }

/** One event on its way to one receiver, leased to who claimed it. */
export type Delivery = {
  readonly sequence: string
  readonly receiver: string
  readonly eventId: string
  readonly topic: string
  readonly key: string
  readonly body: string
  /** How often it was tried before. */
  readonly tries: number
  /** Epoch milliseconds. */
  readonly addedAt: number
  /** Whether it waits for somebody to configure something. */
  readonly parked: boolean
}

export type Postponement = { readonly delayMs: number; readonly parked: boolean }
export type Burial = Pick<DeadLetter, 'reason' | 'workspaceId'>

/** Where events are kept between being published and being delivered. Every method throws STORE_UNAVAILABLE where it cannot work. */
export interface Outbox {
  /** Durable when it resolves; an id that was added for a receiver within the last days is not added again. OVERLOADED where it is full. */
  add(event: OutboxEvent): Promise<void>
  /** The first event of each lane (receiver, topic, key) that is due, leased for `leaseMs`: nobody else gets that lane meanwhile. */
  claim(claim: { readonly receiver: string; readonly limit: number; readonly leaseMs: number }): Promise<readonly Delivery[]>
  /** Delivered: it is removed, and the next of its lane is due. */
  settle(delivery: Delivery): Promise<void>
  /** Not delivered: its lane is due again in `delayMs`, and the try is counted. */
  postpone(delivery: Delivery, postponement: Postponement): Promise<void>
  /** Never to be delivered: it is moved to the dead letters, in one step. */
  bury(delivery: Delivery, burial: Burial): Promise<void>
  depth(): Promise<EventDepth>
  readonly dead: DeadLetterStore
  close(): Promise<void>
}
