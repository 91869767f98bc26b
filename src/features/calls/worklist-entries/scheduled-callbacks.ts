import type { CallKey } from '../state/call-state-store.ts'
import { remaining, type WorklistAssignee, type WorklistCallback, withCallback } from './entry.ts'
import { changeEntry, changePerson, entryIdOf, nowIn, readEntry, type WorklistStore } from './entry-store.ts'
import { readReached } from './last-reached.ts'
import { queueNewTask, queueTaskDone, type TaskValues } from './task-queue.ts'

/**
 * Callbacks that agents scheduled with a disposition: each is a reason in the customer's worklist entry, and a task on the platform. Errors
 * of all functions: STORE_UNAVAILABLE.
 */

/** `ucid`: the call with whose disposition it was scheduled. `at`, `scheduledAt`: ISO 8601. */
export type NewCallback = Pick<WorklistCallback, 'ucid' | 'at' | 'scheduledAt' | 'leadId'> & {
  readonly phoneNumber: string
  /** The agent who scheduled it. */
  readonly assignee: WorklistAssignee | null
  /** Whether the disposition corrects another one of the call. */
  readonly isCorrection: boolean
}

/** Adds a callback, or moves the one that was scheduled with the same call. Repeatable: there is one task, and what was finished since stays so. */
export async function scheduleCallback(ports: WorklistStore, workspaceId: string, callback: NewCallback): Promise<void> {
  const { phoneNumber, ucid, at, scheduledAt, leadId, assignee, isCorrection } = callback
  const id = entryIdOf(workspaceId, phoneNumber)
  const reached = await readReached(ports, { workspaceId, id })
  // The person was called back meanwhile.
  if (reached?.isOutbound && reached.ucid !== ucid && reached.at > scheduledAt) return
  const added = { ucid, at, scheduledAt, leadId, assigneeId: assignee?.memberId ?? null, isWritten: false }
  const { after } = await changePerson(ports, { workspaceId, phoneNumber }, (entry) => withCallback(entry, added, assignee))
  const stored = after.callbacks.find((other) => other.ucid === ucid)
  // A repetition: the callback is gone since, or the platform has its task.
  if (!stored || stored.isWritten) return
  const { at: dueAt, assigneeId } = stored
  // A former correction may have completed the task.
  const changes: TaskValues = { dueAt, ...(isCorrection && { status: 'TODO' }) }
  await queueNewTask(ports, { workspaceId, ucid, phoneNumber, leadId, initial: { dueAt, assigneeId }, changes })
}

/** Removes the callback that was scheduled with a call's disposition, and completes its task. Nothing happens if there is none. Repeatable. */
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
