import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { derivedId } from '../../kernel/ids.ts'
import type { CallbackTasks, NewCallbackTask } from '../../ports/callback-tasks.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { RecordAccess } from '../../ports/record-access.ts'
import { connection, leadColumn, nodesOf } from './activity-queries.ts'
import { platformErrorOf } from './failure.ts'
import { momentOf, textOf } from './field-values.ts'
import type { ObjectShapes } from './object-shapes.ts'
import type { RecordGate } from './record-gate.ts'
import { nodeSchema } from './record-object.ts'

/** The platform's longest page is longer; 60 keep the document's variables short. */
const mostAtOnce = 60

export function createCallbackTasks({
  gate,
  shapes,
  configuration,
}: {
  readonly gate: RecordGate
  readonly shapes: ObjectShapes
  readonly configuration: Configuration
}): CallbackTasks {
  const parts = { gate, shapes, configuration }
  return {
    async create(access, task) {
      const { title, leadId, id, status = 'TODO', dueAt, assigneeId } = task
      await assertTasks(shapes, access)
      const data = { id, title, status, ...(dueAt === undefined ? {} : { dueAt }) }
      const withAssignee = { ...data, ...(assigneeId ? { assigneeId } : {}) }
      const created = await createOne(gate, access, withAssignee).catch((error: unknown) => {
        // The member is gone (the platform answers with the text of its database's foreign key).
        if (!assigneeId || !isRefused(error)) throw error
        return createOne(gate, access, data)
      })
      if (leadId !== null) await link(parts, access, { ...task, leadId })
      return { created }
    },
    async update(access, id, { status, dueAt, assigneeId }) {
      const data = {
        ...(status === undefined ? {} : { status }),
        ...(dueAt === undefined ? {} : { dueAt }),
        ...(assigneeId === undefined ? {} : { assigneeId }),
      }
      if (Object.keys(data).length === 0) return
      const document = 'mutation($id: UUID!, $data: TaskUpdateInput!) { updateTask(id: $id, data: $data) { id } }'
      await gate({ access, document, variables: { id, data }, answer: z.object({ updateTask: nodeSchema.nullable() }) }).catch(
        ignoreMissing,
      )
    },
    async byIds(access, ids, signal) {
      if (ids.length === 0) return new Map()
      const document = `query CallbackTasks($ids: [UUID!]!) { tasks(filter: { id: { in: $ids } }, first: ${mostAtOnce}) {
    edges { node { id status dueAt assigneeId } } } }`
      const { tasks } = await gate({
        access,
        document,
        variables: { ids: ids.slice(0, mostAtOnce) },
        answer: z.object({ tasks: connection }),
        ...(signal && { signal }),
      })
      const found = nodesOf(tasks).map((node) => {
        const { id, status, dueAt, assigneeId } = node
        return [textOf(id) ?? '', { isDone: textOf(status) === 'DONE', dueAt: momentOf(dueAt), assigneeId: textOf(assigneeId) }] as const
      })
      return new Map(found)
    },
  }
}

async function assertTasks(shapes: ObjectShapes, access: RecordAccess): Promise<void> {
  if (await shapes.of(access, 'Task')) return
  throw new AppError('NOT_CONFIGURED', { detail: 'The workspace has no tasks' })
}

/** False if the task exists. */
async function createOne(gate: RecordGate, access: RecordAccess, data: Readonly<Record<string, unknown>>): Promise<boolean> {
  const document = 'mutation($data: TaskCreateInput!) { createTask(data: $data) { id } }'
  return gate({ access, document, variables: { data }, answer: z.object({ createTask: nodeSchema }) }).then(() => true, falseIfThere)
}

type Parts = { readonly gate: RecordGate; readonly shapes: ObjectShapes; readonly configuration: Configuration }

/** A request of its own: the platform runs the root fields of one mutation at the same time, and the task must exist first. */
async function link(
  { gate, shapes, configuration }: Parts,
  access: RecordAccess,
  { id, leadId }: NewCallbackTask & { readonly leadId: string },
): Promise<void> {
  const [{ objects }, shape] = await Promise.all([configuration.read(access.workspaceId, 'platform'), shapes.of(access, 'TaskTarget')])
  const column = leadColumn(shape, objects.lead.singular)
  if (column === null) return
  const document = 'mutation($data: TaskTargetCreateInput!) { createTaskTarget(data: $data) { id } }'
  const data = { id: derivedId('callback-task-target', access.workspaceId, id), taskId: id, [column]: leadId }
  const answer = z.object({ createTaskTarget: nodeSchema })
  await gate({ access, document, variables: { data }, answer }).then(undefined, (error: unknown) => {
    // The lead is gone for good: the task is still worth having.
    if (!isRefused(error)) falseIfThere(error)
  })
}

function falseIfThere(error: unknown): false {
  if (platformErrorOf(error)?.facts.kind !== 'DUPLICATE') throw error
  return false
}

function isRefused(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'PROVIDER_REFUSED' && platformErrorOf(error)?.facts.kind !== 'DUPLICATE'
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof AppError && error.reason === 'NOT_FOUND')) throw error
}
