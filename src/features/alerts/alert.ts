import { z } from 'zod'
import { keysOf } from '../../kernel/typed-keys.ts'
import type { AlertsSection } from '../../ports/configuration/alerts.ts'

/** The kinds of alerts, each with the field of the configuration that has its threshold. */
export const thresholdFields = {
  MISSED_CALLS_WAITING: 'waitingMissedCalls',
  LONGEST_WAIT: 'longestWaitMinutes',
  WRAP_UP: 'wrapUpMinutes',
  NO_AGENT_READY: 'noAgentReadyMinutes',
  PROVIDER_FAILING: 'providerFailingMinutes',
  WEBHOOKS_SILENT: 'webhooksSilentMinutes',
} as const satisfies Readonly<Record<string, keyof AlertsSection>>
export type AlertKind = keyof typeof thresholdFields
export const alertKinds = keysOf(thresholdFields)

/** What a threshold says at one moment: it is reached. */
export type Breach = {
  readonly kind: AlertKind
  /** The agent or the party that it is about; null if it is about the workspace. */
  readonly subject: { readonly id: string; readonly name: string } | null
  /** Calls for MISSED_CALLS_WAITING, else minutes. */
  readonly value: number
  readonly threshold: number
  /** How long it must last before it is an alert, in milliseconds. 0: the value says that already. */
  readonly forMs: number
}

/** What a threshold says of an alert. Times are ISO 8601. */
export const alertFactsSchema = z.object({
  id: z.string(),
  kind: z.enum(alertKinds),
  subject: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** When it was raised. */
  value: z.number(),
  threshold: z.number(),
  raisedAt: z.string(),
  clearedAt: z.string().nullable(),
})
export type AlertFacts = z.output<typeof alertFactsSchema>

export const alertSchema = alertFactsSchema.extend({
  acknowledgedAt: z.string().nullable(),
  acknowledgedBy: z.object({ memberId: z.string().nullable(), name: z.string().nullable() }).nullable(),
})
/** A threshold of the configuration that was reached: raised once, cleared once. */
export type RaisedAlert = z.output<typeof alertSchema>
