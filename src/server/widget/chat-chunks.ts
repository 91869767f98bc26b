import type { AppError } from '../../kernel/errors.ts'
import type { ReplyPart } from '../../features/widget/chat/reply-parts.ts'
import type { Card, ChatMessage, ChatPart } from '../../features/widget/chat/conversation.ts'

/** A chunk of the AI SDK's UI-message stream. */
export type ChatChunk = { readonly type: string; readonly [name: string]: unknown }

const couldNotAnswer = 'I cannot answer at the moment. Please try again in a minute.'
const tookTooLong = 'That took too long. Please try again.'

/** Converts the parts of a reply, in their order, into chunks of the stream. Create one for each reply. */
export function createChunker(): (part: ReplyPart) => readonly ChatChunk[] {
  let texts = 0
  let isInText = false
  let isInStep = false

  const endText = (): ChatChunk[] => {
    if (!isInText) return []
    isInText = false
    return [{ type: 'text-end', id: `text-${texts}` }]
  }
  const beginText = (): ChatChunk[] => {
    if (isInText) return []
    isInText = true
    texts += 1
    return [{ type: 'text-start', id: `text-${texts}` }]
  }
  const endStep = (): ChatChunk[] => {
    const chunks = [...endText(), ...(isInStep ? [{ type: 'finish-step' }] : [])]
    isInStep = false
    return chunks
  }
  const inStep = (chunks: readonly ChatChunk[]): ChatChunk[] => {
    const begin = isInStep ? [] : [{ type: 'start-step' }]
    isInStep = true
    return [...begin, ...chunks]
  }

  return (part) => {
    switch (part.type) {
      case 'began':
        return [{ type: 'start', messageId: part.replyId }]
      case 'text':
        return inStep([...beginText(), { type: 'text-delta', id: `text-${texts}`, delta: part.text }])
      case 'tool-called':
        return inStep([...endText(), { type: 'tool-input-available', toolCallId: part.id, toolName: part.tool, input: part.input }])
      case 'tool-answered':
        return [...endText(), { type: 'tool-output-available', toolCallId: part.id, output: part.output }, ...cardOf(part.id, part.card)]
      case 'step-ended':
        return endStep()
      case 'failed':
        return [...endText(), { type: 'error', errorText: excuse(part.error) }]
      case 'ended':
        return [...endStep(), { type: 'finish' }]
    }
  }
}

/** Without details: they do not help the visitor. */
function excuse({ reason }: AppError): string {
  return reason === 'DEADLINE_PASSED' ? tookTooLong : couldNotAnswer
}

/** A message of the conversation as a UI message. */
export function uiMessage(message: ChatMessage) {
  if (message.role === 'user') return { id: message.id, role: message.role, parts: [{ type: 'text', text: message.text }] }
  return { id: message.id, role: message.role, parts: message.parts.flatMap(uiParts) }
}

function uiParts(part: ChatPart): readonly ChatChunk[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text, state: 'done' }]
  const { id: toolCallId, tool, input, output, card } = part
  return [{ type: `tool-${tool}`, toolCallId, state: 'output-available', input, output }, ...cardOf(toolCallId, card)]
}

/** The card of a tool as a data part, the same in a stream and in a message. */
function cardOf(id: string, card: Card | null): readonly ChatChunk[] {
  switch (card?.kind) {
    case 'DOCTORS':
      return [{ type: 'data-doctors', id, data: { doctors: card.doctors } }]
    case 'SLOTS':
      return [{ type: 'data-slots', id, data: { timeZone: card.timeZone, slots: card.slots } }]
    case 'BOOKING': {
      const { id: bookingId, heldUntil, slot, doctor } = card.booking
      return [{ type: 'data-booking', id, data: { bookingId, heldUntil, slot, doctor } }]
    }
    case undefined:
      return []
  }
}
