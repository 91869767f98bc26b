import { z } from 'zod'
import { suggestedActions } from '../../ports/insight.ts'
import { Family } from '../../ports/stored/family.ts'
import { LeaseOf } from '../../ports/stored/lease-of.ts'

const storedInsightSchema = z.object({
  eventId: z.string(),
  occurredAt: z.string(),
  writtenAt: z.string(),
  model: z.string(),
  summary: z.string(),
  suggestedAction: z.enum(suggestedActions),
  reason: z.string(),
  callBackAt: z.string().nullable(),
  /** The last call that it is about; null if the lead had none. */
  ucid: z.string().nullable(),
  /** The analysed recordings that the model knew. */
  recordings: z.array(z.object({ callId: z.string(), analyzedAt: z.string() })),
  /** Written again because a recording was analysed, not because a call ended. */
  isRenewal: z.boolean(),
})
/** An insight with its origin, as our store has it. The platform's lead has some of the fields. */
export type StoredInsight = z.output<typeof storedInsightSchema>

const dayMs = 86_400_000

type LeadKey = { readonly workspaceId: string; readonly leadId: string }
/** `id`: of the event that causes the insight. */
type EventKey = { readonly workspaceId: string; readonly id: string }

/** The newest insight of a lead. */
export const storedInsights = new Family({
  name: 'insight',
  key: ({ workspaceId, leadId }: LeadKey) => [workspaceId, leadId],
  schema: storedInsightSchema,
  // The next event writes another one.
  unreadable: 'ABSENT',
  lifetime: 180 * dayMs,
  about: 'person',
  what: 'the insight on a lead',
})

/** It lives longer than any topic retains its events, so that an event that comes again finds its answer. */
export const insightAnswers = new Family({
  name: 'insight-answer',
  key: ({ workspaceId, id }: EventKey) => [workspaceId, id],
  schema: storedInsightSchema,
  unreadable: 'ABSENT',
  lifetime: 8 * dayMs,
  about: 'person',
  what: "the model's answer on a call, until it is written",
})

export const writtenInsights = new Family({
  name: 'insight-done',
  key: ({ workspaceId, id }: EventKey) => [workspaceId, id],
  schema: z.literal(1),
  lifetime: 8 * dayMs,
  about: 'nothing',
  what: 'calls whose insight is written',
})

export const insightLease = new LeaseOf({
  name: 'insight-lock',
  key: ({ workspaceId, leadId }: LeadKey) => [workspaceId, leadId],
  what: 'an insight that is being written',
})
