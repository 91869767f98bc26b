import type { RecordingAnalysisState, Resolvers } from '../../generated.ts'
import { analysisView } from './analysis-view.ts'
import { readRecordingStatus, readRecordingStatuses } from './automatic/recording-status.ts'
import { followProgress } from './follow-progress.ts'
import { readAnalyses, readAnalysis } from './read-analysis.ts'
import type { RecordingPorts } from './recording-ports.ts'
import { type AnalysisState, requestAnalysis } from './request-analysis.ts'
import { searchTranscripts } from './search/search-transcripts.ts'
import { searchView } from './search/search-view.ts'

export function recordingResolvers(ports: RecordingPorts): Resolvers {
  return {
    RecordingStatus: { id: ({ callId }) => callId },
    RecordingProgress: { id: ({ callId }) => callId },
    TranscriptMatch: { id: ({ callId }) => callId },
    Query: {
      recordingAnalysis: async (_root, { callId }, context) => stateView(await readAnalysis(ports, await context.actor(), callId)),
      recordingAnalyses: async (_root, { callIds }, context) =>
        (await readAnalyses(ports, await context.principal(), callIds)).map((analysis) => analysis && analysisView(analysis)),
      recordingStatus: async (_root, { callId }, context) => readRecordingStatus(ports, await context.actor(), callId),
      recordingStatuses: async (_root, { callIds }, context) => [
        ...(await readRecordingStatuses(ports, await context.principal(), callIds)),
      ],
      searchTranscripts: async (_root, search, context) => searchView(await searchTranscripts(ports, await context.principal(), search)),
    },
    Mutation: {
      analyzeRecording: async (_root, { input }, context) =>
        stateView(
          await requestAnalysis(ports, await context.actor(), {
            ...input,
            signal: context.signal,
            allowAtLeast: (ms) => context.allowAtLeast(ms),
          }),
        ),
    },
    Subscription: {
      recordingProgress: {
        subscribe: async function* subscribe(_root, { callId }, context) {
          const stages = followProgress(ports, await context.actor(), { callId, signal: context.signal })
          for await (const recordingProgress of stages) yield { recordingProgress }
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
    id: callId,
    callId,
    stage: run.stage,
    startedAt: run.startedAt === '' ? null : run.startedAt,
    lookAt: `/api/recordings/${encodeURIComponent(callId)}/analysis`,
    retryAfterSeconds: 2,
  }
}
