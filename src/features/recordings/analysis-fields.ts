import type { RecordingAnalysis } from './recording-analysis.ts'

/**
 * An analysis as clients see it: with an id in each part, so that a client's cache can hold the parts of many analyses. The stored ids of utterances
 * (`u1`) are unique in one recording only. Each part is made when it is selected: one operation may list an analysis thousands of times.
 * The schema's types are checked by the resolvers.
 */
export const analysisFields = {
  id: ({ callId }) => callId,
  duration: ({ durationSeconds }) => durationSeconds,
  sentiment: ({ callId: id, sentiment }) => sentiment && { ...sentiment, id, average: { ...sentiment.average, id } },
  speakers: ({ callId, speakers }) => speakers.map((speaker) => cited(callId, speaker)),
  utterances: ({ callId, utterances }) => utterances.map((utterance) => ({ ...utterance, id: utteranceId(callId, utterance.id) })),
  insights: ({ callId, insights }) => insights && insightsView(callId, insights),
  model: ({ callId: id, model }) => ({ ...model, id }),
  tokens: ({ callId: id, tokens }) => ({ ...tokens, id }),
} satisfies Readonly<Record<string, (analysis: RecordingAnalysis) => unknown>>

function insightsView(id: string, insights: NonNullable<RecordingAnalysis['insights']>) {
  const citedHere = <Statement extends Citing>(statement: Statement): Statement => cited(id, statement)
  return {
    ...insights,
    id,
    outcome: insights.outcome && { ...citedHere(insights.outcome), id },
    wentWell: insights.wentWell.map(citedHere),
    toImprove: insights.toImprove.map(citedHere),
    compliance: insights.compliance.map(citedHere),
    satisfaction: insights.satisfaction && { ...citedHere(insights.satisfaction), id },
  }
}

type Citing = { readonly evidence: readonly string[] }

function cited<Statement extends Citing>(callId: string, statement: Statement): Statement {
  return { ...statement, evidence: statement.evidence.map((known) => utteranceId(callId, known)) }
}

/** `u1` in a recording, as clients see it. */
export function utteranceId(callId: string, known: string): string {
  return `${callId}:${known}`
}
