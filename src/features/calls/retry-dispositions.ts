import { AppError } from '../../kernel/errors.ts'
import { abandonedIntents, advanceIntent, withdrawIntent } from './disposition-intents.ts'
import { finishDisposition, type FinishDispositionPorts } from './finish-disposition.ts'

/**
 * Finishes the dispositions that a crash left unfinished, and resolves to their number. One that fails is retried by the next run, unless a
 * retry cannot help. Errors: STORE_UNAVAILABLE.
 */
export async function retryDispositions(ports: FinishDispositionPorts): Promise<number> {
  let finished = 0
  for (const held of await abandonedIntents(ports)) {
    const mine = await advanceIntent(ports, held, { claimedAt: ports.clock.now() })
    if (!mine) continue
    try {
      if (await finishDisposition(ports, mine)) finished += 1
    } catch (error) {
      const { workspaceId, ucid } = mine.intent
      if (!(error instanceof AppError)) ports.log.error({ workspaceId, ucid, err: error }, 'disposition.not-finished')
      if (!(error instanceof AppError) || error.retryable) continue
      await withdrawIntent(ports, mine)
      ports.log.warn({ workspaceId, ucid, reason: error.reason }, 'disposition.withdrawn')
    }
  }
  return finished
}
