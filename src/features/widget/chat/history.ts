import type { ConversationMessage } from '../../../ports/conversation.ts'
import type { Talk, TalkMessage } from './conversation.ts'

const mostCharacters = 24_000
const mostMessages = 30

/** The end of the talk as the model is told it, with what its tools showed; it begins with a message of the visitor. */
export function historyOf({ messages }: Talk): readonly ConversationMessage[] {
  const told: TalkMessage[] = []
  let length = 0
  for (const message of messages.toReversed().slice(0, mostMessages)) {
    length += JSON.stringify(message).length
    if (length > mostCharacters && told.length > 0) break
    told.unshift(message)
  }
  const first = told.findIndex(({ role }) => role === 'user')
  return told.slice(first).map(asTold)
}

function asTold(message: TalkMessage): ConversationMessage {
  if (message.role === 'user') return { role: 'user', text: message.text }
  const parts = message.parts.map((part) =>
    part.type === 'text' ? part : { type: part.type, id: part.id, tool: part.tool, input: part.input, output: part.output },
  )
  return { role: 'assistant', parts }
}

/** What so much text costs a model at most, roughly: three bytes a token. */
export function tokensIn(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3)
}
