import type { RecordingAnalysis } from './recording-analysis.ts'

/**
 * An analysis as clients see it: without the agent, who only decides who may read it, and with an id in each part, so that a client's cache
 * can hold the parts of many analyses. The stored ids of utterances (`u1`) are unique in one recording only.
 */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the schema's type is checked by the resolvers
export function analysisView({ agentId: _agentId, durationSeconds, ...analysis }: RecordingAnalysis) {
  const { callId, sentiment, insights } = analysis
  const id = callId
  const cited = <Statement extends { readonly evidence: readonly string[] }>(statement: Statement): Statement => ({
    ...statement,
    evidence: statement.evidence.map((known) => utteranceId(callId, known)),
  })
  return {
    ...analysis,
    id,
    duration: durationSeconds,
    sentiment: sentiment && { ...sentiment, id, average: { ...sentiment.average, id } },
    speakers: analysis.speakers.map(cited),
    utterances: analysis.utterances.map((utterance) => ({ ...utterance, id: utteranceId(callId, utterance.id) })),
    insights: insights && {
      ...insights,
      id,
      outcome: insights.outcome && { ...cited(insights.outcome), id },
      wentWell: insights.wentWell.map(cited),
      toImprove: insights.toImprove.map(cited),
      compliance: insights.compliance.map(cited),
      satisfaction: insights.satisfaction && { ...cited(insights.satisfaction), id },
    },
    model: { ...analysis.model, id },
    tokens: { ...analysis.tokens, id },
  }
}

/** `u1` in a recording, as clients see it. */
export function utteranceId(callId: string, known: string): string {
  return `${callId}:${known}`
}
