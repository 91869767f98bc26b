import { makeExecutableSchema } from '@graphql-tools/schema'
import { createAsyncApi } from '../../../src/features/events/asyncapi.ts'
import { readContract } from '../../../src/server/graphql/local-schema.ts'
import { bindTable } from '../../../src/server/rest/bound-row.ts'
import { openApiDocument } from '../../../src/server/rest/openapi/document.ts'
import { restTable } from '../../../src/server/rest/table.ts'

/** What clients are written against, as the service publishes it. */
export function publishedContracts() {
  const sdl = readContract()
  const schema = makeExecutableSchema({ typeDefs: sdl })
  return { sdl, openApi: openApiDocument(bindTable(restTable, schema), schema), asyncApi: createAsyncApi() }
}
