import { isDeepStrictEqual } from 'node:util'
import { type ZodError, z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { deepFreeze } from '../../kernel/freeze.ts'
import type { SecretBox } from '../../kernel/secrets.ts'
import type { SectionName, Sections } from '../../ports/configuration/configuration.ts'
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

/** A document of the store, read: `text` as it lies there, `values` open and frozen. */
export type Stored<Name extends SectionName> = {
  readonly text: string
  readonly document: StoredDocument
  readonly values: Sections[Name]
}

/** What is to be stored, and who wants it. */
export type NextState<Name extends SectionName> = Pick<Revision, 'action' | 'changedAt' | 'changedBy'> & { readonly values: Sections[Name] }

/** Turns texts of the store into sections and back: the only place that opens and seals secrets of the configuration. */
export interface DocumentCodec {
  /** Throws NOT_CONFIGURED, naming the document and the fault, never a value. */
  decode<Name extends SectionName>(target: Target<Name>, text: string): Stored<Name>
  /** The values of one state of the document. Throws like `decode`. */
  valuesOf<Name extends SectionName>(target: Target<Name>, sealed: DocumentValues): Sections[Name]
  /** The text with one more state, or null where nothing would change. */
  encode<Name extends SectionName>(target: Target<Name>, from: Stored<Name> | null, next: NextState<Name>): string | null
  /** The text in which an edit by hand is a state of its own, or null where there was none. */
  recordEditByHand<Name extends SectionName>(target: Target<Name>, stored: Stored<Name>, changedAt: string): string | null
}

export type CodecOptions = { readonly schemas: SectionSchemas; readonly box: SecretBox; readonly locate: (name: string) => string }

export function nameOf({ workspaceId, section }: Target): string {
  return `${workspaceId}/${section}`
}

export function createDocumentCodec({ schemas, box, locate }: CodecOptions): DocumentCodec {
  const sealing = (target: Target) => ({ box, schema: schemas[target.section], name: nameOf(target) })
  const readable = <T>(target: Target, read: () => T): T => {
    try {
      return read()
    } catch (cause) {
      throw unreadable(target, locate(nameOf(target)), cause)
    }
  }
  const parse = <Name extends SectionName>(target: Target<Name>, sealed: DocumentValues): Sections[Name] => {
    const values = openSecrets(sealing(target), sealed)
    return deepFreeze(schemas[target.section].parse(values))
  }

  return {
    decode: (target, text) =>
      readable(target, () => {
        const document = parseStored(text)
        return { text, document, values: parse(target, document.values) }
      }),
    valuesOf: (target, sealed) => readable(target, () => parse(target, sealed)),
    encode(target, from, { values, ...facts }) {
      const former = from && { sealed: from.document.values, open: documentOf(from.values) }
      const sealed = sealSecrets(sealing(target), documentOf(values), former)
      if (from && isDeepStrictEqual(sealed, from.document.values)) return null
      const fields = changedFields(schemas[target.section], from?.document.values ?? {}, sealed)
      const version = (from?.document.history[0].version ?? 0) + 1
      return printStored(withRevision(from?.document ?? null, { version, ...facts, fields, values: sealed }))
    },
    recordEditByHand(target, { document }, changedAt) {
      if (!wasEditedByHand(document)) return null
      const [last] = document.history
      const fields = changedFields(schemas[target.section], last.values, document.values)
      const facts = { action: 'EDITED_BY_HAND', changedAt, changedBy: null } as const
      return printStored(withRevision(document, { version: last.version + 1, ...facts, fields, values: document.values }))
    },
  }
}

function unreadable({ section }: Target, place: string, cause: unknown): AppError {
  const detail = `The ${section} configuration cannot be read. Correct ${place} by hand: ${faultOf(cause)}`
  return new AppError('NOT_CONFIGURED', { detail, data: { section }, cause })
}

function faultOf(error: unknown): string {
  if (error instanceof z.ZodError) return issuesOf(error)
  return error instanceof SyntaxError ? 'it is no valid JSON' : error instanceof Error ? error.message : 'it has no valid form'
}

function issuesOf(error: ZodError): string {
  return error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`)).join('; ')
}
