/** A lifetime as stores keep it: whole milliseconds, at least one (what has no time left is gone a millisecond later). */
export function wholeTtl(ttlMs: number): number {
  return Math.max(1, Math.ceil(ttlMs))
}
