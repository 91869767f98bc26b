import { buildSchema, introspectionFromSchema } from 'graphql'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLocalExecutor } from '../../src/server/graphql/stitching/local-executor.ts'
import { objectNames } from '../../src/server/graphql/stitching/object-names.ts'
import { createPlatformExecutor } from '../../src/server/graphql/stitching/platform-executor.ts'
import { createSchemaCache } from '../../src/server/graphql/stitching/schema-cache.ts'
import { fixedConfiguration } from '../harness/fixed-configuration.ts'
import { sendJson, startUpstream } from '../harness/upstream.ts'

const minute = 60_000

test('a schema that no operation has used for 15 minutes is dropped, and built again for the next one; those in use stay', async () => {
  const now = performance.now.bind(performance)
  let aheadMs = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    clock.mockRestore()
    vi.useRealTimers()
  })
  // The token is the name of a type that only this workspace has.
  await using platform = await startUpstream(({ headers }, response) => {
    const type = headers.authorization?.split(' ')[1] ?? ''
    sendJson(response, { data: introspectionFromSchema(buildSchema(`type Query { own: ${type} } type ${type} { id: ID }`)) })
  })
  const endpoints = { records: `${platform.url}/graphql`, metadata: `${platform.url}/metadata` }
  const inMemory: number[] = []
  const cache = createSchemaCache({
    settings: {
      endpoints,
      contract: 'type Query { ours: String }',
      maxSchemas: 8,
      refreshMs: 24 * 60 * minute,
      rereadMs: 5_000,
      deadlineMs: 5_000,
      directory: null,
    },
    executors: { records: createPlatformExecutor(endpoints.records, 5_000), metadata: createPlatformExecutor(endpoints.metadata, 5_000) },
    localExecutor: createLocalExecutor(() => {}).execute,
    onTaken: () => {},
    onBuilt: (_workspaceId, { schemas }) => void inMemory.push(schemas),
  })
  const objects = objectNames(await fixedConfiguration().read('w', 'platform'))
  const take = (name: string) => {
    const { signal } = new AbortController()
    const given = { accessToken: name, requestId: 'r', signal, wholeErrors: new Map(), failures: new Set<never>(), beginSpan: null }
    return cache.take({ workspaceId: name, objects, introspects: false, platform: { ...given, onVerdict: () => {} } })
  }
  const passes = (minutes: number): void => {
    aheadMs += minutes * minute
    vi.advanceTimersByTime(minutes * minute)
  }
  const first = await take('Used')
  await take('Left')
  passes(14)
  expect(await take('Used')).toBe(first)
  passes(2)
  // One was dropped before the third came.
  await take('Third')
  expect(inMemory).toEqual([1, 2, 2])
  expect(await take('Used')).toBe(first)
  expect((await take('Left')).getType('Left')).toBeDefined()
  expect(inMemory).toEqual([1, 2, 2, 3])
})
