/** What the service sent. */
export type Identified = { readonly id: string }

/** The entries, each as the object that it was `before` if nothing in it is different: what depends on it is not drawn again then. */
export function unchanged<Entry extends Identified>(entries: readonly Entry[], before: readonly Entry[]): readonly Entry[] {
  const known = new Map(before.map((entry) => [entry.id, entry]))
  return entries.map((entry) => {
    const former = known.get(entry.id)
    return former !== undefined && isSame(entry, former) ? former : entry
  })
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (!isObject(one) || !isObject(other)) return false
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
