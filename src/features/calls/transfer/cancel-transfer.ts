import type { Actor } from '../../../access/actor.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { KnownCall } from '../state/call-facts.ts'
import type { CallPorts } from '../state/call-ports.ts'
import type { CallProviderPorts } from '../state/call-provider.ts'
import { writeControls } from '../state/call-state-store.ts'
import type { EndLostPorts } from '../tracking/end-lost-call.ts'
import { actOnCall, type HeldCall, lineOf } from '../control/held-call.ts'
import { assertOwnCall } from './assert-own-call.ts'
import { isGone } from '../control/lost-answer.ts'
import { setHold } from './set-hold.ts'
import { targetOf, type TransferState, writeTransferState } from '../outcomes/transfer-state.ts'

/**
 * Drops the third party, whether they answered or not, and takes the customer off hold. The same request again changes nothing. After the end
 * of the call it only drops the third party. Errors: NOT_FOUND, NOT_YOURS, ROLE_MISSING, NOT_CONFIGURED, WRONG_STATE (no transfer, or the agent
 * has left), the provider's. Repeatable.
 */
export async function cancelTransfer(
  ports: CallProviderPorts & EndLostPorts & Pick<CallPorts, 'agentRecordCache' | 'callRecords'>,
  actor: Actor,
  ucid: string,
): Promise<KnownCall> {
  const step = async (held: HeldCall): Promise<void> => {
    assertOwnCall(held)
    const transfer = transferToCancel(held)
    if (transfer.stage === 'CANCELLED') return
    const { key, call } = held
    const { telephony, parties } = lineOf(held, 'CONFERENCE', 'transfers')
    held.lost.throwIfAborted()
    // Gone: they did not answer, hung up, or the call has ended.
    await telephony.control({ ...parties, action: 'KICK', ...transfer.party }).catch(ignoreGone)
    const { to } = targetOf(transfer)
    const controls = { ...held.controls, parties: held.controls.parties.filter((party) => party !== to) }
    await writeControls(ports, key, controls)
    if (controls.held && call.phase === 'ANSWERED') await setHold(ports, { ...held, controls }, false)
    await writeTransferState(ports, key, { ...transfer, stage: 'CANCELLED', endedAt: isoMoment(ports.clock.now()) })
  }
  return actOnCall(ports, actor, { ucid, step })
}

function transferToCancel({ transfer }: HeldCall): TransferState {
  const refuse = (detail: string): AppError => new AppError('WRONG_STATE', { detail })
  if (!transfer) throw refuse('No transfer is under way')
  if (transfer.stage === 'COMPLETED') throw refuse('You have left the call: it cannot be cancelled any more')
  // Without the third party, the customer of an agent who has left would be alone.
  if (transfer.stage === 'LEAVING') throw refuse('You may have left the call already: complete the transfer again')
  return transfer
}

function ignoreGone(error: unknown): void {
  if (!isGone(error)) throw error
}
