import { type GraphQLSchema, Kind, type OperationDefinitionNode, OperationTypeNode } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { StitchedOperation } from './messages.ts'

type Asked = Pick<StitchedOperation, 'source' | 'operationName' | 'variables'>

const maxBytes = 32 * 1_048_576
/** Tools ask for the whole schema in a few ways only. */
const maxAnswers = 20
/** Smaller ones are as quickly made. */
const leastChars = 100_000

/**
 * Introspections that are answered. One has megabytes, takes a tenth of a second, and is the same for everybody who asks in the same words: it is prepared once for each
 * schema, in memory that the threads share, and not copied for each client that is slow to read it.
 */
export function createSchemaAnswers() {
  const prepared = new WeakMap<GraphQLSchema, LRUCache<string, Uint8Array<SharedArrayBuffer>>>()
  const keyOf = ({ source, operationName, variables }: Asked): string => JSON.stringify([source, operationName, variables])
  return {
    get: (schema: GraphQLSchema, asked: Asked): Uint8Array | undefined => prepared.get(schema)?.get(keyOf(asked)),
    add(schema: GraphQLSchema, asked: Asked, text: string): Uint8Array {
      if (text.length < leastChars) return new TextEncoder().encode(text)
      const answers =
        prepared.get(schema) ??
        new LRUCache<string, Uint8Array<SharedArrayBuffer>>({ max: maxAnswers, maxSize: maxBytes, sizeCalculation: (body) => body.length })
      prepared.set(schema, answers)
      const bytes = new TextEncoder().encode(text)
      const body = new Uint8Array(new SharedArrayBuffer(bytes.length))
      body.set(bytes)
      answers.set(keyOf(asked), body)
      return body
    },
  }
}

export type SchemaAnswers = ReturnType<typeof createSchemaAnswers>

/** Whether it is a query of which every root field is of the schema. A fragment at the root may bring others. */
export function asksOnlyForSchema({ operation, selectionSet }: OperationDefinitionNode): boolean {
  return (
    operation === OperationTypeNode.QUERY &&
    selectionSet.selections.every((selection) => selection.kind === Kind.FIELD && selection.name.value.startsWith('__'))
  )
}
