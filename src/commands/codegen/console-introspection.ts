import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal'
import { type GraphQLSchema, introspectionFromSchema } from 'graphql'

/** A plugin of graphql-codegen: the schema's types as gql.tada reads them. Its own command fails with TypeScript 7.0. */
export function plugin(schema: GraphQLSchema): string {
  const introspection = minifyIntrospection(introspectionFromSchema(schema))
  const [types = ''] = outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true }).split('import * as gqlTada')
  return types
}
