import { z } from 'zod'
import type { Positioned } from '../../kernel/connection.ts'
import type { SortedMember, Store } from '../../ports/store.ts'

/** Pages of a sorted list of the store. */

export const sortedPosition = z.object({ score: z.number(), member: z.string() })

/** `order`: -1 for the highest score first. */
export type SortedPage = {
  readonly list: string
  readonly order: 1 | -1
  readonly after: SortedMember | null
  readonly count: number
}

/** As the store sorts: by score, then by the bytes of the member. */
export function compareSorted(one: SortedMember, other: SortedMember): number {
  return one.score - other.score || Buffer.compare(Buffer.from(one.member), Buffer.from(other.member))
}

/**
 * The next `count` entries of a list that begin after a position. `read` gets the entry of each member, or null if it is no longer stored:
 * then one more is read. Errors: STORE_UNAVAILABLE.
 */
export async function readSorted<Entry>(
  store: Store,
  { list, order, after, count }: SortedPage,
  read: (members: readonly string[]) => Promise<readonly (Entry | null)[]>,
): Promise<readonly Positioned<Entry, SortedMember>[]> {
  const found: Positioned<Entry, SortedMember>[] = []
  let last = after
  let limit = count + 1
  while (found.length < count) {
    const bound = last === null ? {} : order < 0 ? { max: last.score } : { min: last.score }
    const members = await store.sortedRange(list, { ...bound, limit, reverse: order < 0 })
    const passed = last
    const next = members.filter((member) => passed === null || compareSorted(member, passed) * order > 0)
    const entries = await read(next.map(({ member }) => member))
    for (const [index, node] of entries.entries()) {
      const position = next[index]
      if (node !== null && position) found.push({ node, position })
    }
    if (members.length < limit) break
    // More members than one read returns have the score of the last one.
    if (next.length === 0) limit *= 2
    last = next.at(-1) ?? last
  }
  return found.slice(0, count)
}
