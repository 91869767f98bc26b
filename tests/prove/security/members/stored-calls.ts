import { derivedId } from '../../../../src/kernel/ids.ts'
import type { RecordingAnalysis } from '../../../../src/features/recordings/recording-analysis.ts'
import { recordScorecard } from '../../../../src/features/recordings/scorecards/record-scorecard.ts'
import { callTime, facetsOf } from '../../../../src/features/recordings/search/index-analysis.ts'
import { writeStoredAnalysis } from '../../../../src/features/recordings/stored-analyses.ts'
import { wordsIn } from '../../../../src/kernel/words.ts'
import type { Ports } from '../../../../src/ports/ports.ts'

export const storedCalls = 10_000
/** The newest of them: searches are measured by themselves. */
const searchableCalls = 1_000
const utterances = 60

type SeedPorts = Pick<Ports, 'store' | 'clock' | 'figures' | 'log' | 'transcriptIndex'>

/** Their IDs, the newest call first. */
export const callIds: readonly string[] = Array.from({ length: storedCalls }, (_, index) => derivedId('call', 'members', String(index)))

/** Stores the analyses of 10,000 calls of one agent (a call of about six minutes, 12 kB), with their scorecards and words. */
export async function storeCalls(
  ports: SeedPorts,
  { workspaceId, agentId }: { readonly workspaceId: string; readonly agentId: string },
): Promise<void> {
  // Else the service would fill it at the same time.
  await ports.transcriptIndex.markFilled()
  for (const [index, callId] of callIds.entries()) {
    const analysis = analysisOf(callId, { agentId, at: ports.clock.now() - index * 60_000, expiresAt: ports.clock.now() + 6 * 86_400_000 })
    await writeStoredAnalysis(ports, { workspaceId, callId }, analysis)
    await recordScorecard(ports, workspaceId, { analysis, criteria })
    if (index < searchableCalls)
      await ports.transcriptIndex.put(workspaceId, {
        callId,
        at: callTime(analysis),
        expiresAt: Date.parse(analysis.expiresAt),
        utterances: analysis.utterances.map(({ text }) => wordsIn(text).map(({ word }) => word)),
        facets: facetsOf(analysis),
      })
  }
}

const criteria = Array.from({ length: 8 }, (_, index) => ({
  key: `criterion-${index}`,
  name: `Criterion ${index}`,
  question: 'Did the agent greet the caller and say the name of the hospital?',
  weight: 1,
}))

type Moments = { readonly agentId: string; readonly at: number; readonly expiresAt: number }

function analysisOf(callId: string, { agentId, at, expiresAt }: Moments): RecordingAnalysis {
  const evidence = ['u1', 'u7', 'u20']
  const statement = { text: 'The agent answered in a friendly way and offered two times for a visit.', evidence }
  return {
    callId,
    agentId,
    startedAt: new Date(at).toISOString(),
    disposition: 'INTERESTED',
    language: 'en',
    durationSeconds: utterances * 6,
    summary: 'The caller asked for a visit at the cardiologist. The agent offered two times, and they agreed on Tuesday. '.repeat(3),
    summaryFrom: 'MODEL',
    topics: ['visit', 'cardiology', 'price', 'insurance'].map((topic) => ({ topic, confidence: 0.9 })),
    sentiment: {
      average: { sentiment: 'NEUTRAL', score: 0.1 },
      timeline: Array.from({ length: 12 }, (_, index) => ({ start: index * 30, end: index * 30 + 30, sentiment: 'NEUTRAL', score: 0.1 })),
    },
    speakers: [0, 1].map((speaker) => ({
      speaker,
      role: speaker === 0 ? 'AGENT' : 'CUSTOMER',
      namedBy: 'MODEL',
      evidence,
      talkSeconds: 160,
      talkShare: 0.5,
      longestMonologueSeconds: 20,
      interruptions: 2,
    })),
    silenceSeconds: 20,
    longestSilenceSeconds: 5,
    utterances: Array.from({ length: utterances }, (_, index) => ({
      id: `u${index + 1}`,
      speaker: index % 2,
      role: index % 2 === 0 ? 'AGENT' : 'CUSTOMER',
      start: index * 6,
      end: index * 6 + 5,
      text: 'I would like to book a visit for my mother, she has had some pain in her chest since last week.',
    })),
    insights: {
      outcome: { code: 'APPOINTMENT_BOOKED', text: 'They agreed on Tuesday at ten.', evidence },
      wentWell: [statement, statement, statement],
      toImprove: [statement, statement],
      compliance: criteria.map(({ key, question }) => ({ key, rule: question, verdict: 'MET', reason: statement.text, evidence })),
      satisfaction: { score: 4, reason: 'The caller thanked twice.', evidence },
      dropped: 0,
    },
    missing: [],
    model: { speech: 'nova-3', language: 'sandbox-model' },
    tokens: { input: 4_000, output: 700 },
    sourceHash: 'A'.repeat(43),
    analyzedAt: new Date(at).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  }
}
