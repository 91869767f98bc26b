import { readFileSync } from 'node:fs'
import { buildSchema, GraphQLError, type GraphQLSchema, isScalarType } from 'graphql'
import { isUuid, textOf } from './json.ts'

export function buildMetadataSchema(): GraphQLSchema {
  const schema = buildSchema(readFileSync(new URL('metadata.graphql', import.meta.url), 'utf8'))
  const uuid = schema.getType('UUID')
  if (isScalarType(uuid)) uuid.parseValue = parseUuid
  return schema
}

function parseUuid(value: unknown): string {
  if (isUuid(value)) return value.toLowerCase()
  const text = textOf(value)
  throw new GraphQLError(`Invalid UUID: '${text}'`, {
    extensions: { value: text, code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 }, userFriendlyMessage: 'An error occurred.' },
  })
}
