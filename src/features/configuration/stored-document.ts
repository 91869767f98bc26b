import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type DocumentValues, valueAt } from './document-values.ts'
import { fieldsOf } from './section-fields.ts'

export const changeActions = ['SEEDED', 'SAVED', 'RESET', 'RESTORED', 'EDITED_BY_HAND'] as const
export type ChangeAction = (typeof changeActions)[number]

/** The member who made a change. */
export type Editor = { readonly memberId: string; readonly name: string }

const sealedValues = z.record(z.string(), z.unknown())
const revisionSchema = z.strictObject({
  version: z.int().min(1),
  changedAt: z.iso.datetime(),
  /** Null: the service itself, or somebody who edited the file. */
  changedBy: z.strictObject({ memberId: z.string(), name: z.string() }).nullable(),
  action: z.enum(changeActions),
  /** Dotted paths. */
  fields: z.array(z.string()),
  values: sealedValues,
})

/** One state of a section; its values as they lie in the store, secrets sealed. */
export type Revision = z.output<typeof revisionSchema>

/**
 * A section as it lies in the store. `values` is what counts and what a person may edit; the first entry of `history` is the same state
 * as the service wrote it, so an edit by hand shows as a difference between the two.
 */
const storedSchema = z.strictObject({ values: sealedValues, history: z.tuple([revisionSchema], revisionSchema) })
export type StoredDocument = z.output<typeof storedSchema>

const keptRevisions = 50

/** Reads a stored text; the error says what is wrong with it, never a value. */
export function parseStored(text: string): StoredDocument {
  return storedSchema.parse(JSON.parse(text))
}

export function printStored(document: StoredDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

export function wasEditedByHand({ values, history }: StoredDocument): boolean {
  return !isDeepStrictEqual(values, history[0].values)
}

/** The document with one more state in front; the oldest leaves when there are too many. */
export function withRevision(document: StoredDocument | null, revision: Revision): StoredDocument {
  return { values: revision.values, history: [revision, ...(document?.history.slice(0, keptRevisions - 1) ?? [])] }
}

/** Dotted paths of the fields that differ between two states, both sealed or both open. */
export function changedFields(schema: z.core.$ZodType, before: DocumentValues, after: DocumentValues): string[] {
  const paths = [...fieldsOf(schema, before), ...fieldsOf(schema, after)].map(({ path }) => path)
  const changed = paths.filter((path) => !isDeepStrictEqual(valueAt(before, path), valueAt(after, path)))
  return [...new Set(changed.map((path) => path.join('.')))]
}
