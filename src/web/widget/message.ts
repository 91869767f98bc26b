import { asList, asRecord, asText } from './json.ts'
import { type Booking, bookingOf, type Doctor, doctorsOf, type SlotList, slotsOf } from './model.ts'

/** A message as the widget shows it. */
export type Message = {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly parts: readonly Part[]
  /** The visitor stopped it. */
  readonly isStopped?: boolean
}

export type Part =
  | { readonly kind: 'text'; readonly id: string; readonly text: string }
  | { readonly kind: 'doctors'; readonly id: string; readonly doctors: readonly Doctor[] }
  | { readonly kind: 'slots'; readonly id: string; readonly list: SlotList }
  | { readonly kind: 'booking'; readonly id: string; readonly booking: Booking }

/** A stored message of the service, without the parts that are not shown (tools, steps). */
export function messageOf(value: unknown): Message {
  const { id, role, parts } = asRecord(value)
  const shown = asList(parts).flatMap((part, at) => partOf(asRecord(part), String(at)) ?? [])
  return { id: asText(id), role: role === 'user' ? 'user' : 'assistant', parts: shown }
}

export function textOf({ parts }: Message): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n')
}

/** The reply after another chunk of its stream. */
export function withChunk(reply: Message, value: unknown): Message {
  const chunk = asRecord(value)
  const id = asText(chunk['id'])
  switch (chunk['type']) {
    case 'start':
      return { ...reply, id: asText(chunk['messageId']) || reply.id }
    // Each step of the model may use the same id again: a start is a new part, and a delta belongs to the last part with its id.
    case 'text-start':
      return { ...reply, parts: [...reply.parts, { kind: 'text', id, text: '' }] }
    case 'text-delta': {
      const at = reply.parts.findLastIndex((part) => part.kind === 'text' && part.id === id)
      const before = reply.parts[at]
      if (before?.kind !== 'text') return reply
      return { ...reply, parts: reply.parts.with(at, { ...before, text: before.text + asText(chunk['delta']) }) }
    }
    default: {
      const part = partOf(chunk, id || `part-${reply.parts.length}`)
      return part ? withPart(reply, part) : reply
    }
  }
}

/** Replaces the part with the same kind and id, else appends it. */
function withPart(message: Message, part: Part): Message {
  const at = message.parts.findIndex(({ kind, id }) => kind === part.kind && id === part.id)
  return { ...message, parts: at < 0 ? [...message.parts, part] : message.parts.with(at, part) }
}

function partOf({ type, text, data, id: given }: Readonly<Record<string, unknown>>, otherwise: string): Part | null {
  const id = asText(given) || otherwise
  if (type === 'text') return { kind: 'text', id, text: asText(text) }
  if (type === 'data-doctors') return { kind: 'doctors', id, doctors: doctorsOf(data) }
  if (type === 'data-slots') return { kind: 'slots', id, list: slotsOf(data) }
  if (type === 'data-booking') return { kind: 'booking', id, booking: bookingOf(data) }
  return null
}
