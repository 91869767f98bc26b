import type { Actor } from '../../../access/actor.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import { AppError, invalidInput } from '../../../kernel/errors.ts'
import { derivedId, hashOf } from '../../../kernel/ids.ts'
import type { LeadRecord } from '../../../ports/call-records.ts'
import { asPerson, type RecordAccess } from '../../../ports/record-access.ts'
import { readAgent } from '../../sessions/read-agent.ts'
import { type AgentStateInput, assertAllowed } from '../agent-state/allowed-choices.ts'
import { type CallProviderPorts, providerOfCall } from '../state/call-provider.ts'
import type { CallPorts } from '../state/call-ports.ts'
import type { CallKey } from '../state/call-state-store.ts'
import { type DispositionIntent, readIntent } from '../outcomes/disposition-intents.ts'
import { agentOfOutcome } from './agent-of-outcome.ts'
import { findOwnCall, type OwnCall } from '../state/find-own-call.ts'
import { numberToCall } from '../state/number-to-call.ts'
import { canBeDue, cannotBeDue } from '../worklist-entries/due-time.ts'

export type DispositionInput = {
  readonly ucid: string
  readonly disposition: string
  readonly notes?: string | null | undefined
  readonly leadId?: string | null | undefined
  /** ISO 8601. */
  readonly callBackAt?: string | null | undefined
  /** For a correction: the id of the event that the client has seen last. */
  readonly supersedes?: string | null | undefined
  /** The agent's next state. Default: stays in wrap-up. */
  readonly next?: AgentStateInput | null | undefined
  readonly automatic?: boolean | null | undefined
}

export type PrepareIntentPorts = CallProviderPorts &
  Pick<CallPorts, 'agentDirectory' | 'agentRecordCache' | 'callRecords' | 'clock' | 'leadRecords' | 'store'>

/** `isForOther`: a manager sends it for the agent of the call. */
type PreparedIntent = { readonly intent: DispositionIntent; readonly isForOther: boolean }

/** Checks a disposition and completes it with what we know of the call. Errors: as `submitDisposition`. */
export async function prepareIntent(ports: PrepareIntentPorts, actor: Actor, input: DispositionInput): Promise<PreparedIntent> {
  const { workspaceId, memberId } = actor.principal
  const access = asPerson(workspaceId, actor.accessToken)
  const [telephony, own, call, lead] = await Promise.all([
    ports.configuration.read(workspaceId, 'telephony'),
    readAgent(ports, actor),
    findOwnCall(ports, actor, input.ucid),
    input.leadId ? ports.leadRecords.byId(access, input.leadId) : null,
  ])
  const agent = await agentOfOutcome(ports, access, { own, call })
  assertAllowed(input, telephony)
  if (input.leadId && !lead) throw invalidInput('leadId', 'there is no such lead')
  if (input.callBackAt) await assertAhead(ports, { workspaceId, ucid: input.ucid }, input.callBackAt)
  const phoneNumber = input.callBackAt ? await callbackNumber(ports, access, { call, lead }) : null
  const { capabilities } = await providerOfCall(ports, workspaceId, call ?? { provider: null })
  const atProvider = capabilities.has('DISPOSITION')
  const did = call?.did ?? telephony.did
  if (did === null && atProvider)
    throw new AppError('NOT_CONFIGURED', { detail: 'The number that was called is not known; set telephony.did' })
  const now = ports.clock.now()
  const intent: DispositionIntent = {
    stage: 'INTENDED',
    workspaceId,
    ucid: input.ucid,
    claimedAt: now,
    outcome: null,
    revision: 0,
    content: contentOf(input),
    corrected: [],
    former: null,
    request: {
      agentId: agent.providerAgentId,
      agentName: own?.record.name ?? null,
      atProvider,
      did: did ?? '',
      notes: input.notes ?? null,
      callBackAt: input.callBackAt ?? null,
      phoneNumber,
      recorded: call?.recorded ?? {},
      automatic: input.automatic ?? false,
      next: input.next ? { state: input.next.state, reason: input.next.reason ?? null } : null,
    },
    event: {
      id: derivedId('call.completed', workspaceId, input.ucid),
      occurredAt: isoMoment(now),
      callId: call?.recordId ?? derivedId('call', workspaceId, input.ucid),
      leadId: input.leadId ?? call?.leadId ?? null,
      agentId: agent.recordId,
      memberId,
      disposition: input.disposition,
      supersedes: null,
    },
  }
  return { intent, isForOther: agent.isOther }
}

/**
 * A callback that was scheduled before may be past by now: the outcome is sent again, or something else of it is
 * corrected.
 */
async function assertAhead(ports: Pick<CallPorts, 'clock' | 'store'>, call: CallKey, callBackAt: string): Promise<void> {
  if (canBeDue(callBackAt, ports.clock.now())) return
  const known = await readIntent(ports, call)
  if (known?.intent.request.callBackAt !== callBackAt) throw cannotBeDue('callBackAt')
}

/** Identifies what was sent. The agent's next state is no part of it. */
function contentOf({ disposition, notes = null, leadId = null, callBackAt = null }: DispositionInput): string {
  return hashOf(JSON.stringify([disposition, notes, leadId, callBackAt]))
}

/**
 * The number of a callback if the caller's cannot be one of E.164: that of the lead. Null if there is none and the call has a number, or may
 * still get one from the provider's report. Throws INVALID_INPUT if there is none.
 */
async function callbackNumber(
  { leadRecords }: PrepareIntentPorts,
  access: RecordAccess,
  { call, lead: named }: { readonly call: OwnCall | null; readonly lead: LeadRecord | null },
): Promise<string | null> {
  if (call !== null && call.phoneNumber !== null) return null
  const lead = named ?? (call?.leadId ? await leadRecords.byId(access, call.leadId) : null)
  if (lead?.phoneNumber) return lead.phoneNumber
  if (call === null || call.recorded !== null || numberToCall(call) !== null) return null
  if (lead)
    throw invalidInput(
      'callBackAt',
      'needs a number to call: the caller withheld it, and the lead has none. Enter one, or leave callBackAt out',
    )
  throw invalidInput('callBackAt', 'needs somebody to call: the caller withheld the number, so give leadId, or leave callBackAt out')
}
