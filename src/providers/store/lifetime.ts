/** The longest lifetime of a key in milliseconds; null for a key that must not be stored. */
export type RetentionOf = (key: string) => number | null

/** A mistake in the code, not an outage of the store. */
export class UndeclaredKey extends Error {}

/**
 * The lifetime of an entry: whole milliseconds, at least 1, so an entry with no time left expires after 1 ms. Without `ttlMs` it is the
 * longest lifetime of its key. Throws if the key has no retention, or a shorter one, or if its second part is empty, which is the workspace or
 * another owner, or its last: all are mistakes in the code, and under a key that lacks a part, workspaces or calls would share an entry.
 */
export function lifetimeOf(retentionOf: RetentionOf, key: string, ttlMs?: number): number {
  const longest = retentionOf(key)
  const [family, owner] = key.split(':', 2)
  if (longest === null)
    throw new UndeclaredKey(
      `Keys of ${family} are not declared: declare them (src/ports/stored), and add them to src/wiring/stored-values.ts`,
    )
  if (owner === '' || key.endsWith(':')) throw new UndeclaredKey(`A key of ${family} does not say whose entry it is`)
  const lifetime = Math.max(1, Math.ceil(ttlMs ?? longest))
  if (lifetime > longest) throw new UndeclaredKey(`An entry of ${family} lives longer than its declaration allows`)
  return lifetime
}
