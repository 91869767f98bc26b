import { isoMoment } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { CallFacts } from '../../../ports/call-facts.ts'
import type { EventOf } from '../../../ports/event-catalogue.ts'
import type { DispositionRequest } from '../../../ports/telephony.ts'
import { readAgentState } from '../agent-state/agent-state-store.ts'
import { factsOf, mergeFacts } from '../state/call-facts.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { type CallKey, readCall, readFacts } from '../state/call-state-store.ts'
import { advanceIntent, type DispositionIntent, type HeldIntent } from '../outcomes/disposition-intents.ts'
import { endIfUnknown, type EndLostPorts } from '../tracking/end-lost-call.ts'
import { cancelCallback, scheduleCallback } from '../worklist-entries/scheduled-callbacks.ts'
import { numberToCall } from '../state/number-to-call.ts'
import { updateCall } from '../state/update-call.ts'

export type FinishDispositionPorts = EndLostPorts & Pick<CallPorts, 'telephonyOf'>

/**
 * Takes an intent from its stage to PUBLISHED, for the holder of the call's lease. The provider comes first: it answers
 * "already disposed" to a repetition. Then the event, whose id follows from the call and the number of the correction.
 * So every step may be repeated after a crash, and the event is published once. A provider without dispositions is left
 * out. Errors: the provider's, the bus's.
 */
export async function finishDisposition(ports: FinishDispositionPorts, held: HeldIntent): Promise<HeldIntent> {
  const sent = await send(ports, held)
  if (sent.intent.stage === 'PUBLISHED') return sent
  await storeDisposition(ports, sent.intent)
  await ports.bus.publish(completedEvent(sent.intent))
  return advanceIntent(ports, sent, { stage: 'PUBLISHED', former: null })
}

async function send(ports: FinishDispositionPorts, held: HeldIntent): Promise<HeldIntent> {
  const { request, event, ucid, workspaceId } = held.intent
  if (held.intent.stage !== 'INTENDED') return held
  if (!request.atProvider) {
    await enterNextState(ports, workspaceId, request)
    return advanceIntent(ports, held, { stage: 'SENT', outcome: 'SAVED' })
  }
  const telephony = await ports.telephonyOf(workspaceId)
  const disposition = {
    ucid,
    did: request.did,
    agentId: request.agentId,
    disposition: event.disposition,
    ...(request.notes === null ? {} : { notes: request.notes }),
    ...(request.callBackAt === null ? {} : { callBackAt: request.callBackAt }),
    ...(request.next === null ? {} : { next: nextOf(request.next) }),
  }
  const { outcome } = await telephony.recordDisposition(disposition).catch(async (error: unknown) => {
    await endIfUnknown(ports, { workspaceId, ucid }, error)
    const isUnknown = error instanceof AppError && error.reason === 'NOT_FOUND'
    if (isUnknown && (await isClosed(ports, held.intent))) return { outcome: 'SAVED' } as const
    throw error
  })
  if (outcome === 'ALREADY_DISPOSED' && (held.intent.revision > 0 || (await isClosed(ports, held.intent))))
    await enterNextState(ports, workspaceId, request)
  return advanceIntent(ports, held, { stage: 'SENT', outcome })
}

/** Whether the provider has closed the call itself, without an outcome: ours counts, also if it no longer finds the call. */
async function isClosed(ports: FinishDispositionPorts, call: CallKey): Promise<boolean> {
  return (await readFacts(ports, call))?.disposition?.source === 'AUTOMATIC'
}

type Request = DispositionIntent['request']

/**
 * The provider did not take the state with the disposition, but the agent may be signed in there. The outcome does not
 * wait for the state.
 */
