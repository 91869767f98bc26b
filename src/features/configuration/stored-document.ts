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
  /** Null: the service itself, or a person who edited the file. */
  changedBy: z.strictObject({ memberId: z.string(), name: z.string() }).nullable(),
  action: z.enum(changeActions),
  /** Dotted paths. */
  fields: z.array(z.string()),
  values: sealedValues,
})

/** One state of a section, with its secrets sealed. */
export type Revision = z.output<typeof revisionSchema>

/**
 * A section in the store. `values` are its current values; a person may edit them. The first entry of `history` is the same state as the
 * service wrote it, so an edit by hand is a difference between the two.
 */
const storedSchema = z.strictObject({ values: sealedValues, history: z.tuple([revisionSchema], revisionSchema) })
export type StoredDocument = z.output<typeof storedSchema>

const maxRevisions = 50

/** Parses a stored text. The error says what is wrong with it and contains no value. */
export function parseStored(text: string): StoredDocument {
  return storedSchema.parse(JSON.parse(text))
}

export function printStored(document: StoredDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

export function wasEditedByHand({ values, history }: StoredDocument): boolean {
  return !isDeepStrictEqual(values, history[0].values)
}

/** Adds a state at the front; removes the oldest if there are more than 50. */
export function withRevision(document: StoredDocument | null, revision: Revision): StoredDocument {
  return { values: revision.values, history: [revision, ...(document?.history.slice(0, maxRevisions - 1) ?? [])] }
}

/** Dotted paths of the fields that differ between two states, both sealed or both open. */
export function changedFields(schema: z.core.$ZodType, before: DocumentValues, after: DocumentValues): string[] {
  const paths = [...fieldsOf(schema, before), ...fieldsOf(schema, after)].map(({ path }) => path)
  const changed = paths.filter((path) => !isDeepStrictEqual(valueAt(before, path), valueAt(after, path)))
  return [...new Set(changed.map((path) => path.join('.')))]
}
