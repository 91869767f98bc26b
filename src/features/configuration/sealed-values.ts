import type { z } from 'zod'
import type { SecretBox } from '../../kernel/secrets.ts'
import { type DocumentValues, type FieldPath, valueAt, withValueAt } from './document-values.ts'
import { fieldsOf } from './section-fields.ts'

/** `name`: the document's name. Each secret is sealed for its own place: a sealed text that is copied elsewhere does not open. */
export type Sealing = { readonly box: SecretBox; readonly schema: z.core.$ZodType; readonly name: string }

/** The same values, once with sealed secrets and once with open ones. */
export type SealedAndOpen = { readonly sealed: DocumentValues; readonly open: DocumentValues }

/** Opens the secrets. Throws, naming the field, if one does not open. */
export function openSecrets({ box, schema, name }: Sealing, sealed: DocumentValues): DocumentValues {
  return secretPathsOf(schema, sealed).reduce<DocumentValues>((values, path) => {
    const text = valueAt(values, path) ?? null
    return text === null ? values : withValueAt(values, path, open({ box, text, place: placeOf(name, path), path }))
  }, sealed)
}

/** Seals the secrets. A secret that is equal in `before` keeps its sealed text. */
export function sealSecrets({ box, schema, name }: Sealing, values: DocumentValues, before: SealedAndOpen | null): DocumentValues {
  return secretPathsOf(schema, values).reduce<DocumentValues>((sealed, path) => {
    const text = valueAt(values, path)
    if (typeof text !== 'string') return sealed
    const unchanged = before && valueAt(before.open, path) === text ? valueAt(before.sealed, path) : undefined
    return withValueAt(sealed, path, unchanged ?? box.seal(text, placeOf(name, path)))
  }, values)
}

function secretPathsOf(schema: z.core.$ZodType, values: DocumentValues): FieldPath[] {
  return fieldsOf(schema, values).flatMap(({ path, secret }) => (secret ? [path] : []))
}

function placeOf(name: string, path: FieldPath): string {
  return `configuration/${name}/${path.join('.')}`
}

type Sealed = { readonly box: SecretBox; readonly text: unknown; readonly place: string; readonly path: FieldPath }

function open({ box, text, place, path }: Sealed): string {
  if (typeof text !== 'string' || !text.startsWith('v1.')) {
    throw new Error(`${path.join('.')}: has a secret in clear; set secrets only through the API`)
  }
  try {
    return box.open(text, place)
  } catch (cause) {
    throw new Error(`${path.join('.')}: was sealed for another place or with another secrets key`, { cause })
  }
}
