import type { z } from 'zod'
import { parseInput } from '../../kernel/input.ts'
import type { ReadOffer } from '../../features/widget/read-availability.ts'
import { slotsQuery, widgetEndpoints } from './endpoints.ts'
import { sendJson } from './json.ts'
import type { Visit, WidgetOperation } from './operation.ts'

/** What visitors may choose from. */
export function offerOperations(readOffer: ReadOffer): readonly WidgetOperation[] {
  return [
    {
      ...widgetEndpoints.doctors,
      async handle({ exchange, workspaceId }) {
        const { doctors } = await readOffer(workspaceId)
        sendJson(exchange, { doctors })
      },
    },
    {
      ...widgetEndpoints.slots,
      async handle(visit) {
        const { doctorId, from = 0, to = Number.POSITIVE_INFINITY } = questionOf(visit)
        const { timeZone, slots } = await readOffer(visit.workspaceId)
        const asked = slots.filter((slot) => {
          const startsAt = Date.parse(slot.startsAt)
          return startsAt >= from && startsAt < to && (doctorId === undefined || slot.doctorId === doctorId)
        })
        sendJson(visit.exchange, { timeZone, slots: asked })
      },
    },
  ]
}

/** Of a parameter that is given twice, the last one counts. */
function questionOf({ exchange }: Visit): z.output<typeof slotsQuery> {
  return parseInput(slotsQuery, Object.fromEntries(new URLSearchParams(exchange.query)))
}
