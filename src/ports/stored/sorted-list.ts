import { z } from 'zod'
import type { Positioned } from '../../kernel/connection.ts'
import type { Ports } from '../ports.ts'
import type { SortedEntry, SortedMember, SortedRange } from '../store.ts'
import { type Declaration, keyText } from './declaration.ts'

/** Where a page of a list ends. */
export const sortedPosition = z.object({ score: z.number(), member: z.string() })

/** `order`: -1 for the highest score first. `after`: the position before the page; null for the first page. */
export type SortedPage = { readonly order: 1 | -1; readonly after: SortedMember | null; readonly count: number }

/** As the store sorts: by score, then by the bytes of the member. */
export function compareSorted(one: SortedMember, other: SortedMember): number {
  return one.score - other.score || Buffer.compare(Buffer.from(one.member), Buffer.from(other.member))
}

/** One kind of sorted list, one list for each key. Members are short texts; scores are epoch milliseconds. All methods throw STORE_UNAVAILABLE. */
export class SortedList<Key> {
  readonly declaration: Declaration<Key>

  constructor(declaration: Declaration<Key>) {
    this.declaration = declaration
  }

  /** Adds a member, or moves it. */
  add({ store }: Pick<Ports, 'store'>, key: Key, { member, score }: SortedMember): Promise<void> {
    return store.sortedAdd(this.keyText(key), member, score)
  }

  /** As `add`, but a member with a lower score keeps that one but for a thousandth less: a `move` from what was read before fails. */
  addLowest({ store }: Pick<Ports, 'store'>, key: Key, { member, score }: SortedMember): Promise<void> {
    return store.sortedAddLowest(this.keyText(key), member, score)
  }

  /** Moves a member that still has this score; `to: null` removes it. False if it has another one, or is gone. */
  move({ store }: Pick<Ports, 'store'>, key: Key, { member, score, to }: SortedMember & { readonly to: number | null }): Promise<boolean> {
    return store.sortedMove(this.keyText(key), member, { from: score, to })
  }

  /** What `add` adds, for the step of the change of a value. */
  entry(key: Key, { member, score }: SortedMember): SortedEntry {
    return { list: this.keyText(key), member, score }
  }

  range({ store }: Pick<Ports, 'store'>, key: Key, range: SortedRange): Promise<readonly SortedMember[]> {
    return store.sortedRange(this.keyText(key), range)
  }

  /** All, or those with a score up to `max`. */
  count({ store }: Pick<Ports, 'store'>, key: Key, max?: number): Promise<number> {
    return store.sortedCount(this.keyText(key), max)
  }

  /** True for the caller that removed it: at most one of many. */
  remove({ store }: Pick<Ports, 'store'>, key: Key, member: string): Promise<boolean> {
    return store.sortedRemove(this.keyText(key), member)
  }

  /** Removes all with a score up to `max`; returns how many. */
  trim({ store }: Pick<Ports, 'store'>, key: Key, max: number): Promise<number> {
    return store.sortedTrim(this.keyText(key), max)
  }

  /**
   * The next `count` entries after a position. `read` gets the entry of each member, or null if it is no longer stored: then one more is read.
   */
  async page<Entry>(
    ports: Pick<Ports, 'store'>,
    key: Key,
    { order, after, count, read }: SortedPage & { readonly read: (members: readonly string[]) => Promise<readonly (Entry | null)[]> },
  ): Promise<readonly Positioned<Entry, SortedMember>[]> {
    const found: Positioned<Entry, SortedMember>[] = []
    let last = after
    let limit = count + 1
    while (found.length < count) {
      const bound = last === null ? {} : order < 0 ? { max: last.score } : { min: last.score }
      const members = await this.range(ports, key, { ...bound, limit, reverse: order < 0 })
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

  /** The key of the store. */
  keyText(key: Key): string {
    return keyText(this.declaration, key)
  }
}
