import { randomInt } from 'node:crypto'

/** Nothing that looks like something else in common fonts: no 0 O o, 1 I l i, 2 Z z, 5 S s, 8 B, u v, c C e, and no vowels for words. */
const small = 'abdfghjkmnpqrtwxy'
const large = 'ADEFGHJKLMNPQRTWXY'
const digits = '34679'
const all = small + large + digits
const length = 16

/** A password to be read out or typed from a slip: 16 letters and digits, some of each kind, no look-alikes; about 85 bits. */
export function makeTemporaryPassword(): string {
  const characters = [small, large, digits].map(anyOf)
  while (characters.length < length) characters.push(anyOf(all))
  for (let last = length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1)
    const held = characters[last] ?? ''
    characters[last] = characters[other] ?? ''
    characters[other] = held
  }
  return characters.join('')
}

function anyOf(alphabet: string): string {
  return alphabet.charAt(randomInt(alphabet.length))
}
