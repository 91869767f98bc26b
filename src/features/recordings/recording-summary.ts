import type { CallRecording } from '../../ports/insight-records.ts'
import type { KeptAnalyses } from './stored-analyses.ts'

/** What a kept analysis came to, for whoever sums up the call; begins none. Errors: STORE_UNAVAILABLE. */
export function createRecordingInWords(kept: Pick<KeptAnalyses, 'read'>) {
  return async (workspaceId: string, callId: string): Promise<CallRecording | null> => {
    const analysis = await kept.read({ workspaceId, callId: callId.toLowerCase() })
    if (!analysis) return null
    const { summary, insights, topics } = analysis
    return { summary, outcome: insights?.outcome?.text ?? null, topics: topics.map(({ topic }) => topic) }
  }
}
