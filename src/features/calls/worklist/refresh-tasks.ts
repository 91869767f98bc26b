import type { Actor } from '../../../access/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { CallbackTask } from '../../../ports/callback-tasks.ts'
import { asPerson } from '../../../ports/record-access.ts'
import type { CallPorts } from '../call-ports.ts'
import { remaining, type WorklistAssignee, type WorklistEntry } from './entry.ts'
import { changeEntry, nowIn } from './entry-store.ts'
import { taskIdOf } from './task-queue.ts'

export type RefreshTasksPorts = Pick<CallPorts, 'callbackTasks' | 'clock' | 'log' | 'notifications' | 'store' | 'teamAgents'>

const mostAtOnce = 60

/**
 * The entries as the tasks on the platform are now: a task that was completed or deleted there is no reason to call any more, and due time
 * and assignee follow it. Entries stay as they are stored if the platform is away or the actor may not read tasks. Errors: STORE_UNAVAILABLE.
 */
export async function refreshTasks(
  ports: RefreshTasksPorts,
  actor: Actor,
  entries: readonly WorklistEntry[],
): Promise<readonly WorklistEntry[]> {
  const { workspaceId } = actor.principal
  const ids = entries.flatMap(writtenTaskIds(workspaceId)).slice(0, mostAtOnce)
  const tasks = await readTasks(ports, actor, ids)
  const asked = new Set(ids)
  return Promise.all(
    entries.map(async (entry) => {
      const isAsked = writtenTaskIds(workspaceId)(entry).some((id) => asked.has(id))
      return tasks && isAsked && hasChanged(workspaceId, entry, { tasks, asked }) ? apply(ports, actor, { entry, tasks, asked }) : entry
    }),
  )
}

async function readTasks(
  { callbackTasks, log }: RefreshTasksPorts,
  { principal: { workspaceId }, accessToken }: Actor,
  ids: readonly string[],
): Promise<Tasks | null> {
  if (ids.length === 0) return null
  return callbackTasks.byIds(asPerson(workspaceId, accessToken), ids).catch((error: unknown) => {
    log.warn({ workspaceId, reason: error instanceof AppError ? error.reason : 'UNKNOWN' }, 'callback-tasks.not-read')
    return null
  })
}

type Tasks = ReadonlyMap<string, CallbackTask>
type Read = { readonly tasks: Tasks; readonly asked: ReadonlySet<string> }

function writtenTaskIds(workspaceId: string) {
  return ({ callbacks }: WorklistEntry): readonly string[] =>
    callbacks.filter(({ isWritten }) => isWritten).map(({ ucid }) => taskIdOf({ workspaceId, ucid }))
}

function hasChanged(workspaceId: string, entry: WorklistEntry, read: Read): boolean {
  return JSON.stringify(callbacksAsRead(workspaceId, entry, read)) !== JSON.stringify(entry.callbacks)
}

/** Without those whose task is done or gone. One that was not asked for, or is still to be written, stays as it is. */
function callbacksAsRead(workspaceId: string, { callbacks }: WorklistEntry, { tasks, asked }: Read): WorklistEntry['callbacks'] {
  return callbacks.flatMap((callback) => {
    const id = taskIdOf({ workspaceId, ucid: callback.ucid })
    if (!callback.isWritten || !asked.has(id)) return [callback]
    const task = tasks.get(id)
    if (!task || task.isDone) return []
    return [{ ...callback, at: task.dueAt ?? callback.at, assigneeId: task.assigneeId }]
  })
}

async function apply(
  ports: RefreshTasksPorts,
  actor: Actor,
  { entry: { id, callbacks }, ...read }: Read & { readonly entry: WorklistEntry },
): Promise<WorklistEntry> {
  const { workspaceId } = actor.principal
  const moved = callbacks.find(({ ucid, isWritten, assigneeId }) => {
    const task = read.tasks.get(taskIdOf({ workspaceId, ucid }))
    return isWritten && task !== undefined && task.assigneeId !== assigneeId
  })
  const assigneeId = moved && read.tasks.get(taskIdOf({ workspaceId, ucid: moved.ucid }))?.assigneeId
  const assignee = assigneeId ? await assigneeOf(ports, actor, assigneeId) : null
  const closed = { at: nowIn(ports), outcome: null, ucid: null, agentId: null }
  const { after } = await changeEntry(ports, { workspaceId, id }, (entry) => {
    const current = callbacksAsRead(workspaceId, entry, read)
    const isPostponed = current.some(({ ucid, at }) => entry.callbacks.some((known) => known.ucid === ucid && known.at !== at))
    return {
      ...remaining(entry, { missed: entry.missed, callbacks: current }, closed),
      ...(moved ? { assignee } : {}),
      // A change of the task is newer than what the manager set before.
      ...(isPostponed ? { dueAt: null } : {}),
    }
  })
  return after
}

async function assigneeOf(
  { teamAgents }: RefreshTasksPorts,
  { principal: { workspaceId }, accessToken }: Actor,
  memberId: string,
): Promise<WorklistAssignee> {
  const found = await teamAgents.ofMembers(asPerson(workspaceId, accessToken), [memberId]).catch(() => null)
  const agent = found?.get(memberId)
  return { memberId, agentId: agent?.id ?? null, name: agent?.name ?? null }
}
