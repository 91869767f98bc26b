import { z } from 'zod'
import type { Principal } from '../../../access/principal.ts'
import { type Connection, type Found, type PageRequest, readConnection } from '../../../kernel/connection.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import { invalidInput } from '../../../kernel/errors.ts'
import { nextSlice } from '../../../kernel/loop-slices.ts'
import type { TranscriptQuery } from '../../../ports/transcript-index.ts'
import { maySee } from '../find-call.ts'
import type { RecordingAnalysis } from '../recording-analysis.ts'
import type { RecordingPorts } from '../recording-ports.ts'
import { readStoredAnalyses } from '../stored-analyses.ts'
import { callTime, facetsOf, type SearchFilter, shownUtterances, wantedFacets } from './index-analysis.ts'
import { type Phrase, phrasesIn } from './phrases.ts'
import { matchUtterances, type Snippet } from './snippets.ts'

/**
 * `text`: words and "phrases"; null finds by the filter alone. `from`, `to`: ISO 8601, both included, of the start of the call. `signal`: nobody
 * waits for the answer any more.
 */
export type TranscriptSearch = SearchFilter &
  PageRequest & {
    readonly signal: AbortSignal
    readonly text?: string | null | undefined
    readonly from?: string | null | undefined
    readonly to?: string | null | undefined
  }

export type TranscriptMatch = Pick<RecordingAnalysis, 'callId' | 'agentId' | 'disposition' | 'analyzedAt' | 'expiresAt'> & {
  readonly at: string
  readonly outcome: NonNullable<NonNullable<RecordingAnalysis['insights']>['outcome']>['code'] | null
  readonly sentiment: NonNullable<RecordingAnalysis['sentiment']>['average']['sentiment'] | null
  readonly matches: number
  readonly snippets: readonly Snippet[]
}

type SearchPorts = Pick<RecordingPorts, 'configuration' | 'searches' | 'store' | 'transcriptIndex'>
type Ask = Pick<TranscriptSearch, 'signal'> & {
  readonly principal: Principal
  readonly phrases: readonly Phrase[]
  readonly query: Omit<TranscriptQuery, 'before' | 'limit'>
}
type Position = z.output<typeof positionSchema>
const positionSchema = z.object({ at: z.number(), callId: z.string() })

/** Candidates that one page reads. A page may end before it is full, and the next one goes on there. */
const mostRead = 200
const batch = 25

/**
 * A page of the analysed calls whose transcript has all words and phrases, newest first. Managers find all calls of the workspace, agents
 * their own: the stored analysis decides, as for who may read it. Errors: INVALID_INPUT, TOO_MANY_SEARCHES, DEADLINE_PASSED, STORE_UNAVAILABLE,
 * NOT_CONFIGURED.
 */
export async function searchTranscripts(
  ports: SearchPorts,
  principal: Principal,
  { text, from = null, to = null, first, after, signal, ...filter }: TranscriptSearch,
): Promise<Connection<TranscriptMatch>> {
  if (from !== null && to !== null && from > to) throw invalidInput('to', 'must not be before from')
  const { workspaceId, role, agentId } = principal
  const phrases = phrasesIn(text ?? '')
  const own = role === 'MANAGER' ? [] : wantedFacets({ agentId: agentId ?? 'none' })
  const facets = [...new Set([...wantedFacets(filter), ...own])]
  const query = { phrases, facets, from: from === null ? null : Date.parse(from), to: to === null ? null : Date.parse(to) }
  return readConnection({ name: 'transcripts', workspaceId, position: positionSchema }, { first, after }, (before, count) =>
    ports.searches.run({ principal, signal }, () => readMatches(ports, { principal, phrases, query, signal }, { before, count })),
  )
}

async function readMatches(
  ports: SearchPorts,
  { principal, phrases, query, signal }: Ask,
  { before, count }: { readonly before: Position | null; readonly count: number },
): Promise<Found<TranscriptMatch, Position>> {
  const { workspaceId } = principal
  const { recordings } = await ports.configuration.read(workspaceId, 'ai')
  const entries: Found<TranscriptMatch, Position>['entries'][number][] = []
  const calls = await ports.transcriptIndex.find(workspaceId, { ...query, before, limit: mostRead })
  for (let read = 0; read < calls.length; read += batch) {
    signal.throwIfAborted()
    const some = calls.slice(read, read + batch)
    const analyses = await readStoredAnalyses(
      ports.store,
      workspaceId,
      some.map(({ callId }) => callId),
    )
    for (const [index, analysis] of analyses.entries()) {
      const position = some[index]
      if (!analysis || !position || !maySee(principal, analysis) || !hasFacets(analysis, query.facets)) continue
      await nextSlice()
      const found = matchUtterances(phrases.length === 0 ? [] : shownUtterances(analysis, recordings), phrases)
      if (found) entries.push({ node: { ...matchOf(analysis), ...found }, position })
    }
    if (entries.length >= count) return { entries }
  }
  return { entries, readTo: calls.length < mostRead ? null : (calls.at(-1) ?? null) }
}

/** The index may be older than the analysis. */
function hasFacets(analysis: RecordingAnalysis, wanted: readonly string[]): boolean {
  const facets = new Set(facetsOf(analysis))
  return wanted.every((facet) => facets.has(facet))
}

function matchOf(analysis: RecordingAnalysis): Omit<TranscriptMatch, 'matches' | 'snippets'> {
  const { callId, agentId, disposition, analyzedAt, expiresAt, insights, sentiment } = analysis
  return {
    callId,
    agentId,
    disposition,
    analyzedAt,
    expiresAt,
    at: isoMoment(callTime(analysis)),
    outcome: insights?.outcome?.code ?? null,
    sentiment: sentiment?.average.sentiment ?? null,
  }
}
