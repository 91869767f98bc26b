import { z } from 'zod'
import { AppError, type ErrorCode } from '../../../kernel/errors.ts'
import { holdSlot } from '../hold-slot.ts'
import type { AssistantTool, ToolResult } from './assistant-context.ts'
import type { HeldVisit } from './conversation.ts'
import { formatLocalMoment } from './moments.ts'

const input = z.strictObject({ slot: z.string().max(20).describe('The reference of a time that was listed, such as S1') })
const maxRemembered = 10

const refusals: Readonly<Partial<Record<ErrorCode, string>>> = {
  CONFLICT: 'That time is no longer free: list the times again.',
  NOT_FOUND: 'That time is no longer free: list the times again.',
  BAD_USER_INPUT: 'That time can no longer be held: list the times again.',
}

/** Holds a time that was shown in this conversation. A time that the visitor holds already is shown again, not held twice. */
export const proposeBookingTool: AssistantTool<z.output<typeof input>> = {
  description: 'Holds a free time for the visitor for a few minutes and shows the form by which they confirm it.',
  input,
  async run({ ports, workspaceId, widgetKey, clientAddress, slots, conversation, change }, { slot }) {
    const slotId = slots.idOf(slot)
    if (slotId === null) return notHeld('No such time was shown in this conversation: list the times first.')
    const isCurrent = ({ heldUntil }: HeldVisit): boolean => heldUntil !== null && Date.parse(heldUntil) > ports.clock.now()
    const known = conversation().held.find((visit) => visit.slot.id === slotId && isCurrent(visit))
    if (known) return held(known)
    try {
      const booking: HeldVisit = { heldUntil: null, ...(await holdSlot(ports, { workspaceId, widgetKey, slotId, clientAddress })) }
      await change({ held: [...conversation().held.filter(isCurrent), booking].slice(-maxRemembered) })
      return held(booking)
    } catch (error) {
      const why =
        error instanceof AppError ? (refusals[error.code] ?? (error.code === 'RATE_LIMITED' ? error.message : undefined)) : undefined
      if (why === undefined) throw error
      return notHeld(why)
    }
  },
}

function held(booking: HeldVisit): ToolResult {
  const { slot, doctor } = booking
  return {
    output: { held: true, when: formatLocalMoment(slot.localStartsAt), doctor: doctor?.name ?? null },
    card: { kind: 'BOOKING', booking },
  }
}

function notHeld(why: string): ToolResult {
  return { output: { held: false, why }, card: null }
}
