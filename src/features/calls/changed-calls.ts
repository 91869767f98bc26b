import { z } from 'zod'
import type { Ports } from '../../ports/ports.ts'

/** Calls that changed since the history counted them. Errors of all functions: STORE_UNAVAILABLE. */

/** `startedAt`: when the call began, or was thought to begin before the change. */
export type ChangedCall = { readonly ucid: string; readonly startedAt: string }

const memberSchema = z.tuple([z.string(), z.string()])
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
  while (calls.length < maxRead) {
    const page = await store.sortedRange(changedList(workspaceId), { max: until, limit: perRead, offset: calls.length })
    for (const { member } of page) {
      const [ucid, startedAt] = memberSchema.parse(JSON.parse(member))
      calls.push({ ucid, startedAt })
    }
    if (page.length < perRead) return { calls, until }
    if (calls.length >= maxRead) return { calls, until: (page.at(-1)?.score ?? 0) - 1 }
  }
  return { calls, until }
}

/** A call that changed again since then stays. */
export async function forgetChangedCalls({ store }: Pick<Ports, 'store'>, workspaceId: string, until: number): Promise<void> {
  await store.sortedTrim(changedList(workspaceId), until)
}

const changedList = (workspaceId: string): string => `calls-changed:${workspaceId}`
