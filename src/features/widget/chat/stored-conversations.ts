import { hashOf } from '../../../kernel/ids.ts'
import type { Store } from '../../../ports/store.ts'
import { Family } from '../../../ports/stored/family.ts'
import { conversationSchema, emptyConversation, type VisitorConversation } from './conversation.ts'

/** The same id with another widget key or in another workspace is another conversation. */
export type ConversationKey = { readonly workspaceId: string; readonly widgetKey: string; readonly conversationId: string }

export type OpenConversation = {
  readonly conversation: VisitorConversation
  /** False if another process has changed it since it was opened or last saved; then nothing is saved, now or later. */
  save(conversation: VisitorConversation): Promise<boolean>
}

/** The parts of the keys of what is stored about a conversation. */
export const keyParts = ({ workspaceId, widgetKey, conversationId }: ConversationKey): readonly string[] => [
  workspaceId,
  hashOf(widgetKey),
  conversationId,
]

export const conversations = new Family({
  name: 'widget-conversation',
  key: keyParts,
  schema: conversationSchema,
  // From the last change on.
  lifetime: 86_400_000,
  about: 'visitor',
  what: "a visitor's conversation with the assistant",
})

/** Empty if there is none. */
export async function readStoredConversation(store: Store, key: ConversationKey): Promise<VisitorConversation> {
  return (await conversations.read({ store }, key)) ?? emptyConversation
}

/** Reads a conversation to change it. */
export async function openConversation(store: Store, key: ConversationKey): Promise<OpenConversation> {
  const { value, ...stored } = await conversations.readStored({ store }, key)
  let { version } = stored
  return {
    conversation: value ?? emptyConversation,
    async save(conversation) {
      const saved = await conversations.replace({ store }, key, { version, value: conversation })
      version = saved ?? version
      return saved !== null
    },
  }
}
