import { z } from 'zod'
import { parseInput } from '../../kernel/input.ts'
import type { ConfirmBooking } from '../../features/widget/confirm-booking.ts'
import type { HoldSlot } from '../../features/widget/hold-slot.ts'
import type { ReleaseSlot } from '../../features/widget/release-slot.ts'
import { readJson } from '../http/json-body.ts'
import { sendJson } from './json.ts'
import { largestBody, type WidgetOperation } from './operation.ts'

export type BookingUseCases = { readonly holdSlot: HoldSlot; readonly confirmBooking: ConfirmBooking; readonly releaseSlot: ReleaseSlot }

const id = z.string().min(1).max(100)
const hold = z.strictObject({ slotId: id })
const confirmation = z.strictObject({ bookingId: id, name: z.string().max(500), phone: z.string().max(100) })
const anyBody = z.looseObject({}, { error: 'must be a JSON object' })

/** One path in two steps: a slot is held, then the booking is confirmed. */
export function bookingOperations({ holdSlot, confirmBooking, releaseSlot }: BookingUseCases): readonly WidgetOperation[] {
  return [
    {
      method: 'POST',
      path: '/api/widget/bookings',
      async handle({ exchange, workspaceId, clientAddress }) {
        const body = parseInput(anyBody, await readJson(exchange, largestBody), 'body')
        if ('bookingId' in body) {
          const booking = await confirmBooking({ workspaceId, ...parseInput(confirmation, body) })
          return sendJson(exchange, { booking })
        }
        const { slotId } = parseInput(hold, body)
        sendJson(exchange, { booking: await holdSlot({ workspaceId, slotId, clientAddress }) }, 201)
      },
    },
    {
      method: 'DELETE',
      path: '/api/widget/bookings/{id}',
      async handle({ exchange, workspaceId, parameters }) {
        await releaseSlot({ workspaceId, bookingId: parameters['id'] ?? '' })
        exchange.response.writeHead(204).end()
      },
    },
  ]
}
