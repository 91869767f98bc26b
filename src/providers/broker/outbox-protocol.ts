import type { EventDepth } from '../../ports/event-bus.ts'
import type { DeadLetter, DeadLetterPage } from '../../ports/dead-letters.ts'
import type { Burial, Delivery, OutboxEvent, Postponement } from '../../ports/outbox.ts'

/** What the outbox's worker is started with. */
export type OutboxWorkerData = {
  readonly file: string
  readonly maxEvents: number
  readonly maxAgeMs: number
  readonly keepIdsMs: number
  readonly deadLetterRetentionMs: number
}

/** By hand: a library for it would double the memory of the thread. */
export function isOutboxWorkerData(value: unknown): value is OutboxWorkerData {
  if (typeof value !== 'object' || value === null) return false
  const { file, ...numbers }: { file?: unknown } = value
  return typeof file === 'string' && Object.values(numbers).every((one) => typeof one === 'number')
}

/** One step that the worker is asked to make; `now` is epoch milliseconds by the service's clock. */
export type OutboxStep =
  | { readonly kind: 'add'; readonly now: number; readonly event: OutboxEvent }
  | { readonly kind: 'claim'; readonly now: number; readonly receiver: string; readonly limit: number; readonly leaseMs: number }
  | { readonly kind: 'settle'; readonly now: number; readonly delivery: Delivery }
  | { readonly kind: 'postpone'; readonly now: number; readonly delivery: Delivery; readonly postponement: Postponement }
  | { readonly kind: 'bury'; readonly now: number; readonly delivery: Delivery; readonly burial: Burial }
  | { readonly kind: 'depth'; readonly now: number }
  | { readonly kind: 'keepDead'; readonly now: number; readonly deadLetter: DeadLetter }
  | { readonly kind: 'listDead'; readonly now: number; readonly page: DeadLetterPage }
  | { readonly kind: 'readDead'; readonly now: number; readonly id: string }
  | { readonly kind: 'removeDead'; readonly now: number; readonly id: string }

export type OutboxRequest = { readonly call: number; readonly step: OutboxStep }

/** `none`: there was nothing to do. `full`: refused, the outbox has no room. `failed`: the group that the step was written with could not be written. */
export type OutboxReply = {
  readonly call: number
  readonly outcome: 'done' | 'none' | 'full' | 'failed'
  readonly deliveries?: readonly Delivery[]
  readonly depth?: EventDepth
  /** Dead letters as JSON. */
  readonly deadLetters?: readonly string[]
  readonly fault?: string
}
