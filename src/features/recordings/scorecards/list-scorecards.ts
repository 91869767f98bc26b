import type { Principal } from '../../../access/principal.ts'
import { type Connection, type Found, type PageRequest, readConnection } from '../../../kernel/connection.ts'
import { invalidInput } from '../../../kernel/errors.ts'
import { nextSlice } from '../../../kernel/loop-slices.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { SortedMember } from '../../../ports/store.ts'
import { sortedPosition } from '../../../ports/stored/sorted-list.ts'
import { readStoredAnalyses } from '../stored-analyses.ts'
import { type Scorecard, showScorecard } from './show-scorecard.ts'
import { correctedCalls, isLive, readScorecards, scoredCalls, type StoredScorecard } from './stored-scorecard.ts'

/** ISO 8601, both included, of the start of the call. */
export type ScorecardRange = {
  readonly from?: string | null | undefined
  readonly to?: string | null | undefined
  readonly agentId?: string | null | undefined
}
/** `correctedOnly`: only those with a correction; they live longer than their analysis. */
export type ScorecardList = ScorecardRange & { readonly correctedOnly: boolean }

type ListPorts = Pick<Ports, 'store' | 'clock'>
const batch = 100
/** Calls that one page reads. A page may end before it is full, and the next one goes on there. */
const mostRead = 1_000

/** A page of the workspace's scorecards, newest call first, for managers. Errors: INVALID_INPUT, STORE_UNAVAILABLE. */
export async function listScorecards(
  ports: ListPorts,
  { workspaceId }: Principal,
  { first, after, ...list }: ScorecardList & PageRequest,
): Promise<Connection<Scorecard>> {
  const name = list.correctedOnly ? 'scorecards-corrected' : 'scorecards'
  return readConnection({ name, workspaceId, position: sortedPosition }, { first, after }, async (before, count) => {
    const entries: Found<Scorecard, SortedMember>['entries'][number][] = []
    let read = 0
    for await (const { calls, scorecards } of scorecardBatches(ports, workspaceId, { ...list, before })) {
      const listed = calls.flatMap((position, index) => {
        const scorecard = scorecards[index]
        return scorecard ? [{ position, scorecard }] : []
      })
      const shown = listed.slice(0, count - entries.length)
      const analyses = await readStoredAnalyses(
        ports.store,
        workspaceId,
        shown.map(({ position }) => position.member),
      )
      for (const [index, { position, scorecard }] of shown.entries()) {
        entries.push({ node: showScorecard(scorecard, analyses[index] ?? null), position })
      }
      read += calls.length
      if (entries.length >= count) break
      if (read >= mostRead) return { entries, readTo: calls.at(-1) ?? null }
    }
    return { entries }
  })
}

type Batch = { readonly calls: readonly SortedMember[]; readonly scorecards: readonly (StoredScorecard | null)[] }

/** All scorecards of a range, newest first; null for a call whose scorecard is not part of the list. Errors: INVALID_INPUT, STORE_UNAVAILABLE. */
export async function* scorecardBatches(
  ports: ListPorts,
  workspaceId: string,
  { before, ...range }: ScorecardList & { readonly before: SortedMember | null },
): AsyncGenerator<Batch> {
  const { from = null, to = null, correctedOnly } = range
  if (from !== null && to !== null && from > to) throw invalidInput('to', 'must not be before from')
  const list = correctedOnly ? correctedCalls : scoredCalls
  const read = async (members: readonly string[]) => members
  const least = from === null ? 0 : Date.parse(from)
  // Members sort after the empty text, so it is after all calls of its moment in this order.
  let after = before ?? (to === null ? null : { score: Date.parse(to) + 1, member: '' })
  for (;;) {
    await nextSlice()
    const page = await list.page(ports, workspaceId, { order: -1, after, count: batch, read })
    const calls = page.map(({ position }) => position).filter(({ score }) => score >= least)
    const callIds = calls.map(({ member }) => member)
    const scorecards = await readScorecards(ports, workspaceId, callIds)
    if (calls.length > 0) yield { calls, scorecards: scorecards.map((scorecard) => (isPart(ports, scorecard, range) ? scorecard : null)) }
    if (calls.length < batch) return
    after = calls.at(-1) ?? after
  }
}

function isPart({ clock }: ListPorts, scorecard: StoredScorecard | null, { correctedOnly, agentId = null }: ScorecardList): boolean {
  if (!scorecard || (agentId !== null && scorecard.agentId !== agentId)) return false
  return correctedOnly ? scorecard.criteria.some(({ correction }) => correction !== null) : isLive(scorecard, clock)
}
