import { makeExecutableSchema } from '@graphql-tools/schema'
import { graphql, type GraphQLSchema } from 'graphql'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type GatewayOptions, startGateway, testPrincipal } from '../harness/gateway.ts'
import { sampleOf } from '../harness/metrics-text.ts'
import { workspaceToken } from '../harness/workspace-token.ts'
import { waitFor } from '../harness/wait-for.ts'
import { sendJson, startUpstream, type UpstreamSeen } from '../harness/upstream.ts'

/** Each root field answers the name of the endpoint. */
function schemaOf(side: string, fields: readonly string[]): GraphQLSchema {
  const typeDefs = `type Query { ${fields.map((name) => `${name}: String`).join(' ')} }`
  return makeExecutableSchema({ typeDefs, resolvers: { Query: Object.fromEntries(fields.map((name) => [name, () => side])) } })
}

const ownObject = workspaceToken('own-object')
const plain = workspaceToken('plain')

const schemas = {
  metadata: schemaOf('metadata', ['currentUser', 'getRoles', 'brandNew']),
  plain: schemaOf('records', ['people']),
  ownObject: schemaOf('records', ['people', 'getRoles']),
}
const bodySchema = z.object({ query: z.string() })
const isReading = ({ body }: UpstreamSeen): boolean => body.includes('__schema')

type Answering = { readonly hold?: (seen: UpstreamSeen) => Promise<void>; readonly refuses?: (seen: UpstreamSeen) => unknown }

async function open({ hold, refuses }: Answering = {}, stitching: GatewayOptions['stitching'] = {}) {
  const stack = new AsyncDisposableStack()
  const upstream = stack.use(
    await startUpstream(async (seen, response) => {
      if (isReading(seen)) await hold?.(seen)
      const refusal = isReading(seen) ? refuses?.(seen) : undefined
      if (refusal !== undefined) return sendJson(response, refusal)
      const records = seen.headers.authorization === `Bearer ${ownObject}` ? schemas.ownObject : schemas.plain
      const schema = seen.path === '/graphql' ? records : schemas.metadata
      sendJson(response, await graphql({ schema, source: bodySchema.parse(JSON.parse(seen.body)).query }))
    }),
  )
  const gateway = stack.use(await startGateway({ platformUrl: upstream.url, principalOf: () => testPrincipal(), stitching }))
  return { upstream, gateway, readings: () => upstream.seen.filter(isReading), [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

describe('the endpoint of a root field', () => {
  test('is the records endpoint if the workspace has an object of that name, in that workspace only', async () => {
    await using house = await open()
    const query = '{ getRoles }'
    expect(await house.gateway.ask(query, { token: ownObject })).toEqual({ data: { getRoles: 'records' } })
    expect(await house.gateway.ask(query, { token: plain })).toEqual({ data: { getRoles: 'metadata' } })
    expect(await house.gateway.ask('{ getRoles currentUser people }', { token: ownObject })).toEqual({
      data: { getRoles: 'records', currentUser: 'metadata', people: 'records' },
    })
    expect(await house.gateway.ask(query)).toEqual({ data: { getRoles: 'metadata' } })
    expect(house.readings()).toHaveLength(4)
  })

  test('is found for a field that only a newer platform has: the refused request is sent again', async () => {
    await using house = await open()
    expect(await house.gateway.ask('{ brandNew }', { token: plain })).toEqual({ data: { brandNew: 'metadata' } })
    const operations = async (result: string) => {
      const text = await (await fetch(`${house.gateway.url}/metrics`)).text()
      return sampleOf(text, 'sidecar_graphql_operation_duration_seconds_count', { operation: 'platform', result })
    }
    expect(await waitFor(() => operations('ok'))).toBe(1)
    expect(await operations('error')).toBeFalsy()
    expect(await house.gateway.ask('{ brandNew people greeting(name: "x") }', { token: plain })).toEqual({
      data: { brandNew: 'metadata', people: 'records', greeting: 'Hello x' },
    })
    expect(house.readings()).toHaveLength(2)
    expect(house.upstream.seen.filter(({ path }) => path === '/graphql')).toHaveLength(3)
    const unknown = await house.gateway.ask('{ nobodyKnows }', { token: plain })
    expect(unknown.errors).toMatchObject([{ message: 'Cannot query field "nobodyKnows" on type "Query".' }])
  })

  test('delays nothing but the operations that need it, and is read once for all of them', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    await using house = await open({ hold: () => held })
    const waiting = Promise.all(Array.from({ length: 20 }, () => house.gateway.ask('{ getRoles }', { token: ownObject })))
    expect(await house.gateway.ask('{ people }', { token: ownObject })).toEqual({ data: { people: 'records' } })
    expect(await house.gateway.ask('{ getRoles }')).toEqual({ data: { getRoles: 'metadata' } })
    letGo()
    expect(new Set((await waiting).map((answer) => JSON.stringify(answer)))).toEqual(new Set(['{"data":{"getRoles":"records"}}']))
    expect(house.readings()).toHaveLength(2)
  })

  test('is the recorded one if the platform does not show its schema; a refused token does not count for others', async () => {
    await using closed = await open({ refuses: () => ({ errors: [{ message: 'GraphQL introspection has been disabled' }] }) })
    for (let round = 0; round < 3; round += 1) {
      expect(await closed.gateway.ask('{ getRoles }', { token: ownObject })).toEqual({ data: { getRoles: 'metadata' } })
    }
    expect(closed.readings()).toHaveLength(2)

    const expired = `${ownObject}expired`
    const refusal = { errors: [{ message: 'Token has expired.', extensions: { code: 'UNAUTHENTICATED' } }], data: null }
    await using house = await open({ refuses: ({ headers }) => (headers.authorization === `Bearer ${expired}` ? refusal : undefined) })
    await house.gateway.ask('{ getRoles }', { token: expired })
    expect(await house.gateway.ask('{ getRoles }', { token: ownObject })).toEqual({ data: { getRoles: 'records' } })
  })

  test('stays the known one while the platform does not show its schema again', async () => {
    let isAway = false
    const away = { errors: [{ message: 'Internal server error' }] }
    await using house = await open({ refuses: () => (isAway ? away : undefined) }, { refreshMs: 1, rereadMs: 1 })
    expect(await house.gateway.ask('{ getRoles }', { token: ownObject })).toEqual({ data: { getRoles: 'records' } })
    isAway = true
    const answers: unknown[] = []
    await waitFor(async () => {
      answers.push(await house.gateway.ask('{ getRoles }', { token: ownObject }))
      return house.readings().length > 6
    })
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['{"data":{"getRoles":"records"}}']))
  })
})
