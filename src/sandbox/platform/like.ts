/** Characters to find one after the other; at the places in `anyAt` any character will do. */
type Piece = { readonly text: string; readonly anyAt: ReadonlySet<number> }

/**
 * SQL's LIKE: `%` any text, `_` any character, `\` takes the next as it is. Matched piece by piece, so that a pattern of many `%`
 * costs no more than its length.
 */
export function likeTest(pattern: string, ignoreCase: boolean): (text: string) => boolean {
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text)
  const pieces = piecesOf(fold(pattern))
  const [first, ...rest] = pieces
  const last = rest.pop()
  if (!first) return (text) => text === ''
  if (!last) return (text) => text.length === first.text.length && standsAt(fold(text), first, 0)
  return (given) => {
    const text = fold(given)
    if (!standsAt(text, first, 0)) return false
    let from = first.text.length
    for (const piece of rest) {
      const at = placeOf(text, piece, from)
      if (at < 0) return false
      from = at + piece.text.length
    }
    const end = text.length - last.text.length
    return end >= from && standsAt(text, last, end)
  }
}

function piecesOf(pattern: string): Piece[] {
  const pieces: { text: string; anyAt: Set<number> }[] = [{ text: '', anyAt: new Set() }]
  for (const [token] of pattern.matchAll(/\\?[\s\S]/g)) {
    const piece = pieces.at(-1)
    if (token === '%') pieces.push({ text: '', anyAt: new Set() })
    else if (piece) {
      if (token === '_') piece.anyAt.add(piece.text.length)
      piece.text += token.at(-1) ?? ''
    }
  }
  return pieces
}

function standsAt(text: string, { text: wanted, anyAt }: Piece, at: number): boolean {
  if (anyAt.size === 0) return text.startsWith(wanted, at)
  if (at + wanted.length > text.length) return false
  for (let index = 0; index < wanted.length; index += 1) {
    if (!anyAt.has(index) && text[at + index] !== wanted[index]) return false
  }
  return true
}

function placeOf(text: string, piece: Piece, from: number): number {
  if (piece.anyAt.size === 0) return text.indexOf(piece.text, from)
  for (let at = from; at + piece.text.length <= text.length; at += 1) if (standsAt(text, piece, at)) return at
  return -1
}
