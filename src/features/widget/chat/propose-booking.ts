import { z } from 'zod'
import { AppError, type ErrorCode } from '../../../kernel/errors.ts'
import { inWords } from './moments.ts'
import type { HeldVisit } from './conversation.ts'
import type { ChatTool, Desk, ToolAnswer } from './assistant-tools.ts'

const input = z.strictObject({ slot: z.string().max(20).describe('The reference of a time that was listed, such as S1') })
const mostRemembered = 10

const refusals: Readonly<Partial<Record<ErrorCode, string>>> = {
  CONFLICT: 'That time is no longer free: list the times again.',
  NOT_FOUND: 'That time is no longer free: list the times again.',
  BAD_USER_INPUT: 'That time cannot be held any more: list the times again.',
  RATE_LIMITED: 'The visitor holds too many times already: one of them must be confirmed or given up first.',
}

/** Holds a time that was shown in this talk. Held already for this visitor, it is shown again and not held twice. */
export function proposeBookingTool({
  workspaceId,
  clientAddress,
  slots,
  now,
  holdSlot,
  talk,
  change,
}: Desk): ChatTool<z.output<typeof input>> {
  return {
    description: 'Holds a free time for the visitor for a few minutes and shows the form by which they confirm it.',
    input,
    async run({ slot }) {
      const slotId = slots.idOf(slot)
      if (slotId === null) return notHeld('No such time was shown in this talk: list the times first.')
      const isLive = ({ heldUntil }: HeldVisit): boolean => heldUntil !== null && Date.parse(heldUntil) > now()
      const standing = talk().held.find((held) => held.slot.id === slotId && isLive(held))
      if (standing) return held(standing)
      try {
        const made = await holdSlot({ workspaceId, slotId, clientAddress })
        const booking: HeldVisit = { heldUntil: null, ...made }
        await change({ held: [...talk().held.filter(isLive), booking].slice(-mostRemembered) })
        return held(booking)
      } catch (error) {
        const why = error instanceof AppError ? refusals[error.code] : undefined
        if (why === undefined) throw error
        return notHeld(why)
      }
    },
  }
}

function held(booking: HeldVisit): ToolAnswer {
  const { slot, doctor } = booking
  return { output: { held: true, when: inWords(slot.localStartsAt), doctor: doctor?.name ?? null }, card: { kind: 'BOOKING', booking } }
}

function notHeld(why: string): ToolAnswer {
  return { output: { held: false, why }, card: null }
}
