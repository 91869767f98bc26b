import { z } from 'zod'
import { derivedId } from '../../../kernel/ids.ts'
import { DueList } from '../../../ports/due/due-list.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { Version } from '../../../ports/store.ts'
import { Family } from '../../../ports/stored/family.ts'
import type { CallKey } from '../state/call-state-store.ts'

/**
 * Tasks of scheduled callbacks that are still to be written on the platform. Several changes of one task are one entry.
 * Errors of all functions: STORE_UNAVAILABLE, OVERLOADED.
 */

const valuesSchema = z.object({
  dueAt: z.string().optional(),
  assigneeId: z.string().nullable().optional(),
  status: z.enum(['TODO', 'DONE']).optional(),
})
const writeSchema = z.object({
  workspaceId: z.string(),
  /** The call with whose disposition the callback was scheduled. */
  ucid: z.string(),
  phoneNumber: z.string(),
  leadId: z.string().nullable(),
  /** Whether the task may not exist yet. */
  isNew: z.boolean(),
  /** What has changed since the task was queued as new. */
  changes: valuesSchema,
  /** What the new task begins with. */
  initial: valuesSchema,
  /** When the last change was queued, epoch milliseconds. */
  queuedAt: z.number(),
})
export type TaskWrite = z.output<typeof writeSchema>
export type TaskValues = z.output<typeof valuesSchema>
type Person = CallKey & { readonly phoneNumber: string }

const dayMs = 86_400_000

export const taskWrites = new Family({
  name: 'callback-task',
  scope: 'installation',
  // As earlier versions wrote it.
  key: ({ workspaceId, ucid }: CallKey) => [JSON.stringify([workspaceId, ucid])],
  schema: writeSchema,
  // It is tried for a week; its dead letter can be written again for a month.
  lifetime: 37 * dayMs,
  about: 'person',
  what: 'a task of a scheduled callback to be written: number, lead',
})

export const queuedTaskWrites = new DueList({
  name: 'callback-tasks',
  about: 'call',
  what: 'tasks of scheduled callbacks to be written',
  // A write that is refused for a week costs the workspace's API key some hundred requests.
  retry: { firstMs: 30_000, longestMs: 15 * 60_000 },
  giveUpAfterMs: 7 * dayMs,
  batch: 20,
})

/**
 * The id of a callback's task on the platform. It follows from the call, so that a repetition creates no second one.
 */
export function taskIdOf({ workspaceId, ucid }: CallKey): string {
  return derivedId('callback-task', workspaceId, ucid)
}

type NewTask = Person & Pick<TaskWrite, 'leadId' | 'initial' | 'changes'>

/**
 * Queues a task that may not exist yet. Changes that are queued already stay, for a task that they found missing too;
 * `changes` come after them, and are made if the task exists.
 */
export async function queueNewTask(ports: Pick<Ports, 'store' | 'clock'>, { leadId, initial, changes, ...person }: NewTask): Promise<void> {
  const queuedAt = ports.clock.now()
  await queue(ports, person, (known) => ({
    ...person,
    leadId: known?.leadId ?? leadId,
    isNew: true,
    initial,
    changes: { ...known?.changes, ...changes },
    queuedAt,
  }))
}

export async function queueTaskChange(ports: Pick<Ports, 'store' | 'clock'>, person: Person, changes: TaskValues): Promise<void> {
  const queuedAt = ports.clock.now()
  await queue(ports, person, (known) =>
    known
      ? { ...known, changes: { ...known.changes, ...changes }, queuedAt }
      : { ...person, leadId: null, isNew: false, initial: {}, changes, queuedAt },
  )
}

export async function queueTaskDone(ports: Pick<Ports, 'store' | 'clock'>, person: Person): Promise<void> {
  await queueTaskChange(ports, person, { status: 'DONE' })
}

async function queue(
  ports: Pick<Ports, 'store' | 'clock'>,
  { workspaceId, ucid }: CallKey,
  next: (known: TaskWrite | null) => TaskWrite,
): Promise<void> {
  await taskWrites.change(ports, { workspaceId, ucid }, { next })
  await queuedTaskWrites.add(ports, { workspaceId, id: ucid }, ports.clock.now())
}

/** A write as it was read. */
export type QueuedWrite = { readonly key: CallKey; readonly write: TaskWrite; readonly version: Version }

/** Null if there is none. Throws if a newer version has written it in another form. */
export async function readTaskWrite(ports: Pick<Ports, 'store'>, key: CallKey): Promise<QueuedWrite | null> {
  const { value: write, version } = await taskWrites.readStored(ports, key)
  return write && version !== null ? { key, write, version } : null
}

/** Removes a write that was made; false if the task was changed meanwhile, so that it is still to be written. */
export function settleTaskWrite(ports: Pick<Ports, 'store'>, { key, version }: QueuedWrite): Promise<boolean> {
  return taskWrites.deleteVersion(ports, key, version)
}
