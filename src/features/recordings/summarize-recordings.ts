import type { CallRecording } from '../../ports/insight-records.ts'
import type { Ports } from '../../ports/ports.ts'
import { maskPersonalData } from './mask-personal-data.ts'
import { readStoredAnalyses } from './stored-analyses.ts'

/**
 * The main results of the stored analyses of these calls, for the insight of their lead; calls without an analysis are left out. Personal data is
 * hidden as in transcripts. Errors: STORE_UNAVAILABLE, NOT_CONFIGURED.
 */
export async function summarizeRecordings(
  { store, configuration }: Pick<Ports, 'store' | 'configuration'>,
  workspaceId: string,
  callIds: readonly string[],
): Promise<readonly CallRecording[]> {
  const { recordings } = await configuration.read(workspaceId, 'ai')
  const shown = (text: string): string => (recordings.maskPersonalData ? maskPersonalData([text]).join('') : text)
  const ids = new Set(callIds.map((callId) => callId.toLowerCase()))
  const analyses = await readStoredAnalyses(store, workspaceId, [...ids])
  return analyses
    .filter((analysis) => analysis !== null)
    .map(({ callId, analyzedAt, summary, insights, topics }) => ({
      callId,
      analyzedAt,
      summary: summary === null ? null : shown(summary),
      outcome: insights?.outcome?.text ?? null,
      topics: topics.map(({ topic }) => topic),
    }))
}
