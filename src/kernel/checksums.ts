/** ISO/IEC 7812-1 (payment cards): whether the last of these digits checks the others. */
export function isLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, place) => {
      const value = Number(digit) * (place % 2 === 0 ? 1 : 2)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0
}

/** J. Verhoeff, 1969 (Aadhaar): whether the last of these digits checks the others. */
export function isVerhoeff(digits: string): boolean {
  const permuted = (value: number, times: number): number => (times === 0 ? value : permuted(permutation[value] ?? 0, times - 1))
  return (
    Array.from(digits)
      .toReversed()
      .reduce((check, digit, place) => product(check, permuted(Number(digit), place % 8)), 0) === 0
  )
}

const permutation = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]

/** In the dihedral group of the pentagon: 0 to 4 turn it, 5 to 9 turn it over first. */
function product(one: number, other: number): number {
  const turned = one < 5 ? one + other : one - other
  const isTurnedOver = one >= 5 !== other >= 5
  return (((turned % 5) + 5) % 5) + (isTurnedOver ? 5 : 0)
}
