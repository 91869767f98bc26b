import { z } from 'zod'
import type { Ports } from '../../../ports/ports.ts'
import { SortedList } from '../../../ports/stored/sorted-list.ts'

/** Calls that changed since the history counted them. Errors of all functions: STORE_UNAVAILABLE. */

/** `startedAt`: when the call began, or was thought to begin before the change. */
export type ChangedCall = { readonly ucid: string; readonly startedAt: string }

const memberSchema = z.tuple([z.string(), z.string()]).transform(([ucid, startedAt]): ChangedCall => ({ ucid, startedAt }))
const perRead = 5_000
const maxRead = 100_000

/** By when they changed. */
export const changedCalls = new SortedList({
  name: 'calls-changed',
  key: (workspaceId: string) => [workspaceId],
  lifetime: 31 * 86_400_000,
  about: 'call',
  what: 'calls that the history has not counted since their last change',
})

/** A call without a known start is counted nowhere. Repeatable. */
export async function noteChangedCall(
  ports: Pick<Ports, 'store' | 'clock'>,
  workspaceId: string,
  { ucid, startedAt }: { readonly ucid: string; readonly startedAt: string | null },
): Promise<void> {
  if (startedAt === null) return
  await changedCalls.add(ports, workspaceId, { member: JSON.stringify([ucid, startedAt]), score: ports.clock.now() })
}

/** Those that changed until then (epoch milliseconds), in that order, at most 100,000. `until`: the last moment of which all are read. */
export async function readChangedCalls(
  ports: Pick<Ports, 'store'>,
  workspaceId: string,
  until: number,
): Promise<{ readonly calls: readonly ChangedCall[]; readonly until: number }> {
  const calls: ChangedCall[] = []
  for (let offset = 0; ; offset += perRead) {
    const page = await changedCalls.range(ports, workspaceId, { max: until, limit: perRead, offset })
    // A note in another form is left out: it must not hold up the others.
    const notes = page.flatMap(({ member }) => memberSchema.safeParse(JSON.parse(member)).data ?? [])
    calls.push(...notes)
    if (page.length < perRead) return { calls, until }
    if (offset + perRead >= maxRead) return { calls, until: (page.at(-1)?.score ?? 0) - 1 }
  }
}

/** A call that changed again since then stays. */
export async function forgetChangedCalls(ports: Pick<Ports, 'store'>, workspaceId: string, until: number): Promise<void> {
  await changedCalls.trim(ports, workspaceId, until)
}
