import { setTimeout as delay } from 'node:timers/promises'
import type { Actor } from '../../access/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import { telephonyDeadlineMs } from '../../ports/telephony.ts'
import { asClientsRefusal } from './allowed-choices.ts'
import {
  advanceIntent,
  beginIntent,
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
}

const maxWaitMs = telephonyDeadlineMs + 5_000
const pollMs = 40

/**
 * Records the outcome of a call at the provider and publishes `call.completed`, once per call, however often it is submitted: a repetition
 * returns the first receipt. Errors: INVALID_INPUT (the allowed dispositions are in `data.fields`; an unknown lead), NOT_YOURS (another
 * agent's call), ROLE_MISSING (no agent record), the provider's. After an error it can be submitted again.
 */
export async function submitDisposition(
  ports: FinishDispositionPorts & PrepareIntentPorts,
  actor: Actor,
  input: DispositionInput,
): Promise<DispositionReceipt> {
  const intent = await prepareIntent(ports, actor, input)
  const lists = await ports.configuration.read(actor.principal.workspaceId, 'telephony')
  return record(ports, intent).catch((error: unknown) => {
    throw asClientsRefusal(error, input, lists)
  })
}

async function record(ports: FinishDispositionPorts, intent: DispositionIntent): Promise<DispositionReceipt> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < maxWaitMs) {
    const done = (await readPublished(ports, intent)) ?? (await attempt(ports, intent))
    if (done) return receiptOf(done.intent)
    await delay(pollMs)
  }
  throw new AppError('DEADLINE_PASSED', { detail: 'The disposition is still being recorded; send it again' })
}

async function readPublished(ports: FinishDispositionPorts, intent: DispositionIntent): Promise<HeldIntent | null> {
  const held = await readIntent(ports, intent)
  return held?.intent.stage === 'PUBLISHED' ? held : null
}

/** Null if another process works on it. */
async function attempt(ports: FinishDispositionPorts, intent: DispositionIntent): Promise<HeldIntent | null> {
  const held = (await beginIntent(ports, intent)) ?? (await takeOver(ports, intent))
  if (!held) return null
  try {
    return await finishDisposition(ports, held)
  } catch (error) {
    // If the answer was lost, the provider may have the disposition: the scheduled job finds out. The same holds if only the event is missing.
    const isAnswerLost = error instanceof AppError && error.reason === 'DEADLINE_PASSED'
    if (!isAnswerLost) await withdrawIntent(ports, held)
    await releaseIntent(ports, held)
    throw error
  }
}

async function takeOver(ports: FinishDispositionPorts, intent: DispositionIntent): Promise<HeldIntent | null> {
  const held = await readIntent(ports, intent)
  if (!held || !isAbandoned(ports, held)) return null
  return advanceIntent(ports, held, held.intent.stage === 'INTENDED' ? intent : { claimedAt: intent.claimedAt })
}

function receiptOf({ ucid, event, outcome }: DispositionIntent): DispositionReceipt {
  return { ucid, disposition: event.disposition, outcome: outcome ?? 'SAVED', eventId: event.id }
}
