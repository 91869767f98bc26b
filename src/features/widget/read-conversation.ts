import { z } from 'zod'
import { parseInput } from '../../kernel/input.ts'
import type { Ports } from '../../ports/ports.ts'
import type { ChatMessage } from './chat/conversation.ts'
import { type ConversationKey, readStoredConversation } from './chat/stored-conversations.ts'

const idSchema = z.object({ id: z.uuid('must be a UUID').toLowerCase() })

/**
 * The messages of a conversation, for a page that was reloaded; empty if there is none. Without a last reply that is incomplete, because the
 * page asks for it again. Errors: INVALID_INPUT, STORE_UNAVAILABLE.
 */
export async function readConversation({ store }: Pick<Ports, 'store'>, key: ConversationKey): Promise<readonly ChatMessage[]> {
  const { id: conversationId } = parseInput(idSchema, { id: key.conversationId })
  const { messages } = await readStoredConversation(store, { ...key, conversationId })
  const last = messages.at(-1)
  return last?.role === 'assistant' && !last.complete ? messages.slice(0, -1) : messages
}
