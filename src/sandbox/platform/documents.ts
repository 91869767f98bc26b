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

type Parsed = { readonly document: DocumentNode } | { readonly error: GraphQLError }
const kept = new LRUCache<string, Parsed>({ max: 2000 })

/** The document of a query text; throws graphql's syntax error. */
export function documentOf(query: string): DocumentNode {
  const parsed = parsedOf(query)
  if ('error' in parsed) throw parsed.error
  return parsed.document
}

function parsedOf(query: string): Parsed {
  const known = kept.get(query) ?? parseOnce(query)
  kept.set(query, known)
  return known
}

function parseOnce(query: string): Parsed {
  try {
    return { document: parse(query) }
  } catch (error) {
    if (error instanceof GraphQLError) return { error }
    throw error
  }
}

const validated = new WeakMap<GraphQLSchema, LRUCache<string, readonly GraphQLError[]>>()

type Validation = { readonly schema: GraphQLSchema; readonly query: string; readonly mayIntrospect: boolean }

/** The errors of syntax or selection. Introspection needs a token, as on the platform. Kept by schema and text. */
export function validationErrors({ schema, query, mayIntrospect }: Validation): readonly GraphQLError[] {
  const parsed = parsedOf(query)
  if ('error' in parsed) return [parsed.error]
  const results = validated.get(schema) ?? new LRUCache<string, readonly GraphQLError[]>({ max: 500 })
  validated.set(schema, results)
  const key = `${mayIntrospect}${query}`
  const rules = mayIntrospect ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule]
  const errors = results.get(key) ?? validate(schema, parsed.document, rules)
  results.set(key, errors)
  return errors
}
