import { AppError } from '../../../kernel/errors.ts'
import { acquireLease } from '../../../ports/lease.ts'
import { asService } from '../../../ports/record-access.ts'
import { leadOfCall } from '../lead-of-call.ts'
import type { CallPorts } from '../call-ports.ts'
import type { WorklistCallback } from './entry.ts'
import { changeEntry, entryIdOf } from './entry-store.ts'
import { dueTaskWrites, type QueuedWrite, retryTaskWrite, settleTaskWrite, taskIdOf, type TaskWrite } from './task-queue.ts'

export type WriteTasksPorts = Pick<
  CallPorts,
  'callbackTasks' | 'callRecords' | 'clock' | 'configuration' | 'leadRecords' | 'log' | 'notifications' | 'store'
>

/** The workspace has no API key, or no tasks: that is not corrected in seconds. */
const retryUnconfiguredMs = 15 * 60_000

/**
 * Writes the tasks of scheduled callbacks to the platform, and resolves to their number. One instance at a time does it. A write that fails
 * is repeated ever more rarely for a week. Errors: STORE_UNAVAILABLE.
 */
export async function writeTasks(ports: WriteTasksPorts): Promise<number> {
  const { store, log } = ports
  if ((await dueTaskWrites(ports)).length === 0) return 0
  await using lease = await acquireLease(store, 'callback-tasks-lease', { log })
  if (!lease) return 0
  let written = 0
  for (const queued of await dueTaskWrites(ports)) {
    if (lease.lost.aborted) return written
    written += (await writeOne(ports, queued)) ? 1 : 0
  }
  return written
}

async function writeOne(ports: WriteTasksPorts, queued: QueuedWrite): Promise<boolean> {
  const { workspaceId } = queued.write
  try {
    await writeTask(ports, queued.write)
    if (await settleTaskWrite(ports, queued)) await markWritten(ports, queued.write)
    return true
  } catch (error) {
    const reason = error instanceof AppError ? error.reason : 'UNKNOWN'
    ports.log.warn({ workspaceId, reason }, 'callback-task.not-written')
    await retryTaskWrite(ports, queued, reason === 'NOT_CONFIGURED' ? retryUnconfiguredMs : undefined)
    return false
  }
}

async function writeTask(ports: WriteTasksPorts, write: TaskWrite): Promise<void> {
  const { callbackTasks } = ports
  const { workspaceId, ucid, phoneNumber, isNew, initial, changes } = write
  const access = asService(workspaceId, 'WEBHOOKS')
  const id = taskIdOf(write)
  if (isNew) {
    const leadId = write.leadId ?? (await leadOfCall(ports, { workspaceId, ucid }, 'INSIGHTS'))
    const lead = leadId === null ? null : await ports.leadRecords.byId(access, leadId)
    const title = `Call back ${lead?.name ?? phoneNumber}`
    const { created } = await callbackTasks.create(access, { id, title, leadId, ...initial, ...changes })
    if (created) return
  }
  await callbackTasks.update(access, id, changes)
}

/**
 * From now on the platform's state of the task counts, unless the callback was moved or assigned since the write was queued: then another
 * write follows.
 */
async function markWritten(ports: WriteTasksPorts, { workspaceId, ucid, phoneNumber, initial, changes }: TaskWrite): Promise<void> {
  const key = { workspaceId, id: entryIdOf(workspaceId, phoneNumber) }
  const { dueAt, assigneeId } = { ...initial, ...changes }
  const isWritten = (callback: WorklistCallback): boolean =>
    callback.ucid === ucid &&
    (dueAt === undefined || callback.at === dueAt) &&
    (assigneeId === undefined || callback.assigneeId === assigneeId)
  await changeEntry(ports, key, (entry) => ({
    ...entry,
    callbacks: entry.callbacks.map((callback) => (isWritten(callback) ? { ...callback, isWritten: true } : callback)),
  })).catch((error: unknown) => {
    if (!(error instanceof AppError && error.reason === 'NOT_FOUND')) throw error
  })
}
