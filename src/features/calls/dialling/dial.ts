import type { Actor } from '../../../access/actor.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import { AppError, invalidInput } from '../../../kernel/errors.ts'
import { derivedId } from '../../../kernel/ids.ts'
import { notAPhoneNumber, toE164 } from '../../../kernel/phone.ts'
import { withDeadline } from '../../../kernel/with-fallback.ts'
import { asPerson } from '../../../ports/record-access.ts'
import { LeaseOf } from '../../../ports/stored/lease-of.ts'
import { requireSession } from '../../sessions/current-session.ts'
import { readAgent } from '../../sessions/read-agent.ts'
import { factsOf } from '../state/call-facts.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { callValues } from '../records/call-values.ts'
import { checkLater } from '../tracking/check-outbound-calls.ts'
import { type Dialled, dialOnce, mayBeMade } from '../state/dial-once.ts'
import { type DialVia, type NewCall, placeCall, type PlacedCall, type PlaceCallPorts } from './place-call.ts'
import { writeScreenPop } from '../screen-pop/recent-screen-pops.ts'
import { numbersOf } from '../state/number-to-call.ts'
import { updateCall } from '../state/update-call.ts'
import { queueIfChanged } from '../records/write-alone.ts'
import { bindClaim, type ClaimPorts, takeClaim } from '../worklist/claim-entry.ts'
import { callersDigits } from '../worklist-entries/callers-digits.ts'
import { type EntryKey, entryIdOf, isOpen, readEntry } from '../worklist-entries/entry-store.ts'

export type DialInput = {
  readonly phoneNumber: string
  readonly leadId?: string | null | undefined
  /** Which provider makes the call. Default: AUTO. */
  readonly via?: DialVia | undefined
  /** For the second provider: the phone on which the agent is rung. Default: the agent record's extension. */
  readonly agentPhoneNumber?: string | null | undefined
  /** A repetition with the same key returns the first call. */
  readonly idempotencyKey?: string | null | undefined
  /** Calls a person whom another agent has claimed. For managers. */
  readonly overrideClaim?: boolean | undefined
}

export type DialPorts = PlaceCallPorts & ClaimPorts & Pick<CallPorts, 'callRecords' | 'leadRecords' | 'sessionBox'>

export const diallingLease = new LeaseOf({
  name: 'dialling',
  key: ({ workspaceId, recordId }: { readonly workspaceId: string; readonly recordId: string }) => [workspaceId, recordId],
  what: 'an outgoing call that is being placed',
})

/** An agent waits for the call: how long for what the platform adds to it. */
const platformPatienceMs = 1_500

/**
 * Rings the agent, then the number. A person of the worklist is claimed first, so that two agents never call the same person back. Errors:
 * ROLE_MISSING (no agent record; a claim is overridden and the actor is no manager), SESSION_GONE, WRONG_STATE (on a call, or in wrap-up),
 * ALREADY_CLAIMED (by another agent), INVALID_INPUT (an unknown lead too), NOT_CONFIGURED, the provider's. After DEADLINE_PASSED and PROVIDER_ANSWER_INVALID the call may have been made.
 */
export async function dial(ports: DialPorts, actor: Actor, input: DialInput): Promise<Dialled> {
  const checked = await newCallOf(ports, actor, input)
  const { workspaceId, phoneNumber } = checked
  const key = { member: actor.principal, idempotencyKey: input.idempotencyKey ?? null }
  const dialled = await dialOnce(ports, key, async () => {
    // Here, so that a repetition gets the first call also if its lead was deleted since.
    const call = { ...checked, leadId: await namedLead(ports, actor, input.leadId ?? null) }
    // The second provider rings an agent twice if it is asked twice.
    const { id: recordId } = call.agent.record
    await using dialling = await diallingLease.acquire(ports, { workspaceId, recordId }, { log: ports.log })
    if (!dialling) throw new AppError('WRONG_STATE', { detail: 'Another call of the agent is being made: wait for its result' })
    const made = await placeClaimed(ports, actor, { call, input })
    const { placed } = made
    // The call was made: a failed write must not turn it into an error, after which the client would dial again.
    await storeCall(ports, actor, made).catch((error: unknown) =>
      ports.log.warn({ err: error, workspaceId, ucid: placed.ucid }, 'dial.call-not-stored'),
    )
    const { ucid, provider } = placed
    return { ucid, provider, callId: derivedId('call', workspaceId, placed.ucid), phoneNumber }
  })
  if (dialled.phoneNumber !== phoneNumber) throw invalidInput('idempotencyKey', 'was used for a call to another number: take a new one')
  return dialled
}

