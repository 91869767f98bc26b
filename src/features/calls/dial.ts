import type { Actor } from '../../access/actor.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { TelephonySection } from '../../ports/configuration/telephony.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import { derivedId } from '../../kernel/ids.ts'
import { toE164 } from '../../kernel/phone.ts'
import { asPerson } from '../../ports/record-access.ts'
import type { AgentStateStore } from './agent-state-store.ts'
import type { CallStateStore } from './call-state-store.ts'
import { factsOf } from './call-facts.ts'
import type { WebhookKeys } from './webhook-keys.ts'
import type { Dialled, DialOnce } from './dial-once.ts'
import type { RecentScreenPops } from './recent-screen-pops.ts'
import type { UpdateCall } from './update-call.ts'
import type { OutboundTelephony } from '../../ports/outbound-telephony.ts'
import type { CallAgent, CallAgentOf } from './call-agent.ts'
import type { CallRecords } from '../../ports/call-records.ts'
import type { Telephony } from '../../ports/telephony.ts'
import { valuesOf } from './write-records.ts'

export type DialDeps = {
  readonly agentOf: CallAgentOf
  /** Whether the caller has an agent session. */
  readonly hasSession: (caller: Actor) => Promise<boolean>
  readonly telephonyOf: (workspaceId: string) => Promise<Telephony>
  /** Null where the workspace has no second provider. */
  readonly outboundOf: (workspaceId: string) => Promise<OutboundTelephony | null>
  readonly agentStates: AgentStateStore
  readonly book: CallStateStore
  readonly note: UpdateCall
  readonly calls: CallRecords
  readonly keys: WebhookKeys
  readonly once: DialOnce
  /** The call stays the caller's call at hand after it has ended. */
  readonly screenPops: RecentScreenPops
  readonly configuration: Configuration
  /** Where providers reach this service; null: nowhere, and the second provider tells us nothing of its calls. */
  readonly publicUrl: string | null
  readonly clock: Clock
}

export type DialCommand = {
  readonly phoneNumber: string
  readonly leadId?: string | null | undefined
  /** AUTO where left out. */
  readonly via?: DialVia | undefined
  /** For the second provider: the phone on which the agent is rung; the agent record's extension where left out. */
  readonly agentPhoneNumber?: string | null | undefined
  readonly idempotencyKey?: string | null | undefined
}

export type DialVia = 'AUTO' | 'TELEPHONY' | 'OUTBOUND'

/** An agent of whom no end of a call was heard is not busy for ever. */
const longestCallMs = 4 * 3_600_000

/**
 * Rings the agent, then the number. With an idempotency key a repetition answers the first call. Errors: ROLE_MISSING (no agent record),
 * SESSION_GONE, WRONG_STATE (on a call, wrapping up), INVALID_INPUT, NOT_CONFIGURED, the provider's; after DEADLINE_PASSED the call may
 * have been made.
 */
export function createDial(deps: DialDeps) {
  return async (caller: Actor, command: DialCommand): Promise<Dialled> => {
    const { workspaceId, memberId } = caller.principal
    const telephony = await deps.configuration.read(workspaceId, 'telephony')
    const phoneNumber = toE164(command.phoneNumber, telephony.defaultCountry)
    if (phoneNumber === null) throw invalidInput('phoneNumber', 'is not a valid phone number')
    const agent = await deps.agentOf(caller)
    if (!agent) throw new AppError('ROLE_MISSING', { detail: 'Only a member with an agent record can dial' })
    if (!(await deps.hasSession(caller))) throw new AppError('SESSION_GONE')
    const call: NewCall = {
      workspaceId,
      agent,
      telephony,
      phoneNumber,
      leadId: command.leadId ?? null,
      rings: command.agentPhoneNumber ?? null,
    }
    const dialled = await deps.once({ workspaceId, memberId, key: command.idempotencyKey ?? null }, async () => {
      const via = await routeOf(deps, call, command.via ?? 'AUTO')
      const made = await (via === 'TELEPHONY' ? byTelephony(deps, call) : byOutbound(deps, call))
      await recordCall(deps, caller, { call, made })
      await deps.screenPops.note(workspaceId, memberId, { phoneNumber, ucid: made.ucid })
      return { ...made, callId: derivedId('call', workspaceId, made.ucid), phoneNumber }
    })
    if (dialled.phoneNumber !== phoneNumber) throw invalidInput('idempotencyKey', 'was used for a call to another number: take a new one')
    return dialled
  }
}

