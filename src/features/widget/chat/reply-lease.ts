import { AppError } from '../../../kernel/errors.ts'
import { acquireLease } from '../../../ports/lease.ts'
import type { Ports } from '../../../ports/ports.ts'
import { type ConversationKey, keyPart } from './stored-conversations.ts'

/** The right to write the reply of a conversation. */
export type ReplyLease = AsyncDisposable & {
  /** Aborts when the same message is sent again: its new reply replaces this one. */
  readonly signal: AbortSignal
  /** Asks the store: `signal` learns some seconds later that another instance has taken over. Throws STORE_UNAVAILABLE. */
  isHeld(): Promise<boolean>
}

/** One reply at a time per conversation, over all instances. */
export interface ReplyLeases {
  /**
   * Throws WRONG_STATE with `data.retryAfterSeconds` while another message is being answered. The same message takes the lease over,
   * because its sender has lost the reply.
   */
  acquire(key: ConversationKey, messageId: string): Promise<ReplyLease>
}

/** Keeps this process's replies, so that one that is taken over within the process ends at once. */
export function createReplyLeases({ store, log }: Pick<Ports, 'store' | 'log'>): ReplyLeases {
  const replies = new Map<string, AbortController>()
  return {
    async acquire(conversation, messageId) {
      const key = `widget-reply:${keyPart(conversation)}`
      const takesOver = (held: string): boolean => held === messageId
      const lease = await acquireLease(store, key, { value: messageId, takesOver, log })
      if (!lease) throw stillAnswering()
      replies.get(key)?.abort()
      const replaced = new AbortController()
      replies.set(key, replaced)
      return {
        signal: AbortSignal.any([replaced.signal, lease.lost]),
        isHeld: async () => !replaced.signal.aborted && lease.update(messageId),
        async [Symbol.asyncDispose]() {
          if (replies.get(key) === replaced) replies.delete(key)
          await lease[Symbol.asyncDispose]()
        },
      }
    },
  }
}

function stillAnswering(): AppError {
  return new AppError('WRONG_STATE', { detail: 'The previous message is still being answered', data: { retryAfterSeconds: 2 } })
}
