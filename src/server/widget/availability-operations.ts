import type { z } from 'zod'
import { readAvailability } from '../../features/widget/read-availability.ts'
import { parseInput } from '../../kernel/input.ts'
import { slotsQuery, widgetEndpoints } from './endpoints.ts'
import { sendJson } from './json.ts'
import type { Visit, WidgetOperation } from './operation.ts'

export const availabilityOperations: readonly WidgetOperation[] = [
  {
    ...widgetEndpoints.doctors,
    async handle(ports, { ctx, workspaceId }) {
      const { doctors } = await readAvailability(ports, workspaceId)
      sendJson(ctx, { doctors })
    },
  },
  {
    ...widgetEndpoints.slots,
    async handle(ports, visit) {
      const { doctorId, from = 0, to = Number.POSITIVE_INFINITY } = queryOf(visit)
      const { timeZone, slots } = await readAvailability(ports, visit.workspaceId)
      const matching = slots.filter((slot) => {
        const startsAt = Date.parse(slot.startsAt)
        return startsAt >= from && startsAt < to && (doctorId === undefined || slot.doctorId === doctorId)
      })
      sendJson(visit.ctx, { timeZone, slots: matching })
    },
  },
]

/** If a parameter is given twice, the last one counts. */
function queryOf({ ctx }: Visit): z.output<typeof slotsQuery> {
  return parseInput(slotsQuery, Object.fromEntries(new URLSearchParams(ctx.query)))
}
