import { setImmediate as nextRound } from 'node:timers/promises'
import { AppError } from '../../../kernel/errors.ts'
import { nextSlice } from '../../../kernel/loop-slices.ts'
import type { Ports } from '../../../ports/ports.ts'
import { readStoredAnalyses, storedAnalyses } from '../stored-analyses.ts'
import { recordEarlierScorecard } from '../scorecards/record-scorecard.ts'
import { indexAnalysis } from './index-analysis.ts'

type IndexPorts = Pick<Ports, 'clock' | 'configuration' | 'figures' | 'log' | 'store' | 'transcriptIndex'>

/**
 * Deletes what has expired. If the index is new or was lost, adds the analyses that are stored already, and their scorecards; a repetition after a crash does no harm.
 * Errors: STORE_UNAVAILABLE.
 */
export async function maintainTranscriptIndex(ports: IndexPorts): Promise<void> {
  while (await ports.transcriptIndex.purge()) await nextRound()
  if (await ports.transcriptIndex.isFilled()) return
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<typeof storedAnalyses.keys>> = await storedAnalyses.keys(ports, after)
    for (const key of page.keys) {
      await nextSlice()
      await indexStored(ports, key)
    }
    after = page.next
  } while (after !== null)
  await ports.transcriptIndex.markFilled()
}

async function indexStored(ports: IndexPorts, key: string): Promise<void> {
  const [, workspaceId = '', callId = ''] = key.split(':')
  const [analysis] = await readStoredAnalyses(ports.store, workspaceId, [callId])
  if (!analysis) return
  await recordEarlierScorecard(ports, workspaceId, analysis)
  await indexAnalysis(ports, workspaceId, analysis).catch((error: unknown) => {
    // One workspace whose configuration cannot be read does not hide the calls of the others.
    if (!(error instanceof AppError && error.reason === 'NOT_CONFIGURED')) throw error
    ports.log.warn({ workspaceId, callId, reason: error.reason }, 'recording.not-indexed')
  })
}
