/**
 * The known name that somebody most likely meant: at most two slips away (a letter left out, put in, changed, or two that changed places),
 * one where the name has fewer than six letters; null where none is so near.
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  const near = known.map((candidate) => ({ candidate, slips: slipsBetween(name, candidate) })).toSorted((a, b) => a.slips - b.slips)[0]
  return near && near.slips <= (near.candidate.length < 6 ? 1 : 2) ? near.candidate : null
}

/** The Damerau-Levenshtein distance, with neighbours changing places once at most. */
function slipsBetween(one: string, other: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)]
  for (const [row, character] of Array.from(one).entries()) {
    const next = [row + 1]
    for (const [column, target] of Array.from(other).entries()) {
      const changed = at(last, column) + Number(character !== target)
      const hasSwapped = row > 0 && column > 0 && character === other[column - 1] && one[row - 1] === target
      const swapped = hasSwapped ? at(beforeLast, column - 1) + 1 : changed
      next.push(Math.min(changed, swapped, at(last, column + 1) + 1, at(next, column) + 1))
    }
    beforeLast = last
    last = next
  }
  return at(last, other.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
