import { derivedId } from '../../../kernel/ids.ts'
import type { EventOf } from '../../../ports/event-catalogue.ts'
import type { Ports } from '../../../ports/ports.ts'
import { readCall } from '../../calls/state/call-state-store.ts'
import type { RecordingAnalysis } from '../recording-analysis.ts'
import { type CallKey, changeStoredAnalysis, readStoredAnalyses } from '../stored-analyses.ts'
import { indexAnalysis } from './index-analysis.ts'

type NotePorts = Pick<Ports, 'clock' | 'configuration' | 'store' | 'transcriptIndex'>
const maxIndexTries = 5

/** The consumer of `call.completed`: a call is found by the disposition that it has now. Repeatable. Errors: STORE_UNAVAILABLE, NOT_CONFIGURED. */
export async function noteCompletedCall(ports: NotePorts, { workspaceId, ucid }: EventOf<'call.completed'>): Promise<void> {
  await noteDisposition(ports, { workspaceId, callId: derivedId('call', workspaceId, ucid), ucid })
}

/** Gives the stored analysis of a call the disposition that is known now. */
export async function noteDisposition(ports: NotePorts, { ucid, ...key }: CallKey & { readonly ucid: string }): Promise<void> {
  const call = await readCall(ports, { workspaceId: key.workspaceId, ucid })
  const disposition = call?.disposition ?? null
  if (disposition === null) return
  // Also what was stored before: the index may have been away then.
  const stored = await changeStoredAnalysis(ports, key, (analysis) => ({ ...analysis, disposition }))
  if (stored) await indexNewest(ports, key, stored)
}

/** Repeats until the analysis has not changed meanwhile, so that the last of several concurrent changes counts. */
async function indexNewest(ports: NotePorts, key: CallKey, stored: RecordingAnalysis): Promise<void> {
  let indexed = stored
  for (let tries = 0; tries < maxIndexTries; tries += 1) {
    await indexAnalysis(ports, key.workspaceId, indexed)
    const [newest] = await readStoredAnalyses(ports.store, key.workspaceId, [key.callId])
    if (!newest || JSON.stringify(newest) === JSON.stringify(indexed)) return
    indexed = newest
  }
}
