import type { Actor } from '../../access/actor.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import { derivedId } from '../../kernel/ids.ts'
import { asPerson } from '../../ports/record-access.ts'
import type { DispositionIntent, DispositionIntents, DispositionOutcome, HeldIntent } from './disposition-intents.ts'
import type { FinishDisposition } from './finish-disposition.ts'
import type { FindOwnCall, OwnCall } from './find-own-call.ts'
import type { CallAgent, CallAgentOf } from './call-agent.ts'
import type { LeadRecords } from '../../ports/call-records.ts'
import type { AgentStateCommand } from './set-agent-state.ts'
import { telephonyDeadlineMs } from '../../ports/telephony.ts'

export type SubmitDispositionDeps = {
  readonly intents: DispositionIntents
  readonly finish: FinishDisposition
  readonly agentOf: CallAgentOf
  readonly findOwnCall: FindOwnCall
  readonly leads: LeadRecords
  readonly configuration: Configuration
  readonly clock: Clock
}

export type Disposition = {
  readonly ucid: string
  readonly disposition: string
  readonly notes?: string | null | undefined
  readonly leadId?: string | null | undefined
  /** ISO 8601. */
  readonly callBackAt?: string | null | undefined
  /** What the agent does after it; left out: stays in wrap-up. */
  readonly next?: AgentStateCommand | null | undefined
}

export type DispositionReceipt = {
  readonly ucid: string
  readonly disposition: string
  readonly outcome: DispositionOutcome
  readonly eventId: string
}

const longestWaitMs = telephonyDeadlineMs + 5_000
const lookEveryMs = 40

/**
 * Records the outcome of a call at the provider and publishes `call.completed`, once per call however often and from wherever it is
 * sent: who comes second gets the first one's receipt. Errors: INVALID_INPUT (the list of dispositions in `data.fields`, an unknown
 * lead), NOT_YOURS (another agent's call), ROLE_MISSING (no agent record), those of the provider, after which it can be sent again.
 */
export function createSubmitDisposition(deps: SubmitDispositionDeps) {
  const { intents, finish } = deps

  /** Null where somebody else is at it. */
  const attempt = async (intent: DispositionIntent): Promise<HeldIntent | null> => {
    const held = (await intents.begin(intent)) ?? (await takeOver(intent))
    if (!held) return null
    try {
      return await finish(held)
    } catch (error) {
      await letGo(held, error)
      throw error
    }
  }

  /** Where the provider may have it after all, the sweep finds out; so it does where only the event is missing. */
  const letGo = async (held: HeldIntent, error: unknown): Promise<void> => {
    const answerLost = error instanceof AppError && error.reason === 'DEADLINE_PASSED'
    if (!answerLost) await intents.withdraw(held)
    await intents.release(held)
  }

  const takeOver = async (intent: DispositionIntent): Promise<HeldIntent | null> => {
    const held = await intents.read(intent.workspaceId, intent.ucid)
    if (!held || !intents.isAbandoned(held)) return null
    return intents.advance(held, held.intent.stage === 'INTENDED' ? intent : { claimedAt: intent.claimedAt })
  }

  const published = async ({ workspaceId, ucid }: DispositionIntent): Promise<HeldIntent | null> => {
    const held = await intents.read(workspaceId, ucid)
    return held?.intent.stage === 'PUBLISHED' ? held : null
  }

  return async (caller: Actor, disposition: Disposition): Promise<DispositionReceipt> => {
    const intent = await prepareIntent(deps, caller, disposition)
    const startedAt = performance.now()
    while (performance.now() - startedAt < longestWaitMs) {
      const done = (await published(intent)) ?? (await attempt(intent))
      if (done) return receiptOf(done.intent)
      await new Promise((resolve) => void setTimeout(resolve, lookEveryMs))
    }
    throw new AppError('DEADLINE_PASSED', { detail: 'The disposition is still being recorded; send it again' })
  }
}

async function prepareIntent(deps: SubmitDispositionDeps, caller: Actor, given: Disposition): Promise<DispositionIntent> {
  const { workspaceId, memberId } = caller.principal
  const access = asPerson(workspaceId, caller.accessToken)
  const [telephony, agent, call, lead] = await Promise.all([
    deps.configuration.read(workspaceId, 'telephony'),
    deps.agentOf(caller),
    deps.findOwnCall(caller, given.ucid),
    given.leadId ? deps.leads.byId(access, given.leadId) : null,
  ])
  if (!agent) throw new AppError('ROLE_MISSING', { detail: 'Only a member with an agent record can dispose of a call' })
  assertKnown(given, { dispositions: telephony.dispositions, leadFound: lead !== null })
  const now = deps.clock.now()
  return {
    stage: 'INTENDED',
    workspaceId,
    ucid: given.ucid,
    claimedAt: now,
    outcome: null,
    request: {
      agentId: agent.providerAgentId,
      did: didOf(call, telephony.did),
      notes: given.notes ?? null,
      callBackAt: given.callBackAt ?? null,
      phoneNumber: call?.phoneNumber ?? null,
      next: given.next ? { state: given.next.state, reason: given.next.reason ?? null } : null,
    },
    event: {
      ...eventFacts(given, call, agent),
      id: derivedId('call.completed', workspaceId, given.ucid),
      callId: call?.recordId ?? null,
      occurredAt: isoMoment(now),
      memberId,
    },
  }
}

function assertKnown(given: Disposition, { dispositions, leadFound }: { dispositions: readonly string[]; leadFound: boolean }): void {
  if (dispositions.length > 0 && !dispositions.includes(given.disposition)) {
    throw invalidInput('disposition', 'is not one of the dispositions of this account', dispositions)
  }
  if (given.next?.state === 'NOT_READY' && !given.next.reason)
    throw invalidInput('next.reason', "is needed for NOT_READY: one of the account's reasons")
  if (given.leadId && !leadFound) throw invalidInput('leadId', 'there is no such lead')
}

function didOf(call: OwnCall | null, configured: string | null): string {
  const did = call?.did ?? configured
  if (did === null) throw new AppError('NOT_CONFIGURED', { detail: 'The number that was called is not known; set telephony.did' })
  return did
}

function eventFacts({ disposition, leadId }: Disposition, call: OwnCall | null, agent: CallAgent) {
  return { disposition, leadId: leadId ?? call?.leadId ?? null, agentId: agent.id }
}

function receiptOf({ ucid, event, outcome }: DispositionIntent): DispositionReceipt {
  return { ucid, disposition: event.disposition, outcome: outcome ?? 'SAVED', eventId: event.id }
}
