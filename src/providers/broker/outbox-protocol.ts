import { z } from 'zod'
import type { EventDepth } from '../../events/bus.ts'
import type { Delivery, OutboxEvent } from '../../events/outbox.ts'

/** What the outbox's worker is started with. */
export const outboxWorkerDataSchema = z.strictObject({
  file: z.string(),
  maxEvents: z.number(),
  maxAgeMs: z.number(),
  keepIdsMs: z.number(),
})
export type OutboxWorkerData = z.output<typeof outboxWorkerDataSchema>

/** One step that the worker is asked to make; `now` is epoch milliseconds by the service's clock. */
export type OutboxStep =
  | { readonly kind: 'add'; readonly now: number; readonly event: OutboxEvent }
  | { readonly kind: 'claim'; readonly now: number; readonly receiver: string; readonly limit: number; readonly leaseMs: number }
  | { readonly kind: 'settle'; readonly now: number; readonly delivery: Delivery }
  | { readonly kind: 'postpone'; readonly now: number; readonly delivery: Delivery; readonly delayMs: number }
  | { readonly kind: 'bury'; readonly now: number; readonly delivery: Delivery; readonly reason: string }
  | { readonly kind: 'depth'; readonly now: number }

export type OutboxRequest = { readonly call: number; readonly step: OutboxStep }

/** `full`: refused, the outbox has no room. `failed`: the group that the step was written with could not be written. */
export type OutboxReply = {
  readonly call: number
  readonly outcome: 'done' | 'full' | 'failed'
  readonly deliveries?: readonly Delivery[]
  readonly depth?: EventDepth
  readonly fault?: string
}
