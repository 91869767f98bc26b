import type { MessagePort } from 'node:worker_threads'
import type { EventDepth } from '../../ports/event-bus.ts'
import type { DeadLetter, DeadLetterPage } from '../../ports/dead-letters.ts'
import type { DeadLetterCause, Delivery, OutboxEvent, Postponement } from '../../ports/outbox.ts'

/** Where an embedded outbox is, and when it is full. */
export type OutboxFile = {
  readonly file: string
  readonly maxEvents: number
  readonly maxAgeMs: number
}

/** Opens an outbox in the thread. Its requests and replies go by this port. */
export type OutboxOpening = { readonly outbox: OutboxFile; readonly port: MessagePort }

/** One operation of the worker; `now` is epoch milliseconds by the service's clock. */
export type OutboxStep =
  | { readonly kind: 'add'; readonly now: number; readonly event: OutboxEvent }
  | { readonly kind: 'claim'; readonly now: number; readonly receiver: string; readonly limit: number; readonly leaseMs: number }
  | { readonly kind: 'renew'; readonly now: number; readonly deliveries: readonly Delivery[]; readonly leaseMs: number }
  | { readonly kind: 'settle'; readonly now: number; readonly delivery: Delivery }
  | { readonly kind: 'postpone'; readonly now: number; readonly delivery: Delivery; readonly postponement: Postponement }
  | { readonly kind: 'moveToDeadLetters'; readonly now: number; readonly delivery: Delivery; readonly cause: DeadLetterCause }
  | { readonly kind: 'addedBefore'; readonly now: number; readonly time: number; readonly limit: number }
  /** Deletes ids and dead letters from before these times. */
  | { readonly kind: 'purge'; readonly now: number; readonly known: number; readonly deadLetters: number }
  | { readonly kind: 'depth'; readonly now: number }
  | { readonly kind: 'addDeadLetter'; readonly now: number; readonly deadLetter: DeadLetter }
  | { readonly kind: 'listDeadLetters'; readonly now: number; readonly page: DeadLetterPage }
  | { readonly kind: 'readDeadLetter'; readonly now: number; readonly id: string }
  | { readonly kind: 'removeDeadLetter'; readonly now: number; readonly id: string }

export type OutboxRequest = { readonly call: number; readonly step: OutboxStep }

/** The call of the reply `failed` of an outbox that could not be opened. */
export const opening = 0

/** `none`: there was nothing to do. `full`: refused, the outbox has no room. `failed`: the transaction with this step could not be written. */
export type OutboxReply = {
  readonly call: number
  readonly outcome: 'done' | 'none' | 'full' | 'failed'
  readonly deliveries?: readonly Delivery[]
  readonly depth?: EventDepth
  /** Dead letters as JSON. */
  readonly deadLetters?: readonly string[]
  readonly error?: string
}
