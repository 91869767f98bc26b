import { createHmac } from 'node:crypto'
import type { Target } from './document-codec.ts'
import type { FieldPath } from './document-values.ts'

/** Eight characters by which a manager sees whether a secret is still the same; the same secret elsewhere has another. */
export type Fingerprint = (secret: string, place: Target & { readonly path: FieldPath }) => string

/** Keyed, so that nobody who sees fingerprints can try secrets against them. */
export function createFingerprint(key: Uint8Array): Fingerprint {
  return (secret, { workspaceId, section, path }) =>
    createHmac('sha256', key)
      .update(JSON.stringify([workspaceId, section, path, secret]))
      .digest('hex')
      .slice(0, 8)
}
