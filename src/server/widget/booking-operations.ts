import { z } from 'zod'
import { confirmBooking } from '../../features/widget/confirm-booking.ts'
import { holdSlot } from '../../features/widget/hold-slot.ts'
import { releaseSlot } from '../../features/widget/release-slot.ts'
import { parseInput } from '../../kernel/input.ts'
import { readJson } from '../http/json-body.ts'
import { confirmationBody, holdBody, widgetEndpoints } from './endpoints.ts'
import { sendJson } from './json.ts'
import { maxBodyBytes, type WidgetOperation } from './operation.ts'

const anyBody = z.looseObject({}, { error: 'must be a JSON object' })

/** One path for two steps: the first request holds a slot, the second confirms the booking. */
export const bookingOperations: readonly WidgetOperation[] = [
  {
    ...widgetEndpoints.book,
    async handle(ports, { ctx, workspaceId, widgetKey, clientAddress }) {
      const visitor = { workspaceId, widgetKey, clientAddress }
      const body = parseInput(anyBody, await readJson(ctx, maxBodyBytes), 'body')
      if ('bookingId' in body) {
        const booking = await confirmBooking(ports, { ...visitor, ...parseInput(confirmationBody, body) })
        return sendJson(ctx, { booking })
      }
      const { slotId } = parseInput(holdBody, body)
      sendJson(ctx, { booking: await holdSlot(ports, { ...visitor, slotId }) }, 201)
    },
  },
  {
    ...widgetEndpoints.release,
    async handle(ports, { ctx, workspaceId, parameters }) {
      await releaseSlot(ports, { workspaceId, bookingId: parameters['id'] ?? '' })
      ctx.response.writeHead(204).end()
    },
  },
]
