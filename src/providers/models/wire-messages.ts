import type { AssistantModelMessage, ModelMessage } from 'ai'
import type { ConversationMessage, SpokenPart } from '../../ports/conversation.ts'

/** The messages for the SDK: the output of a tool is a separate message, right after the message with the call. */
export function wireMessages(messages: readonly ConversationMessage[]): ModelMessage[] {
  return messages.flatMap((message) =>
    message.role === 'user' ? [{ role: 'user' as const, content: message.text }] : spokenMessages(message.parts),
  )
}

type Said = Exclude<AssistantModelMessage['content'], string>

function spokenMessages(parts: readonly SpokenPart[]): ModelMessage[] {
  const messages: ModelMessage[] = []
  let said: Said = []
  for (const part of parts) {
    if (part.type === 'text') {
      if (part.text !== '') said.push({ type: 'text', text: part.text })
      continue
    }
    const { id: toolCallId, tool: toolName, input, output } = part
    said.push({ type: 'tool-call', toolCallId, toolName, input })
    messages.push(
      { role: 'assistant', content: said },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: JSON.stringify(output) } }] },
    )
    said = []
  }
  return said.length > 0 ? [...messages, { role: 'assistant', content: said }] : messages
}
