import { derivedId } from '../../kernel/ids.ts'
import type { EventOf } from '../../ports/event-catalogue.ts'
import { readCall } from '../calls/state/call-state-store.ts'
import { leadOfCall } from '../calls/state/lead-of-call.ts'
import { type StoredInsight, storedInsights } from './stored-insight.ts'
import { type InsightPorts, writeInsightOf } from './write-insight.ts'

type CallAnalysed = EventOf<'call.analysed'>

/**
 * The consumer of `call.analysed`: writes the lead's insight again, so that it contains what was said. It stays about the lead's last call, even if
 * the recording is that of an earlier one. Does nothing if the insight knows the recording already. Errors: those of `writeInsight`.
 */
export async function renewInsight(ports: InsightPorts, event: CallAnalysed, signal: AbortSignal): Promise<void> {
  const { workspaceId, callId, id, agentId } = event
  const leadId = event.leadId ?? (await leadOfCall(ports, event, 'RECORDINGS'))
  if (leadId === null) return
  const newest = await storedInsights.read(ports, { workspaceId, leadId })
  if (newest?.recordings.some((known) => known.callId === callId && known.analyzedAt >= event.occurredAt)) return
  const last = await lastCall(ports, event, newest)
  const disposition = (await readCall(ports, { workspaceId, ucid: last.ucid }))?.disposition ?? null
  const cause = {
    id,
    type: 'call.completed',
    version: 1,
    workspaceId,
    ...last,
    leadId,
    agentId,
    memberId: null,
    disposition,
    supersedes: null,
  } as const
  await writeInsightOf(ports, { event: cause, leadId, signal, renewedFor: callId })
}

/** The call of the newest insight if it ended later than the one whose recording was analysed. */
async function lastCall(ports: InsightPorts, event: CallAnalysed, newest: StoredInsight | null) {
  const { workspaceId, callId, ucid, occurredAt } = event
  const endedAt = (await readCall(ports, event))?.endedAt ?? occurredAt
  if (newest === null || newest.ucid === null || newest.occurredAt <= endedAt) return { ucid, callId, occurredAt: endedAt }
  const isSame = newest.ucid === ucid
  return { ucid: newest.ucid, callId: isSame ? callId : derivedId('call', workspaceId, newest.ucid), occurredAt: newest.occurredAt }
}
