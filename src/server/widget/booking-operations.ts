import { z } from 'zod'
import { parseInput } from '../../kernel/input.ts'
import type { ConfirmBooking } from '../../features/widget/confirm-booking.ts'
import type { HoldSlot } from '../../features/widget/hold-slot.ts'
import type { ReleaseSlot } from '../../features/widget/release-slot.ts'
import { readJson } from '../http/json-body.ts'
import { confirmationBody, holdBody, widgetEndpoints } from './endpoints.ts'
import { sendJson } from './json.ts'
import { largestBody, type WidgetOperation } from './operation.ts'

export type BookingUseCases = { readonly holdSlot: HoldSlot; readonly confirmBooking: ConfirmBooking; readonly releaseSlot: ReleaseSlot }

const anyBody = z.looseObject({}, { error: 'must be a JSON object' })

/** One path in two steps: a slot is held, then the booking is confirmed. */
export function bookingOperations({ holdSlot, confirmBooking, releaseSlot }: BookingUseCases): readonly WidgetOperation[] {
  return [
    {
      ...widgetEndpoints.book,
      async handle({ exchange, workspaceId, clientAddress }) {
        const body = parseInput(anyBody, await readJson(exchange, largestBody), 'body')
        if ('bookingId' in body) {
          const booking = await confirmBooking({ workspaceId, ...parseInput(confirmationBody, body) })
          return sendJson(exchange, { booking })
        }
        const { slotId } = parseInput(holdBody, body)
        sendJson(exchange, { booking: await holdSlot({ workspaceId, slotId, clientAddress }) }, 201)
      },
    },
    {
      ...widgetEndpoints.release,
      async handle({ exchange, workspaceId, parameters }) {
        await releaseSlot({ workspaceId, bookingId: parameters['id'] ?? '' })
        exchange.response.writeHead(204).end()
      },
    },
  ]
}
