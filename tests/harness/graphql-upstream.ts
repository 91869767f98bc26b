import { graphql, type GraphQLSchema } from 'graphql'
import { z } from 'zod'
import { sendJson, startUpstream, type Upstream } from './upstream.ts'

const requestSchema = z.object({
  query: z.string(),
  operationName: z.string().nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
})

/** A platform that executes a schema as any GraphQL server does. */
export function startGraphqlUpstream(schema: GraphQLSchema): Promise<Upstream> {
  return startUpstream(async ({ body }, response) => {
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