async function enterNextState(ports: FinishDispositionPorts, workspaceId: string, { agentId, atProvider, next }: Request): Promise<void> {
  if (next === null) return
  try {
    const activity = await readAgentState(ports, { workspaceId, agentId })
    if (activity === null || activity.state === 'SIGNED_OUT') return
    // A correction of the provider's own call may be finished late: then the agent has gone on.
    if (atProvider && activity.state !== 'WRAP_UP') return
    const telephony = await ports.telephonyOf(workspaceId)
    await telephony.setState(
      next.state === 'READY' ? { agentId, state: 'READY' } : { agentId, state: 'NOT_READY', pauseReason: next.reason ?? '' },
    )
  } catch (error) {
    ports.log.warn({ workspaceId, reason: error instanceof AppError ? error.reason : 'UNKNOWN' }, 'disposition.next-state-not-set')
  }
}

type NextState = NonNullable<Request['next']>

function nextOf({ state, reason }: NextState): NonNullable<DispositionRequest['next']> {
  return state === 'READY' ? { state } : { state, pauseReason: reason ?? '' }
}

/**
 * Stores the disposition with the call, so that the platform's record and live streams get it, and schedules the
 * callback.
 */
async function storeDisposition(ports: FinishDispositionPorts, intent: DispositionIntent): Promise<void> {
  const { workspaceId, ucid } = intent
  const isTracked = (await readCall(ports, intent)) !== null
  const disposed = disposedFacts(intent)
  const { after: call } = await updateCall(ports, intent, isTracked ? disposed : mergeFacts(untracked(intent), disposed))
  const { callBackAt } = call
  const phoneNumber = call.phoneNumber ?? intent.request.phoneNumber ?? numberToCall(call)
  if (phoneNumber === null) return
  // That of the call: a later correction may have replaced the one of this intent.
  if (callBackAt !== null) await scheduleCallback(ports, workspaceId, { phoneNumber, at: callBackAt, ...schedulingOf(intent) })
  else if (intent.revision > 0) await cancelCallback(ports, { workspaceId, ucid, phoneNumber })
}

/** Who scheduled a callback, and when. */
function schedulingOf({ ucid, event, request, revision }: DispositionIntent) {
  const { memberId, agentId, leadId, occurredAt: scheduledAt } = event
  const assignee = memberId === null ? null : { memberId, agentId, name: request.agentName }
  return { ucid, scheduledAt, leadId, assignee, isCorrection: revision > 0 }
}

function disposedFacts({ event, request, claimedAt, revision }: DispositionIntent): CallFacts {
  const { disposition, leadId } = event
  const { notes, callBackAt } = request
  const agentId = request.atProvider ? request.agentId : null
  const agent = factsOf({ agentId, agentRecordId: event.agentId }, { source: 'OWN', receivedAt: claimedAt })
  if (revision === 0) {
    const chosen = factsOf({ disposition, leadId, callBackAt }, { source: 'OWN', receivedAt: claimedAt })
    // The provider may report another outcome, which somebody chose there, but only a part of what was typed.
    return { ...agent, ...chosen, ...factsOf({ notes }, { source: 'CORRECTED', receivedAt: claimedAt }) }
  }
  const origin = { source: 'CORRECTED', receivedAt: Date.parse(event.occurredAt) } as const
  const callback = { value: callBackAt, source: origin.source, rank: origin.receivedAt }
  return { ...agent, ...factsOf({ disposition, leadId, notes }, origin), callBackAt: callback }
}

/**
 * A call without webhooks, whose disposition the provider accepted: what the platform's record says, and that an agent
 * has talked. It has ended at the latest now, so that it is not shown as ringing. Every report of the provider is
 * better.
 */
function untracked({ request, claimedAt }: DispositionIntent): CallFacts {
  const origin = { source: 'GUESSED', receivedAt: 0 } as const
  const endedAt = isoMoment(claimedAt)
  return { ...factsOf({ answered: true, endedAt, did: request.did }, origin), ...request.recorded }
}

function completedEvent({ workspaceId, ucid, event }: DispositionIntent): EventOf<'call.completed'> {
  return { type: 'call.completed', version: 1.1, workspaceId, ucid, ...event }
}
