/** The entries, each as the object that it was `before` if nothing in it is different: what depends on it is not drawn again then. */
export function unchanged<Entry>(entries: readonly Entry[], before: readonly Entry[]): readonly Entry[] {
  const known = new Map(before.map((entry) => [JSON.stringify(entry), entry]))
  return entries.map((entry) => known.get(JSON.stringify(entry)) ?? entry)
}
