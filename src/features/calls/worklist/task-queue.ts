import { z } from 'zod'
import { derivedId } from '../../../kernel/ids.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { CallKey } from '../call-state-store.ts'
import { changeJson } from '../stored-json.ts'

/**
 * Tasks of scheduled callbacks that are still to be written on the platform; stored for a week. Several changes of one task are one entry.
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

const ttlMs = 7 * 86_400_000
const maxPerRun = 20
/** So that a write that is refused for a week costs the workspace's API key some hundred requests. */
const retry = { firstMs: 30_000, longestMs: 15 * 60_000 }
const queueList = 'callback-tasks'

/** The id of a callback's task on the platform. It follows from the call, so that a repetition creates no second one. */
export function taskIdOf({ workspaceId, ucid }: CallKey): string {
  return derivedId('callback-task', workspaceId, ucid)
}

type NewTask = Person & Pick<TaskWrite, 'leadId' | 'initial' | 'changes'>

/**
 * Queues a task that may not exist yet. Changes that are queued already stay, for a task that they found missing too; `changes` come after them, and are
 * made if the task exists.
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
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  { workspaceId, ucid }: CallKey,
  next: (known: TaskWrite | null) => TaskWrite,
): Promise<void> {
  const member = JSON.stringify([workspaceId, ucid])
  await changeJson(store, keyOf(member), { schema: writeSchema, ttlMs, next })
  await store.sortedAdd(queueList, member, clock.now())
}

/** A write with its stored text. */
export type QueuedWrite = { readonly member: string; readonly write: TaskWrite; readonly text: string }

/** The writes that are due, at most 20. One in another form, which a newer version has written, is put off: it must not hold up the others. */
export async function dueTaskWrites({ store, clock }: Pick<Ports, 'store' | 'clock'>): Promise<readonly QueuedWrite[]> {
  const due = await store.sortedRange(queueList, { max: clock.now(), limit: maxPerRun })
  const found = await Promise.all(
    due.map(async ({ member }) => {
      const text = await store.get(keyOf(member))
      const write = text === null ? null : writeSchema.safeParse(JSON.parse(text)).data
      if (text === null) await store.sortedRemove(queueList, member)
      else if (!write) await store.sortedAdd(queueList, member, clock.now() + retry.longestMs)
      return text === null || !write ? null : { member, text, write }
    }),
  )
  return found.filter((queued) => queued !== null)
}

/** Removes a write that was made; false if the task was changed meanwhile, so that it is still to be written. */
export async function settleTaskWrite({ store, clock }: Pick<Ports, 'store' | 'clock'>, { member, text }: QueuedWrite): Promise<boolean> {
  const isSettled = await store.compareAndDelete(keyOf(member), text)
  await store.sortedRemove(queueList, member)
  if ((await store.get(keyOf(member))) !== null) await store.sortedAdd(queueList, member, clock.now())
  return isSettled
}

/** Puts a write off, the longer the older it is; `leastMs`: no less than this. */
export async function retryTaskWrite(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  { member, write }: QueuedWrite,
  leastMs = retry.firstMs,
): Promise<void> {
  const delayMs = Math.min(Math.max((clock.now() - write.queuedAt) / 4, leastMs), retry.longestMs)
  await store.sortedAdd(queueList, member, clock.now() + delayMs)
}

const keyOf = (member: string): string => `callback-task:${member}`
