import { AppError, invalidInput } from '../../../kernel/errors.ts'
import { toE164 } from '../../../kernel/phone.ts'
import type { AgentActivity } from '../../../ports/agent-activity.ts'
import type { TelephonySection } from '../../../ports/configuration/telephony.ts'
import type { Agent } from '../../sessions/read-agent.ts'
import { type AgentKey, readAgentState, readLastCall } from '../agent-state/agent-state-store.ts'
import type { KnownCall } from '../state/call-facts.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { checkOutboundCallNow, type CheckOutboundPorts } from '../tracking/check-outbound-calls.ts'
import { endLostCall, type EndLostPorts, isSettled } from '../tracking/end-lost-call.ts'
import { isCallOf } from '../state/find-own-call.ts'
import { compareSoon } from '../reconciliation/compare-soon.ts'
import { type CallKey, readCall, readLiveCalls } from '../state/call-state-store.ts'
import { createCallWebhookPath } from '../webhook-store/webhook-keys.ts'

export type PlaceCallPorts = CheckOutboundPorts & EndLostPorts & Pick<CallPorts, 'publicAddress' | 'telephonyOf'>

export type NewCall = {
  readonly workspaceId: string
  readonly agent: Agent
  /** When the agent's session began, ISO 8601. */
  readonly signedInAt: string
  readonly telephony: TelephonySection
  /** E.164, or the digits of a number that cannot be that. */
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

/**
 * Has one of the providers make the call. The telephony provider knows best whether its agent is busy: it decides about a call whose end may
 * be lost, and if it makes the new call, the former one is over. Not repeatable. Errors: WRONG_STATE, NOT_CONFIGURED, INVALID_INPUT, the
 * provider's.
 */
export async function placeCall(ports: PlaceCallPorts, call: NewCall, via: DialVia): Promise<PlacedCall> {
  const { workspaceId, agent } = call
  const agentId = agent.providerAgentId
  const [activity, former] = await Promise.all([readAgentState(ports, { workspaceId, agentId }), formerCalls(ports, call)])
  const recent = activity !== null && ports.clock.now() - Date.parse(activity.since) < maxBusyMs ? activity : null
  const provider = providerFor(call, via, activity)
  const activityOfCall = recent && { startedAt: recent.since, answeredAt: null, provider: call.telephony.provider?.id ?? null }
  const mayBeOver = (other: BusyCall): boolean => other.provider === call.telephony.provider?.id && isSettled(other, ports.clock.now())
  const busy = [...former, ...(activityOfCall && recent.state === 'ON_CALL' ? [activityOfCall] : [])]
  if (busy.some(mayBeOver)) await compareSoon(ports, workspaceId)
  if (busy.length > 0 && !(provider === 'TELEPHONY' && busy.every(mayBeOver))) {
    throw new AppError('WRONG_STATE', { detail: 'The agent is on a call: end it first' })
  }
  if (activityOfCall && recent.state === 'WRAP_UP') {
    await assertWrapUpOver(ports, { workspaceId, agentId }, provider === 'TELEPHONY' && mayBeOver(activityOfCall))
  }
  if (provider === 'OUTBOUND') return placeByOutbound(ports, call)
  const placed = await placeByTelephony(ports, call)
  for (const { ucid } of former) await endFormer(ports, { workspaceId, ucid })
  return placed
}

type BusyCall = Pick<KnownCall, 'startedAt' | 'answeredAt' | 'provider'>

/** The agent's live calls. The agent of a transferred call has left it. */
async function formerCalls(ports: PlaceCallPorts, call: NewCall): Promise<readonly KnownCall[]> {
  const live = await readLiveCalls(ports, call.workspaceId)
  const own = live.filter((other) => isCallOf(call.agent, other) && other.transferredAt === null)
  const busy = await Promise.all(own.map((other) => goesOn(ports, call, other)))
  return own.filter((_, index) => busy[index])
}

function providerFor({ signedInAt, telephony }: NewCall, via: DialVia, activity: AgentActivity | null): 'TELEPHONY' | 'OUTBOUND' {
  if (via !== 'AUTO') return via
  // The report of a sign-out may be older than the session: the one of the sign-in comes later.
  const isSignedOut = activity?.state === 'SIGNED_OUT' && activity.since >= signedInAt
  return (isSignedOut || telephony.provider === null) && telephony.outbound !== null ? 'OUTBOUND' : 'TELEPHONY'
}

/** The new call was made: a failed write must not turn it into an error. */
async function endFormer(ports: PlaceCallPorts, key: CallKey): Promise<void> {
  await endLostCall(ports, key).catch((error: unknown) => ports.log.warn({ err: error, ...key }, 'dial.former-call-not-ended'))
}

/**
 * The webhook with the end of a second provider's call may be late, or lost: the provider is asked before the agent must wait. A
 * provider that is no longer configured can report nothing.
 */
async function goesOn(ports: PlaceCallPorts, { workspaceId, telephony }: NewCall, former: KnownCall): Promise<boolean> {
  const { ucid, provider } = former
  if (provider === telephony.provider?.id) return true
  if (provider === null || provider !== telephony.outbound?.id) return !isSettled(former, ports.clock.now())
  const call = await checkOutboundCallNow(ports, { workspaceId, ucid })
  return call?.phase === 'RINGING' || call?.phase === 'ANSWERED'
}

/** The provider also decides about a wrap-up whose end may be lost, but the call gets its disposition first, or the provider's. Throws WRONG_STATE. */
async function assertWrapUpOver(ports: PlaceCallPorts, agent: AgentKey, mayBeOver: boolean): Promise<void> {
  const last = await readLastCall(ports, agent)
  const call = last && (await readCall(ports, { workspaceId: agent.workspaceId, ucid: last.ucid }))
  const isDisposed = call !== null && (call.disposition !== null || call.automaticDisposition !== null)
  if (!isDisposed) throw new AppError('WRONG_STATE', { detail: 'Finish the last call first: it has no disposition' })
  if (!mayBeOver) throw new AppError('WRONG_STATE', { detail: 'The agent is in wrap-up: set the state to READY first' })
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
