import { derivedId } from '../../../kernel/ids.ts'
import type { EventOf } from '../../../ports/event-catalogue.ts'
import type { Ports } from '../../../ports/ports.ts'
import { readCall } from '../../calls/call-state-store.ts'
import { type CallKey, changeStoredAnalysis } from '../stored-analyses.ts'
import { indexAnalysis } from './index-analysis.ts'

type NotePorts = Pick<Ports, 'clock' | 'configuration' | 'store' | 'transcriptIndex'>

/** The consumer of `call.completed`: a call is found by the disposition that it has now. Repeatable. Errors: STORE_UNAVAILABLE, NOT_CONFIGURED. */
export async function noteCompletedCall(ports: NotePorts, { workspaceId, ucid }: EventOf<'call.completed'>): Promise<void> {
  await noteDisposition(ports, { workspaceId, callId: derivedId('call', workspaceId, ucid), ucid })
}

/** Gives the stored analysis of a call the disposition that is known now. */
export async function noteDisposition(ports: NotePorts, { ucid, ...key }: CallKey & { readonly ucid: string }): Promise<void> {
  const call = await readCall(ports, { workspaceId: key.workspaceId, ucid })
  const disposition = call?.disposition ?? null
  if (disposition === null) return
  const changed = await changeStoredAnalysis(ports, key, (analysis) => ({ ...analysis, disposition }))
  if (changed) await indexAnalysis(ports, key.workspaceId, changed)
}
