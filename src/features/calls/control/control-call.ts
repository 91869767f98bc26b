import type { Actor } from '../../../access/actor.ts'
import { AppError, invalidInput } from '../../../kernel/errors.ts'
import { type CountryCode, toE164 } from '../../../kernel/phone.ts'
import type { CallControl } from '../../../ports/telephony.ts'
import { control, type ControlAction } from '../state/call-controls.ts'
import type { KnownCall } from '../state/call-facts.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { capabilityOf, type CallProviderPorts } from '../state/call-provider.ts'
import { writeControls } from '../state/call-state-store.ts'
import type { EndLostPorts } from '../tracking/end-lost-call.ts'
import { actOnCall, type HeldCall, type Line, lineOf } from './held-call.ts'
import { isGone } from './lost-answer.ts'
import { isUnderWay, targetOf } from '../outcomes/transfer-state.ts'

export type ControlCallInput = { readonly ucid: string; readonly action: ControlAction; readonly phoneNumber?: string | null | undefined }

/**
 * Acts on a call of the actor, as its state allows. Errors: NOT_FOUND (unknown call), NOT_YOURS, ROLE_MISSING (no agent record),
 * NOT_SUPPORTED (the call's provider cannot do it), WRONG_STATE (not possible now; the detail says why), INVALID_INPUT (the number),
 * NOT_CONFIGURED, the provider's.
 */
export async function controlCall(
  ports: CallProviderPorts & EndLostPorts & Pick<CallPorts, 'agentRecordCache' | 'callRecords'>,
  actor: Actor,
  input: ControlCallInput,
): Promise<KnownCall> {
  const { ucid, action } = input
  const step = async (held: HeldCall): Promise<void> => {
    const line = lineOf(held, capabilityOf[action], action)
    const phoneNumber = partyOf(input, held.section.defaultCountry)
    const detail = refusalOfTransfer(held, { action, phoneNumber })
    if (detail !== null) throw new AppError('WRONG_STATE', { detail })
    const after = control(held.call.phase, held.controls, { action, phoneNumber })
    if ('refused' in after) throw new AppError('WRONG_STATE', { detail: after.refused })
    // The provider would call them a second time.
    const isPresent = action === 'CONFERENCE' && held.controls.parties.includes(phoneNumber ?? '')
    if (!isPresent) await send(held, line, { action, phoneNumber })
    await writeControls(ports, held.key, after.controls)
  }
  return actOnCall(ports, actor, { ucid, step })
}

function partyOf({ action, phoneNumber }: ControlCallInput, country: CountryCode): string | null {
  if (action !== 'CONFERENCE' && action !== 'KICK') return null
  const party = toE164(phoneNumber ?? '', country)
  if (party === null) throw invalidInput('phoneNumber', `is needed for ${action} and must be a valid phone number`)
  return party
}

type Wanted = { readonly action: ControlAction; readonly phoneNumber: string | null }

/** What a transfer forbids: the agent must not leave or lose the third party by accident. */
function refusalOfTransfer({ call, transfer }: HeldCall, { action, phoneNumber }: Wanted): string | null {
  if (!transfer || call.phase !== 'ANSWERED') return null
  if (transfer.stage === 'COMPLETED') return action === 'HANG_UP' ? null : 'You have left this call'
  if (!isUnderWay(transfer)) return null
  if (action === 'HANG_UP') return 'A transfer is under way: complete it or cancel it first'
  const isThirdParty = action === 'KICK' && phoneNumber === targetOf(transfer).to
  return isThirdParty ? 'This is the third party of a transfer: cancel the transfer' : null
}

async function send({ controls, lost }: HeldCall, { telephony, parties }: Line, { action, phoneNumber }: Wanted): Promise<void> {
  lost.throwIfAborted()
  if (action === 'PAUSE_RECORDING' || action === 'RESUME_RECORDING') {
    return telephony.pauseRecording({ ucid: parties.ucid, paused: action === 'PAUSE_RECORDING' })
  }
  // Otherwise the call would go on without the agent.
  if (action === 'HANG_UP') {
    for (const party of controls.parties) await telephony.control({ ...parties, action: 'KICK', phoneNumber: party }).catch(ignoreGone)
  }
  const request: CallControl =
    action === 'CONFERENCE' || action === 'KICK' ? { ...parties, action, phoneNumber: phoneNumber ?? '' } : { ...parties, action }
  return telephony.control(request)
}

function ignoreGone(error: unknown): void {
  if (!isGone(error)) throw error
}
