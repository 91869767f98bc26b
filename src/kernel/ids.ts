import { createHash, randomUUID } from 'node:crypto'

export const newId: () => string = randomUUID

/** The same UUID (version 8: our own digest) for the same parts, so that a repeated create or event is recognised. */
export function derivedId(...parts: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest()
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80
  const hex = digest.toString('hex', 0, 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** A digest that identifies a secret (a token, a key), so that the secret itself is not stored. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
