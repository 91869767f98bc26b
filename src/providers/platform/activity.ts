import { z } from 'zod'
import type { CallRecords } from '../../ports/call-records.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { DoctorRecords } from '../../ports/doctors.ts'
import type { LeadActivity, LeadActivityRecords } from '../../ports/insight-records.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import type { RecordAccess } from '../../ports/record-access.ts'
import { anyNode, bodyOf, connection, leadColumn, nodesOf, root } from './activity-queries.ts'
import { momentOf, textOf } from './field-values.ts'
import { withId } from './filter.ts'
import type { ObjectShapes } from './object-shapes.ts'
import type { RecordGate } from './record-gate.ts'
import type { Records } from './records.ts'

const most = { timeline: 20, notes: 8, tasks: 8, calls: 10, visits: 20 }
const visitsSinceMs = 90 * 86_400_000

const activitySchema = z.object({ timelineActivities: connection, noteTargets: connection, taskTargets: connection })

/** Reads the platform's activity objects. Their column for a lead and their text fields differ between versions, so both are looked up. */
export function createLeadActivityRecords(options: {
  readonly records: Records
  readonly calls: CallRecords
  readonly doctors: DoctorRecords
  readonly gate: RecordGate
  readonly shapes: ObjectShapes
  readonly configuration: Configuration
  readonly clock: Clock
}): LeadActivityRecords {
  const { records, calls, doctors, gate, shapes, configuration, clock } = options

  const readActivity = async (access: RecordAccess, leadId: string, signal?: AbortSignal) => {
    const { objects } = await configuration.read(access.workspaceId, 'platform')
    const [timeline, noteTarget, taskTarget, note, task] = await Promise.all(
      ['TimelineActivity', 'NoteTarget', 'TaskTarget', 'Note', 'Task'].map((name) => shapes.of(access, name)),
    )
    const lead = objects.lead.singular
    const roots = [
      root('timelineActivities', {
        column: leadColumn(timeline, lead),
        selection: `happensAt name linkedRecordCachedName`,
        first: most.timeline,
      }),
      root('noteTargets', {
        column: leadColumn(noteTarget, lead),
        selection: `note { title createdAt ${bodyOf(note)} }`,
        first: most.notes,
      }),
      root('taskTargets', {
        column: leadColumn(taskTarget, lead),
        selection: `task { title status dueAt ${bodyOf(task)} }`,
        first: most.tasks,
      }),
    ].filter((part) => part !== null)
    if (roots.length === 0) return {}
    const document = `query LeadActivity($leadId: UUID!) { ${roots.join(' ')} }`
    return gate({ access, document, variables: { leadId }, answer: activitySchema, cost: roots.length, ...(signal ? { signal } : {}) })
  }

  return {
    async read(access, leadId, signal) {
      const [row] = await records.list(access, 'lead', {
        fields: ['name', 'status', 'source'],
        filter: () => withId(leadId),
        first: 1,
        ...(signal ? { signal } : {}),
      })
      if (!row) return null
      const from = isoMoment(clock.now() - visitsSinceMs)
      const [activity, lastCalls, visits] = await Promise.all([
        readActivity(access, leadId, signal),
        calls.ofLead(access, leadId, most.calls),
        doctors.slots(access, { from, leadId, first: most.visits, signal }),
      ])
      const lead = { name: textOf(row.name), status: textOf(row.status), source: textOf(row.source) }
      return { lead, calls: lastCalls, visits, ...partsOf(activity) }
    },
  }
}

function partsOf(activity: Partial<z.output<typeof activitySchema>>): Pick<LeadActivity, 'timeline' | 'notes' | 'tasks'> {
  return {
    timeline: nodesOf(activity.timelineActivities).map((node) => ({
      at: momentOf(node['happensAt']),
      what: textOf(node['name']) ?? 'change',
      about: textOf(node['linkedRecordCachedName']),
    })),
    notes: nodesOf(activity.noteTargets).flatMap(({ note }) => {
      const found = anyNode.safeParse(note).data
      return found
        ? [{ at: momentOf(found['createdAt']), title: textOf(found['title']), text: textOf(found['bodyV2'] ?? found['body']) }]
        : []
    }),
    tasks: nodesOf(activity.taskTargets).flatMap(({ task }) => {
      const found = anyNode.safeParse(task).data
      if (!found) return []
      const text = textOf(found['bodyV2'] ?? found['body'])
      return [{ title: textOf(found['title']), status: textOf(found['status']), dueAt: momentOf(found['dueAt']), text }]
    }),
  }
}
