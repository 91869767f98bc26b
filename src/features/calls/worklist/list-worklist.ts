import type { Actor } from '../../../access/actor.ts'
import type { CallPorts } from '../call-ports.ts'
import { watchActor } from '../../auth/watch-actor.ts'
import { liveStream } from '../live-stream.ts'
import { type ClaimCheck, dueAtOf, type WorklistEntry } from './entry.ts'
import { checkClaims, isOpen, readEntry, readOpenEntries, worklistTopic } from './entry-store.ts'
import { refreshTasks, type RefreshTasksPorts } from './refresh-tasks.ts'

/** An entry with what is needed to show it as it is now. */
export type ShownEntry = { readonly entry: WorklistEntry; readonly check: ClaimCheck }
export type WorklistPage = { readonly first: number; readonly includeLater: boolean }

/** A page has no more. All are read, because a task that was moved on the platform changes who is due. */
const maxRead = 200

/** The people to call back now, the first due first; with `includeLater` also those who are due later. Errors: STORE_UNAVAILABLE. */
export async function listWorklist(
  ports: RefreshTasksPorts,
  actor: Actor,
  { first, includeLater }: WorklistPage,
): Promise<readonly ShownEntry[]> {
  const { workspaceId } = actor.principal
  const now = ports.clock.now()
  const isDue = (entry: WorklistEntry): boolean => includeLater || Date.parse(dueAtOf(entry)) <= now
  const current = await refreshTasks(ports, actor, await readOpenEntries(ports, workspaceId, maxRead))
  const entries = current
    .filter((entry) => isOpen(entry) && isDue(entry))
    .toSorted((one, other) => dueAtOf(one).localeCompare(dueAtOf(other)))
    .slice(0, first)
  const check = await checkClaims(ports, workspaceId, entries)
  return entries.map((entry) => ({ entry, check }))
}

/** One entry, to show it. */
export async function shown(
  ports: Pick<CallPorts, 'clock' | 'store'>,
  { principal: { workspaceId } }: Actor,
  entry: WorklistEntry,
): Promise<ShownEntry> {
  return { entry, check: await checkClaims(ports, workspaceId, [entry]) }
}

export type WorklistEvent = ShownEntry & { readonly kind: 'SNAPSHOT' | 'CHANGED' }

/**
 * The first 200 open entries, also those that are due later, then every entry that changes or closes. Ends when `signal` aborts or the token
 * expires. Errors: OVERLOADED (read too slowly), STORE_UNAVAILABLE.
 */
export async function* followWorklist(
  ports: Pick<CallPorts, 'clock' | 'notifications' | 'principals' | 'store'>,
  actor: Actor,
  signal: AbortSignal,
): AsyncGenerator<WorklistEvent> {
  const { workspaceId } = actor.principal
  const changes = liveStream({
    notifications: ports.notifications,
    topic: worklistTopic,
    workspaceId,
    end: { signal, allowed: watchActor(ports, actor) },
    existing: async () => (await readOpenEntries(ports, workspaceId, maxRead)).map(({ id }) => id),
  })
  for await (const { key: id, isFirst } of changes) {
    const entry = await readEntry(ports, { workspaceId, id })
    if (entry) yield { ...(await shown(ports, actor, entry)), kind: isFirst ? 'SNAPSHOT' : 'CHANGED' }
  }
}
