import type { RequestContext } from '../../access/request-context.ts'
import type { RecordingUnderWay, Resolvers } from '../../generated.ts'
import { analysisFields } from './analysis-fields.ts'
import { readRecordingStatus, readRecordingStatuses } from './automatic/recording-status.ts'
import { followProgress } from './follow-progress.ts'
import { readAnalyses, readAnalysis } from './read-analysis.ts'
import type { RecordingAnalysis } from './recording-analysis.ts'
import type { RecordingPorts } from './recording-ports.ts'
import { type AnalysisState, requestAnalysis } from './request-analysis.ts'
import { searchTranscripts } from './search/search-transcripts.ts'
import { searchView } from './search/search-view.ts'

export function recordingResolvers(ports: RecordingPorts): Resolvers {
  return {
    RecordingAnalysis: analysisFields,
    RecordingAnalysisState: { __resolveType: (state) => ('stage' in state ? 'RecordingUnderWay' : 'RecordingAnalysis') },
    RecordingStatus: { id: ({ callId }) => callId },
    RecordingProgress: { id: ({ callId }) => callId },
    TranscriptMatch: { id: ({ callId }) => callId },
    Query: {
      recordingAnalysis: async (_root, { callId }, context) => stateView(await readAnalysis(ports, await context.actor(), callId)),
      recordingAnalyses: async (_root, { callIds }, context) => readAnalyses(ports, await context.principal(), callIds),
      recordingStatus: async (_root, { callId }, context) => readRecordingStatus(ports, await context.actor(), callId),
      recordingStatuses: async (_root, { callIds }, context) => [
        ...(await readRecordingStatuses(ports, await context.principal(), callIds)),
      ],
      searchTranscripts: async (_root, search, context) =>
        searchView(await searchTranscripts(ports, await context.principal(), { ...search, signal: untilAnswered(context) })),
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

/** Aborts also when the answer is sent without this field, because another one failed. */
function untilAnswered(context: Pick<RequestContext, 'afterAnswer'>): AbortSignal {
  const controller = new AbortController()
  context.afterAnswer(() => controller.abort())
  return controller.signal
}

function stateView(state: AnalysisState): RecordingAnalysis | RecordingUnderWay {
  if (state.state === 'DONE') return state.analysis
  const { callId, run } = state
  return {
    id: callId,
    callId,
    stage: run.stage,
    startedAt: run.startedAt === '' ? null : run.startedAt,
    lookAt: `/api/recordings/${encodeURIComponent(callId)}/analysis`,
    retryAfterSeconds: 2,
  }
}
