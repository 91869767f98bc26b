import { isDeepStrictEqual } from 'node:util'
import { type ZodError, z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { deepFreeze } from '../../kernel/freeze.ts'
import type { SecretBox } from '../../kernel/secrets.ts'
import type { SectionName, Sections } from '../../ports/configuration/configuration.ts'
import type { DocumentStore } from '../../ports/documents.ts'
import { type DocumentValues, documentOf } from './document-values.ts'
import { openSecrets, sealSecrets } from './sealed-values.ts'
import type { SectionSchemas } from './section-schemas.ts'
import {
  type Revision,
  type StoredDocument,
  changedFields,
  parseStored,
  printStored,
  wasEditedByHand,
  withRevision,
} from './stored-document.ts'

/** A section of a workspace. */
export type Target<Name extends SectionName = SectionName> = { readonly workspaceId: string; readonly section: Name }

/** A decoded document: `text` as it is in the store, `values` with the secrets in clear, frozen. */
export type StoredSection<Name extends SectionName> = {
  readonly text: string
  readonly document: StoredDocument
  readonly values: Sections[Name]
}

/** New values, and who stores them. */
export type NextState<Name extends SectionName> = Pick<Revision, 'action' | 'changedAt' | 'changedBy'> & { readonly values: Sections[Name] }

/** Turns stored texts into sections and back. Only these functions open and seal secrets of the configuration. */
export type SectionCodec = {
  readonly schemas: SectionSchemas
  readonly box: SecretBox
  readonly documents: Pick<DocumentStore, 'locate'>
}

export function nameOf({ workspaceId, section }: Target): string {
  return `${workspaceId}/${section}`
}

/** Throws NOT_CONFIGURED, naming the document and the error, never a value. */
export function decodeSection<Name extends SectionName>(codec: SectionCodec, target: Target<Name>, text: string): StoredSection<Name> {
  return orUnreadable(codec, target, () => {
    const document = parseStored(text)
    return { text, document, values: openValues(codec, target, document.values) }
  })
}

/** The values of one state of the document. Throws like `decodeSection`. */
export function decodeState<Name extends SectionName>(codec: SectionCodec, target: Target<Name>, sealed: DocumentValues): Sections[Name] {
  return orUnreadable(codec, target, () => openValues(codec, target, sealed))
}

/** The text with one more state, or null if nothing changes. */
export function encodeSection<Name extends SectionName>(
  codec: SectionCodec,
  target: Target<Name>,
  { from, next: { values, ...facts } }: { readonly from: StoredSection<Name> | null; readonly next: NextState<Name> },
): string | null {
  const before = from && { sealed: from.document.values, open: documentOf(from.values) }
  const sealed = sealSecrets(sealingOf(codec, target), documentOf(values), before)
  if (from && isDeepStrictEqual(sealed, from.document.values)) return null
  const fields = changedFields(codec.schemas[target.section], from?.document.values ?? {}, sealed)
  const version = (from?.document.history[0].version ?? 0) + 1
  return printStored(withRevision(from?.document ?? null, { version, ...facts, fields, values: sealed }))
}

/** The text in which an edit by hand is a state of its own, or null if there was no such edit. */
export function encodeEditByHand(
  { schemas }: Pick<SectionCodec, 'schemas'>,
  { section }: Target,
  { document, changedAt }: { readonly document: StoredDocument; readonly changedAt: string },
): string | null {
  if (!wasEditedByHand(document)) return null
  const [last] = document.history
  const fields = changedFields(schemas[section], last.values, document.values)
  const facts = { action: 'EDITED_BY_HAND', changedAt, changedBy: null } as const
  return printStored(withRevision(document, { version: last.version + 1, ...facts, fields, values: document.values }))
}

function sealingOf({ box, schemas }: SectionCodec, target: Target) {
  return { box, schema: schemas[target.section], name: nameOf(target) }
}

function openValues<Name extends SectionName>(codec: SectionCodec, target: Target<Name>, sealed: DocumentValues): Sections[Name] {
  return deepFreeze(codec.schemas[target.section].parse(openSecrets(sealingOf(codec, target), sealed)))
}

function orUnreadable<T>({ documents }: SectionCodec, target: Target, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    const { section } = target
    const detail = `The ${section} configuration cannot be read. Correct ${documents.locate(nameOf(target))} by hand: ${reasonOf(cause)}`
    throw new AppError('NOT_CONFIGURED', { detail, data: { section }, cause })
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return issuesOf(error)
  return error instanceof SyntaxError ? 'it is not valid JSON' : error instanceof Error ? error.message : 'it has no valid form'
}

function issuesOf(error: ZodError): string {
  return error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`)).join('; ')
}
