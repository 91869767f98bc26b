import { z } from 'zod'
import { derivedId, newId } from '../../../kernel/ids.ts'
import { NonRetryableError } from '../../../ports/non-retryable-error.ts'
import { createRelay } from '../../../ports/outbox-relay.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { WebhookUpdate } from '../../../ports/telephony-webhooks.ts'
import type { WebhookLog } from './webhook-log.ts'
import { webhookUpdateSchema } from './webhook-update.ts'

/** An update of a provider, stored until it is processed. `receivedAt`: epoch milliseconds. */
export type ReceivedUpdate = {
  readonly workspaceId: string
  readonly provider: string
  readonly receivedAt: number
  readonly update: WebhookUpdate
}

/** Webhook updates on their way from the handler to `trackUpdate`: durable, each once, in order per call. */
export interface WebhookInbox {
  /**
   * Resolves when the update is durable: to false if it is a repetition, which is dropped. `replay` identifies a replay of a webhook that failed
   * before: its update is processed again, once. Errors: OVERLOADED, STORE_UNAVAILABLE.
   */
  add(received: Omit<ReceivedUpdate, 'receivedAt'>, replay?: { readonly id: string; readonly receivedAt: number }): Promise<boolean>
  /** Starts processing, several calls at the same time. */
  start(): void
  /** Waits for updates that are being processed. */
  stop(): Promise<void>
}

const receiver = 'calls'
const topic = 'webhook'
const concurrency = 16
const deadlineMs = 30_000

const receivedSchema = z.object({ workspaceId: z.string(), provider: z.string(), receivedAt: z.number(), update: webhookUpdateSchema })

/** The inbox, on the same durable queue as the events. `process` runs for each update; a NonRetryableError makes a dead letter. */
export function createWebhookInbox(
  { outbox, clock, log, webhookLog }: Pick<Ports, 'outbox' | 'clock' | 'log'> & { readonly webhookLog: Pick<WebhookLog, 'giveUp'> },
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
    async moveToDeadLetters(delivery, { reason }) {
      const given = receivedSchema.safeParse(JSON.parse(delivery.body)).data
      // First, so that no webhook is given up that nobody can replay.
      if (given) {
        const id = derivedId('given-up-webhook', given.workspaceId, delivery.eventId)
        await webhookLog.giveUp(given, { id, reason, updates: [given.update], receivedAt: given.receivedAt })
      }
      await outbox.moveToDeadLetters(delivery, { reason, workspaceId: given?.workspaceId ?? null })
    },
  })
  return {
    async add({ workspaceId, provider, update }, replay) {
      const receivedAt = replay?.receivedAt ?? clock.now()
      const body = JSON.stringify({ workspaceId, provider, receivedAt, update } satisfies ReceivedUpdate)
      // The hash of a call update is its id, so that a repetition is dropped. An agent may really do the same again within a second, and
      // a repeated agent update changes nothing.
      const parts = [topic, workspaceId, provider, JSON.stringify(update), ...(replay ? [replay.id] : [])]
      const id = update.about === 'AGENT' && !replay ? newId() : derivedId(...parts)
      const isNew = await outbox.add({ id, topic, key: keyOf(workspaceId, update), body, receivers: [receiver] })
      relay.wake()
      return isNew
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
