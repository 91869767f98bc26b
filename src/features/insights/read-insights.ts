import type { Actor } from '../../access/actor.ts'
import { asPerson } from '../../ports/record-access.ts'
import { type SuggestedAction, suggestedActionOf, unknownOrigin } from '../../ports/insight.ts'
import type { InsightRecords } from '../../ports/insight-records.ts'
import type { Ports } from '../../ports/ports.ts'
import { type StoredInsight, storedInsights } from './stored-insight.ts'

/** A lead and what its own fields contain; a field is absent if the client did not read it or the workspace lacks it. */
export type InsightFields = {
  readonly id: string
  readonly summary?: string | null | undefined
  readonly suggestedAction?: string | null | undefined
  readonly writtenAt?: string | null | undefined
}

export type ReadInsight = {
  readonly summary: string
  readonly suggestedAction: SuggestedAction | null
  /** ISO 8601 */
  readonly writtenAt: string | null
} & Origin

/** The origin of an insight; null if it is not known. */
type Origin = { readonly [Field in 'reason' | 'callBackAt' | 'model' | 'eventId']: string | null }

/**
 * The insights of the leads, in their order, equal ids read once; null for a lead without one. The lead's own fields win: a text that somebody wrote by
 * hand is returned without model and event. A client that sends the field's text has read the lead; for the other leads the platform
 * decides whether the actor may read them. Errors: STORE_UNAVAILABLE, the platform's.
 */
export async function readInsights(
  ports: Pick<Ports, 'store'> & { readonly insightRecords: Pick<InsightRecords, 'readable'> },
  { principal: { workspaceId }, accessToken }: Actor,
  leads: readonly InsightFields[],
): Promise<readonly (ReadInsight | null)[]> {
  const insights = await storedInsights.readMany(
    ports,
    leads.map(({ id }) => ({ workspaceId, leadId: id })),
  )
  const found = leads.map((lead, at) => ({ lead, stored: insights[at] ?? null }))
  const unread = found.filter(({ lead, stored }) => stored !== null && lead.summary === undefined).map(({ lead }) => lead.id)
  const readable = await ports.insightRecords.readable(asPerson(workspaceId, accessToken), [...new Set(unread)])
  return found.map(({ lead, stored }) => (lead.summary === undefined && !readable.has(lead.id) ? null : insightOf(lead, stored)))
}

/** The insight of a lead that the member has read; null if it has none. Errors: STORE_UNAVAILABLE. */
export async function readInsightOfLead(
  ports: Pick<Ports, 'store'>,
  workspaceId: string,
  lead: InsightFields,
): Promise<ReadInsight | null> {
  return insightOf(lead, await storedInsights.read(ports, { workspaceId, leadId: lead.id }))
}

function insightOf({ summary, suggestedAction, writtenAt }: InsightFields, stored: StoredInsight | null): ReadInsight | null {
  if (stored && (summary === undefined || summary === stored.summary)) return stored
  if (!summary) return null
  const at = Date.parse(writtenAt ?? '')
  const action = suggestedActionOf(
    suggestedAction
      ?.trim()
      .toUpperCase()
      .replaceAll(/[\s-]+/g, '_') ?? null,
  )
  return { ...unknownOrigin, summary, suggestedAction: action, writtenAt: Number.isNaN(at) ? null : new Date(at).toISOString() }
}
