import type { Ports } from '../../ports/ports.ts'
import type { ClinicDay } from '../../kernel/clinic-day.ts'

/** Whether the store has all calls of a day. Errors of all functions: STORE_UNAVAILABLE. */

type StorePorts = Pick<Ports, 'store' | 'clock'>
type WorkspaceDay = { readonly workspaceId: string; readonly day: ClinicDay }

const storedSinceRetentionMs = 400 * 86_400_000
const rebuiltRetentionMs = 3 * 86_400_000

/** From when on (epoch milliseconds) the workspace's calls are stored here: the time of the first call of this function. */
export async function ensureStoredSince({ store, clock }: StorePorts, workspaceId: string): Promise<number> {
  const key = `supervision-stored-since:${workspaceId}`
  const known = await store.get(key)
  if (known !== null) return Number(known)
  await store.setIfAbsent(key, String(clock.now()), { ttlMs: storedSinceRetentionMs })
  return Number((await store.get(key)) ?? clock.now())
}

/** `since`: as `ensureStoredSince` returns it. */
export async function readCompleteness(
  ports: StorePorts,
  workspaceDay: WorkspaceDay,
): Promise<{ readonly isComplete: boolean; readonly since: number }> {
  const since = await ensureStoredSince(ports, workspaceDay.workspaceId)
  const isComplete = since <= workspaceDay.day.from || (await ports.store.get(rebuiltKey(workspaceDay, since))) !== null
  return { isComplete, since }
}

/** Records that the calls before `since` were read from the platform. */
export async function markDayRebuilt({ store }: Pick<Ports, 'store'>, workspaceDay: WorkspaceDay, since: number): Promise<void> {
  await store.set(rebuiltKey(workspaceDay, since), '1', { ttlMs: rebuiltRetentionMs })
}

/** Includes `since`, because a store that was lost lacks the day's calls again. */
function rebuiltKey({ workspaceId, day: { date, timeZone } }: WorkspaceDay, since: number): string {
  return `supervision-rebuilt:${workspaceId}:${date}:${timeZone}:${since}`
}
