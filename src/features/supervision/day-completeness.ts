import { z } from 'zod'
import type { Ports } from '../../ports/ports.ts'
import { Family } from '../../ports/stored/family.ts'
import type { ClinicDay } from '../../kernel/clinic-day.ts'

/** Whether the store has all calls of a day. Errors of all functions: STORE_UNAVAILABLE. */

type StorePorts = Pick<Ports, 'store' | 'clock'>
type WorkspaceDay = { readonly workspaceId: string; readonly day: ClinicDay }

/** Epoch milliseconds. */
export const storedSince = new Family({
  name: 'supervision-stored-since',
  key: (workspaceId: string) => [workspaceId],
  schema: z.number(),
  lifetime: 400 * 86_400_000,
  about: 'workspace',
  what: 'since when calls of a workspace are stored',
})

type RebuiltDay = WorkspaceDay & { readonly since: number }

/** Its key has `since`, because a store that was lost lacks the day's calls again. */
export const rebuiltDays = new Family({
  name: 'supervision-rebuilt',
  key: ({ workspaceId, day: { date, timeZone }, since }: RebuiltDay) => [workspaceId, date, timeZone, String(since)],
  schema: z.literal(1),
  lifetime: 3 * 86_400_000,
  about: 'workspace',
  what: 'a day that is rebuilt',
})

/** From when on (epoch milliseconds) the workspace's calls are stored here: the time of the first call of this function. */
export async function ensureStoredSince(ports: StorePorts, workspaceId: string): Promise<number> {
  const known = await storedSince.read(ports, workspaceId)
  if (known !== null) return known
  await storedSince.writeNew(ports, workspaceId, { value: ports.clock.now() })
  return (await storedSince.read(ports, workspaceId)) ?? ports.clock.now()
}

/** `since`: as `ensureStoredSince` returns it. */
export async function readCompleteness(
  ports: StorePorts,
  workspaceDay: WorkspaceDay,
): Promise<{ readonly isComplete: boolean; readonly since: number }> {
  const since = await ensureStoredSince(ports, workspaceDay.workspaceId)
  const isComplete = since <= workspaceDay.day.from || (await rebuiltDays.read(ports, { ...workspaceDay, since })) !== null
  return { isComplete, since }
}

/** Records that the calls before `since` were read from the platform. */
export async function markDayRebuilt(ports: Pick<Ports, 'store'>, workspaceDay: WorkspaceDay, since: number): Promise<void> {
  await rebuiltDays.write(ports, { ...workspaceDay, since }, { value: 1 })
}
