import type { Actor } from '../../access/actor.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import type { Notifications } from '../../ports/notifications.ts'
import { toE164 } from '../../kernel/phone.ts'
import type { CallStateStore } from './call-state-store.ts'
import { control, type ControlAction } from './call-controls.ts'
import type { KnownCall } from './call-facts.ts'
import { callTopic } from './update-call.ts'
import type { FindOwnCall } from './find-own-call.ts'
import type { CallAgent, CallAgentOf } from './call-agent.ts'
import type { CallControl, CallParties, Telephony } from '../../ports/telephony.ts'

export type ControlCallDeps = {
  readonly findOwnCall: FindOwnCall
  readonly agentOf: CallAgentOf
  readonly book: CallStateStore
  readonly telephonyOf: (workspaceId: string) => Promise<Telephony>
  readonly configuration: Configuration
  readonly notifications: Notifications
}

export type ControlCommand = { readonly ucid: string; readonly action: ControlAction; readonly phoneNumber?: string | null | undefined }

/**
 * Acts on the caller's own call as the state machine allows. Errors: NOT_FOUND (unknown call), NOT_YOURS, ROLE_MISSING, WRONG_STATE (not
 * legal now; the detail says why), INVALID_INPUT (the number), NOT_CONFIGURED, the provider's.
 */
export function createControlCall(deps: ControlCallDeps) {
  return async (caller: Actor, command: ControlCommand): Promise<KnownCall> => {
    const { workspaceId } = caller.principal
    const [call, agent, telephony] = await Promise.all([
      deps.findOwnCall(caller, command.ucid),
      deps.agentOf(caller),
      deps.configuration.read(workspaceId, 'telephony'),
    ])
    if (!call) throw new AppError('NOT_FOUND', { detail: 'There is no such call' })
    if (!agent) throw new AppError('ROLE_MISSING', { detail: 'Only a member with an agent record can control calls' })
    const phoneNumber = partyOf(command, telephony.defaultCountry)
    const before = await deps.book.controls(workspaceId, call.ucid)
    const step = control(call.phase, before, { action: command.action, phoneNumber })
    if ('refused' in step) throw new AppError('WRONG_STATE', { detail: step.refused })
    await send(await deps.telephonyOf(workspaceId), command.action, { parties: partiesOf(call, agent, telephony.did), phoneNumber })
    await deps.book.setControls(workspaceId, call.ucid, step.controls)
    await deps.notifications.publish({ topic: callTopic, workspaceId, payload: call.ucid })
    return call
  }
}

function partyOf({ action, phoneNumber }: ControlCommand, country: Parameters<typeof toE164>[1]): string | null {
  if (action !== 'CONFERENCE' && action !== 'KICK') return null
  const party = toE164(phoneNumber ?? '', country)
  if (party === null) throw invalidInput('phoneNumber', `is needed for ${action} and must be a valid phone number`)
  return party
}

function partiesOf({ ucid, did, phoneNumber }: KnownCall, agent: CallAgent, configuredDid: string | null): CallParties {
  const ours = did ?? configuredDid
  if (ours === null) throw new AppError('NOT_CONFIGURED', { detail: 'The number that was called is not known; set telephony.did' })
  if (agent.phoneNumber === null) throw new AppError('NOT_CONFIGURED', { detail: "The agent's record has no SIP extension" })
  if (phoneNumber === null) throw new AppError('WRONG_STATE', { detail: 'The other party withheld its number' })
  return { ucid, did: ours, customerNumber: phoneNumber, agentPhoneNumber: agent.phoneNumber }
}

type Sent = { readonly parties: CallParties; readonly phoneNumber: string | null }

async function send(telephony: Telephony, action: ControlAction, { parties, phoneNumber }: Sent): Promise<void> {
  if (action === 'PAUSE_RECORDING' || action === 'RESUME_RECORDING') {
    return telephony.pauseRecording({ ucid: parties.ucid, paused: action === 'PAUSE_RECORDING' })
  }
  const request: CallControl =
    action === 'CONFERENCE' || action === 'KICK' ? { ...parties, action, phoneNumber: phoneNumber ?? '' } : { ...parties, action }
  return telephony.control(request)
}
