/** The entries, each as the object that it was `before` if nothing in it is different: what depends on it is not drawn again then. */
export function unchanged<Entry>(entries: readonly Entry[], before: readonly Entry[]): readonly Entry[] {
  const known = new Map(before.map((entry) => [textOf(entry), entry]))
  return entries.map((entry) => known.get(textOf(entry)) ?? entry)
}

const texts = new WeakMap<object, string>()

/** Entries are never changed, so each is written once. */
function textOf(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return JSON.stringify(entry)
  const known = texts.get(entry)
  if (known !== undefined) return known
  const text = JSON.stringify(entry)
  texts.set(entry, text)
  return text
}
