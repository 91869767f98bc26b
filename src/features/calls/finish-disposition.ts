import type { EventBus } from '../../ports/event-bus.ts'
import { AppError } from '../../kernel/errors.ts'
import type { CallStateStore } from './call-state-store.ts'
import { factsOf } from './call-facts.ts'
import type { DispositionIntent, DispositionIntents, HeldIntent } from './disposition-intents.ts'
import type { UpdateCall } from './update-call.ts'
import type { ScheduledCallbacks } from './scheduled-callbacks.ts'
import type { DispositionRequest, Telephony } from '../../ports/telephony.ts'

export type FinishDispositionDeps = {
  readonly note: UpdateCall
  readonly book: CallStateStore
  readonly scheduledCallbacks: ScheduledCallbacks
  readonly intents: DispositionIntents
  readonly telephonyOf: (workspaceId: string) => Promise<Telephony>
  readonly bus: EventBus
}

/** Takes an intent from where it stands to PUBLISHED; null where somebody else took it over. Errors: the provider's, the outbox's. */
export type FinishDisposition = (held: HeldIntent) => Promise<HeldIntent | null>

/**
 * First the provider, which answers "already disposed" to a repetition; then the event, whose id follows from the call. So each step may
 * be made again after a crash, and the event is published once.
 */
export function createFinishDisposition({ intents, telephonyOf, bus, ...deps }: FinishDispositionDeps): FinishDisposition {
  const send = async (held: HeldIntent): Promise<HeldIntent | null> => {
    const { request, event, ucid, workspaceId } = held.intent
    if (held.intent.stage !== 'INTENDED' || !request) return held
    const telephony = await telephonyOf(workspaceId)
    const { outcome } = await telephony.recordDisposition({
      ucid,
      did: request.did,
      agentId: request.agentId,
      disposition: event.disposition,
      ...(request.notes === null ? {} : { notes: request.notes }),
      ...(request.callBackAt === null ? {} : { callBackAt: request.callBackAt }),
      ...(request.next === null ? {} : { next: nextOf(request.next) }),
    })
    return intents.advance(held, { stage: 'SENT', outcome })
  }

  return async (held) => {
    const sent = await send(held)
    if (!sent || sent.intent.stage === 'PUBLISHED') return sent
    await noteDisposition(deps, sent.intent)
    await bus.publish(completedEvent(sent.intent))
    return intents.advance(sent, { stage: 'PUBLISHED', request: null })
  }
}

type NextState = NonNullable<NonNullable<DispositionIntent['request']>['next']>

function nextOf({ state, reason }: NextState): NonNullable<DispositionRequest['next']> {
  return state === 'READY' ? { state } : { state, pauseReason: reason ?? '' }
}

type Noting = Pick<FinishDispositionDeps, 'note' | 'book' | 'scheduledCallbacks'>

/** The call bears it from now on, here, on the platform's record and in what agents see; a promised call is kept in mind. */
async function noteDisposition(
  { note, book, scheduledCallbacks }: Noting,
  { workspaceId, ucid, event, request, claimedAt }: DispositionIntent,
): Promise<void> {
  const callBackAt = request?.callBackAt ?? null
  const { disposition, leadId } = event
  const facts = {
    disposition,
    leadId,
    notes: request?.notes ?? null,
    callBackAt,
    agentId: request?.agentId ?? null,
    agentRecordId: event.agentId,
  }
  if (await book.read(workspaceId, ucid)) await note(workspaceId, ucid, factsOf(facts, { source: 'OWN', receivedAt: claimedAt }))
  const phoneNumber = (await book.read(workspaceId, ucid))?.phoneNumber ?? request?.phoneNumber ?? null
  if (callBackAt !== null && phoneNumber !== null) await scheduledCallbacks.promise(workspaceId, { phoneNumber, ucid, at: callBackAt })
}

function completedEvent({ workspaceId, ucid, event }: DispositionIntent) {
  return { type: 'call.completed', version: 1, workspaceId, ucid, ...event } as const
}

/** Finishes what a crash left between the intent and the event; a fault leaves it for the next sweep. Answers how many it finished. */
export function createRetryDispositions(intents: DispositionIntents, finish: FinishDisposition, now: () => number) {
  return async (): Promise<number> => {
    let finished = 0
    for (const held of await intents.abandoned()) {
      const mine = await intents.advance(held, { claimedAt: now() })
      if (!mine) continue
      try {
        if (await finish(mine)) finished += 1
      } catch (error) {
        if (error instanceof AppError && !error.retryable) await intents.withdraw(mine)
      }
    }
    return finished
  }
}
