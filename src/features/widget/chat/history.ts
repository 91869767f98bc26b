import type { ConversationMessage } from '../../../ports/conversation.ts'
import type { ChatMessage, VisitorConversation } from './conversation.ts'

const maxCharacters = 24_000
const maxMessages = 30

/** The newest messages for the model, with the outputs of tools; the first is a message of the visitor. */
export function historyOf({ messages }: VisitorConversation): readonly ConversationMessage[] {
  const newest: ChatMessage[] = []
  let length = 0
  for (const message of messages.toReversed().slice(0, maxMessages)) {
    length += JSON.stringify(message).length
    if (length > maxCharacters && newest.length > 0) break
    newest.unshift(message)
  }
  const first = newest.findIndex(({ role }) => role === 'user')
  return newest.slice(first).map(modelMessage)
}

function modelMessage(message: ChatMessage): ConversationMessage {
  if (message.role === 'user') return { role: 'user', text: message.text }
  const parts = message.parts.map((part) =>
    part.type === 'text' ? part : { type: part.type, id: part.id, tool: part.tool, input: part.input, output: part.output },
  )
  return { role: 'assistant', parts }
}

/** A rough upper estimate: three bytes per token. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3)
}
