import { z } from 'zod'
import type { Outbox } from '../../ports/outbox.ts'
import { NonRetryableError } from '../../ports/non-retryable-error.ts'
import { createRelay } from '../../ports/outbox-relay.ts'
import type { Clock } from '../../kernel/clock.ts'
import { derivedId, newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { agentStates } from '../../ports/agent-activity.ts'
import type { WebhookUpdate } from '../../ports/telephony-webhooks.ts'

/** What a provider told, kept until it is worked. */
export type ReceivedUpdate = {
  readonly workspaceId: string
  readonly provider: string
  readonly receivedAt: number
  readonly update: WebhookUpdate
}

/** Callbacks on their way from the door to `track`: durable, each once, in order per call. */
export interface WebhookInbox {
  /** Resolves when all of it is durable; what came before is not kept again. Errors: OVERLOADED, STORE_UNAVAILABLE. */
  accept(received: Omit<ReceivedUpdate, 'receivedAt'>): Promise<void>
  /** Begins to work it, several calls at once. */
  start(work: (received: ReceivedUpdate) => Promise<void>): void
  /** Lets what is under way finish. */
  stop(): Promise<void>
}

const receiver = 'calls'
const topic = 'callback'
const concurrency = 16

const callUpdateSchema = z.object({
  about: z.literal('CALL'),
  ucid: z.string(),
  source: z.enum(['LIVE', 'RECORD']),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  automaticDisposition: z.string().nullable(),
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

export type CallbackInboxOptions = { readonly outbox: Outbox; readonly clock: Clock; readonly log: Log }

/**
 * The inbox, on the same durable queue as the events. The id of what is told of a call is the hash of it: a repetition is known by it. An
 * agent may truly do the same again within a second, and what is told of one twice does no harm.
 */
export function createWebhookInbox({ outbox, clock, log }: CallbackInboxOptions): WebhookInbox {
  let work: (received: ReceivedUpdate) => Promise<void> = () => Promise.reject(new Error('the inbox has not been started'))
  const relay = createRelay({
    outbox,
    receiver,
    concurrency,
    log,
    deadlineMs: 30_000,
    clock,
    deliver: async ({ body }) => work(parse(body)),
    moveToDeadLetters: (delivery, { reason }) => outbox.moveToDeadLetters(delivery, { reason, workspaceId: null }),
  })
  return {
    async accept({ workspaceId, provider, update }) {
      const body = JSON.stringify({ workspaceId, provider, receivedAt: clock.now(), update } satisfies ReceivedUpdate)
      const id = update.about === 'AGENT' ? newId() : derivedId(topic, workspaceId, provider, JSON.stringify(update))
      await outbox.add({ id, topic, key: keyOf(workspaceId, update), body, receivers: [receiver] })
      relay.wake()
    },
    start(worker) {
      work = worker
      relay.start()
    },
    stop: () => relay.stop(),
  }
}

/** Written by another version of this service, perhaps. */
function parse(body: string): ReceivedUpdate {
  const parsed = receivedSchema.safeParse(JSON.parse(body))
  if (parsed.success) return parsed.data
  throw new NonRetryableError('WRONG_SCHEMA', { cause: parsed.error })
}

function keyOf(workspaceId: string, update: WebhookUpdate): string {
  return JSON.stringify(update.about === 'CALL' ? [workspaceId, 'call', update.ucid] : [workspaceId, 'agent', update.agentId])
}
