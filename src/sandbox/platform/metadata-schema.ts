import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { buildSchema, defaultFieldResolver, GraphQLError, type GraphQLFieldResolver, type GraphQLSchema, isScalarType } from 'graphql'
import { notInSandbox } from './errors.ts'
import { isUuid, textOf } from './json.ts'
import type { MetadataContext } from './metadata-context.ts'

let read: GraphQLSchema | undefined

/** The whole schema of the metadata endpoint, recorded from a real server of version 2.21. Built when it is first needed. */
export function metadataSchema(): GraphQLSchema {
  return (read ??= readSchema())
}

function readSchema(): GraphQLSchema {
  const schema = buildSchema(gunzipSync(readFileSync(new URL('metadata.graphql.gz', import.meta.url))).toString('utf8'))
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

/** Refuses the fields that the stand-in does not play. */
export const playedField: GraphQLFieldResolver<unknown, MetadataContext> = (...field) => {
  const value: unknown = defaultFieldResolver(...field)
  const [, , , info] = field
  if (value === undefined) throw notInSandbox(`${info.parentType.name}.${info.fieldName}`)
  return value
}
