import { type Actor, auditActor } from '../../../access/actor.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { auditedNumber } from '../state/audited-number.ts'
import { numberToCall } from '../state/number-to-call.ts'
import { factsOf, type KnownCall } from '../state/call-facts.ts'
import type { CallPorts } from '../state/call-ports.ts'
import type { CallProviderPorts } from '../state/call-provider.ts'
import { writeControls } from '../state/call-state-store.ts'
import { actOnCall, type HeldCall, lineOf } from '../control/held-call.ts'
import { writeScreenPop } from '../screen-pop/recent-screen-pops.ts'
import { trackAgentOfCall, type TrackCallPorts } from '../tracking/track-call.ts'
import { updateCall } from '../state/update-call.ts'
import { assertOwnCall } from './assert-own-call.ts'
import { isGone, isRefusal } from '../control/lost-answer.ts'
import { publishTransfer } from '../outcomes/publish-transfer.ts'
import { setHold } from './set-hold.ts'
import { isUnderWay, targetOf, type TransferState, writeTransferState } from '../outcomes/transfer-state.ts'

type LeavePorts = CallProviderPorts & TrackCallPorts & Pick<CallPorts, 'agentRecordCache' | 'audit' | 'callRecords' | 'log'>

/**
 * The agent leaves: the customer and the third party stay connected, the agent wraps up, and `call.transferred` is published. The same
 * request again changes nothing. Errors: NOT_FOUND, NOT_YOURS, ROLE_MISSING, NOT_CONFIGURED, WRONG_STATE (no transfer is under way), the
 * provider's. After DEADLINE_PASSED the agent may have left: send it again.
 */
export async function completeTransfer(ports: LeavePorts, actor: Actor, ucid: string): Promise<KnownCall> {
  const step = async (held: HeldCall): Promise<void> => {
    assertOwnCall(held)
    const transfer = transferToComplete(held)
    if (transfer.stage === 'COMPLETED') return
    await leave(ports, held, transfer)
    await finish(ports, actor, { held, transfer })
  }
  return actOnCall(ports, actor, { ucid, step })
}

function transferToComplete({ call, transfer }: HeldCall): TransferState {
  if (!transfer) throw new AppError('WRONG_STATE', { detail: 'No transfer is under way: start one first' })
  if (transfer.stage === 'CANCELLED') throw new AppError('WRONG_STATE', { detail: 'The transfer was cancelled: start another one' })
  // The agent may have left before the call ended.
  const isOver = call.phase !== 'ANSWERED' && transfer.stage !== 'LEAVING'
  if (isOver && isUnderWay(transfer)) throw new AppError('WRONG_STATE', { detail: 'The call has ended' })
  return transfer
}

/** Stored before the provider is asked: after a crash it refuses the request for an agent who has left. */
async function leave(ports: LeavePorts, held: HeldCall, transfer: TransferState): Promise<void> {
  const { key, controls, lost } = held
  const { telephony, parties } = lineOf(held, 'CONFERENCE', 'transfers')
  const isRetry = transfer.stage === 'LEAVING'
  const ignoreGone = (error: unknown): void => {
    if (!isRetry || !isGone(error)) throw error
  }
  if (controls.held) await setHold(ports, held, false).then(() => undefined, ignoreGone)
  await writeTransferState(ports, key, { ...transfer, stage: 'LEAVING' })
  lost.throwIfAborted()
  try {
    await telephony.control({ ...parties, action: 'LEAVE' })
  } catch (error) {
    if (isRetry && isGone(error)) return
    if (isRefusal(error)) await writeTransferState(ports, key, transfer)
    throw error
  }
}

type Left = { readonly held: HeldCall; readonly transfer: TransferState }

/** Every part may be repeated, so the agent can send the request again after an error. */
async function finish(ports: LeavePorts, actor: Actor, { held: { key, agent, controls }, transfer }: Left): Promise<void> {
  const { workspaceId, memberId } = actor.principal
  const { target, to } = targetOf(transfer)
  const now = ports.clock.now()
  const facts = {
    agentId: agent.providerAgentId,
    agentRecordId: agent.record.id,
    transferTarget: target,
    transferredTo: to,
    // Whole seconds, as the provider's times of the agent's states.
    transferredAt: isoMoment(now - (now % 1_000)),
  }
  const { after: call } = await updateCall(ports, key, factsOf(facts, { source: 'OWN', receivedAt: now }))
  await trackAgentOfCall(ports, workspaceId, call)
  // The call stays the agent's current call until the next one, for its disposition.
  await writeScreenPop(ports, actor.principal, { phoneNumber: numberToCall(call), ucid: key.ucid })
  await publishTransfer(ports, workspaceId, { call, memberId })
  await ports.audit.record(workspaceId, {
    actor: auditActor(actor),
    action: 'call.transferred',
    target: { kind: 'call', id: key.ucid, name: auditedNumber(numberToCall(call)) },
    details: { target, leadId: call.leadId },
  })
  await writeControls(ports, key, { ...controls, held: false, parties: [] })
  await writeTransferState(ports, key, { ...transfer, stage: 'COMPLETED', endedAt: call.transferredAt })
}
