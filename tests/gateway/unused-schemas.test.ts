import { buildSchema, introspectionFromSchema } from 'graphql'
import { expect, test } from 'vitest'
import { openSchemaCache } from '../harness/schema-cache.ts'
import { sendJson, startUpstream } from '../harness/upstream.ts'

const minute = 60_000

test('a schema that no operation has used for 15 minutes is dropped, and built again for the next one; those in use stay', async () => {
  // The token is the name of a type that only this workspace has.
  await using platform = await startUpstream(({ headers }, response) => {
    const type = headers.authorization?.split(' ')[1] ?? ''
    sendJson(response, { data: introspectionFromSchema(buildSchema(`type Query { own: ${type} } type ${type} { id: ID }`)) })
  })
  const { take, passes, inMemory } = await openSchemaCache({ platformUrl: platform.url, refreshMs: 24 * 60 * minute, rereadMs: 5_000 })
  const first = await take('Used')
  await take('Left')
  passes(14 * minute)
  expect(await take('Used')).toBe(first)
  passes(2 * minute)
  // One was dropped before the third came.
  await take('Third')
  expect(inMemory).toEqual([1, 2, 2])
  expect(await take('Used')).toBe(first)
  expect((await take('Left')).getType('Left')).toBeDefined()
  expect(inMemory).toEqual([1, 2, 2, 3])
})
