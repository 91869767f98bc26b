import { z } from 'zod'
import type { Ports } from '../../../ports/ports.ts'
import { Family } from '../../../ports/stored/family.ts'
import { type CallKey, readLiveCalls } from '../state/call-state-store.ts'

/** A report has at most two a minute, and each of these calls costs one. */
const maxPerRun = 2
/** The provider's clock and ours differ, and its times are whole seconds. */
const toleranceMs = 30_000

/** No record is read again as long as it is marked. */
export const recordsAsked = new Family({
  name: 'call-record-asked',
  key: ({ workspaceId, ucid }: CallKey) => [workspaceId, ucid],
  schema: z.literal(1),
  lifetime: 30 * 60_000,
  about: 'call',
  what: "when the provider's record of a long call was read",
})

/**
 * When those calls began (epoch milliseconds) that are live here and began before a comparison's time: it would never find that they have
 * ended. Each at most every half hour. Errors: STORE_UNAVAILABLE.
 */
export async function startsOfLongCalls(
  ports: Pick<Ports, 'clock' | 'store'>,
  { workspaceId, provider }: { readonly workspaceId: string; readonly provider: string },
  before: number,
): Promise<number[]> {
  const live = await readLiveCalls(ports, workspaceId)
  const starts: number[] = []
  for (const { ucid, startedAt, provider: own } of live) {
    const start = startedAt === null ? before : Date.parse(startedAt)
    if (start >= before || own !== provider) continue
    if (starts.length === maxPerRun) break
    if (await recordsAsked.writeNew(ports, { workspaceId, ucid }, { value: 1 })) starts.push(start)
  }
  return starts
}

/** The time in which the record of a call with this start is. */
export function aroundStart(start: number): { readonly from: number; readonly to: number } {
  return { from: start - toleranceMs, to: start + toleranceMs }
}
