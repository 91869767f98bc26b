import type { Actor } from '../../access/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import type { CallStateStore } from './call-state-store.ts'
import type { RecentScreenPops } from './recent-screen-pops.ts'
import type { CallQuestion, LookedUpCall, LookupCall } from './look-up-call.ts'
import type { CallAgentOf } from './call-agent.ts'

export type CurrentCallDeps = {
  readonly lookup: LookupCall
  readonly book: CallStateStore
  readonly screenPops: RecentScreenPops
  readonly agentOf: CallAgentOf
}

/** The caller's call at hand, else what was looked up last, looked up anew; null where there is neither. Errors: those of the look-up. */
export function createCurrentCall({ lookup, book, screenPops, agentOf }: CurrentCallDeps) {
  const questionOf = async (caller: Actor): Promise<CallQuestion | null> => {
    const { workspaceId, memberId } = caller.principal
    const [agent, live] = await Promise.all([agentOf(caller), book.live(workspaceId)])
    const own = agent && live.findLast(({ agentId }) => agentId === agent.providerAgentId)
    if (own) return { ucid: own.ucid }
    const last = await screenPops.read(workspaceId, memberId)
    if (!last) return null
    if (last.ucid !== null) return { ucid: last.ucid }
    return last.phoneNumber === null ? null : { phoneNumber: last.phoneNumber }
  }

  return async (caller: Actor): Promise<LookedUpCall | null> => {
    const question = await questionOf(caller)
    if (!question) return null
    return lookup(caller, question).catch((error: unknown) => {
      // What was shown once may be gone, or somebody else's by now.
      if (error instanceof AppError && (error.reason === 'NOT_FOUND' || error.reason === 'NOT_YOURS')) return null
      throw error
    })
  }
}
