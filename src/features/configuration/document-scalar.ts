import { GraphQLError, GraphQLScalarType, valueFromASTUntyped } from 'graphql'
import { type DocumentValues, isDocument } from './document-values.ts'

/** A scalar that holds a JSON object as it is. */
export function createDocumentScalar(name: string): GraphQLScalarType<DocumentValues, DocumentValues> {
  const objectOf = (value: unknown): DocumentValues => {
    if (isDocument(value)) return value
    throw new GraphQLError('must be an object', { extensions: { code: 'BAD_USER_INPUT' } })
  }
  return new GraphQLScalarType({
    name,
    parseValue: objectOf,
    parseLiteral: (node, variables) => objectOf(valueFromASTUntyped(node, variables)),
    serialize: objectOf,
  })
}
