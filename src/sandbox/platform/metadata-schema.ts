import { buildSchema, GraphQLError, type GraphQLSchema, GraphQLScalarType, isScalarType } from 'graphql'
import { isUuid, textOf } from './json.ts'
import { metadataInputs, metadataOperations, metadataTypes } from './metadata-sdl.ts'

/** The part of the platform's metadata schema that the stand-in serves, under the platform's own names. */
export function buildMetadataSchema(): GraphQLSchema {
  const schema = buildSchema(`${metadataOperations}\n${metadataTypes}\n${metadataInputs}`)
  const uuid = schema.getType('UUID')
  if (isScalarType(uuid)) Object.assign(uuid, { parseValue: uuidScalar.parseValue, parseLiteral: uuidScalar.parseLiteral })
  return schema
}

const uuidScalar = new GraphQLScalarType({
  name: 'UUID',
  parseValue(value) {
    if (isUuid(value)) return value.toLowerCase()
    const text = textOf(value)
    throw new GraphQLError(`Invalid UUID: '${text}'`, {
      extensions: { value: text, code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 }, userFriendlyMessage: 'An error occurred.' },
    })
  },
})
