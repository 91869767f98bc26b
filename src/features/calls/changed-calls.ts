import { z } from 'zod'
import type { Ports } from '../../ports/ports.ts'

/** Calls that changed since the history counted them. Errors of all functions: STORE_UNAVAILABLE. */

/** `startedAt`: when the call began, or was thought to begin before the change. */
export type ChangedCall = { readonly ucid: string; readonly startedAt: string }

const memberSchema = z.tuple([z.string(), z.string()]).transform(([ucid, startedAt]): ChangedCall => ({ ucid, startedAt }))
const perRead = 5_000
const maxRead = 100_000

/** A call without a known start is counted nowhere. Repeatable. */
export async function noteChangedCall(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  workspaceId: string,
  { ucid, startedAt }: { readonly ucid: string; readonly startedAt: string | null },
): Promise<void> {
  if (startedAt !== null) await store.sortedAdd(changedList(workspaceId), JSON.stringify([ucid, startedAt]), clock.now())
}

/** Those that changed until then (epoch milliseconds), in that order, at most 100,000. `until`: the last moment of which all are read. */
export async function readChangedCalls(
  { store }: Pick<Ports, 'store'>,
  workspaceId: string,
  until: number,
): Promise<{ readonly calls: readonly ChangedCall[]; readonly until: number }> {
  const calls: ChangedCall[] = []
  for (let offset = 0; ; offset += perRead) {
    const page = await store.sortedRange(changedList(workspaceId), { max: until, limit: perRead, offset })
    // A note in another form is left out: it must not hold up the others.
    const notes = page.flatMap(({ member }) => memberSchema.safeParse(JSON.parse(member)).data ?? [])
    calls.push(...notes)
    if (page.length < perRead) return { calls, until }
    if (offset + perRead >= maxRead) return { calls, until: (page.at(-1)?.score ?? 0) - 1 }
  }
}

/** A call that changed again since then stays. */
export async function forgetChangedCalls({ store }: Pick<Ports, 'store'>, workspaceId: string, until: number): Promise<void> {
  await store.sortedTrim(changedList(workspaceId), until)
}

const changedList = (workspaceId: string): string => `calls-changed:${workspaceId}`
