import { createRequire } from 'node:module'
import { createGraphQLError } from '@graphql-tools/utils'
import { makeExecutableSchema } from '@graphql-tools/schema'
import { stitchSchemas } from '@graphql-tools/stitch'
import { GraphQLError, graphql } from 'graphql'
import { createSchema, createYoga } from 'graphql-yoga'
import { describe, expect, test } from 'vitest'

const require = createRequire(import.meta.url)
const refusal = () => new GraphQLError('no such lead', { extensions: { code: 'NOT_FOUND' } })

describe('graphql is loaded once', () => {
  test('for require and import', () => {
    expect(require('graphql')).toHaveProperty('GraphQLError', GraphQLError)
  })

  test('graphql-tools throw our GraphQLError', () => {
    expect(createGraphQLError('from the tools')).toBeInstanceOf(GraphQLError)
  })

  test('an error in a stitched schema comes back as our GraphQLError', async () => {
    const subschema = makeExecutableSchema({
      typeDefs: 'type Query { lead: String }',
      resolvers: {
        Query: {
          lead: () => {
            throw refusal()
          },
        },
      },
    })
    const { errors } = await graphql({ schema: stitchSchemas({ subschemas: [subschema] }), source: '{ lead }' })
    expect(errors).toHaveLength(1)
    expect(errors?.[0]).toBeInstanceOf(GraphQLError)
    expect(errors?.[0]?.originalError ?? errors?.[0]).toBeInstanceOf(GraphQLError)
  })

  test('Yoga does not mask our GraphQLError', async () => {
    const yoga = createYoga({
      logging: false,
      schema: createSchema({
        typeDefs: 'type Query { lead: String }',
        resolvers: {
          Query: {
            lead: () => {
              throw refusal()
            },
          },
        },
      }),
    })
    const response = await yoga.fetch('http://yoga/graphql?query={lead}')
    expect(await response.json()).toMatchObject({ errors: [{ message: 'no such lead', extensions: { code: 'NOT_FOUND' } }] })
  })
})
