import { createHash, randomUUID } from 'node:crypto'

export const newId: () => string = randomUUID

/** The same UUID (version 5, as the platform takes it) for the same parts, so that a repeated create or event is recognised. */
export function derivedId(...parts: readonly string[]): string {
  const digest = createHash('sha1').update(JSON.stringify(parts)).digest()
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80
  const hex = digest.toString('hex', 0, 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
