import { setTimeout as delay } from 'node:timers/promises'
import { type Actor, auditActor } from '../../access/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import { telephonyDeadlineMs } from '../../ports/telephony.ts'
import { asPerson } from '../../ports/record-access.ts'
import { asClientsRefusal } from './allowed-choices.ts'
import { auditedNumber } from './audited-number.ts'
import { deleteCallNotes } from './call-notes.ts'
import { readCall } from './call-state-store.ts'
import { correctionOf, correctionOfReport, isSameOutcome, type Submission } from './correct-disposition.ts'
import {
  advanceIntent,
  beginIntent,
  correctIntent,
  type DispositionIntent,
  type DispositionOutcome,
  type HeldIntent,
  isAbandoned,
  readIntent,
  releaseIntent,
  withdrawIntent,
} from './disposition-intents.ts'
import { finishDisposition, type FinishDispositionPorts } from './finish-disposition.ts'
import type { CallPorts } from './call-ports.ts'
import { type DispositionInput, prepareIntent, type PrepareIntentPorts } from './prepare-disposition.ts'

export type DispositionReceipt = {
  readonly ucid: string
  readonly disposition: string
  readonly outcome: DispositionOutcome
  readonly eventId: string
  /** The event that a correction supersedes; null for a first disposition. */
  readonly supersedes: string | null
}

const maxWaitMs = telephonyDeadlineMs + 5_000
const pollMs = 40

/**
 * Records the outcome of a call at the provider and publishes `call.completed`, once, however often it is submitted: a repetition returns
 * the same receipt. Another outcome corrects it until the wrap-up ends. Errors: INVALID_INPUT (the allowed dispositions are in
 * `data.fields`; an unknown lead), NOT_YOURS (another agent's call), ROLE_MISSING (no agent record), WRONG_STATE (too late to correct),
 * CHANGED_MEANWHILE (corrected since), the provider's. After an error it can be submitted again.
 */
export async function submitDisposition(
  ports: FinishDispositionPorts & PrepareIntentPorts & CorrectionPorts,
  actor: Actor,
  input: DispositionInput,
): Promise<DispositionReceipt> {
  const intent = await prepareIntent(ports, actor, input)
  const lists = await ports.configuration.read(actor.principal.workspaceId, 'telephony')
  const { done, isNew } = await record(ports, { input, intent }).catch((error: unknown) => {
    throw asClientsRefusal(error, input, lists)
  })
  if (isNew && done.event.agentId !== intent.event.agentId) await auditCorrection(ports, actor, done)
  // They live two days at most.
  await deleteCallNotes(ports, actor.principal, input.ucid).catch(() => undefined)
  return receiptOf(done)
}

/** `isNew`: false for a repetition. */
type Recorded = { readonly done: DispositionIntent; readonly isNew: boolean }

async function record(ports: FinishDispositionPorts, submission: Submission): Promise<Recorded> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < maxWaitMs) {
    const known = await readIntent(ports, submission.intent)
    if (known?.intent.stage === 'PUBLISHED' && isSameOutcome(known.intent, submission)) return { done: known.intent, isNew: false }
    const held = await claim(ports, known, submission)
    const isTakenOver = known !== null && known.intent.stage !== 'PUBLISHED'
    const done = held && (await finish(ports, { held, isTakenOver }, submission))
    if (done) return { done: done.intent, isNew: true }
    await delay(pollMs)
  }
  throw new AppError('DEADLINE_PASSED', { detail: 'The disposition is still being recorded; send it again' })
}

/** Null if another process works on it. What another submission left unfinished is finished first. */
async function claim(ports: FinishDispositionPorts, known: HeldIntent | null, submission: Submission): Promise<HeldIntent | null> {
  if (!known) return beginIntent(ports, (await correctionOfReport(ports, submission)) ?? submission.intent)
  if (known.intent.stage === 'PUBLISHED') return correctIntent(ports, known, await correctionOf(ports, known, submission))
  return isAbandoned(ports, known) ? advanceIntent(ports, known, { claimedAt: ports.clock.now() }) : null
}

/** `isTakenOver`: an earlier attempt has begun it, and the provider may have it. */
type Claimed = { readonly held: HeldIntent; readonly isTakenOver: boolean }

/** Null if it was that of another submission, or another process took it over. */
async function finish(ports: FinishDispositionPorts, { held, isTakenOver }: Claimed, { intent }: Submission): Promise<HeldIntent | null> {
  const isOwn = held.intent.content === intent.content
  try {
    const done = await finishDisposition(ports, held)
    return isOwn ? done : null
  } catch (error) {
    // If an answer was lost, the provider may have the disposition: the scheduled job finds out. The same holds if only the event is missing.
    const mayBeRecorded = error instanceof AppError && (error.reason === 'DEADLINE_PASSED' || (isTakenOver && error.retryable))
    if (!mayBeRecorded) await withdrawIntent(ports, held)
    await releaseIntent(ports, held)
    if (isOwn || mayBeRecorded) throw error
    return null
  }
}

type CorrectionPorts = Pick<CallPorts, 'agentDirectory' | 'audit' | 'store'>

/** The outcome stays that of the call's agent, no matter who corrects it. */
async function auditCorrection(ports: CorrectionPorts, actor: Actor, { ucid, event, request }: DispositionIntent): Promise<void> {
  const { workspaceId } = actor.principal
  const [call, agent] = await Promise.all([
    readCall(ports, { workspaceId, ucid }),
    ports.agentDirectory.recordOf(asPerson(workspaceId, actor.accessToken), request.agentId).catch(() => null),
  ])
  const { id: eventId, supersedes, agentId, leadId } = event
  await ports.audit.record(workspaceId, {
    actor: auditActor(actor),
    action: 'disposition.corrected',
    target: { kind: 'call', id: ucid, name: auditedNumber(call?.phoneNumber ?? null) },
    details: { eventId, supersedes, agentId, agentName: agent?.name ?? null, leadId },
  })
}

function receiptOf({ ucid, event, outcome }: DispositionIntent): DispositionReceipt {
  const { id: eventId, disposition, supersedes } = event
  return { ucid, disposition, outcome: outcome ?? 'SAVED', eventId, supersedes }
}
