import { wordsIn } from '../../../kernel/words.ts'
import type { Ports } from '../../../ports/ports.ts'
import { maskUtterances } from '../mask-utterances.ts'
import type { RecordingAnalysis } from '../recording-analysis.ts'

/** What a call can be found by besides its words. */
export type SearchFilter = {
  readonly agentId?: string | null | undefined
  readonly outcome?: string | null | undefined
  readonly disposition?: string | null | undefined
  readonly sentiment?: string | null | undefined
  /** The key of a criterion: with `verdict`, the verdict on this one. */
  readonly criterion?: string | null | undefined
  readonly verdict?: string | null | undefined
}

/** Makes an analysis findable as long as it is stored. What is masked for the language model is masked here. Repeatable. Errors: STORE_UNAVAILABLE, NOT_CONFIGURED. */
export async function indexAnalysis(
  { configuration, transcriptIndex }: Pick<Ports, 'configuration' | 'transcriptIndex'>,
  workspaceId: string,
  analysis: RecordingAnalysis,
): Promise<void> {
  const { recordings } = await configuration.read(workspaceId, 'ai')
  await transcriptIndex.put(workspaceId, {
    callId: analysis.callId,
    at: callTime(analysis),
    expiresAt: Date.parse(analysis.expiresAt),
    utterances: shownUtterances(analysis, recordings).map(({ text }) => wordsIn(text).map(({ word }) => word)),
    facets: facetsOf(analysis),
  })
}

/** When the call began, epoch milliseconds; if that is unknown, when it was analysed. */
export function callTime({ startedAt, analyzedAt }: Pick<RecordingAnalysis, 'startedAt' | 'analyzedAt'>): number {
  return Date.parse(startedAt ?? analyzedAt)
}

/** The utterances as the search reads and shows them. */
export function shownUtterances(
  { utterances }: RecordingAnalysis,
  { maskPersonalData }: { readonly maskPersonalData: boolean },
): RecordingAnalysis['utterances'] {
  return maskPersonalData ? [...maskUtterances(utterances)] : utterances
}

/** The facets that a filter asks for: an analysis fits it if it has all of them. */
export function wantedFacets({ agentId, outcome, disposition, sentiment, criterion, verdict }: SearchFilter): readonly string[] {
  const wanted = Object.entries({ agent: agentId, outcome, disposition, sentiment })
  return [
    ...wanted.flatMap(([name, value]) => (value === null || value === undefined ? [] : [`${name}:${value}`])),
    ...(criterion || verdict ? [verdictFacet(criterion ?? '', verdict ?? '')] : []),
  ]
}

export function facetsOf(analysis: RecordingAnalysis): readonly string[] {
  const { agentId, disposition, sentiment, insights } = analysis
  const outcome = insights?.outcome?.code
  const verdicts = (insights?.compliance ?? []).flatMap(({ key, verdict }) => [
    verdictFacet(key, verdict),
    verdictFacet(key, ''),
    verdictFacet('', verdict),
  ])
  return [...new Set([...wantedFacets({ agentId, outcome, disposition, sentiment: sentiment?.average.sentiment }), ...verdicts])]
}

function verdictFacet(criterion: string, verdict: string): string {
  return `verdict:${criterion}:${verdict}`
}
