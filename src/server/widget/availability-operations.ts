import { z } from 'zod'
import { parseInput } from '../../kernel/input.ts'
import type { ReadOffer } from '../../features/widget/read-availability.ts'
import { sendJson } from './json.ts'
import type { Visit, WidgetOperation } from './operation.ts'

const moment = z.iso.datetime({ offset: true, error: 'must be a moment such as 2026-03-01T09:30:00Z' }).transform(Date.parse)
const question = z.strictObject({ doctorId: z.string().max(100).optional(), from: moment.optional(), to: moment.optional() })

/** What visitors may choose from. */
export function offerOperations(readOffer: ReadOffer): readonly WidgetOperation[] {
  return [
    {
      method: 'GET',
      path: '/api/widget/doctors',
      async handle({ exchange, workspaceId }) {
        const { doctors } = await readOffer(workspaceId)
        sendJson(exchange, { doctors })
      },
    },
    {
      method: 'GET',
      path: '/api/widget/slots',
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
function questionOf({ exchange }: Visit): z.output<typeof question> {
  return parseInput(question, Object.fromEntries(new URLSearchParams(exchange.query)))
}
