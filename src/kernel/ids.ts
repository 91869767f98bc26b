import { createHash, hash, randomUUID } from 'node:crypto'

export const newId: () => string = randomUUID

/** Of this service: the same parts in another program's namespace give another id. */
const ownNamespace = '6a131fc7-4d38-4618-ae62-2ea50be2d644'

/** The same UUID for the same parts, so that a repeated create or event is recognised. */
export function derivedId(...parts: readonly string[]): string {
  return nameBasedUuid(ownNamespace, JSON.stringify(parts))
}

/** A UUID of version 5 (RFC 9562, 5.5). The platform refuses versions 6 to 8 (Twenty 2.21, recorded). */
export function nameBasedUuid(namespace: string, name: string): string {
  const digest = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80
  const hex = digest.toString('hex', 0, 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** Whether a text is a UUID that the platform takes: versions 1 to 5. It refuses a whole request for any other. */
export function isUuid(text: string): boolean {
  return uuidForm.test(text)
}

/** Whether a UUID is of the kind that `derivedId` makes. */
export function isDerivedId(uuid: string): boolean {
  return isUuid(uuid) && uuid[14] === '5'
}

/** A digest that identifies a secret (a token, a key), so that the secret itself is not stored. */
export function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url')
}
