import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'

const parsed = new LRUCache<string, { document: DocumentNode } | { error: GraphQLError }>({ max: 2000 })

/** The document of a query text; throws graphql's syntax error. Kept by text. */
export function documentOf(query: string): DocumentNode {
  const known = parsed.get(query) ?? parseOnce(query)
  parsed.set(query, known)
  if ('error' in known) throw known.error
  return known.document
}

function parseOnce(query: string): { document: DocumentNode } | { error: GraphQLError } {
  try {
    return { document: parse(query) }
  } catch (error) {
    if (error instanceof GraphQLError) return { error }
    throw error
  }
}

const validated = new WeakMap<GraphQLSchema, LRUCache<string, readonly GraphQLError[]>>()

type Validation = { readonly schema: GraphQLSchema; readonly query: string; readonly mayIntrospect: boolean }

/** Validates as the platform does: introspection needs a token. Kept by schema and text. */
export function validationErrors({ schema, query, mayIntrospect }: Validation): readonly GraphQLError[] {
  const results = validated.get(schema) ?? new LRUCache<string, readonly GraphQLError[]>({ max: 500 })
  validated.set(schema, results)
  const key = `${mayIntrospect}${query}`
  const rules = mayIntrospect ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule]
  const errors = results.get(key) ?? validate(schema, documentOf(query), rules)
  results.set(key, errors)
  return errors
}
