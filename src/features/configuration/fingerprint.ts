import { createHmac } from 'node:crypto'
import type { FieldPath } from './document-values.ts'
import type { Target } from './section-codec.ts'

/**
 * Eight characters by which a manager sees whether a secret is still the same. The same secret has another fingerprint at another place. It
 * is keyed, so that nobody can use fingerprints to guess secrets.
 */
export function fingerprint(key: Uint8Array, secret: string, place: Target & { readonly path: FieldPath }): string {
  const { workspaceId, section, path } = place
  return createHmac('sha256', key)
    .update(JSON.stringify([workspaceId, section, path, secret]))
    .digest('hex')
    .slice(0, 8)
}
