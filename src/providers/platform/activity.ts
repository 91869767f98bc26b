import { z } from 'zod'
import type { CallRecords } from '../../ports/call-records.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { DoctorRecords } from '../../ports/doctors.ts'
import type { LeadActivity, LeadActivityRecords } from '../../ports/insight-records.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { keysOf } from '../../kernel/typed-keys.ts'
import type { RecordAccess } from '../../ports/record-access.ts'
import { anyNode, bodyOf, connection, leadColumn, nodesOf, root } from './activity-queries.ts'
import { momentOf, textOf } from './field-values.ts'
import { isPermissionDenied } from './failure.ts'
import { withId } from './filter.ts'
import type { ObjectShapes } from './object-shapes.ts'
import type { RecordGate } from './record-gate.ts'
import type { Records } from './records.ts'

const most = { timeline: 20, notes: 8, tasks: 8, calls: 10, visits: 20 }
const visitsSinceMs = 90 * 86_400_000

const activitySchema = z.object({ timelineActivities: connection, noteTargets: connection, taskTargets: connection })

export function createLeadActivityRecords(options: {
  readonly records: Records
  readonly calls: CallRecords
  readonly doctors: DoctorRecords
  readonly gate: RecordGate
  readonly shapes: ObjectShapes
  readonly configuration: Configuration
  readonly clock: Clock
}): LeadActivityRecords {
  const { records, calls, doctors, clock } = options
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
        readActivity(options, access, { leadId, signal }),
        calls.ofLead(access, leadId, most.calls).catch(nullIfDenied),
        doctors.slots(access, { from, leadId, first: most.visits, signal }).catch(nullIfDenied),
      ])
      const { timelineActivities: TIMELINE, noteTargets: NOTES, taskTargets: TASKS } = activity
      const parts = { TIMELINE, NOTES, TASKS, CALLS: lastCalls, VISITS: visits }
      return {
        lead: { name: textOf(row.name), status: textOf(row.status), source: textOf(row.source) },
        calls: lastCalls ?? [],
        visits: visits ?? [],
        ...partsOf(activity),
        unavailable: keysOf(parts).filter((part) => parts[part] === null),
      }
    },
  }
}

type Activity = Partial<z.output<typeof activitySchema>>
type Question = { readonly leadId: string; readonly signal: AbortSignal | undefined }

/**
 * Reads the platform's activity objects. Their column for a lead and their text fields differ between versions, so both are looked up. A
 * part that the role may not read is null.
 */
async function readActivity(
  { gate, shapes, configuration }: Parameters<typeof createLeadActivityRecords>[0],
  access: RecordAccess,
  { leadId, signal }: Question,
): Promise<Activity> {
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
  const variables = { leadId }
  return gate({ access, document, variables, answer: activitySchema, cost: roots.length, partial: true, ...(signal && { signal }) })
}

function nullIfDenied(error: unknown): null {
  if (isPermissionDenied(error)) return null
  throw error
}

function partsOf(activity: Activity): Pick<LeadActivity, 'timeline' | 'notes' | 'tasks'> {
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
