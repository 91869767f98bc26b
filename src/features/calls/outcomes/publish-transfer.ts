import { isoMoment } from '../../../kernel/clock.ts'
import { derivedId } from '../../../kernel/ids.ts'
import type { Ports } from '../../../ports/ports.ts'
import { factsOf, type KnownCall } from '../state/call-facts.ts'
import { updateCall } from '../state/update-call.ts'
import { readTransferState, targetOf } from './transfer-state.ts'

type Transferred = {
  readonly call: KnownCall
  /** Who transferred it; null if that is unknown. */
  readonly memberId: string | null
}

/** Publishes `call.transferred`, once per call, no matter who reports the transfer. Nothing for a call that was not transferred. Errors: the bus's. */
export async function publishTransfer(
  ports: Pick<Ports, 'bus' | 'clock'>,
  workspaceId: string,
  { call, memberId }: Transferred,
): Promise<void> {
  const { ucid, leadId, transferTarget: target } = call
  if (target === null) return
  await ports.bus.publish({
    id: derivedId('call.transferred', workspaceId, ucid),
    type: 'call.transferred',
    version: 1,
    workspaceId,
    occurredAt: call.transferredAt ?? call.endedAt ?? isoMoment(ports.clock.now()),
    ucid,
    callId: derivedId('call', workspaceId, ucid),
    leadId,
    agentId: call.agentRecordId ?? call.agentId,
    memberId,
    target,
  })
}

/**
 * For the record of a call that has ended: a transfer that the provider reports, or one whose agent was leaving when our process died or the
 * provider's answer was lost. Repeatable. Errors: STORE_UNAVAILABLE, the bus's.
 */
export async function publishRecordedTransfer(
  ports: Pick<Ports, 'bus' | 'clock' | 'notifications' | 'store'>,
  workspaceId: string,
  call: KnownCall,
): Promise<void> {
  const key = { workspaceId, ucid: call.ucid }
  const state = call.transferTarget === null ? await readTransferState(ports, key) : null
  if (state?.stage !== 'LEAVING') return publishTransfer(ports, workspaceId, { call, memberId: null })
  const { target, to } = targetOf(state)
  const facts = factsOf({ transferTarget: target, transferredTo: to }, { source: 'OWN', receivedAt: ports.clock.now() })
  const { after } = await updateCall(ports, key, facts)
  await publishTransfer(ports, workspaceId, { call: after, memberId: null })
}
