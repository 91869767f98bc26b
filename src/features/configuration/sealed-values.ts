import type { z } from 'zod'
import type { SecretBox } from '../../kernel/secrets.ts'
import { type DocumentValues, type FieldPath, valueAt, withValueAt } from './document-values.ts'
import { fieldsOf } from './section-fields.ts'

/** `name` is the document's. Each secret is sealed for its own place: a sealed text copied elsewhere does not open. */
export type Sealing = { readonly box: SecretBox; readonly schema: z.core.$ZodType; readonly name: string }

/** The same values twice. */
export type SealedAndOpen = { readonly sealed: DocumentValues; readonly open: DocumentValues }

/** Opens the secrets. Throws, naming the field, where one does not open. */
export function openSecrets({ box, schema, name }: Sealing, sealed: DocumentValues): DocumentValues {
  return secretPathsOf(schema, sealed).reduce<DocumentValues>((values, path) => {
    const text = valueAt(values, path) ?? null
    return text === null ? values : withValueAt(values, path, open({ box, text, place: placeOf(name, path), path }))
  }, sealed)
}

/** Seals the secrets; one that is the same in `former` keeps its sealed text. */
export function sealSecrets({ box, schema, name }: Sealing, values: DocumentValues, former: SealedAndOpen | null): DocumentValues {
  return secretPathsOf(schema, values).reduce<DocumentValues>((sealed, path) => {
    const text = valueAt(values, path)
    if (typeof text !== 'string') return sealed
    const kept = former && valueAt(former.open, path) === text ? valueAt(former.sealed, path) : undefined
    return withValueAt(sealed, path, kept ?? box.seal(text, placeOf(name, path)))
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
    throw new Error(`${path.join('.')}: holds a secret in clear; secrets are set through the API alone`)
  }
  try {
    return box.open(text, place)
  } catch (cause) {
    throw new Error(`${path.join('.')}: was sealed for another place or under another secrets key`, { cause })
  }
}
