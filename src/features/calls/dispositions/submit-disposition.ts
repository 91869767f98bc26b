import { type Actor, auditActor } from '../../../access/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import { telephonyDeadlineMs } from '../../../ports/telephony.ts'
import { asPerson } from '../../../ports/record-access.ts'
import { asClientsRefusal } from '../agent-state/allowed-choices.ts'
import { auditedNumber } from '../state/audited-number.ts'
import { numberToCall } from '../state/number-to-call.ts'
import { deleteCallNotes, deleteChoice } from '../state/call-notes.ts'
import { callActionLease } from '../control/call-lease.ts'
import { readCall } from '../state/call-state-store.ts'
import { correctionOf, firstOrCorrectionOfReport, isSameOutcome, type Submission } from './correct-disposition.ts'
import {
  beginIntent,
  type DispositionIntent,
  type DispositionOutcome,
  type HeldIntent,
  readIntent,
  stillRecorded,
  withdrawIntent,
} from '../outcomes/disposition-intents.ts'
import { finishDisposition, type FinishDispositionPorts } from './finish-disposition.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { type DispositionInput, prepareIntent, type PrepareIntentPorts } from './prepare-disposition.ts'

export type DispositionReceipt = {
  readonly ucid: string
  readonly disposition: string
  readonly outcome: DispositionOutcome
  readonly eventId: string
  /** The event that a correction supersedes; null for a first disposition. */
  readonly supersedes: string | null
}

/** After a crash the lease of the dead process is over by then. */
const waitMs = telephonyDeadlineMs + 5_000

/**
 * Records the outcome of a call at the provider and publishes `call.completed`, once, however often it is submitted: a
 * repetition returns the same receipt. The first outcome may come at any time; another one corrects it until the wrap-up
 * ends. A manager gives it for the agent of the call. Errors: INVALID_INPUT (the allowed dispositions are in
 * `data.fields`; an unknown lead), NOT_YOURS (another agent's call), ROLE_MISSING (neither the call nor the actor has an
 * agent), WRONG_STATE (too late to correct), CHANGED_MEANWHILE (corrected since), the provider's. After an error it can
 * be submitted again.
 */
export async function submitDisposition(
  ports: FinishDispositionPorts & PrepareIntentPorts & AuditOutcomePorts,
  actor: Actor,
  input: DispositionInput,
): Promise<DispositionReceipt> {
  const { intent, isForOther } = await prepareIntent(ports, actor, input)
  const lists = await ports.configuration.read(actor.principal.workspaceId, 'telephony')
  const { done, isNew } = await recordAlone(ports, { input, intent }).catch((error: unknown) => {
    throw asClientsRefusal(error, input, lists)
  })
  if (isNew && isForOther) await auditOutcome(ports, actor, done)
  // They live two days at most.
  const forget = typeof input.notes === 'string' ? deleteCallNotes : deleteChoice
  await forget(ports, actor.principal, input.ucid).catch(() => undefined)
  return receiptOf(done)
}

/** `isNew`: false for a repetition. */
type Recorded = { readonly done: DispositionIntent; readonly isNew: boolean }

/** One submission of a call at a time, over all instances, and no other action on the call meanwhile. */
async function recordAlone(ports: FinishDispositionPorts, submission: Submission): Promise<Recorded> {
  await using lease = await callActionLease.acquire(ports, submission.intent, { waitMs, log: ports.log })
  if (!lease) throw stillRecorded()
  const left = await readIntent(ports, submission.intent)
  const known = left && left.intent.stage !== 'PUBLISHED' ? await finishLeft(ports, left, submission) : left
  if (known && isSameOutcome(known.intent, submission)) return { done: known.intent, isNew: known !== left }
  const next = known ? await correctionOf(ports, known, submission) : await firstOrCorrectionOfReport(ports, submission)
  const held = await beginIntent(ports, known, next)
  try {
    return { done: (await finishDisposition(ports, held)).intent, isNew: true }
  } catch (error) {
    // If the answer was lost, the provider may have the disposition: that is found out later.
    if (!isLate(error)) await withdrawIntent(ports, held)
    throw error
  }
}

/**
 * What an earlier attempt left unfinished, which the provider may have. Resolves to what the call has then; null if it
 * is nothing.
 */
async function finishLeft(ports: FinishDispositionPorts, left: HeldIntent, { intent }: Submission): Promise<HeldIntent | null> {
  try {
    return await finishDisposition(ports, left)
  } catch (error) {
    if (isLate(error) || (error instanceof AppError && error.retryable)) throw error
    const isWithdrawn = await withdrawIntent(ports, left)
    if (!isWithdrawn || left.intent.content === intent.content) throw error
    return readIntent(ports, intent)
  }
}

function isLate(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'DEADLINE_PASSED'
}

type AuditOutcomePorts = Pick<CallPorts, 'agentDirectory' | 'audit' | 'store'>

/** The outcome is that of the call's agent, no matter who gives or corrects it. */
async function auditOutcome(ports: AuditOutcomePorts, actor: Actor, { ucid, event, request }: DispositionIntent): Promise<void> {
  const { workspaceId } = actor.principal
  const [call, agent] = await Promise.all([
    readCall(ports, { workspaceId, ucid }),
    ports.agentDirectory.recordOf(asPerson(workspaceId, actor.accessToken), request.agentId).catch(() => null),
  ])
  const { id: eventId, supersedes, agentId, leadId } = event
  await ports.audit.record(workspaceId, {
    actor: auditActor(actor),
    action: supersedes === null ? 'disposition.given' : 'disposition.corrected',
    target: { kind: 'call', id: ucid, name: auditedNumber(call && numberToCall(call)) },
    details: { eventId, supersedes, agentId, agentName: agent?.name ?? null, leadId },
  })
}

function receiptOf({ ucid, event, outcome }: DispositionIntent): DispositionReceipt {
  const { id: eventId, disposition, supersedes } = event
  return { ucid, disposition, outcome: outcome ?? 'SAVED', eventId, supersedes }
}
