/** More than this is not shown in one talk. */
const mostShown = 500

/** The short names by which the model knows what was shown in a talk: D1, D2, S1. Ids never reach it. */
export type References = {
  /** The id that a reference stands for; null where none such was shown. */
  idOf(reference: string): string | null
  /** The reference of an id, a new one where it was not shown before; null where too much was shown already. */
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
      return ids.length < mostShown ? `${prefix}${ids.push(id)}` : null
    },
  }
}
