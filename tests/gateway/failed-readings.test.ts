import { buildSchema, introspectionFromSchema } from 'graphql'
import { expect, test } from 'vitest'
import { openSchemaCache } from '../harness/schema-cache.ts'
import { sendJson, startUpstream } from '../harness/upstream.ts'

const refreshMs = 600_000
const rereadMs = 5_000
const schema = introspectionFromSchema(buildSchema('type Query { lead: String }'))

/** A workspace whose schema is in memory and due to be read again, and that the platform does not show to a guest. */
async function open() {
  const stack = new AsyncDisposableStack()
  const platform = stack.use(
    await startUpstream(({ path, headers }, response) => {
      const isRefused = path === '/graphql' && headers.authorization === 'Bearer guest'
      sendJson(response, isRefused ? { errors: [{ message: 'No', extensions: { code: 'FORBIDDEN' } }] } : { data: schema })
    }),
  )
  const cache = await openSchemaCache({ platformUrl: platform.url, refreshMs, rereadMs })
  await cache.take('w', 'member')
  cache.passes(refreshMs + 1)
  const readingsOf = (token: string) =>
    platform.seen.filter(({ path, headers }) => path === '/graphql' && headers.authorization === `Bearer ${token}`).length
  return { cache, readingsOf, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('unknown fields of an actor who may not read the schema cause one reading in the configured time; those of others are read', async () => {
  await using house = await open()
  const { cache, readingsOf } = house
  await expect(cache.reread('w', 'guest')).rejects.toThrow('does not show its schema')
  for (let time = 0; time < 3; time += 1) expect(await cache.reread('w', 'guest')).toBeNull()
  expect(readingsOf('guest')).toBe(1)
  expect(await cache.reread('w', 'member')).toBeNull()
  expect(readingsOf('member')).toBe(2)
  cache.passes(rereadMs + 1)
  await expect(cache.reread('w', 'guest')).rejects.toThrow('does not show its schema')
  expect(readingsOf('guest')).toBe(2)
})

test('a schema that is due is not read in the background for each operation of an actor who may not read it', async () => {
  await using house = await open()
  const { cache, readingsOf } = house
  await expect(cache.reread('w', 'guest')).rejects.toThrow('does not show its schema')
  await cache.take('w', 'guest')
  // Waits for a reading in the background, and then reads itself.
  await cache.reread('w', 'member')
  expect([readingsOf('guest'), readingsOf('member')]).toEqual([1, 2])
  cache.passes(refreshMs + 1)
  await cache.take('w', 'guest')
  await cache.reread('w', 'member')
  expect([readingsOf('guest'), readingsOf('member')]).toEqual([2, 3])
})
