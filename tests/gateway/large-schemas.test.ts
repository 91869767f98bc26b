import { once } from 'node:events'
import { buildSchema, introspectionFromSchema, printSchema } from 'graphql'
import { expect, test } from 'vitest'
import { CircuitBreaker } from '../../src/kernel/circuit-breaker.ts'
import { startGateway, testPrincipal } from '../harness/gateway.ts'
import { smallMetadata } from '../harness/graphql-upstream.ts'
import { sendJson, startUpstream } from '../harness/upstream.ts'
import { waitFor } from '../harness/wait-for.ts'

const megabyte = 1_048_576

test('a schema that is too large is not read to its end: the operation fails alone, and the platform counts as working', async () => {
  const written: number[] = []
  await using upstream = await startUpstream(async (_seen, response) => {
    const index = written.push(0) - 1
    const left = new AbortController()
    response.once('close', () => left.abort())
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":{"__schema":{"description":"')
    const piece = 'x'.repeat(65_536)
    for (let bytes = 0; bytes < 40 * megabyte && !response.destroyed; bytes += piece.length) {
      if (!response.write(piece)) await once(response, 'drain', { signal: left.signal }).catch(() => undefined)
      written[index] = bytes
    }
    response.end('"}}}')
  })
  const breaker = new CircuitBreaker({ party: 'platform', who: 'The platform', workspaceId: null }, { failuresToOpen: 1 })
  await using gateway = await startGateway({ platformUrl: upstream.url, upstream: { breaker }, principalOf: () => testPrincipal() })
  expect(await gateway.ask('{ lead { id insight { summary } } }', { token: 'a' })).toMatchObject({
    errors: [{ message: 'The platform gave an answer that cannot be read', extensions: { reason: 'PROVIDER_ANSWER_INVALID' } }],
  })
  await waitFor(() => expect(upstream.open()).toBe(0))
  expect(written).toHaveLength(2)
  expect(Math.max(...written)).toBeLessThan(25 * megabyte)
  expect([breaker.isOpen, breaker.waiting]).toEqual([false, 0])
})

/** Each workspace, named by its token, has a schema of its own of about this size at both endpoints. */
async function openWith({ bytes, maxSchemas }: { readonly bytes: number; readonly maxSchemas: number }) {
  const stack = new AsyncDisposableStack()
  const upstream = stack.use(
    await startUpstream(({ path, headers }, response) => {
      const sdl = path === '/graphql' ? 'type Query { lead: String }' : printSchema(smallMetadata)
      const description = JSON.stringify((headers.authorization ?? '') + 'x'.repeat(bytes / 2))
      sendJson(response, { data: introspectionFromSchema(buildSchema(`${description}\nschema { query: Query }\n${sdl}`)) })
    }),
  )
  const gateway = stack.use(
    await startGateway({
      platformUrl: upstream.url,
      principalOf: (token) => testPrincipal({ workspaceId: token }),
      stitching: { maxSchemas },
    }),
  )
  return {
    async inMemoryAfter(workspaces: number) {
      for (let index = 0; index < workspaces; index += 1) {
        const answer = await gateway.ask('{ __type(name: "Query") { name } }', { token: `w${index}` })
        expect(answer).toEqual({ data: { __type: { name: 'Query' } } })
      }
      return Math.max(...[...gateway.graphql.schemas.figures().values()].map(({ schemas }) => schemas))
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('large schemas are dropped before there are as many as allowed', async () => {
  await using house = await openWith({ bytes: 30 * megabyte, maxSchemas: 8 })
  expect(await house.inMemoryAfter(3)).toBe(2)
})

test('schemas of the platform’s usual size are all in memory, up to the number that is set', async () => {
  await using house = await openWith({ bytes: 3.5 * megabyte, maxSchemas: 20 })
  expect(await house.inMemoryAfter(20)).toBe(20)
})
