import { z } from 'zod'
import { derivedId, newId } from '../../kernel/ids.ts'
import { agentStates } from '../../ports/agent-activity.ts'
import { NonRetryableError } from '../../ports/non-retryable-error.ts'
import { createRelay } from '../../ports/outbox-relay.ts'
import type { Ports } from '../../ports/ports.ts'
import type { WebhookUpdate } from '../../ports/telephony-webhooks.ts'

/** An update of a provider, stored until it is processed. `receivedAt`: epoch milliseconds. */
export type ReceivedUpdate = {
  readonly workspaceId: string
  readonly provider: string
  readonly receivedAt: number
  readonly update: WebhookUpdate
}

/** Webhook updates on their way from the handler to `trackUpdate`: durable, each once, in order per call. */
export interface WebhookInbox {
  /** Resolves when the update is durable. A repetition is dropped. Errors: OVERLOADED, STORE_UNAVAILABLE. */
  add(received: Omit<ReceivedUpdate, 'receivedAt'>): Promise<void>
  /** Starts processing, several calls at the same time. */
  start(): void
  /** Waits for updates that are being processed. */
  stop(): Promise<void>
}

const receiver = 'calls'
const topic = 'webhook'
const concurrency = 16
const deadlineMs = 30_000

const callUpdateSchema = z.object({
  about: z.literal('CALL'),
  ucid: z.string(),
  source: z.enum(['LIVE', 'RECORD']),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  automaticDisposition: z.string().nullable(),
  mayBeAgentAlone: z.boolean().optional(),
})
const agentUpdateSchema = z.object({
  about: z.literal('AGENT'),
  agentId: z.string(),
  state: z.enum(agentStates),
  reason: z.string().nullable(),
  ucid: z.string().nullable(),
  at: z.string(),
})
const receivedSchema = z.object({
  workspaceId: z.string(),
  provider: z.string(),
  receivedAt: z.number(),
  update: z.discriminatedUnion('about', [callUpdateSchema, agentUpdateSchema]),
})

/** The inbox, on the same durable queue as the events. `process` runs for each update; a NonRetryableError makes a dead letter. */
export function createWebhookInbox(
  { outbox, clock, log }: Pick<Ports, 'outbox' | 'clock' | 'log'>,
  process: (received: ReceivedUpdate) => Promise<void>,
): WebhookInbox {
  const relay = createRelay({
    outbox,
    receiver,
    concurrency,
    log,
    deadlineMs,
    clock,
    deliver: async ({ body }) => process(parse(body)),
    moveToDeadLetters: (delivery, { reason }) => outbox.moveToDeadLetters(delivery, { reason, workspaceId: null }),
  })
  return {
    async add({ workspaceId, provider, update }) {
      const body = JSON.stringify({ workspaceId, provider, receivedAt: clock.now(), update } satisfies ReceivedUpdate)
      // The hash of a call update is its id, so that a repetition is dropped. An agent may really do the same again within a second, and
      // a repeated agent update changes nothing.
      const id = update.about === 'AGENT' ? newId() : derivedId(topic, workspaceId, provider, JSON.stringify(update))
      await outbox.add({ id, topic, key: keyOf(workspaceId, update), body, receivers: [receiver] })
      relay.wake()
    },
    start: () => relay.start(),
    stop: () => relay.stop(),
  }
}

/** Another version of this service may have written it. */
function parse(body: string): ReceivedUpdate {
  const parsed = receivedSchema.safeParse(JSON.parse(body))
  if (parsed.success) return parsed.data
  throw new NonRetryableError('WRONG_SCHEMA', { cause: parsed.error })
}

function keyOf(workspaceId: string, update: WebhookUpdate): string {
  return JSON.stringify(update.about === 'CALL' ? [workspaceId, 'call', update.ucid] : [workspaceId, 'agent', update.agentId])
}