type NewCall = {
  readonly workspaceId: string
  readonly agent: CallAgent
  readonly telephony: TelephonySection
  readonly phoneNumber: string
  readonly leadId: string | null
  /** The agent's phone as the client gave it. */
  readonly rings: string | null
}
type MadeCall = { readonly ucid: string; readonly provider: string }

/** The way that the call takes; WRONG_STATE for an agent who cannot take part in one now. */
async function routeOf({ agentStates, book, clock }: DialDeps, call: NewCall, via: DialVia): Promise<'TELEPHONY' | 'OUTBOUND'> {
  const { workspaceId, agent, telephony } = call
  const [activity, live] = await Promise.all([agentStates.read(workspaceId, agent.providerAgentId), book.live(workspaceId)])
  const isRecent = activity !== null && clock.now() - Date.parse(activity.since) < longestCallMs
  const isTalking = live.some(({ agentId }) => agentId === agent.providerAgentId)
  if (isTalking || (isRecent && activity.state === 'ON_CALL')) throw new AppError('WRONG_STATE', { detail: 'The agent is on a call' })
  if (isRecent && activity.state === 'WRAP_UP')
    throw new AppError('WRONG_STATE', { detail: 'Finish the last call first: it has no disposition' })
  if (via !== 'AUTO') return via
  const signedOut = activity?.state === 'SIGNED_OUT'
  return (signedOut || telephony.provider === null) && telephony.outbound !== null ? 'OUTBOUND' : 'TELEPHONY'
}

async function byTelephony({ telephonyOf }: DialDeps, { workspaceId, agent, telephony, phoneNumber }: NewCall): Promise<MadeCall> {
  const campaignName = agent.campaignName ?? telephony.campaignName
  if (campaignName === null) throw new AppError('NOT_CONFIGURED', { detail: 'Calls need a campaign: set telephony.campaignName' })
  const provider = await telephonyOf(workspaceId)
  const { ucid } = await provider.dial({ agentId: agent.providerAgentId, phoneNumber, campaignName })
  return { ucid, provider: telephony.provider?.id ?? 'telephony' }
}

async function byOutbound(deps: DialDeps, { workspaceId, agent, telephony, phoneNumber, rings }: NewCall): Promise<MadeCall> {
  const provider = telephony.outbound?.id
  const outbound = await deps.outboundOf(workspaceId)
  if (provider === undefined || outbound === null)
    throw new AppError('NOT_CONFIGURED', { detail: 'The second telephony provider is not configured' })
  const agentPhoneNumber = toE164(rings ?? agent.phoneNumber ?? '', telephony.defaultCountry)
  if (agentPhoneNumber === null) throw invalidInput('agentPhoneNumber', 'is needed: the second provider rings the agent on a phone number')
  const { callId } = await outbound.dial({
    agentPhoneNumber,
    phoneNumber,
    recorded: true,
    statusCallbackUrl: await statusCallbackUrl(deps, { workspaceId, provider }),
    reference: agent.id,
  })
  return { ucid: callId, provider }
}

async function statusCallbackUrl({ keys, publicUrl }: DialDeps, target: { workspaceId: string; provider: string }): Promise<string | null> {
  return publicUrl === null ? null : publicUrl + (await keys.forOneCall(target)).path
}

type Recorded = { readonly call: NewCall; readonly made: MadeCall }

/** At once with the caller's own rights; where that fails, what we noted is written as any other call is. */
async function recordCall(deps: DialDeps, caller: Actor, { call, made }: Recorded): Promise<void> {
  const { workspaceId, agent, telephony, phoneNumber, leadId } = call
  const facts = {
    direction: 'OUTBOUND',
    phoneNumber,
    leadId,
    did: telephony.did,
    campaignName: agent.campaignName ?? telephony.campaignName,
    agentId: agent.providerAgentId,
    agentRecordId: agent.id,
    startedAt: isoMoment(deps.clock.now()),
    provider: made.provider,
  } as const
  const { after } = await deps.note(workspaceId, made.ucid, factsOf(facts, { source: 'OWN', receivedAt: deps.clock.now() }))
  const access = asPerson(workspaceId, caller.accessToken)
  await deps.calls.write(access, { ucid: made.ucid, values: valuesOf(after) }).catch(() => undefined)
}
