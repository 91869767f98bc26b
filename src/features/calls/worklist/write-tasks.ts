import { AppError } from '../../../kernel/errors.ts'
import { itemOfPair } from '../../../ports/due/due-list.ts'
import { carryOverShared, type DueResult, type DueTask, eachAlone } from '../../../ports/due/due-work.ts'
import { asService } from '../../../ports/record-access.ts'
import { leadOfCall } from '../state/lead-of-call.ts'
import type { CallPorts } from '../state/call-ports.ts'
import type { CallKey } from '../state/call-state-store.ts'
import type { WorklistCallback } from '../worklist-entries/entry.ts'
import { changeEntry, entryIdOf } from '../worklist-entries/entry-store.ts'
import { queuedTaskWrites, readTaskWrite, settleTaskWrite, taskIdOf, type TaskWrite } from '../worklist-entries/task-queue.ts'

export type WriteTasksPorts = Pick<
  CallPorts,
  'callbackTasks' | 'callRecords' | 'clock' | 'configuration' | 'leadRecords' | 'log' | 'notifications' | 'store'
>

/** Of a workspace: they share its API key with what is more urgent. */
const atOnce = 2

/** Writes the tasks of scheduled callbacks to the platform. */
export function writeTasks(ports: WriteTasksPorts): DueTask {
  const list = queuedTaskWrites
  return {
    list,
    run: eachAlone(atOnce, ({ workspaceId, id: ucid }) => writeOne(ports, { workspaceId, ucid })),
    carryOver: () => carryOverShared(ports, list, { former: list.shared, itemIn: itemOfPair }),
  }
}

async function writeOne(ports: WriteTasksPorts, key: CallKey): Promise<DueResult> {
  const queued = await readTaskWrite(ports, key)
  if (!queued) return 'DONE'
  await writeTask(ports, queued.write)
  if (!(await settleTaskWrite(ports, queued))) return { again: ports.clock.now() }
  await markWritten(ports, queued.write)
  return 'DONE'
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
