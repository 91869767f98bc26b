import type { Actor } from '../../access/actor.ts'
import { invalidInput } from '../../kernel/errors.ts'
import { asPerson } from '../../ports/record-access.ts'
import type { Store } from '../../ports/store.ts'
import { type SuggestedAction, suggestedActionOf, unknownOrigin } from '../../ports/insight.ts'
import { insightKey, type KeptInsight, parseInsight } from './stored-insight.ts'
import type { InsightRecords } from '../../ports/insight-records.ts'

/** What the lead's own fields say; absent where the workspace lacks them. */
export type InsightFields = {
  readonly id: string
  readonly summary?: string | null | undefined
  readonly suggestedAction?: string | null | undefined
  readonly writtenAt?: string | null | undefined
}

export type ReadInsight = {
  readonly summary: string
  readonly suggestedAction: SuggestedAction | null
  readonly writtenAt: string | null
} & Origin

/** Where an insight came from; nulls where that is not known. */
type Origin = { readonly [Field in 'reason' | 'callBackAt' | 'model' | 'eventId']: string | null }

export type ReadInsights = ReturnType<typeof createReadInsights>

const most = 100

/**
 * The insights of leads, in their order. The lead's fields count where it has them: what somebody wrote there by hand is shown, without a
 * model or an event that it did not come from. Who shows what those fields say has read the lead; of the others the platform is asked whether
 * this caller may. Errors: INVALID_INPUT, STORE_UNAVAILABLE, the platform's.
 */
export function createReadInsights({ store, insights }: { readonly store: Store; readonly insights: Pick<InsightRecords, 'readable'> }) {
  return async ({ principal, accessToken }: Actor, leads: readonly InsightFields[]): Promise<readonly (ReadInsight | null)[]> => {
    if (leads.length > most) throw invalidInput('leads', `must be at most ${most}`)
    const { workspaceId } = principal
    const texts = await store.getMany(leads.map(({ id }) => insightKey(workspaceId, id)))
    const found = leads.map((lead, at) => ({ lead, kept: parseInsight(texts[at] ?? null) }))
    const unshown = found.filter(({ lead, kept }) => kept !== null && lead.summary === undefined).map(({ lead }) => lead.id)
    const readable = await insights.readable(asPerson(workspaceId, accessToken), [...new Set(unshown)])
    return found.map(({ lead, kept }) => (lead.summary === undefined && !readable.has(lead.id) ? null : insightOf(lead, kept)))
  }
}

function insightOf({ summary, suggestedAction, writtenAt }: InsightFields, kept: KeptInsight | null): ReadInsight | null {
  if (kept && (summary === undefined || summary === kept.summary)) return kept
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
