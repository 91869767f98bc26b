import type { CallKey } from './call-state-store.ts'
import { remaining, type WorklistAssignee, type WorklistCallback, withCallback } from './worklist/entry.ts'
import { changeEntry, changePerson, entryIdOf, nowIn, readEntry, type WorklistStore } from './worklist/entry-store.ts'
import { readReached } from './worklist/last-reached.ts'
import { queueNewTask, queueTaskChange, queueTaskDone } from './worklist/task-queue.ts'

/**
 * Callbacks that agents promised with a disposition: each is a reason in the customer's worklist entry, and a task on the platform. Errors
 * of all functions: STORE_UNAVAILABLE.
 */

/** `ucid`: the call with whose disposition it was promised. `at`, `scheduledAt`: ISO 8601. */
export type NewCallback = Pick<WorklistCallback, 'ucid' | 'at' | 'scheduledAt' | 'leadId'> & {
  readonly phoneNumber: string
  /** The agent who promised it. */
  readonly assignee: WorklistAssignee | null
  /** Whether the disposition corrects another one of the call. */
  readonly isCorrection: boolean
}

/** Adds a callback, or moves the one that was promised with the same call. Repeatable: there is one task. */
export async function scheduleCallback(ports: WorklistStore, workspaceId: string, callback: NewCallback): Promise<void> {
  const { phoneNumber, ucid, at, scheduledAt, leadId, assignee, isCorrection } = callback
  const id = entryIdOf(workspaceId, phoneNumber)
  const reached = await readReached(ports, { workspaceId, id })
  // A repetition after the promise was kept.
  if (reached?.isOutbound && reached.ucid !== ucid && reached.at > scheduledAt) return
  const assigneeId = assignee?.memberId ?? null
  const { before, after } = await changePerson(ports, { workspaceId, phoneNumber }, (entry) =>
    withCallback(entry, { ucid, at, scheduledAt, leadId, assigneeId, isWritten: false }, assignee),
  )
  const key = { workspaceId, ucid, phoneNumber }
  const [known, stored] = [before, after].map((entry) => entry?.callbacks.find((other) => other.ucid === ucid))
  const dueAt = stored?.at ?? at
  await queueNewTask(ports, { ...key, leadId, initial: { dueAt, assigneeId } })
  // A former correction may have completed the task.
  if (isCorrection) await queueTaskChange(ports, key, { dueAt, status: 'TODO' })
  else if (known && known.at !== dueAt) await queueTaskChange(ports, key, { dueAt })
}

/** Removes the callback that was promised with a call's disposition, and completes its task. Nothing happens if there is none. Repeatable. */
export async function cancelCallback(ports: WorklistStore, person: CallKey & { readonly phoneNumber: string }): Promise<void> {
  const { workspaceId, ucid, phoneNumber } = person
  const key = { workspaceId, id: entryIdOf(workspaceId, phoneNumber) }
  const known = await readEntry(ports, key)
  if (!known?.callbacks.some((callback) => callback.ucid === ucid)) return
  await queueTaskDone(ports, person)
  const closed = { at: nowIn(ports), outcome: 'NOT_NEEDED', ucid: null, agentId: null } as const
  await changeEntry(ports, key, (entry) => {
    const callbacks = entry.callbacks.filter((callback) => callback.ucid !== ucid)
    return remaining(entry, { missed: entry.missed, callbacks }, closed)
  })
}
