/** Rounds a lifetime for a store: whole milliseconds, at least 1, so an entry with no time left expires after 1 ms. */
export function wholeTtl(ttlMs: number): number {
  return Math.max(1, Math.ceil(ttlMs))
}
