import { z } from 'zod'
import type { WebhookTarget } from '../webhook-keys.ts'

export const webhookVerdicts = ['ACCEPTED', 'DUPLICATE', 'IGNORED', 'REFUSED', 'FAILED'] as const
/** What became of a webhook. */
export type WebhookVerdict = (typeof webhookVerdicts)[number]

const contents = ['CALL_EVENT', 'CALL_RECORD', 'AGENT_EVENT'] as const
/** What a webhook was about. */
export type WebhookContent = (typeof contents)[number]

/** A received webhook, as the log lists it. What is null is not stored: there is an entry for each webhook. */
export const webhookEntrySchema = z.object({
  id: z.string(),
  provider: z.string(),
  verdict: z.enum(webhookVerdicts),
  about: z.enum(contents).nullable().default(null),
  ucid: z.string().nullable().default(null),
  /** A reason of an error; NOT_DELIVERED if no try to process it succeeded. */
  reason: z.string().nullable().default(null),
  /** The message of the error. It repeats no value of the webhook. */
  detail: z.string().nullable().default(null),
  /** Milliseconds from the whole request to its end; null for what was not received by request. */
  durationMs: z.number().nullable().default(null),
  /** The failed webhook that a manager sent again. */
  replayOf: z.string().nullable().default(null),
})
export type WebhookEntry = z.output<typeof webhookEntrySchema>

const hourMs = 3_600_000
export const webhookLogDays = 7

/**
 * How many webhooks of a provider the log lists for each verdict and hour; the others are only counted. So nobody who knows a webhook address
 * can fill the store, or push out the other entries.
 */
export const listedPerHour: Readonly<Record<WebhookVerdict, number>> = {
  ACCEPTED: 10_000,
  DUPLICATE: 2_000,
  IGNORED: 500,
  REFUSED: 100,
  FAILED: 2_000,
}

/** Of a workspace: some 60 MB. */
export const maxListed = 300_000

/** Entries of all providers by when they were received. */
export const entriesKey = (workspaceId: string): string => `webhook-log:${workspaceId}`
/** How many webhooks came in an hour. */
export const countKey = ({ workspaceId, provider }: WebhookTarget, verdict: WebhookVerdict, hour: number): string =>
  `webhook-log-count:${workspaceId}:${provider}:${verdict}:${hour}`
export const lastKey = ({ workspaceId, provider }: WebhookTarget): string => `webhook-log-last:${workspaceId}:${provider}`
/** Ids of failed webhooks that can be sent again. */
export const failedKey = (workspaceId: string): string => `webhooks-failed:${workspaceId}`
export const failedWebhookKey = (workspaceId: string, id: string): string => `webhook-failed:${workspaceId}:${id}`

export function hourOf(epochMs: number): number {
  return Math.floor(epochMs / hourMs)
}

const lastSchema = z.object({ receivedAt: z.number(), handledAt: z.number().nullable() })
/** Epoch milliseconds. `handledAt`: the last one that was of the provider's account. */
export type LastWebhook = z.output<typeof lastSchema>
/** Null if another version of this service has written it, in another form: the next webhook replaces it. */
export const lastWebhookSchema: z.ZodType<LastWebhook | null> = lastSchema.nullable().catch(null)
