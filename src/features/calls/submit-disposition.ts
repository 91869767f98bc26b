import { setTimeout as delay } from 'node:timers/promises'
import type { Actor } from '../../access/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import { telephonyDeadlineMs } from '../../ports/telephony.ts'
import { asClientsRefusal } from './allowed-choices.ts'
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
  ports: FinishDispositionPorts & PrepareIntentPorts,
  actor: Actor,
  input: DispositionInput,
): Promise<DispositionReceipt> {
  const intent = await prepareIntent(ports, actor, input)
  const lists = await ports.configuration.read(actor.principal.workspaceId, 'telephony')
  return record(ports, { input, intent }).catch((error: unknown) => {
    throw asClientsRefusal(error, input, lists)
  })
}

async function record(ports: FinishDispositionPorts, submission: Submission): Promise<DispositionReceipt> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < maxWaitMs) {
    const known = await readIntent(ports, submission.intent)
    if (known?.intent.stage === 'PUBLISHED' && isSameOutcome(known.intent, submission)) return receiptOf(known.intent)
    const held = await claim(ports, known, submission)
    const done = held && (await finish(ports, held, submission))
    if (done) return receiptOf(done.intent)
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

/** Null if it was that of another submission, or another process took it over. */
async function finish(ports: FinishDispositionPorts, held: HeldIntent, { intent }: Submission): Promise<HeldIntent | null> {
  const isOwn = held.intent.content === intent.content
  try {
    const done = await finishDisposition(ports, held)
    return isOwn ? done : null
  } catch (error) {
    // If the answer was lost, the provider may have the disposition: the scheduled job finds out. The same holds if only the event is missing.
    const isAnswerLost = error instanceof AppError && error.reason === 'DEADLINE_PASSED'
    if (!isAnswerLost) await withdrawIntent(ports, held)
    await releaseIntent(ports, held)
    if (isOwn || isAnswerLost) throw error
    return null
  }
}

function receiptOf({ ucid, event, outcome }: DispositionIntent): DispositionReceipt {
  const { id: eventId, disposition, supersedes } = event
  return { ucid, disposition, outcome: outcome ?? 'SAVED', eventId, supersedes }
}
