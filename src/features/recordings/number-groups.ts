export type Span = { readonly from: number; readonly to: number }
/** Figures without anything between them. `separator`: what stands before them. */
export type Group = Span & { readonly digits: string; readonly separator: string }
export type Groups = readonly Group[]

/** Also in a list of readings. */
const listSeparators = /^[\s\p{Cf}.,।()/+–-]{1,3}$/u
/** In numbers that are no list. */
const lightSeparators = /^(?:[\s\p{Cf}()+–-]{1,3}|,)$/u
const years = /^(?:19|20)\d\d$/

/** As amounts and counts are. */
export function isRound(groups: Groups): boolean {
  const all = groups.map(({ digits }) => digits)
  return all.length === 1 ? /^\d{3,4}0000$/.test(all[0] ?? '') : all.every((digits) => /^\d+00$/.test(digits))
}

/** As readings of the same thing are: 98 97 96 97 99. */
export function areAlike(groups: Groups): boolean {
  const values = groups.map(({ digits }) => Number(digits))
  return groups.length > 2 && Math.max(...values) - Math.min(...values) <= 15
}

/** As the rooms of a floor, or the weights of a child: the largest is not twice the smallest. */
export function areNear(groups: Groups): boolean {
  const values = groups.map(({ digits }) => Number(digits))
  return groups.length > 2 && Math.max(...values) < 2 * Math.min(...values)
}

/** As the pulse of a night is. */
export function areNearPairs(groups: Groups): boolean {
  return groups.every(({ digits }) => digits.length === 2) && areNear(groups)
}

/** As readings of one thing are, and not a pulse and then a phone number. */
export function areOfOneKind(groups: Groups): boolean {
  const lengths = groups.map(({ digits }) => digits.length)
  return Math.max(...lengths) - Math.min(...lengths) <= 1
}

export function areYears(groups: Groups): boolean {
  return groups.filter(isLong).every(({ digits }) => years.test(digits)) && groups.some(isLong)
}

export function isEven([, ...others]: Groups): boolean {
  return new Set(others.map(({ separator }) => separator.trim())).size === 1
}

export function isLong({ digits }: Group): boolean {
  return digits.length >= 4
}

export function isList([, ...others]: Groups): boolean {
  return others.every(({ separator }) => listSeparators.test(separator))
}

export function areDotted([, ...others]: Groups): boolean {
  return others.every(({ separator }) => separator === '.')
}

export function lengthsOf(groups: Groups): string {
  return groups.map(({ digits }) => digits.length).join(' ')
}

export function isLight([, ...others]: Groups): boolean {
  return others.every(({ separator }) => lightSeparators.test(separator))
}

export function digitsOf(groups: Groups): string {
  return groups.map(({ digits }) => digits).join('')
}
