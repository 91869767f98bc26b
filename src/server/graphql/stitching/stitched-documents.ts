import { type DocumentNode, type GraphQLError, type GraphQLSchema, parse, validate } from 'graphql'
import { LRUCache } from 'lru-cache'
import { withoutDefer } from '../defer.ts'
import { parsedBytes } from '../parsed-size.ts'
import { validationBounds } from '../variable-faults.ts'
import { aliasErrors } from './alias-errors.ts'

/** `toExecute`: without `@defer`, which the platform does not know; the answer is whole. */
export type StitchedDocument = { readonly document: DocumentNode; readonly toExecute: DocumentNode }

export type StitchedDocuments = {
  /** The same object for the same text, so that the delegation finds what it has planned for its nodes. Throws a GraphQLError. */
  read(source: string): StitchedDocument
  /** Empty if the document is valid. That a document is valid is remembered, its errors are not. */
  errorsIn(schema: GraphQLSchema, document: StitchedDocument): readonly GraphQLError[]
}

const maxBytes = 40_000_000
/** No frontend sends documents that take more: they are parsed each time. */
const maxEntryBytes = 4_000_000

/** The documents of stitched operations: each is parsed once, and validated once for each schema. */
export function createStitchedDocuments(): StitchedDocuments {
  const documents = new LRUCache<string, StitchedDocument>({
    maxSize: maxBytes,
    maxEntrySize: maxEntryBytes,
    sizeCalculation: ({ document }, source) => parsedBytes(source, document),
  })
  const valid = new WeakMap<GraphQLSchema, WeakSet<StitchedDocument>>()
  return {
    read(source) {
      const known = documents.get(source)
      if (known) return known
      const document = parse(source)
      const read = { document, toExecute: withoutDefer(document) }
      documents.set(source, read)
      return read
    },
    errorsIn(schema, document) {
      const validHere = valid.get(schema) ?? new WeakSet()
      if (validHere.has(document)) return []
      const invalid = validate(schema, document.document, undefined, validationBounds)
      const errors = invalid.length > 0 ? invalid : aliasErrors(schema, document.document)
      if (errors.length === 0) valid.set(schema, validHere.add(document))
      return errors
    },
  }
}
