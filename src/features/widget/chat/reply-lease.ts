import { AppError } from '../../../kernel/errors.ts'
import type { Ports } from '../../../ports/ports.ts'
import { LeaseOf } from '../../../ports/stored/lease-of.ts'
import { type ConversationKey, keyParts } from './stored-conversations.ts'

export const replyLease = new LeaseOf({
  name: 'widget-reply',
  key: keyParts,
  what: 'a reply of the assistant under way',
})

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
export function createReplyLeases(ports: Pick<Ports, 'store' | 'log'>): ReplyLeases {
  const replies = new Map<string, AbortController>()
  return {
    async acquire(conversation, messageId) {
      const key = keyParts(conversation).join(':')
      const takesOver = (held: string): boolean => held === messageId
      const lease = await replyLease.acquire(ports, conversation, { value: messageId, takesOver, log: ports.log })
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
