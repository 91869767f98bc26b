import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { CallRecords } from '../../ports/call-records.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { DoctorRecords } from '../../ports/doctors.ts'
import type { LeadActivity, LeadActivityRecords } from '../../ports/insight-records.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { keysOf } from '../../kernel/typed-keys.ts'
import type { RecordAccess } from '../../ports/record-access.ts'
import { type ActivityRoot, anyNode, bodyOf, connection, leadColumn, nodesOf, root } from './activity-queries.ts'
import { momentOf, textOf } from './field-values.ts'
import { isPermissionDenied } from './failure.ts'
import { withId } from './filter.ts'
import { type NestedActivity, readNestedActivity } from './nested-activity.ts'
import type { ObjectShapes } from './object-shapes.ts'
import type { RecordGate } from './record-gate.ts'
import type { Row } from './record-object.ts'
import type { Records } from './records.ts'

const most = { timeline: 20, notes: 8, tasks: 8, calls: 10, visits: 20 }
const visitsSinceMs = 90 * 86_400_000
const separatelyForMs = 600_000

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
  const { calls, doctors, clock } = options
  // Platforms and roles that refuse nested lists.
  const separately = new LRUCache<string, true>({ max: 1_000, ttl: separatelyForMs })

  const nestedOf = async (access: RecordAccess, question: Question): Promise<NestedActivity | null | undefined> => {
    const key = `${access.workspaceId}:${access.kind}`
    if (separately.has(key)) return undefined
    return readNestedActivity(options, access, question).catch((error: unknown) => {
      if (!isRefused(error)) throw error
      separately.set(key, true)
      return undefined
    })
  }

  return {
    async read(access, leadId, signal) {
      const question = { leadId, signal, roots: await activityRoots(options, access) }
      const nested = await nestedOf(access, question)
      const row = nested === undefined ? await leadRow(options, access, question) : nested?.row
      if (!row) return null
      const from = isoMoment(clock.now() - visitsSinceMs)
      const [activity, lastCalls, visits] = await Promise.all([
        readActivity(options, access, { ...question, known: nested?.activity ?? {} }),
        nested?.calls?.slice(0, most.calls) ?? calls.ofLead(access, leadId, most.calls).catch(nullIfDenied),
        nested?.visits?.filter(({ startsAt }) => startsAt >= from).slice(0, most.visits) ??
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

type ActivityOptions = Parameters<typeof createLeadActivityRecords>[0]
type Activity = Partial<z.output<typeof activitySchema>>
type Question = { readonly leadId: string; readonly signal: AbortSignal | undefined; readonly roots: readonly ActivityRoot[] }

async function leadRow({ records }: ActivityOptions, access: RecordAccess, { leadId, signal }: Question): Promise<Row<'lead'> | undefined> {
  const query = { fields: ['name', 'status', 'source'], filter: () => withId(leadId), first: 1, ...(signal && { signal }) } as const
  return (await records.list(access, 'lead', query))[0]
}

/** The columns for a lead and the text fields differ between versions, so both are looked up. */
async function activityRoots({ shapes, configuration }: ActivityOptions, access: RecordAccess): Promise<readonly ActivityRoot[]> {
  const { objects } = await configuration.read(access.workspaceId, 'platform')
  const [timeline, noteTarget, taskTarget, note, task] = await Promise.all(
    ['TimelineActivity', 'NoteTarget', 'TaskTarget', 'Note', 'Task'].map((name) => shapes.of(access, name)),
  )
  const lead = objects.lead.singular
  return [
    {
      plural: 'timelineActivities',
      typeName: 'TimelineActivity',
      column: leadColumn(timeline, lead),
      selection: 'happensAt name linkedRecordCachedName',
      order: 'happensAt',
      first: most.timeline,
    },
    {
      plural: 'noteTargets',
      typeName: 'NoteTarget',
      column: leadColumn(noteTarget, lead),
      selection: `note { title createdAt ${bodyOf(note)} }`,
      order: 'createdAt',
      first: most.notes,
    },
    {
      plural: 'taskTargets',
      typeName: 'TaskTarget',
      column: leadColumn(taskTarget, lead),
      selection: `task { title status dueAt ${bodyOf(task)} }`,
      order: 'createdAt',
      first: most.tasks,
    },
  ]
}

/** Reads the activity objects that are not known yet. A part that the role may not read is null. */
async function readActivity(
  { gate }: ActivityOptions,
  access: RecordAccess,
  { leadId, signal, roots, known }: Question & { readonly known: NestedActivity['activity'] },
): Promise<Activity> {
  const fields = roots.flatMap((part) => (known[part.plural] ? [] : (root(part) ?? [])))
  if (fields.length === 0) return activitySchema.partial().parse(known)
  const document = `query LeadActivity($leadId: UUID!) { ${fields.join(' ')} }`
  const variables = { leadId }
  const answer = activitySchema.partial()
  const read = await gate({ access, document, variables, answer, cost: fields.length, partial: true, ...(signal && { signal }) })
  return { ...activitySchema.partial().parse(known), ...read }
}

function isRefused(error: unknown): boolean {
  return error instanceof AppError && (error.reason === 'PROVIDER_REFUSED' || isPermissionDenied(error))
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
