import type { Principal } from '../../../access/principal.ts'
import { AppError } from '../../../kernel/errors.ts'
import { createKeyedMutex } from '../../../kernel/keyed-mutex.ts'

/** `signal` aborts when nobody waits for the answer any more. */
type Asked = { readonly principal: Pick<Principal, 'workspaceId' | 'memberId'>; readonly signal: AbortSignal }

/** Searches of one member run one after another, in this process: a search works for seconds in the worst case. */
export type MemberSearches = {
  /** Throws TOO_MANY_SEARCHES if too many are under way already, or the signal's reason if nobody waits any more when its turn comes. */
  run<T>(asked: Asked, search: () => Promise<T>): Promise<T>
}

/** The one that runs, and those that wait. */
export const mostSearches = 10

export function createMemberSearches(): MemberSearches {
  const mutex = createKeyedMutex()
  const underWay = new Map<string, Set<Asked>>()
  return {
    async run(asked, search) {
      const { workspaceId, memberId } = asked.principal
      const member = `${workspaceId}:${memberId}`
      const own = underWay.get(member) ?? new Set()
      if ([...own].filter(({ signal }) => !signal.aborted).length >= mostSearches) throw tooMany()
      underWay.set(member, own.add(asked))
      try {
        return await mutex.run(member, () => {
          asked.signal.throwIfAborted()
          return search()
        })
      } finally {
        own.delete(asked)
        if (own.size === 0) underWay.delete(member)
      }
    },
  }
}

function tooMany(): AppError {
  const detail = `Your searches run one after another, and ${mostSearches} are under way already: wait for their answers, then try again`
  return new AppError('TOO_MANY_SEARCHES', { detail, data: { limit: mostSearches, retryAfterSeconds: 1 } })
}
