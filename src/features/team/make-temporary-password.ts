import { randomInt } from 'node:crypto'

/** No characters that look alike in common fonts (0 O o, 1 I l i, 2 Z z, 5 S s, 8 B, u v, c C e). */
const small = 'abdfghjkmnpqrtwxy'
const large = 'ADEFGHJKLMNPQRTWXY'
const digits = '34679'
const all = small + large + digits
const length = 16

/** A password that is easy to dictate and to type: 16 letters and digits, at least one of each kind; about 85 bits. */
export function makeTemporaryPassword(): string {
  const characters = [small, large, digits].map(anyOf)
  while (characters.length < length) characters.push(anyOf(all))
  for (let last = length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1)
    const character = characters[last] ?? ''
    characters[last] = characters[other] ?? ''
    characters[other] = character
  }
  return characters.join('')
}

function anyOf(alphabet: string): string {
  return alphabet.charAt(randomInt(alphabet.length))
}
