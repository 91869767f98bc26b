import { z } from 'zod'
import { byDueDate, type LeadAgenda, type LeadTask } from '../../ports/call-records.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { DoctorRecords } from '../../ports/doctors.ts'
import { anyNode, connection, leadColumn, nodesOf, root } from './activity-queries.ts'
import { momentOf, textOf } from './field-values.ts'
import type { ObjectShapes } from './object-shapes.ts'
import type { RecordGate } from './record-gate.ts'

const mostTasks = 10
/** More than one: slots that are held for the lead may come before the next visit. */
const mostSlots = 20
const tasksSchema = z.object({ taskTargets: connection })

/** A lead's tasks and visits. */
export function createLeadAgenda({
  doctors,
  gate,
  shapes,
  configuration,
}: {
  readonly doctors: DoctorRecords
  readonly gate: RecordGate
  readonly shapes: ObjectShapes
  readonly configuration: Configuration
}): LeadAgenda {
  return {
    async openTasks(access, leadId) {
      const [{ objects }, shape] = await Promise.all([configuration.read(access.workspaceId, 'platform'), shapes.of(access, 'TaskTarget')])
      const column = leadColumn(shape, objects.lead.singular)
      const field = root({
        plural: 'taskTargets',
        typeName: 'TaskTarget',
        column,
        selection: 'task { id title status dueAt }',
        order: 'createdAt',
        first: mostTasks * 2,
      })
      if (field === null) return []
      const document = `query OpenTasks($leadId: UUID!) { ${field} }`
      const { taskTargets } = await gate({ access, document, variables: { leadId }, answer: tasksSchema })
      return nodesOf(taskTargets).flatMap(openTask).toSorted(byDueDate).slice(0, mostTasks)
    },
    async nextVisit(access, leadId, after) {
      const slots = await doctors.slots(access, { from: after, leadId, first: mostSlots })
      return slots.find(({ state }) => state === 'BOOKED') ?? null
    },
  }
}

function openTask({ task }: z.output<typeof anyNode>): LeadTask[] {
  const found = anyNode.safeParse(task).data
  const id = textOf(found?.['id'])
  if (!found || id === null || textOf(found['status']) === 'DONE') return []
  return [{ id, title: textOf(found['title']) ?? 'Task', dueAt: momentOf(found['dueAt']) }]
}
