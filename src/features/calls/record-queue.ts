import type { Ports } from '../../ports/ports.ts'
import type { CallKey } from './call-state-store.ts'

/**
 * Calls whose platform record is older than what we know. Several changes of one call are one entry, so that they become one write. An
 * entry that was taken and not settled, because its process died, comes back when the next one takes. Errors of all functions:
 * STORE_UNAVAILABLE.
 */

/** An entry becomes due after this time, so that further changes join it. */
const quietMs = 1_000
const maxEntries = 10_000
const workspaceList = 'call-records-workspaces'

/** Queues the call's record for writing. */
export async function queueRecord({ store, clock }: Pick<Ports, 'store' | 'clock'>, { workspaceId, ucid }: CallKey): Promise<void> {
  await noteWorkspace({ store, clock }, workspaceId)
  await store.sortedAdd(queuedList(workspaceId), ucid, clock.now() + quietMs)
}

/** Jobs that go through all workspaces then go through this one too. */
export async function noteWorkspace({ store, clock }: Pick<Ports, 'store' | 'clock'>, workspaceId: string): Promise<void> {
  await store.sortedAdd(workspaceList, workspaceId, clock.now())
}

/** Workspaces whose records were ever queued. */
export async function workspacesWithCalls({ store }: Pick<Ports, 'store'>): Promise<readonly string[]> {
  return (await store.sortedRange(workspaceList, { limit: maxEntries })).map(({ member }) => member)
}

/** Takes the UCIDs that are due, for the holder of the workspace's lease. A call that changes after this is a new entry. */
export async function takeQueued(ports: Pick<Ports, 'store' | 'clock'>, workspaceId: string, limit: number): Promise<readonly string[]> {
  const { store, clock } = ports
  await recoverAbandoned(ports, workspaceId)
  const due = (await store.sortedRange(queuedList(workspaceId), { max: clock.now(), limit })).map(({ member }) => member)
  for (const ucid of due) {
    await store.sortedAdd(takenList(workspaceId), ucid, clock.now())
    await store.sortedRemove(queuedList(workspaceId), ucid)
  }
  return due
}

/** Removes entries that were written. */
export async function settleQueued({ store }: Pick<Ports, 'store'>, workspaceId: string, ucids: readonly string[]): Promise<void> {
  for (const ucid of ucids) await store.sortedRemove(takenList(workspaceId), ucid)
}

/** Puts entries back that could not be written; they are due in `delayMs`. */
export async function requeue(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  workspaceId: string,
  { ucids, delayMs }: { readonly ucids: readonly string[]; readonly delayMs: number },
): Promise<void> {
  for (const ucid of ucids) {
    await store.sortedAdd(queuedList(workspaceId), ucid, clock.now() + delayMs)
    await store.sortedRemove(takenList(workspaceId), ucid)
  }
}

/** Only one process at a time takes: what another one has taken and not settled is nobody's. */
async function recoverAbandoned({ store, clock }: Pick<Ports, 'store' | 'clock'>, workspaceId: string): Promise<void> {
  const lost = await store.sortedRange(takenList(workspaceId), { limit: maxEntries })
  for (const { member } of lost) {
    await store.sortedAdd(queuedList(workspaceId), member, clock.now())
    await store.sortedRemove(takenList(workspaceId), member)
  }
}

const queuedList = (workspaceId: string): string => `call-records-queued:${workspaceId}`
const takenList = (workspaceId: string): string => `call-records-taken:${workspaceId}`
