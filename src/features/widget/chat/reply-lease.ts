import { AppError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Store } from '../../../ports/store.ts'
import { placeKey, type TalkPlace } from './conversations.ts'

/** A talk's one reply under way. */
export type Turn = {
  /** Aborted when the same message is asked again: its new reply takes this one's place. */
  readonly signal: AbortSignal
  end(): Promise<void>
}

/** One reply at a time for each talk, on all instances together. */
export interface TalkTurns {
  /**
   * Throws WRONG_STATE with `data.retryAfterSeconds` while another message is being answered. The same message again takes over: its
   * sender has lost the reply.
   */
  take(place: TalkPlace, messageId: string): Promise<Turn>
}

/** Longer than any reply: it is given back in time even where the process that had it is gone. */
const longestMs = 90_000
const mostTries = 10

export function createTalkTurns(store: Store): TalkTurns {
  const here = new Map<string, { readonly holder: string; readonly leaving: AbortController }>()

  const seize = async (key: string, { messageId, holder }: { messageId: string; holder: string }): Promise<void> => {
    for (let tries = 0; tries < mostTries; tries += 1) {
      if (await store.setIfAbsent(key, holder, { ttlMs: longestMs })) return
      const standing = await store.get(key)
      if (standing === null) continue
      if (!standing.startsWith(`${messageId} `)) throw stillAnswering()
      here.get(key)?.leaving.abort()
      if (await store.compareAndSet(key, { expected: standing, value: holder, ttlMs: longestMs })) return
    }
    throw stillAnswering()
  }

  return {
    async take(place, messageId) {
      const key = `widget-turn:${placeKey(place)}`
      const holder = `${messageId} ${newId()}`
      const leaving = new AbortController()
      await seize(key, { messageId, holder })
      here.set(key, { holder, leaving })
      return {
        signal: leaving.signal,
        async end() {
          if (here.get(key)?.holder === holder) here.delete(key)
          // Where the store is away, the time runs out by itself.
          await store.compareAndDelete(key, holder).catch(() => false)
        },
      }
    },
  }
}

function stillAnswering(): AppError {
  return new AppError('WRONG_STATE', { detail: 'The message before is still being answered', data: { retryAfterSeconds: 2 } })
}
