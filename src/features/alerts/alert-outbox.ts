import { z } from 'zod'
import { derivedId } from '../../kernel/ids.ts'
import { NonRetryableError } from '../../ports/non-retryable-error.ts'
import { createRelay } from '../../ports/outbox-relay.ts'
import type { Ports } from '../../ports/ports.ts'
import { type AlertFacts, alertKinds } from './alert.ts'

/** What the receiver of alerts gets. It has ids and no names. Times are ISO 8601. */
export const alertMessageSchema = z.object({
  type: z.enum(['alert.raised', 'alert.cleared', 'alert.test']).describe('What has happened. `alert.test`: a connection test; ignore it.'),
  timestamp: z.iso.datetime().describe('When it happened.'),
  data: z
    .object({
      workspaceId: z.string().describe('ID of the workspace (UUID).'),
      id: z.string().describe('ID of the alert; the same when it is raised and when it is cleared.'),
      kind: z.enum(alertKinds).describe('Which threshold was reached.'),
      subjectId: z.string().nullable().describe('The agent, party or provider that it is about; null if it is about the workspace.'),
      value: z.number().describe('The value when it was raised: calls for `MISSED_CALLS_WAITING`, else minutes.'),
      threshold: z.number().describe('The threshold of the configuration.'),
      raisedAt: z.iso.datetime().describe('When it was raised.'),
      clearedAt: z.iso.datetime().nullable().describe('When it was over; null while it lasts.'),
    })
    .nullable()
    .describe('The alert; null in a test.'),
})

/** Alerts on their way to the receiver that the workspace has configured, on the same durable queue as the events. */
export interface AlertOutbox {
  /** Durable when it resolves; a repetition is dropped. Does nothing if the workspace has no receiver. Errors: OVERLOADED, STORE_UNAVAILABLE. */
  add(workspaceId: string, alert: AlertFacts): Promise<void>
  start(): void
  /** Waits for messages that are being sent. */
  stop(): Promise<void>
}

const receiver = 'alert-webhooks'
const topic = 'alert.webhook'
const concurrency = 8
/** A receiver that was away for longer gets old alerts only by a replay. */
const budgetMs = 86_400_000

const bodySchema = z.object({ workspaceId: z.string(), message: alertMessageSchema })

export function createAlertOutbox(ports: Pick<Ports, 'alertReceiver' | 'clock' | 'configuration' | 'log' | 'outbox'>): AlertOutbox {
  const { outbox, clock, log } = ports
  const relay = createRelay({
    outbox,
    receiver,
    concurrency,
    log,
    clock,
    deadlineMs: 15_000,
    async deliver({ eventId, body, addedAt }, signal) {
      const { workspaceId, message } = parse(body)
      const address = await readAddress(ports, workspaceId)
      if (!address) return
      try {
        // A replay of a dead letter is the same message.
        await ports.alertReceiver(address).send({ id: eventId.split('#')[0] ?? eventId, body: JSON.stringify(message), signal })
      } catch (error) {
        throw clock.now() - addedAt > budgetMs ? new NonRetryableError('NOT_DELIVERED', { cause: error }) : error
      }
    },
  })
  return {
    async add(workspaceId, alert) {
      if (!(await readAddress(ports, workspaceId))) return
      const message = messageOf(workspaceId, alert)
      const body = JSON.stringify({ workspaceId, message } satisfies z.output<typeof bodySchema>)
      await outbox.add({ id: derivedId(topic, alert.id, message.type), topic, key: alert.id, body, receivers: [receiver] })
      relay.wake()
    },
    start: () => relay.start(),
    stop: () => relay.stop(),
  }
}

async function readAddress({ configuration }: Pick<Ports, 'configuration'>, workspaceId: string) {
  const { url, secret } = (await configuration.read(workspaceId, 'alerts')).webhook
  return url === null || secret === null ? null : { workspaceId, url, secret }
}

function messageOf(workspaceId: string, { subject, ...facts }: AlertFacts): z.output<typeof alertMessageSchema> {
  const { raisedAt, clearedAt } = facts
  const type = clearedAt === null ? 'alert.raised' : 'alert.cleared'
  return { type, timestamp: clearedAt ?? raisedAt, data: { workspaceId, subjectId: subject?.id ?? null, ...facts } }
}

/** Another version of this service may have written it. */
function parse(body: string): z.output<typeof bodySchema> {
  const parsed = bodySchema.safeParse(JSON.parse(body))
  if (parsed.success) return parsed.data
  throw new NonRetryableError('WRONG_SCHEMA', { cause: parsed.error })
}
