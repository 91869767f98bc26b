import { type ConversationTool, conversationTool, type ToolCall } from '../../../ports/conversation.ts'
import type { ChatTool, Desk } from './assistant-tools.ts'
import { handOverTool } from './hand-off-to-human.ts'
import { listDoctorsTool } from './list-doctors.ts'
import { listSlotsTool } from './list-slots.ts'
import { proposeBookingTool } from './propose-booking.ts'
import type { Card } from './conversation.ts'

export type Toolbox = {
  readonly tools: Readonly<Record<string, ConversationTool>>
  /** What the call showed the visitor. */
  cardOf(callId: string): Card | null
}

const mostCalls = 12

/** All that the assistant can do. Beyond some calls in one reply it can do nothing but answer. */
export function createToolbox(desk: Desk): Toolbox {
  const cards = new Map<string, Card>()
  let calls = 0

  const toolOf = <Input>({ description, input, run }: ChatTool<Input>): ConversationTool =>
    conversationTool({
      description,
      input,
      async run(given: Input, { id }: ToolCall) {
        calls += 1
        if (calls > mostCalls) return { why: 'That were many look-ups already: answer the visitor now.' }
        const { output, card } = await run(given)
        if (card) cards.set(id, card)
        await desk.change({ doctors: desk.doctors.ids, slots: desk.slots.ids })
        return output
      },
    })
  return {
    tools: {
      listDoctors: toolOf(listDoctorsTool(desk)),
      listSlots: toolOf(listSlotsTool(desk)),
      ...(desk.reception.bookingEnabled ? { proposeBooking: toolOf(proposeBookingTool(desk)) } : {}),
      handOver: toolOf(handOverTool(desk)),
    },
    cardOf: (callId) => cards.get(callId) ?? null,
  }
}
