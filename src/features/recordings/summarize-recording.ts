import type { CallRecording } from '../../ports/insight-records.ts'
import type { Ports } from '../../ports/ports.ts'
import { type CallKey, readStoredAnalysis } from './stored-analyses.ts'

/** The main results of a stored analysis, for the summary of its call; null if there is none. Errors: STORE_UNAVAILABLE. */
export async function summarizeRecording({ store }: Pick<Ports, 'store'>, { workspaceId, callId }: CallKey): Promise<CallRecording | null> {
  const analysis = await readStoredAnalysis(store, { workspaceId, callId: callId.toLowerCase() })
  if (!analysis) return null
  const { summary, insights, topics } = analysis
  return { summary, outcome: insights?.outcome?.text ?? null, topics: topics.map(({ topic }) => topic) }
}
