import type { EventOf } from '../../ports/event-catalogue.ts'
import type { DispositionRequest } from '../../ports/telephony.ts'
import { factsOf } from './call-facts.ts'
import type { CallPorts } from './call-ports.ts'
import { readCall } from './call-state-store.ts'
import { advanceIntent, type DispositionIntent, type HeldIntent } from './disposition-intents.ts'
import { scheduleCallback } from './scheduled-callbacks.ts'
import { updateCall } from './update-call.ts'

export type FinishDispositionPorts = Pick<CallPorts, 'bus' | 'clock' | 'notifications' | 'store' | 'telephonyOf'>

/**
 * Takes an intent from its stage to PUBLISHED; null if another process took it over. The provider comes first: it answers "already
 * disposed" to a repetition. Then the event, whose id follows from the call. So every step may be repeated after a crash, and the event is
 * published once. Errors: the provider's, the bus's.
 */
export async function finishDisposition(ports: FinishDispositionPorts, held: HeldIntent): Promise<HeldIntent | null> {
  const sent = await send(ports, held)
  if (!sent || sent.intent.stage === 'PUBLISHED') return sent
  await storeDisposition(ports, sent.intent)
  await ports.bus.publish(completedEvent(sent.intent))
  return advanceIntent(ports, sent, { stage: 'PUBLISHED', request: null })
}

async function send(ports: FinishDispositionPorts, held: HeldIntent): Promise<HeldIntent | null> {
  const { request, event, ucid, workspaceId } = held.intent
  if (held.intent.stage !== 'INTENDED' || !request) return held
  const telephony = await ports.telephonyOf(workspaceId)
  const { outcome } = await telephony.recordDisposition({
    ucid,
    did: request.did,
    agentId: request.agentId,
    disposition: event.disposition,
    ...(request.notes === null ? {} : { notes: request.notes }),
    ...(request.callBackAt === null ? {} : { callBackAt: request.callBackAt }),
    ...(request.next === null ? {} : { next: nextOf(request.next) }),
  })
  return advanceIntent(ports, held, { stage: 'SENT', outcome })
}

type NextState = NonNullable<NonNullable<DispositionIntent['request']>['next']>

function nextOf({ state, reason }: NextState): NonNullable<DispositionRequest['next']> {
  return state === 'READY' ? { state } : { state, pauseReason: reason ?? '' }
}

/** Stores the disposition with the call, so that the platform's record and live streams get it, and schedules the callback. */
async function storeDisposition(ports: FinishDispositionPorts, intent: DispositionIntent): Promise<void> {
  const { workspaceId, ucid, event, request, claimedAt } = intent
  const callBackAt = request?.callBackAt ?? null
  const facts = {
    disposition: event.disposition,
    leadId: event.leadId,
    notes: request?.notes ?? null,
    callBackAt,
    agentId: request?.agentId ?? null,
    agentRecordId: event.agentId,
  }
  const call = await readCall(ports, intent)
  if (call) await updateCall(ports, intent, factsOf(facts, { source: 'OWN', receivedAt: claimedAt }))
  const phoneNumber = call?.phoneNumber ?? request?.phoneNumber ?? null
  if (callBackAt !== null && phoneNumber !== null) await scheduleCallback(ports, workspaceId, { phoneNumber, ucid, at: callBackAt })
}

function completedEvent({ workspaceId, ucid, event }: DispositionIntent): EventOf<'call.completed'> {
  return { type: 'call.completed', version: 1, workspaceId, ucid, ...event }
}
