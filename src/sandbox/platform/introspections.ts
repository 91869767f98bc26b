import type { GraphQLSchema } from 'graphql'
import { LRUCache } from 'lru-cache'
import { type GraphqlRequest, rootNames } from './graphql-request.ts'

/** The answers about schemas. They never change, because a changed data model has another schema. */
export function createIntrospections<Answer extends object>(): {
  of(schema: GraphQLSchema, request: GraphqlRequest, answer: () => Answer): Answer
} {
  const stored = new WeakMap<GraphQLSchema, LRUCache<string, Answer>>()
  return {
    of(schema, request, answer) {
      const answers = stored.get(schema) ?? new LRUCache<string, Answer>({ max: 100 })
      stored.set(schema, answers)
      const key = JSON.stringify([request.query, request.variables, request.operationName])
      const known = answers.get(key) ?? answer()
      answers.set(key, known)
      return known
    },
  }
}

/** It asks for nothing but the schema. */
export function asksOnlyForSchema(request: GraphqlRequest): boolean {
  const names = rootNames(request)
  return names.length > 0 && names.every((name) => name.startsWith('__'))
}
