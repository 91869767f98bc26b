import { type ConversationTool, conversationTool, type ToolCall } from '../../../ports/conversation.ts'
import type { AssistantContext, AssistantTool } from './assistant-context.ts'
import type { Card } from './conversation.ts'
import { handOffTool } from './hand-off-tool.ts'
import { listDoctorsTool } from './list-doctors-tool.ts'
import { listSlotsTool } from './list-slots-tool.ts'
import { proposeBookingTool } from './propose-booking-tool.ts'

export type Toolbox = {
  readonly tools: Readonly<Record<string, ConversationTool>>
  /** The card that the call showed to the visitor. */
  cardOf(callId: string): Card | null
}

const maxCalls = 12

/** The assistant's tools for one reply. After `maxCalls` they only tell the model to answer. */
export function createToolbox(context: AssistantContext): Toolbox {
  const cards = new Map<string, Card>()
  let calls = 0

  const toolOf = <Input>({ description, input, run }: AssistantTool<Input>): ConversationTool =>
    conversationTool({
      description,
      input,
      async run(given: Input, { id }: ToolCall) {
        calls += 1
        if (calls > maxCalls) return { why: 'There were many look-ups already: answer the visitor now.' }
        const { output, card } = await run(context, given)
        if (card) cards.set(id, card)
        await context.change({ doctors: context.doctors.ids, slots: context.slots.ids })
        return output
      },
    })
  return {
    tools: {
      listDoctors: toolOf(listDoctorsTool),
      listSlots: toolOf(listSlotsTool),
      ...(context.profile.bookingEnabled ? { proposeBooking: toolOf(proposeBookingTool) } : {}),
      handOff: toolOf(handOffTool),
    },
    cardOf: (callId) => cards.get(callId) ?? null,
  }
}
