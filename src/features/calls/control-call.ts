import type { Actor } from '../../access/actor.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import { type CountryCode, toE164 } from '../../kernel/phone.ts'
import type { CallControl, CallParties, Telephony } from '../../ports/telephony.ts'
import { type Agent, readAgent } from '../sessions/read-agent.ts'
import { control, type ControlAction } from './call-controls.ts'
import type { KnownCall } from './call-facts.ts'
import { controllerOf } from './call-provider.ts'
import type { CallPorts } from './call-ports.ts'
import { readControls, writeControls } from './call-state-store.ts'
import { findOwnCall } from './find-own-call.ts'
import { callTopic } from './update-call.ts'

export type ControlCallInput = { readonly ucid: string; readonly action: ControlAction; readonly phoneNumber?: string | null | undefined }

/**
 * Acts on a call of the actor, as its state allows. Errors: NOT_FOUND (unknown call), NOT_YOURS, ROLE_MISSING (no agent record),
 * NOT_SUPPORTED (the call's provider cannot do it), WRONG_STATE (not possible now; the detail says why), INVALID_INPUT (the number),
 * NOT_CONFIGURED, the provider's.
 */
export async function controlCall(
  ports: Pick<
    CallPorts,
    'agentRecordCache' | 'callRecords' | 'configuration' | 'notifications' | 'outboundTelephonyOf' | 'store' | 'telephonyOf'
  >,
  actor: Actor,
  input: ControlCallInput,
): Promise<KnownCall> {
  const { workspaceId } = actor.principal
  const [call, agent, configured] = await Promise.all([
    findOwnCall(ports, actor, input.ucid),
    readAgent(ports, actor),
    ports.configuration.read(workspaceId, 'telephony'),
  ])
  if (!call) throw new AppError('NOT_FOUND', { detail: 'There is no such call' })
  if (!agent) throw new AppError('ROLE_MISSING', { detail: 'Only a member with an agent record can control calls' })
  const telephony = await controllerOf(ports, workspaceId, { call, action: input.action })
  const phoneNumber = partyOf(input, configured.defaultCountry)
  const key = { workspaceId, ucid: call.ucid }
  const step = control(call.phase, await readControls(ports, key), { action: input.action, phoneNumber })
  if ('refused' in step) throw new AppError('WRONG_STATE', { detail: step.refused })
  await send(telephony, input.action, { parties: partiesOf(call, agent, configured.did), phoneNumber })
  await writeControls(ports, key, step.controls)
  await ports.notifications.publish({ topic: callTopic, workspaceId, payload: call.ucid })
  return call
}

function partyOf({ action, phoneNumber }: ControlCallInput, country: CountryCode): string | null {
  if (action !== 'CONFERENCE' && action !== 'KICK') return null
  const party = toE164(phoneNumber ?? '', country)
  if (party === null) throw invalidInput('phoneNumber', `is needed for ${action} and must be a valid phone number`)
  return party
}

function partiesOf({ ucid, did, phoneNumber }: KnownCall, { record }: Agent, configuredDid: string | null): CallParties {
  const ours = did ?? configuredDid
  if (ours === null) throw new AppError('NOT_CONFIGURED', { detail: 'The number that was called is not known; set telephony.did' })
  if (record.sipExtension === null) throw new AppError('NOT_CONFIGURED', { detail: "The agent's record has no SIP extension" })
  return { ucid, did: ours, customerNumber: phoneNumber, agentPhoneNumber: record.sipExtension }
}

type Target = { readonly parties: CallParties; readonly phoneNumber: string | null }

async function send(telephony: Telephony, action: ControlAction, { parties, phoneNumber }: Target): Promise<void> {
  if (action === 'PAUSE_RECORDING' || action === 'RESUME_RECORDING') {
    return telephony.pauseRecording({ ucid: parties.ucid, paused: action === 'PAUSE_RECORDING' })
  }
  const request: CallControl =
    action === 'CONFERENCE' || action === 'KICK' ? { ...parties, action, phoneNumber: phoneNumber ?? '' } : { ...parties, action }
  return telephony.control(request)
}
