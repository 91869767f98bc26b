import type { Ports } from '../../../ports/ports.ts'
import { readLiveCalls } from '../call-state-store.ts'

/** A report has at most two a minute, and each of these calls costs one. */
const maxPerRun = 2
const askAgainMs = 30 * 60_000
/** The provider's clock and ours differ, and its times are whole seconds. */
const toleranceMs = 30_000

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
    if (await ports.store.setIfAbsent(`call-record-asked:${workspaceId}:${ucid}`, '1', { ttlMs: askAgainMs })) starts.push(start)
  }
  return starts
}

/** The time in which the record of a call with this start is. */
export function aroundStart(start: number): { readonly from: number; readonly to: number } {
  return { from: start - toleranceMs, to: start + toleranceMs }
}
