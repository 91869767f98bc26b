import { AppError, invalidInput } from '../../kernel/errors.ts'
import { toE164 } from '../../kernel/phone.ts'
import type { TelephonySection } from '../../ports/configuration/telephony.ts'
import type { Agent } from '../sessions/read-agent.ts'
import { type AgentKey, readAgentState, readLastCall } from './agent-state-store.ts'
import type { KnownCall } from './call-facts.ts'
import type { CallPorts } from './call-ports.ts'
import { checkOutboundCallNow, type CheckOutboundPorts } from './check-outbound-calls.ts'
import { isCallOf } from './find-own-call.ts'
import { readCall, readLiveCalls } from './call-state-store.ts'
import { createCallWebhookPath } from './webhook-keys.ts'

export type PlaceCallPorts = CheckOutboundPorts & Pick<CallPorts, 'publicAddress' | 'telephonyOf'>

export type NewCall = {
  readonly workspaceId: string
  readonly agent: Agent
  /** When the agent's session began, ISO 8601. */
  readonly signedInAt: string
  readonly telephony: TelephonySection
  /** E.164. */
  readonly phoneNumber: string
  readonly leadId: string | null
  /** The phone on which the agent is rung, as the client gave it. */
  readonly agentPhoneNumber: string | null
}
/** TELEPHONY: the agent's provider. OUTBOUND: the second one. AUTO: the second one if the agent is signed out, or there is no other. */
export type DialVia = 'AUTO' | 'TELEPHONY' | 'OUTBOUND'

/** `provider`: the id of the provider that makes the call. `agentId`: null if the agent is only a phone number for it. */
export type PlacedCall = Readonly<Record<'ucid' | 'provider', string> & Record<'did' | 'campaignName' | 'agentId', string | null>>

/** An agent without a known end of a call is not busy for ever. */
const maxBusyMs = 4 * 3_600_000

/** Has one of the providers make the call. Not repeatable. Errors: WRONG_STATE, NOT_CONFIGURED, INVALID_INPUT, the provider's. */
export async function placeCall(ports: PlaceCallPorts, call: NewCall, via: DialVia): Promise<PlacedCall> {
  const provider = await providerFor(ports, call, via)
  return provider === 'TELEPHONY' ? placeByTelephony(ports, call) : placeByOutbound(ports, call)
}

/** Throws WRONG_STATE if the agent cannot make a call now. */
async function providerFor(ports: PlaceCallPorts, call: NewCall, via: DialVia): Promise<'TELEPHONY' | 'OUTBOUND'> {
  const { workspaceId, agent, telephony } = call
  const agentId = agent.providerAgentId
  const [activity, live] = await Promise.all([readAgentState(ports, { workspaceId, agentId }), readLiveCalls(ports, workspaceId)])
  const isRecent = activity !== null && ports.clock.now() - Date.parse(activity.since) < maxBusyMs
  const own = live.filter((other) => isCallOf(agent, other) && other.transferredAt === null)
  const hasCall = (await Promise.all(own.map((other) => goesOn(ports, call, other)))).includes(true)
  if (hasCall || (isRecent && activity.state === 'ON_CALL')) throw new AppError('WRONG_STATE', { detail: 'The agent is on a call' })
  if (isRecent && activity.state === 'WRAP_UP') throw await inWrapUp(ports, { workspaceId, agentId })
  if (via !== 'AUTO') return via
  // The report of a sign-out may be older than the session: the one of the sign-in comes later.
  const isSignedOut = activity?.state === 'SIGNED_OUT' && activity.since >= call.signedInAt
  return (isSignedOut || telephony.provider === null) && telephony.outbound !== null ? 'OUTBOUND' : 'TELEPHONY'
}

/** The webhook with the end of a second provider's call may be late, or lost: the provider is asked before the agent is told to wait. */
async function goesOn(ports: PlaceCallPorts, { workspaceId, telephony }: NewCall, { ucid, provider }: KnownCall): Promise<boolean> {
  if (provider === null || provider !== telephony.outbound?.id) return true
  const call = await checkOutboundCallNow(ports, { workspaceId, ucid })
  return call?.phase === 'RINGING' || call?.phase === 'ANSWERED'
}

async function inWrapUp(ports: PlaceCallPorts, agent: AgentKey): Promise<AppError> {
  const last = await readLastCall(ports, agent)
  const call = last && (await readCall(ports, { workspaceId: agent.workspaceId, ucid: last.ucid }))
  const isDisposed = call !== null && call.disposition !== null
  const detail = isDisposed ? 'The agent is in wrap-up: set the state to READY first' : 'Finish the last call first: it has no disposition'
  return new AppError('WRONG_STATE', { detail })
}

async function placeByTelephony(ports: PlaceCallPorts, { workspaceId, agent, telephony, phoneNumber }: NewCall): Promise<PlacedCall> {
  const campaignName = agent.campaignName ?? telephony.campaignName
  if (campaignName === null) throw new AppError('NOT_CONFIGURED', { detail: 'Calls need a campaign: set telephony.campaignName' })
  const provider = await ports.telephonyOf(workspaceId)
  const agentId = agent.providerAgentId
  const { ucid } = await provider.dial({ agentId, phoneNumber, campaignName })
  return { ucid, provider: telephony.provider?.id ?? 'telephony', did: telephony.did, campaignName, agentId }
}

async function placeByOutbound(ports: PlaceCallPorts, call: NewCall): Promise<PlacedCall> {
  const { workspaceId, agent, telephony, phoneNumber } = call
  const provider = telephony.outbound?.id
  const outbound = await ports.outboundTelephonyOf(workspaceId)
  if (provider === undefined || outbound === null)
    throw new AppError('NOT_CONFIGURED', { detail: 'The second telephony provider is not configured' })
  const agentPhoneNumber = toE164(call.agentPhoneNumber ?? agent.record.sipExtension ?? '', telephony.defaultCountry)
  if (agentPhoneNumber === null) throw invalidInput('agentPhoneNumber', 'is needed: the second provider rings the agent on a phone number')
  const publicUrl = ports.publicAddress.url()
  const { callId, callerId } = await outbound.dial({
    agentPhoneNumber,
    phoneNumber,
    recorded: true,
    statusWebhookUrl: publicUrl === null ? null : publicUrl + (await createCallWebhookPath(ports, { workspaceId, provider })),
    reference: agent.record.id,
  })
  const did = toE164(callerId, telephony.defaultCountry) ?? callerId
  return { ucid: callId, provider, did, campaignName: null, agentId: null }
}
