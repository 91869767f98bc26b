import { hash } from 'node:crypto'

/** Identifies a stored value: another text has another version. */
export type Version = string

/**
 * SHA-1 in hexadecimal digits, which Redis computes too: a change sends forty characters, not the value that it
 * replaces.
 */
export function versionOf(text: string): Version {
  return hash('sha1', text, 'hex')
}

/**
 * Locks, caches, counters and sorted lists with expiry: what must be shared between instances and must outlive a
 * restart, but is no record of the platform. Every method is one atomic step, returns within its deadline (500 ms) or
 * throws STORE_UNAVAILABLE, and never reads or writes an expired entry. Values are opaque texts; keys are
 * `area:workspaceId:...`, and the declarations (`stored/`) say how long each area lives at most: a write of another
 * key, or with a longer `ttlMs`, throws. A `ttlMs` is rounded up to whole milliseconds, and to 1 at least. After
 * STORE_UNAVAILABLE a write may have been made (its answer was lost); only `setIfAbsent` guarantees that it is not made
 * after its deadline.
 */
export interface Store {
  get(key: string): Promise<string | null>
  /** One read for many keys, in their order. */
  getMany(keys: readonly string[]): Promise<readonly (string | null)[]>
  /** The value and when it expires (epoch milliseconds); `expiresAt` is null for an entry of an earlier version. */
  entry(key: string): Promise<{ value: string; expiresAt: number | null } | null>
  /** Without `ttlMs`, it lives as long as its area allows. */
  set(key: string, value: string, options?: { ttlMs?: number }): Promise<void>
  /**
   * Sets only if the key is free; true if it did. Not repeatable: after a lost answer, `get` shows whose value it is.
   */
  setIfAbsent(key: string, value: string, options: { ttlMs: number }): Promise<boolean>
  /**
   * Replaces exactly this version; the value expires `ttlMs` from now (the same value renews it). Never restores an
   * expired entry. `add` is added as by `sortedAdd` in the same step, if the value is replaced: both are made or
   * neither.
   */
  compareAndSet(key: string, change: { version: Version; value: string; ttlMs: number; add?: SortedEntry | null }): Promise<boolean>
  /** Deletes exactly this version. */
  compareAndDelete(key: string, version: Version): Promise<boolean>
  /** True if the key existed. */
  delete(key: string): Promise<boolean>
  /** Adds a whole number to a counter and returns its new value; `ttlMs` counts from the counter's first increment. */
  increment(key: string, by: number, options: { ttlMs: number }): Promise<number>
  /**
   * Puts a member into a sorted list, or moves it. Scores are epoch milliseconds: a member expires as long after them
   * as its area lives.
   */
  sortedAdd(list: string, member: string, score: number): Promise<void>
  /**
   * As `sortedAdd`, but a member with a lower score keeps that one but for a thousandth less: so a `sortedMove` from
   * the score that somebody has read before fails.
   */
  sortedAddLowest(list: string, member: string, score: number): Promise<void>
  /** Members by score (then by member), lowest first, or highest first with `reverse`; bounds are inclusive. */
  sortedRange(list: string, range: SortedRange): Promise<readonly SortedMember[]>
  /** How many members a sorted list has, or how many with a score up to `max`. */
  sortedCount(list: string, max?: number): Promise<number>
  /** True for the caller that removed it: at most one of many. */
  sortedRemove(list: string, member: string): Promise<boolean>
  /** Moves a member that has exactly this score; `to: null` removes it. False if it has another one, or is gone. */
  sortedMove(list: string, member: string, scores: { from: number; to: number | null }): Promise<boolean>
  /** Removes all with a score up to `max`; returns how many. */
  sortedTrim(list: string, max: number): Promise<number>
  /**
   * Some keys of one family (the first part of a key), in no order; one may come twice. `next`: where to read on; null
   * at the end. For the rare work that needs all of them: it reads past the others.
   */
  keys(family: string, after: string | null): Promise<{ readonly keys: readonly string[]; readonly next: string | null }>
  close(): Promise<void>
}

export type SortedRange = {
  readonly min?: number
  readonly max?: number
  readonly limit: number
  readonly offset?: number
  readonly reverse?: boolean
}
export type SortedEntry = SortedMember & { readonly list: string }
export type SortedMember = { readonly member: string; readonly score: number }
