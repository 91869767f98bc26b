import { deadlineSignal } from '../../../kernel/deadlines.ts'
import type { Actor } from '../../../access/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { CallbackTask } from '../../../ports/callback-tasks.ts'
import { asPerson, asService } from '../../../ports/record-access.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { remaining, type WorklistAssignee, type WorklistEntry } from '../worklist-entries/entry.ts'
import { changeEntry, nowIn } from '../worklist-entries/entry-store.ts'
import { taskIdOf } from '../worklist-entries/task-queue.ts'

export type RefreshTasksPorts = Pick<CallPorts, 'callbackTasks' | 'clock' | 'log' | 'notifications' | 'store' | 'teamAgents'>

/** Of one request, as the port allows. */
const mostAtOnce = 60
/** For the entries of a page: `listWorklist` reads 201 at once, and most have one callback. */
const mostRequests = 5
/** An agent waits for the answer; the service's requests may wait for the API key's limit. */
const servicePatienceMs = 1_500

/**
 * The entries as the tasks on the platform are now: a task that was completed or deleted there is no reason to call any more, and due time
 * and assignee follow it. Entries stay as they are stored if the platform is away or the actor may not read tasks; at most 300 tasks are read, those of the
 * first entries. Errors: STORE_UNAVAILABLE.
 */
export async function refreshTasks(
  ports: RefreshTasksPorts,
  actor: Actor,
  entries: readonly WorklistEntry[],
): Promise<readonly WorklistEntry[]> {
  const { workspaceId, isLastKnown } = actor.principal
  if (isLastKnown === true) return entries
  const ids = entries.flatMap(writtenTaskIds(workspaceId))
  const pieces = Array.from({ length: mostRequests }, (_, index) => ids.slice(index * mostAtOnce, (index + 1) * mostAtOnce))
  const read = await Promise.all(pieces.filter((piece) => piece.length > 0).map((piece) => readTasks(ports, actor, piece)))
  const tasks = new Map(read.flatMap((one) => [...one.tasks]))
  const asked = new Set(read.flatMap((one) => [...one.asked]))
  return Promise.all(
    entries.map(async (entry) => (hasChanged(workspaceId, entry, { tasks, asked }) ? apply(ports, actor, { entry, tasks, asked }) : entry)),
  )
}

/**
 * The actor's role may see some tasks only, and the entries are those of the whole workspace. So a task is missing only if the service finds none either;
 * if the service cannot read, it counts as not asked for.
 */
async function readTasks(ports: RefreshTasksPorts, { principal, accessToken }: Actor, ids: readonly string[]): Promise<Read> {
  const { workspaceId } = principal
  const { callbackTasks, log } = ports
  const note = (error: unknown): null => {
    log.warn({ workspaceId, reason: error instanceof AppError ? error.reason : 'UNKNOWN' }, 'callback-tasks.not-read')
    return null
  }
  const tasks = await callbackTasks.byIds(asPerson(workspaceId, accessToken), ids).catch(note)
  if (tasks === null) return { tasks: new Map(), asked: new Set() }
  const missing = ids.filter((id) => !tasks.has(id))
  if (missing.length === 0) return { tasks, asked: new Set(ids) }
  // What is written of calls goes first: without this answer, the entries stay as they are stored.
  const service = asService(workspaceId, 'RETRIES')
  const others = await callbackTasks.byIds(service, missing, deadlineSignal(servicePatienceMs)).catch(note)
  return others === null ? { tasks, asked: new Set(tasks.keys()) } : { tasks: new Map([...tasks, ...others]), asked: new Set(ids) }
}

type Tasks = ReadonlyMap<string, CallbackTask>
/** `asked`: the tasks that are known; those of them without a value are gone. */
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
    // Somebody changed them since: what was read may be older.
    if (JSON.stringify(entry.callbacks) !== JSON.stringify(callbacks)) return entry
    const current = callbacksAsRead(workspaceId, entry, read)
    const isPostponed = current.some(({ ucid, at }) => entry.callbacks.some((known) => known.ucid === ucid && known.at !== at))
    return {
      ...remaining(entry, { missed: entry.missed, callbacks: current }, closed),
      ...(moved ? { assignee } : {}),
      // A change of the task is newer than what the manager set before.
      ...(isPostponed ? { dueAt: null, dueSetAt: null } : {}),
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
