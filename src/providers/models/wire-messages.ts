import type { ModelMessage } from 'ai'
import type { ConversationMessage, SpokenPart } from '../../insights/conversation.ts'

/** The talk so far as the SDK takes it: what a tool answered is a message of its own, right after the call. */
export function wireMessages(messages: readonly ConversationMessage[]): ModelMessage[] {
  return messages.flatMap((message) =>
    message.role === 'user' ? [{ role: 'user' as const, content: message.text }] : message.parts.flatMap(spoken),
  )
}

function spoken(part: SpokenPart): ModelMessage[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ role: 'assistant', content: part.text }]
  const { id: toolCallId, tool: toolName, input, output } = part
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: JSON.stringify(output) } }] },
  ]
}
