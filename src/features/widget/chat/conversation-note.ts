import { plainText } from '../../../ports/insight.ts'
import type { Talk, TalkMessage } from './conversation.ts'

const longest = { reason: 300, line: 600, note: 8_000 }

/** The talk so far for the staff: plain lines, whatever visitor and model wrote; the newest where it is long. */
export function noteOf({ messages }: Talk, reason: string): string {
  const head = `Wants to be called back after a chat on the website.\nReason: ${plainText(reason, longest.reason) || 'not given'}`
  const lines: string[] = []
  let length = head.length
  for (const line of messages.toReversed().flatMap(lineOf)) {
    length += line.length + 1
    if (length > longest.note) break
    lines.unshift(line)
  }
  return [head, '', ...lines].join('\n')
}

function lineOf(message: TalkMessage): string[] {
  const said = message.role === 'user' ? message.text : message.parts.map((part) => (part.type === 'text' ? part.text : '')).join(' ')
  const text = plainText(said, longest.line)
  return text === '' ? [] : [`${message.role === 'user' ? 'Visitor' : 'Assistant'}: ${text}`]
}
