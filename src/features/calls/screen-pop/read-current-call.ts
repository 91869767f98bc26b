import type { Actor } from '../../../access/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import { readAgent } from '../../sessions/read-agent.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { readLiveCalls } from '../state/call-state-store.ts'
import { isCallOf } from '../state/find-own-call.ts'
import { type CallQuestion, lookUpCall, type LookUpPorts, type LookedUpCall } from './look-up-call.ts'
import { readScreenPop } from './recent-screen-pops.ts'

/** The actor's live call, else what they looked up last, with a fresh look-up; null if there is neither. Errors: those of the look-up. */
export async function readCurrentCall(ports: LookUpPorts, actor: Actor): Promise<LookedUpCall | null> {
  const question = await questionOf(ports, actor)
  if (!question) return null
  return lookUpCall(ports, actor, question).catch((error: unknown) => {
    // What was shown once may have been deleted, or may belong to somebody else by now.
    if (error instanceof AppError && (error.reason === 'NOT_FOUND' || error.reason === 'NOT_YOURS')) return null
    throw error
  })
}

async function questionOf(
  ports: Pick<CallPorts, 'agentRecordCache' | 'clock' | 'configuration' | 'store'>,
  actor: Actor,
): Promise<CallQuestion | null> {
  const [agent, live] = await Promise.all([readAgent(ports, actor), readLiveCalls(ports, actor.principal.workspaceId)])
  const own = agent && live.findLast((call) => isCallOf(agent, call) && call.transferredAt === null)
  if (own) return { ucid: own.ucid }
  const last = await readScreenPop(ports, actor.principal)
  if (!last) return null
  if (last.ucid !== null) return { ucid: last.ucid }
  return last.phoneNumber === null ? null : { phoneNumber: last.phoneNumber }
}