/** Places the call while the actor holds the person's worklist entry, if there is one. The claim goes if no call was made. */
async function placeClaimed(
  ports: DialPorts,
  actor: Actor,
  { call, input }: { readonly call: NewCall; readonly input: DialInput },
): Promise<MadeCall> {
  const { workspaceId, agent, phoneNumber } = call
  const key = { workspaceId, id: entryIdOf(workspaceId, phoneNumber) }
  const entry = await readEntry(ports, key)
  const isListed = entry !== null && isOpen(entry)
  const claim = isListed ? await takeClaim(ports, actor, { agent, id: key.id, overrides: input.overrideClaim === true, dials: true }) : null
  const placed = await placeCall(ports, call, input.via ?? 'AUTO').catch(async (error: unknown) => {
    if (mayBeMade(error)) await claim?.announce()
    else await claim?.undo()
    throw error
  })
  await claim?.announce()
  return { call, placed, claimed: claim && key }
}

async function newCallOf(ports: DialPorts, actor: Actor, input: DialInput): Promise<Omit<NewCall, 'leadId'>> {
  const { workspaceId, role } = actor.principal
  if (input.overrideClaim === true && role !== 'MANAGER') {
    throw new AppError('ROLE_MISSING', { detail: 'Only a manager can override a claim; leave overrideClaim out' })
  }
  const telephony = await ports.configuration.read(workspaceId, 'telephony')
  const phoneNumber = toE164(input.phoneNumber, telephony.defaultCountry) ?? (await callersDigits(ports, workspaceId, input.phoneNumber))
  if (phoneNumber === null) throw invalidInput('phoneNumber', notAPhoneNumber)
  const agent = await readAgent(ports, actor)
  if (!agent)
    throw new AppError('ROLE_MISSING', {
      detail: 'Only a member with an agent record can dial; a manager can create one (updateTeamMember)',
    })
  const { lock } = await requireSession(ports, actor.principal)
  const { agentPhoneNumber = null } = input
  return { workspaceId, agent, signedInAt: lock.lockedAt, telephony, phoneNumber, agentPhoneNumber }
}

/**
 * The lead that the client names, if the actor can read it. Null if the platform does not say so in time: the call does not wait, and
 * gets the lead of its number. Throws INVALID_INPUT if there is none.
 */
async function namedLead(
  ports: DialPorts,
  { principal: { workspaceId }, accessToken }: Actor,
  leadId: string | null,
): Promise<string | null> {
  if (leadId === null) return null
  const reading = ports.leadRecords.byId(asPerson(workspaceId, accessToken), leadId)
  const lead = await withDeadline(reading, platformPatienceMs).catch((error: unknown) => {
    ports.log.warn({ workspaceId, reason: error instanceof AppError ? error.reason : 'DEADLINE_PASSED' }, 'dial.lead-not-read')
    return undefined
  })
  if (lead === null) throw invalidInput('leadId', 'there is no such lead')
  return lead?.id ?? null
}

/** `claimed`: the worklist entry of the person, if there is one. */
type MadeCall = { readonly call: NewCall; readonly placed: PlacedCall; readonly claimed: EntryKey | null }

/** Stores the call here, and writes its record on the platform at once with the actor's own rights. */
async function storeCall(ports: DialPorts, actor: Actor, { call, placed, claimed }: MadeCall): Promise<void> {
  const { workspaceId, agent, telephony, phoneNumber, leadId } = call
  const facts = {
    direction: 'OUTBOUND',
    ...numbersOf(phoneNumber),
    leadId,
    did: placed.did,
    campaignName: placed.campaignName,
    agentId: placed.agentId,
    agentRecordId: agent.record.id,
    startedAt: isoMoment(ports.clock.now()),
    provider: placed.provider,
  } as const
  const key = { workspaceId, ucid: placed.ucid }
  const { after } = await updateCall(ports, key, factsOf(facts, { source: 'OWN', receivedAt: ports.clock.now() }))
  // Only a stored call holds a claim. Until then, nobody gets the person because a call to them is being made.
  if (claimed) {
    await bindClaim(ports, claimed, { memberId: actor.principal.memberId, ucid: placed.ucid }).catch((error: unknown) =>
      ports.log.warn({ err: error, ...key }, 'dial.claim-not-bound'),
    )
  }
  if (placed.provider === telephony.outbound?.id) await checkLater(ports, key)
  // The call stays the agent's current call after it has ended.
  await writeScreenPop(ports, actor.principal, { phoneNumber, ucid: placed.ucid })
  const access = asPerson(workspaceId, actor.accessToken)
  const values = callValues(after)
  // A write that the platform carries out after our deadline may still come after this.
  const writing = ports.callRecords.write(access, { ucid: placed.ucid, values }).finally(() => queueIfChanged(ports, key, values))
  // If this fails or takes long, the queued record is written like any other.
  await withDeadline(writing, platformPatienceMs).catch(() => undefined)
}
