import { z } from 'zod'
import type { Principal } from '../../../access/principal.ts'
import { type Connection, type Found, type PageRequest, readConnection } from '../../../kernel/connection.ts'
import { invalidInput } from '../../../kernel/errors.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { IndexedCall } from '../../../ports/transcript-index.ts'
import { wantedFacets } from '../search/index-analysis.ts'
import { readStoredAnalyses } from '../stored-analyses.ts'
import { type Scorecard, showScorecard } from './show-scorecard.ts'
import { correctedList, readScorecards, type StoredScorecard } from './stored-scorecard.ts'

/** ISO 8601, both included, of the start of the call. */
export type ScorecardRange = {
  readonly from?: string | null | undefined
  readonly to?: string | null | undefined
  readonly agentId?: string | null | undefined
}
/** `correctedOnly`: only those with a correction; they live longer than their analysis. */
export type ScorecardList = ScorecardRange & { readonly correctedOnly: boolean }

type ListPorts = Pick<Ports, 'store' | 'transcriptIndex'>
const positionSchema = z.object({ at: z.number(), callId: z.string() })
const batch = 100
/** Calls that one page reads. A page may end before it is full, and the next one goes on there. */
const mostRead = 500

/** A page of the workspace's scorecards, newest call first, for managers. Errors: INVALID_INPUT, STORE_UNAVAILABLE. */
export async function listScorecards(
  ports: ListPorts,
  { workspaceId }: Principal,
  { first, after, ...list }: ScorecardList & PageRequest,
): Promise<Connection<Scorecard>> {
  const name = list.correctedOnly ? 'scorecards-corrected' : 'scorecards'
  return readConnection({ name, workspaceId, position: positionSchema }, { first, after }, async (before, count) => {
    const entries: Found<Scorecard, IndexedCall>['entries'][number][] = []
    let read = 0
    for await (const { calls, scorecards } of scorecardBatches(ports, workspaceId, { ...list, before })) {
      const analyses = await readStoredAnalyses(
        ports.store,
        workspaceId,
        calls.map(({ callId }) => callId),
      )
      for (const [index, position] of calls.entries()) {
        const scorecard = scorecards[index]
        if (scorecard) entries.push({ node: showScorecard(scorecard, analyses[index] ?? null), position })
      }
      read += calls.length
      if (entries.length >= count) break
      if (read >= mostRead) return { entries, readTo: calls.at(-1) ?? null }
    }
    return { entries }
  })
}

type Batch = { readonly calls: readonly IndexedCall[]; readonly scorecards: readonly (StoredScorecard | null)[] }

/** All scorecards of a range, newest first; null for a call whose scorecard is not part of the list. Errors: INVALID_INPUT, STORE_UNAVAILABLE. */
export async function* scorecardBatches(
  ports: ListPorts,
  workspaceId: string,
  { before, ...list }: ScorecardList & { readonly before: IndexedCall | null },
): AsyncGenerator<Batch> {
  const { from = null, to = null } = list
  if (from !== null && to !== null && from > to) throw invalidInput('to', 'must not be before from')
  let last = before
  for (;;) {
    const calls: readonly IndexedCall[] = await nextCalls(ports, workspaceId, { ...list, before: last })
    const scorecards = await readScorecards(
      ports.store,
      workspaceId,
      calls.map(({ callId }) => callId),
    )
    if (calls.length > 0) yield { calls, scorecards: scorecards.map((scorecard) => (isPart(scorecard, list) ? scorecard : null)) }
    if (calls.length < batch) return
    last = calls.at(-1) ?? last
  }
}

function isPart(scorecard: StoredScorecard | null, { correctedOnly, agentId = null }: ScorecardList): boolean {
  if (!scorecard || (agentId !== null && scorecard.agentId !== agentId)) return false
  return !correctedOnly || scorecard.criteria.some(({ correction }) => correction !== null)
}

/** Fewer than `batch` at the end only. */
async function nextCalls(
  { store, transcriptIndex }: ListPorts,
  workspaceId: string,
  { from = null, to = null, agentId, correctedOnly, before }: ScorecardList & { readonly before: IndexedCall | null },
): Promise<readonly IndexedCall[]> {
  const range = { from: from === null ? null : Date.parse(from), to: to === null ? null : Date.parse(to) }
  if (!correctedOnly)
    return transcriptIndex.find(workspaceId, { phrases: [], facets: wantedFacets({ agentId }), ...range, before, limit: batch })
  const bounds = { ...(range.from !== null && { min: range.from }), ...(range.to !== null && { max: range.to }) }
  // Those of the last moment are read again, because several calls may have it.
  for (let limit = batch; ; limit *= 2) {
    const max = Math.min(bounds.max ?? Number.MAX_SAFE_INTEGER, before?.at ?? Number.MAX_SAFE_INTEGER)
    const members = await store.sortedRange(correctedList(workspaceId), { ...bounds, max, limit: limit + batch, reverse: true })
    const calls = members.map(({ member, score }) => ({ callId: member, at: score }))
    const next = before === null ? calls : calls.filter(({ callId, at }) => at < before.at || (at === before.at && callId < before.callId))
    if (next.length >= batch || members.length < limit + batch) return next.slice(0, batch)
  }
}
