import { buildSchema, graphql, type GraphQLSchema } from 'graphql'
import { z } from 'zod'
import { sendJson, startUpstream, type Upstream } from './upstream.ts'

const requestSchema = z.object({
  query: z.string(),
  operationName: z.string().nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
})

/** The metadata endpoint of a platform of which a test needs only the records. */
export const smallMetadata = buildSchema('type Query { roles: [String] }')

/**
 * A platform that executes a schema for each of its two endpoints as any GraphQL server does. `refusal`: the message of an error without a path,
 * with which it refuses a request; null if it executes it.
 */
export function startGraphqlUpstream(
  records: GraphQLSchema,
  metadata: GraphQLSchema = smallMetadata,
  refusal: (body: string) => string | null = () => null,
): Promise<Upstream> {
  return startUpstream(async ({ body, path }, response) => {
    const refused = refusal(body)
    if (refused !== null) return sendJson(response, { errors: [{ message: refused }] })
    const schema = path === '/graphql' ? records : metadata
    const { query, operationName, variables } = requestSchema.parse(JSON.parse(body))
    const result = await graphql({
      schema,
      source: query,
      ...(operationName && { operationName }),
      ...(variables && { variableValues: variables }),
    })
    sendJson(response, result)
  })
}
