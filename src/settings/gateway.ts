import { join } from 'node:path'
import type { z } from 'zod'
import { wholeNumber } from './values.ts'

/**
 * Limits of one GraphQL request, and of the number of stitched schemas. The limits are two to ten times what Apollo Client, urql and the
 * platform's own frontend send (its largest query has some 3,000 tokens).
 */
export const gatewayVariables = {
  GRAPHQL_MAX_TOKENS: wholeNumber({ min: 100, max: 1_000_000 }).default(15_000),
  GRAPHQL_MAX_DEPTH: wholeNumber({ min: 3, max: 200 }).default(30),
  GRAPHQL_MAX_ALIASES: wholeNumber({ min: 0, max: 10_000 }).default(250),
  GRAPHQL_MAX_DIRECTIVES: wholeNumber({ min: 0, max: 10_000 }).default(250),
  GRAPHQL_MAX_ROOT_FIELDS: wholeNumber({ min: 1, max: 1_000 }).default(60),
  GRAPHQL_MAX_LIST_NESTING: wholeNumber({ min: 1, max: 30 }).default(8),
  GRAPHQL_MAX_BODY_KB: wholeNumber({ min: 16, max: 65_536 }).default(1_024),
  GRAPHQL_MAX_UPLOAD_MB: wholeNumber({ min: 1, max: 10_240 }).default(100),
  GRAPHQL_MAX_SCHEMAS: wholeNumber({ min: 1, max: 100 }).default(8),
  GRAPHQL_SCHEMA_REFRESH_SECONDS: wholeNumber({ min: 10, max: 86_400 }).default(600),
  GRAPHQL_SCHEMA_REREAD_SECONDS: wholeNumber({ min: 1, max: 3_600 }).default(5),
}

export function toGateway(env: z.output<z.ZodObject<typeof gatewayVariables>>, dataDir: string) {
  return {
    limits: {
      document: {
        tokens: env.GRAPHQL_MAX_TOKENS,
        depth: env.GRAPHQL_MAX_DEPTH,
        aliases: env.GRAPHQL_MAX_ALIASES,
        directives: env.GRAPHQL_MAX_DIRECTIVES,
        rootFields: env.GRAPHQL_MAX_ROOT_FIELDS,
        listNesting: env.GRAPHQL_MAX_LIST_NESTING,
      },
      bodyBytes: env.GRAPHQL_MAX_BODY_KB * 1_024,
      uploadBytes: env.GRAPHQL_MAX_UPLOAD_MB * 1_048_576,
    },
    stitching: {
      maxSchemas: env.GRAPHQL_MAX_SCHEMAS,
      refreshMs: env.GRAPHQL_SCHEMA_REFRESH_SECONDS * 1_000,
      rereadMs: env.GRAPHQL_SCHEMA_REREAD_SECONDS * 1_000,
      directory: join(dataDir, 'schemas'),
    },
  }
}
