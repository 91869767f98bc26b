import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { makeExecutableSchema } from '@graphql-tools/schema'
import { graphql } from 'graphql'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type GatewayOptions, startGateway, testPrincipal } from '../harness/gateway.ts'
import { sendJson, startUpstream } from '../harness/upstream.ts'
import { workspaceToken } from '../harness/workspace-token.ts'
import { waitFor } from '../harness/wait-for.ts'

const token = workspaceToken('workspace-1')
/** Names the same workspace, and the platform did not issue it. */
const forged = `${token}forged`
const bodySchema = z.object({ query: z.string() })

/** A platform whose records have the objects that its metadata endpoint creates and deletes. */
async function open(stitching: GatewayOptions['stitching'] = { rereadMs: 3_600_000 }) {
  const stack = new AsyncDisposableStack()
  const objects = new Set(['rockets'])
  const set =
    (change: (name: string) => void) =>
    (_: unknown, { name }: { name: string }) => (change(name), name)
  const metadata = makeExecutableSchema({
    typeDefs:
      'type Query { getRoles: String } type Mutation { createOneObject(name: String): String deleteOneObject(name: String): String }',
    resolvers: {
      Query: { getRoles: () => 'metadata' },
      Mutation: { createOneObject: set((name) => objects.add(name)), deleteOneObject: set((name) => objects.delete(name)) },
    },
  })
  const records = () => {
    const resolvers = { Query: Object.fromEntries([...objects].map((name) => [name, () => 'records'])) }
    const typeDefs = `type Query { people: String ${[...objects].map((name) => `${name}: String`).join(' ')} }`
    return makeExecutableSchema({ typeDefs, resolvers })
  }
  let refusing = false
  const upstream = stack.use(
    await startUpstream(async ({ path, body, headers }, response) => {
      if (refusing || headers.authorization === `Bearer ${forged}`) {
        const refusal = { errors: [{ message: 'Forbidden resource', extensions: { code: 'FORBIDDEN' } }], data: null }
        return headers['accept-encoding'] === undefined ? sendJson(response, refusal) : sendCompressed(response, refusal)
      }
      const schema = path === '/graphql' ? records() : metadata
      sendJson(response, await graphql({ schema, source: bodySchema.parse(JSON.parse(body)).query }))
    }),
  )
  const principalOf = (given: string) => (given === forged ? null : testPrincipal())
  const gateway = stack.use(await startGateway({ platformUrl: upstream.url, principalOf, stitching }))
  return {
    gateway,
    objects,
    refuse: (refuses: boolean) => void (refusing = refuses),
    readings: () => upstream.seen.filter(({ path, body }) => path === '/graphql' && body.includes('IntrospectionQuery')).length,
    names: async () => JSON.stringify(await gateway.ask('{ __schema { queryType { fields { name } } } }', { token })),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** As a proxy in front of the platform does. */
function sendCompressed(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(value)))
}

describe('a change of the data model', () => {
  test.for(['/graphql', '/metadata'])('through %s is in the schema of the next operation', async (path) => {
    await using house = await open()
    expect(await house.names()).toContain('rockets')
    await house.gateway.ask('mutation { deleteOneObject(name: "rockets") }', { token, path })
    expect(await house.names()).not.toContain('rockets')
    await house.gateway.ask('mutation { createOneObject(name: "planets") }', { token, path })
    expect(await house.names()).toContain('planets')
    const readings = house.readings()
    await house.names()
    expect(house.readings()).toBe(readings)
  })

  test('in a mixed operation counts too', async () => {
    await using house = await open()
    expect(await house.names()).toContain('rockets')
    await house.gateway.ask('mutation { note(text: "x") { id } deleteOneObject(name: "rockets") }', { token })
    expect(await house.names()).not.toContain('rockets')
  })

  test('gives the root fields of a new object to the records endpoint', async () => {
    await using house = await open()
    expect(await house.gateway.ask('{ getRoles }', { token })).toEqual({ data: { getRoles: 'metadata' } })
    await house.gateway.ask('mutation { createOneObject(name: "getRoles") }', { token })
    expect(await house.gateway.ask('{ getRoles }', { token })).toEqual({ data: { getRoles: 'records' } })
  })

  test('that the platform refuses reads nothing again', async () => {
    await using house = await open()
    await house.names()
    const readings = house.readings()
    house.refuse(true)
    await house.gateway.ask('mutation { deleteOneObject(name: "rockets") }', { token })
    house.refuse(false)
    expect(await house.names()).toContain('rockets')
    expect(house.readings()).toBe(readings)
  })

  test.for([
    ['/graphql', 'mutation { deleteOneObject(name: "rockets") }'],
    ['/metadata', 'mutation { deleteOneObject(name: "rockets") }'],
    ['/graphql', 'mutation { deleteOneObject(name: "rockets") note(text: "x") { id } }'],
    ['/graphql', 'mutation { ... on Mutation { deleteOneObject(name: "rockets") note(text: "x") { id } } }'],
  ] as const)('with a forged token for the workspace reads nothing again: %s %s', async ([path, query]) => {
    await using house = await open()
    await house.names()
    const readings = house.readings()
    await house.gateway.ask(query, { token: forged, path })
    await house.names()
    expect(house.readings()).toBe(readings)
  })

  test('that does not pass through us is shown by introspection soon after', async () => {
    await using house = await open({ rereadMs: 200 })
    expect(await house.names()).toContain('rockets')
    house.objects.delete('rockets')
    await waitFor(async () => !(await house.names()).includes('rockets'))
  })
})
