import { AppError } from '../../../kernel/errors.ts'
import { carryOverShared, type DueResult, type DueTask, eachAlone } from '../../../ports/due/due-work.ts'
import { callActionLease } from '../control/call-lease.ts'
import { formerOpenDispositions, itemOfEntry, readIntent, unfinishedDispositions, withdrawIntent } from '../outcomes/disposition-intents.ts'
import type { CallKey } from '../state/call-state-store.ts'
import { finishDisposition, type FinishDispositionPorts } from './finish-disposition.ts'

const atOnce = 4
/** How long after another process was acting on the call. */
const lookAgainMs = 15_000

/**
 * Finishes the dispositions that a crash or a lost answer left unfinished. One that fails is tried again, unless that
 * cannot help.
 */
export function retryDispositions(ports: FinishDispositionPorts): DueTask {
  return {
    list: unfinishedDispositions,
    run: eachAlone(atOnce, ({ workspaceId, id: ucid }) => finishLater(ports, { workspaceId, ucid })),
    carryOver: () => carryOverShared(ports, unfinishedDispositions, { former: formerOpenDispositions, itemIn: itemOfEntry }),
  }
}

async function finishLater(ports: FinishDispositionPorts, key: CallKey): Promise<DueResult> {
  await using lease = await callActionLease.acquire(ports, key, { log: ports.log })
  if (!lease) return { again: ports.clock.now() + lookAgainMs }
  const held = await readIntent(ports, key)
  if (held === null || held.intent.stage === 'PUBLISHED') return 'DONE'
  try {
    await finishDisposition(ports, held)
  } catch (error) {
    if (!(error instanceof AppError) || error.retryable) throw error
    if (!(await withdrawIntent(ports, held))) throw error
    ports.log.warn({ ...key, reason: error.reason }, 'disposition.withdrawn')
  }
  return 'DONE'
}
