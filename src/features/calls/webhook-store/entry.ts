import { z } from 'zod'
import { Counter } from '../../../ports/stored/counter.ts'
import { Family } from '../../../ports/stored/family.ts'
import { SortedList } from '../../../ports/stored/sorted-list.ts'
import type { WebhookTarget } from './webhook-keys.ts'

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

const dayMs = 86_400_000
const logMs = webhookLogDays * dayMs

/** Entries of all providers by when they were received. */
export const loggedWebhooks = new SortedList({
  name: 'webhook-log',
  key: (workspaceId: string) => [workspaceId],
  lifetime: logMs,
  about: 'call',
  what: 'received webhooks, the newest 300,000: provider, verdict, call',
})

type CountKey = WebhookTarget & { readonly verdict: WebhookVerdict; readonly hour: number }

export const webhookCounts = new Counter({
  name: 'webhook-log-count',
  key: ({ workspaceId, provider, verdict, hour }: CountKey) => [workspaceId, provider, verdict, String(hour)],
  lifetime: logMs,
  about: 'nothing',
  what: 'how many webhooks came in an hour',
})

/** Ids of failed webhooks that can be sent again. */
export const failedWebhooks = new SortedList({
  name: 'webhooks-failed',
  key: (workspaceId: string) => [workspaceId],
  lifetime: logMs,
  about: 'call',
  what: 'failed webhooks that can be sent again',
})

export function hourOf(epochMs: number): number {
  return Math.floor(epochMs / hourMs)
}

const lastSchema = z.object({ receivedAt: z.number(), handledAt: z.number().nullable() })
/** Epoch milliseconds. `handledAt`: the last one that was of the provider's account. */
export type LastWebhook = z.output<typeof lastSchema>

export const lastWebhooks = new Family({
  name: 'webhook-log-last',
  key: ({ workspaceId, provider }: WebhookTarget) => [workspaceId, provider],
  schema: lastSchema,
  // The next webhook replaces it.
  unreadable: 'ABSENT',
  lifetime: 30 * dayMs,
  about: 'nothing',
  what: 'when the last webhook of a provider came',
})
