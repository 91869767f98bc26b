/**
 * Locks, caches, counters and sorted lists with expiry: what must be shared between instances and must outlive a restart, but is
 * no record of the platform. Every method is one atomic step, answers within its deadline (500 ms) or throws STORE_UNAVAILABLE,
 * and never reads or writes an entry whose time has run out. Values are opaque texts; keys are `area:workspaceId:...`. A `ttlMs` is
 * rounded up to whole milliseconds and to one at least. After STORE_UNAVAILABLE a write may have been made all the same (its answer
 * was lost); only `setIfAbsent` promises that it is not made later than its deadline.
 */
export interface Store {
  get(key: string): Promise<string | null>
  /** One read for many keys, in their order. */
  getMany(keys: readonly string[]): Promise<readonly (string | null)[]>
  /** The value and how long it still has; `expiresAt` is null for an entry that does not expire. */
  entry(key: string): Promise<{ value: string; expiresAt: number | null } | null>
  set(key: string, value: string, options?: { ttlMs?: number }): Promise<void>
  /** Sets only where nothing stands; true for the one that did. Not repeatable: ask with `get` whose it is after a lost answer. */
  setIfAbsent(key: string, value: string, options: { ttlMs: number }): Promise<boolean>
  /** Replaces only exactly `expected`, and gives it `ttlMs` from now (the same value renews). Never brings back what is gone. */
  compareAndSet(key: string, change: { expected: string; value: string; ttlMs: number }): Promise<boolean>
  /** Deletes only exactly `expected`. */
  compareAndDelete(key: string, expected: string): Promise<boolean>
  /** True where something stood. */
  delete(key: string): Promise<boolean>
  /** Adds a whole number to a counter and answers its new value; `ttlMs` counts from the counter's first increment. */
  increment(key: string, by: number, options: { ttlMs: number }): Promise<number>
  /** Puts a member into a sorted list, or moves it; scores are finite numbers, usually epoch milliseconds. */
  sortedAdd(list: string, member: string, score: number): Promise<void>
  /** Members by score (then by member), lowest first, or highest first with `reverse`; bounds are inclusive. */
  sortedRange(list: string, range: SortedRange): Promise<readonly SortedMember[]>
  /** True for the one that took it out: at most one of many callers. */
  sortedRemove(list: string, member: string): Promise<boolean>
  /** Takes out all with a score up to `max`; answers how many. */
  sortedTrim(list: string, max: number): Promise<number>
  /** Resolves where the store answers. */
  ping(): Promise<void>
  close(): Promise<void>
}

export type SortedRange = {
  readonly min?: number
  readonly max?: number
  readonly limit: number
  readonly offset?: number
  readonly reverse?: boolean
}
export type SortedMember = { readonly member: string; readonly score: number }
