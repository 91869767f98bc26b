import { z } from 'zod'
import { offeredDoctorSchema, offeredSlotSchema } from '../availability.ts'

const held = z.object({ id: z.string(), heldUntil: z.string().nullable(), slot: offeredSlotSchema, doctor: offeredDoctorSchema.nullable() })
/** A time that is kept for the visitor. */
export type HeldVisit = z.output<typeof held>

/** What a tool shows the visitor beside the assistant's words. */
const card = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('DOCTORS'), doctors: z.array(offeredDoctorSchema).readonly() }),
  z.object({ kind: z.literal('SLOTS'), timeZone: z.string(), slots: z.array(offeredSlotSchema).readonly() }),
  z.object({ kind: z.literal('BOOKING'), booking: held }),
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
export type TalkPart = z.output<typeof part>

const question = z.object({ role: z.literal('user'), id: z.string(), text: z.string() })
const reply = z.object({
  role: z.literal('assistant'),
  id: z.string(),
  /** Whether it came to its end. */
  complete: z.boolean(),
  parts: z.array(part).readonly(),
})
export type Question = z.output<typeof question>
export type Reply = z.output<typeof reply>
export type TalkMessage = Question | Reply

/** A visitor's talk with the assistant, as it is kept for a day. */
export const talkSchema = z.object({
  /** Oldest first; a reply stands right after its question. */
  messages: z.array(z.discriminatedUnion('role', [question, reply])).readonly(),
  /** How many messages the visitor has sent, those included that are no longer kept. */
  asked: z.number(),
  /** The ids that were shown, in the order of the references by which the model knows them. */
  doctors: z.array(z.string()).readonly(),
  slots: z.array(z.string()).readonly(),
  /** The times that are held for this visitor. */
  held: z.array(held).readonly(),
  /** Digests of the numbers that were passed on to people. */
  passedOn: z.array(z.string()).readonly(),
})
export type Talk = z.output<typeof talkSchema>

export const emptyTalk: Talk = { messages: [], asked: 0, doctors: [], slots: [], held: [], passedOn: [] }

const mostKept = 60

/**
 * The talk with the visitor's message as its last one; what was said to it before, and is not complete, is dropped. Null where the talk
 * has gone on since.
 */
export function withQuestion(talk: Talk, { id, text }: { readonly id: string; readonly text: string }): Talk | null {
  const at = talk.messages.findLastIndex(({ role }) => role === 'user')
  if (talk.messages[at]?.id === id) return { ...talk, messages: talk.messages.slice(0, at + 1) }
  if (talk.messages.some((message) => message.id === id)) return null
  const messages: readonly TalkMessage[] = [...talk.messages, { role: 'user', id, text }]
  return { ...talk, messages: messages.slice(-mostKept), asked: talk.asked + 1 }
}

/** The reply as its last message, in the place of an earlier form of it. */
export function withReply(talk: Talk, reply: Reply): Talk {
  return { ...talk, messages: [...talk.messages.filter(({ id }) => id !== reply.id), reply] }
}

/** The complete reply to a message that was sent before; null where there is none. */
export function replyTo(talk: Talk, questionId: string): Reply | null {
  const at = talk.messages.findIndex((message) => message.role === 'user' && message.id === questionId)
  const next = at < 0 ? undefined : talk.messages[at + 1]
  return next?.role === 'assistant' && next.complete ? next : null
}
