import { hashOf } from '../../../kernel/ids.ts'
import type { Store } from '../../../ports/store.ts'
import { conversationSchema, emptyConversation, type VisitorConversation } from './conversation.ts'

/** The same id with another widget key or in another workspace is another conversation. */
export type ConversationKey = { readonly workspaceId: string; readonly widgetKey: string; readonly conversationId: string }

export type OpenConversation = {
  readonly conversation: VisitorConversation
  /** False if another process has changed it since it was opened or last saved; then nothing is saved, now or later. */
  save(conversation: VisitorConversation): Promise<boolean>
}

/** Counts from the last change. */
const conversationTtlMs = 86_400_000

/** Empty if there is none. */
export async function readStoredConversation(store: Store, key: ConversationKey): Promise<VisitorConversation> {
  return parse(await store.get(storeKey(key)))
}

/** Reads a conversation to change it. */
export async function openConversation(store: Store, key: ConversationKey): Promise<OpenConversation> {
  let stored = await store.get(storeKey(key))
  const replace = (value: string): Promise<boolean> =>
    stored === null
      ? store.setIfAbsent(storeKey(key), value, { ttlMs: conversationTtlMs })
      : store.compareAndSet(storeKey(key), { expected: stored, value, ttlMs: conversationTtlMs })
  return {
    conversation: parse(stored),
    async save(conversation) {
      const value = JSON.stringify(conversation)
      const isSaved = await replace(value)
      if (isSaved) stored = value
      return isSaved
    },
  }
}

/** The part of a store key that identifies a conversation. */
export function keyPart({ workspaceId, widgetKey, conversationId }: ConversationKey): string {
  return `${workspaceId}:${hashOf(widgetKey)}:${conversationId}`
}

function storeKey(key: ConversationKey): string {
  return `widget-conversation:${keyPart(key)}`
}

function parse(text: string | null): VisitorConversation {
  return text === null ? emptyConversation : conversationSchema.parse(JSON.parse(text))
}
