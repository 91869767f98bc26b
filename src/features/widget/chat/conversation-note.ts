import { plainText } from '../../../kernel/text.ts'
import type { ChatMessage, VisitorConversation } from './conversation.ts'

const maxLength = { reason: 300, line: 600, note: 8_000 }

/** The conversation for the staff, as plain lines without markup; the newest ones if it is long. */
export function noteOf({ messages }: VisitorConversation, reason: string): string {
  const head = `Wants to be called back after a chat on the website.\nReason: ${plainText(reason, maxLength.reason) || 'not given'}`
  const lines: string[] = []
  let length = head.length
  for (const line of messages.toReversed().flatMap(lineOf)) {
    length += line.length + 1
    if (length > maxLength.note) break
    lines.unshift(line)
  }
  return [head, '', ...lines].join('\n')
}

function lineOf(message: ChatMessage): string[] {
  const written = message.role === 'user' ? message.text : message.parts.map((part) => (part.type === 'text' ? part.text : '')).join(' ')
  const text = plainText(written, maxLength.line)
  return text === '' ? [] : [`${message.role === 'user' ? 'Visitor' : 'Assistant'}: ${text}`]
}
