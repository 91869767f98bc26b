import type { RecordingAnalysis as AnalysisView, RecordingAnalysisState, Resolvers } from '../../generated.ts'
import type { RecordingAnalysis } from './analysis.ts'
import type { FollowProgress } from './follow-progress.ts'
import type { ReadAnalyses, ReadAnalysis } from './read-analysis.ts'
import type { AnalysisState, RequestAnalysis } from './request-analysis.ts'

export type RecordingUseCases = {
  readonly requestAnalysis: RequestAnalysis
  readonly readAnalysis: ReadAnalysis
  readonly readAnalyses: ReadAnalyses
  readonly followProgress: FollowProgress
}

export function createRecordingResolvers(useCases: RecordingUseCases): Resolvers {
  const { requestAnalysis, readAnalysis, readAnalyses, followProgress } = useCases
  return {
    Query: {
      recordingAnalysis: async (_root, { callId }, context) => stateView(await readAnalysis(await context.actor(), callId)),
      recordingAnalyses: async (_root, { callIds }, context) =>
        (await readAnalyses(await context.principal(), callIds)).map((analysis) => analysis && analysisView(analysis)),
    },
    Mutation: {
      analyzeRecording: async (_root, { input }, context) => stateView(await requestAnalysis(await context.actor(), input, context.signal)),
    },
    Subscription: {
      recordingProgress: {
        subscribe: async function* subscribe(_root, { callId }, context) {
          for await (const recordingProgress of followProgress(await context.actor(), callId, context.signal)) yield { recordingProgress }
        },
      },
    },
  }
}

function stateView(state: AnalysisState): RecordingAnalysisState {
  if (state.state === 'DONE') return { __typename: 'RecordingAnalysis', ...analysisView(state.analysis) }
  const { callId, run } = state
  return {
    __typename: 'RecordingUnderWay',
    callId,
    stage: run.stage,
    startedAt: run.startedAt === '' ? null : run.startedAt,
    lookAt: `/api/recordings/${encodeURIComponent(callId)}/analysis`,
    retryAfterSeconds: 2,
  }
}

/** Who may read it is nobody else's business. */
function analysisView({ agentId: _agentId, durationSeconds, ...analysis }: RecordingAnalysis): AnalysisView {
  return { ...analysis, duration: durationSeconds }
}
