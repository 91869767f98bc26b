/** The limit for one conversation. */
const maxShown = 500

/** Short names for the records that were shown in a conversation: D1, D2, S1. The model never sees ids. */
export type References = {
  /** The id of a reference; null if it was not shown. */
  idOf(reference: string): string | null
  /** The reference of an id, new if it was not shown before; null above the limit. */
  show(id: string): string | null
  /** In the order of their references. */
  readonly ids: readonly string[]
}

export function createReferences(prefix: string, shown: readonly string[]): References {
  const ids = [...shown]
  return {
    ids,
    idOf(reference) {
      const [, number] = new RegExp(`^\\s*${prefix}(\\d{1,4})\\s*$`, 'i').exec(reference) ?? []
      return number === undefined ? null : (ids[Number(number) - 1] ?? null)
    },
    show(id) {
      const at = ids.indexOf(id)
      if (at >= 0) return `${prefix}${at + 1}`
      return ids.length < maxShown ? `${prefix}${ids.push(id)}` : null
    },
  }
}
