import { z } from 'zod'
import { availableDoctorSchema, availableSlotSchema } from '../availability.ts'

const heldVisit = z.object({
  id: z.string(),
  heldUntil: z.string().nullable(),
  slot: availableSlotSchema,
  doctor: availableDoctorSchema.nullable(),
})
/** A time that is held for the visitor. */
export type HeldVisit = z.output<typeof heldVisit>

/** What a tool shows the visitor beside the assistant's text. */
const card = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('DOCTORS'), doctors: z.array(availableDoctorSchema).readonly() }),
  z.object({ kind: z.literal('SLOTS'), timeZone: z.string(), slots: z.array(availableSlotSchema).readonly() }),
  z.object({ kind: z.literal('BOOKING'), booking: heldVisit }),
])
export type Card = z.output<typeof card>

const part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('tool'),
    id: z.string(),
    tool: z.string(),
    input: z.unknown(),
    output: z.unknown(),
    card: card.nullable(),
  }),
])
export type ChatPart = z.output<typeof part>

const question = z.object({ role: z.literal('user'), id: z.string(), text: z.string() })
const reply = z.object({
  role: z.literal('assistant'),
  id: z.string(),
  /** False if the reply ended early. */
  complete: z.boolean(),
  parts: z.array(part).readonly(),
})
export type Question = z.output<typeof question>
export type Reply = z.output<typeof reply>
export type ChatMessage = Question | Reply

/** A visitor's conversation with the assistant; stored for a day. */
export const conversationSchema = z.object({
  /** Oldest first; a reply follows its question. */
  messages: z.array(z.discriminatedUnion('role', [question, reply])).readonly(),
  /** The number of messages that the visitor has sent, including those that are no longer stored. */
  asked: z.number(),
  /** The ids that were shown, in the order of the references by which the model knows them. */
  doctors: z.array(z.string()).readonly(),
  slots: z.array(z.string()).readonly(),
  /** The times that are held for this visitor. */
  held: z.array(heldVisit).readonly(),
  /** Hashes of the phone numbers with which the visitor was handed off. */
  handedOff: z.array(z.string()).readonly(),
})
export type VisitorConversation = z.output<typeof conversationSchema>

export const emptyConversation: VisitorConversation = { messages: [], asked: 0, doctors: [], slots: [], held: [], handedOff: [] }

const maxStored = 60

/**
 * The conversation with the visitor's message as the last one, without an incomplete reply to it. Null if later messages follow that message.
 */
export function withQuestion(
  conversation: VisitorConversation,
  { id, text }: { readonly id: string; readonly text: string },
): VisitorConversation | null {
  const at = conversation.messages.findLastIndex(({ role }) => role === 'user')
  if (conversation.messages[at]?.id === id) return { ...conversation, messages: conversation.messages.slice(0, at + 1) }
  if (conversation.messages.some((message) => message.id === id)) return null
  const messages: readonly ChatMessage[] = [...conversation.messages, { role: 'user', id, text }]
  return { ...conversation, messages: messages.slice(-maxStored), asked: conversation.asked + 1 }
}

/** The conversation with the reply as the last message; replaces an earlier state of the reply. */
export function withReply(conversation: VisitorConversation, reply: Reply): VisitorConversation {
  return { ...conversation, messages: [...conversation.messages.filter(({ id }) => id !== reply.id), reply] }
}

/** The complete reply to an earlier message; null if there is none. */
export function replyTo(conversation: VisitorConversation, questionId: string): Reply | null {
  const at = conversation.messages.findIndex((message) => message.role === 'user' && message.id === questionId)
  const next = at < 0 ? undefined : conversation.messages[at + 1]
  return next?.role === 'assistant' && next.complete ? next : null
}
