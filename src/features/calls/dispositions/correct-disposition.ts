import { isoMoment } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { derivedId } from '../../../kernel/ids.ts'
import { isWrapUpOver } from '../agent-state/agent-state-store.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { readCall, readFacts } from '../state/call-state-store.ts'
import { type DispositionIntent, type HeldIntent } from '../outcomes/disposition-intents.ts'
import type { DispositionInput } from './prepare-disposition.ts'

/** What a client sent, as it was sent and completed as a first disposition. */
export type Submission = { readonly input: DispositionInput; readonly intent: DispositionIntent }

/** A correction is possible until the end of the wrap-up, at most this long after the call; for so long of what was sent because the wrap-up ended. */
const correctionMs = 10 * 60_000
const maxCorrections = 10

/** Whether the disposition says what was sent. What a client leaves out stays as it is, except the callback. */
export function isSameOutcome({ event, request }: DispositionIntent, { input, intent }: Submission): boolean {
  return (
    event.disposition === intent.event.disposition &&
    (input.notes ?? request.notes) === request.notes &&
    (input.leadId ?? event.leadId) === event.leadId &&
    request.callBackAt === intent.request.callBackAt
  )
}

/**
 * The correction of a finished disposition. Errors: CHANGED_MEANWHILE (the client has not seen the last correction),
 * WRONG_STATE (the wrap-up is over), STORE_UNAVAILABLE.
 */
export async function correctionOf(
  ports: Pick<CallPorts, 'clock' | 'store'>,
  { intent: known, text }: HeldIntent,
  submission: Submission,
): Promise<DispositionIntent> {
  const { input, intent } = submission
  // A page that sends by itself has not seen what another page, or a person, has sent.
  const isUnseen = known.corrected.includes(intent.content) || input.automatic === true
  const isOutdated = input.supersedes ? input.supersedes !== known.event.id : isUnseen
  if (isOutdated) throw correctedSince(known)
  if (known.revision >= maxCorrections) throw tooLate(known, `A call is corrected at most ${maxCorrections} times`)
  await assertInWrapUp(ports, known)
  return {
    ...superseding(known, submission, ports.clock.now()),
    corrected: [...known.corrected, known.content],
    former: text,
  }
}

/**
 * The first outcome that is sent. What a person has chosen at the provider before, or what only the platform's record
 * still says, is superseded like a first disposition. What the provider wrote itself is none: then anybody who may give
 * the outcome may be late. Errors: those of `correctionOf`.
 */
export async function firstOrCorrectionOfReport(
  ports: Pick<CallPorts, 'clock' | 'store'>,
  submission: Submission,
): Promise<DispositionIntent> {
  const { input, intent } = submission
  const { disposition: reported, endedAt } = (await readFacts(ports, intent)) ?? intent.request.recorded
  if (reported?.source === 'AUTOMATIC') return withOwnId(intent)
  if (!reported || !endedAt) return intent
  const known = { ...intent, event: { ...intent.event, occurredAt: endedAt.value, disposition: reported.value } }
  const isOther = reported.value !== intent.event.disposition
  if (isOther && input.automatic === true) throw tooLate(known, 'Somebody has given an outcome at the provider')
  if (isOther) await assertInWrapUp(ports, known)
  return superseding(known, submission, ports.clock.now())
}

/** Earlier versions have published the provider's text with the id of the first outcome: a second event with it would be dropped. */
function withOwnId(intent: DispositionIntent): DispositionIntent {
  return { ...intent, event: { ...intent.event, id: derivedId('call.completed', intent.workspaceId, intent.ucid, '0') } }
}

function superseding(known: DispositionIntent, { input, intent }: Submission, now: number): DispositionIntent {
  const { workspaceId, ucid } = intent
  const revision = known.revision + 1
  return {
    ...intent,
    revision,
    claimedAt: now,
    request: {
      ...intent.request,
      agentId: known.request.agentId,
      notes: input.notes ?? known.request.notes,
      phoneNumber: intent.request.phoneNumber ?? known.request.phoneNumber,
    },
    event: {
      ...intent.event,
      id: derivedId('call.completed', workspaceId, ucid, String(revision)),
      // Consumers take the latest: it must be later, whatever the clocks of two instances say.
      occurredAt: isoMoment(Math.max(now, Date.parse(known.event.occurredAt) + 1)),
      leadId: input.leadId ?? known.event.leadId ?? intent.event.leadId,
      agentId: known.event.agentId,
      supersedes: known.event.id,
    },
  }
}

async function assertInWrapUp(ports: Pick<CallPorts, 'clock' | 'store'>, known: DispositionIntent): Promise<void> {
  const { workspaceId, ucid, request, event } = known
  const call = await readCall(ports, known)
  const isLive = call?.phase === 'RINGING' || call?.phase === 'ANSWERED'
  const endedAt = isLive ? null : (call?.endedAt ?? event.occurredAt)
  if (endedAt !== null && ports.clock.now() - Date.parse(endedAt) > correctionMs) {
    throw tooLate(known, 'A disposition can be corrected for ten minutes after the call')
  }
  if (request.automatic) return
  const agent = { workspaceId, agentId: call?.agentId ?? request.agentId }
  if (await isWrapUpOver(ports, agent, { ucid, endedAt })) {
    throw tooLate(known, 'A disposition can be corrected until the wrap-up of the call ends')
  }
}

function tooLate({ event }: DispositionIntent, why: string): AppError {
  const detail = `${why}. It stays "${event.disposition}": add what is different as a note to the lead`
  return new AppError('WRONG_STATE', { detail, data: { disposition: event.disposition, eventId: event.id } })
}

function correctedSince({ event }: DispositionIntent): AppError {
  return new AppError('CHANGED_MEANWHILE', {
    detail: `The disposition was corrected to "${event.disposition}" in the meantime. To correct that one, send its "eventId" as "supersedes"`,
    data: { disposition: event.disposition, eventId: event.id },
  })
}
