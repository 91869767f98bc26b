import { onTestFinished, vi } from 'vitest'
import { createLocalExecutor } from '../../src/server/graphql/stitching/local-executor.ts'
import { objectNames } from '../../src/server/graphql/stitching/object-names.ts'
import { createPlatformExecutor } from '../../src/server/graphql/stitching/platform-executor.ts'
import { createBuiltSchemas, createSchemaCache, type SchemaRequest } from '../../src/server/graphql/stitching/schema-cache.ts'
import { fixedConfiguration } from './fixed-configuration.ts'

type Options = { readonly platformUrl: string; readonly refreshMs: number; readonly rereadMs: number }

/** A cache of stitched schemas in this process, on a clock that only the test moves. `inMemory`: the number of schemas after each build. */
export async function openSchemaCache({ platformUrl, refreshMs, rereadMs }: Options) {
  const now = performance.now()
  let aheadMs = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + aheadMs)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    clock.mockRestore()
    vi.useRealTimers()
  })
  const endpoints = { records: `${platformUrl}/graphql`, metadata: `${platformUrl}/metadata` }
  const limits = { deadlineMs: 5_000, maxAnswerBytes: 100_000 }
  const executors = {
    records: createPlatformExecutor({ endpoint: endpoints.records, ...limits }),
    metadata: createPlatformExecutor({ endpoint: endpoints.metadata, ...limits }),
  }
  const inMemory: number[] = []
  const cache = createSchemaCache({
    settings: {
      endpoints,
      contract: 'type Query { ours: String }',
      maxSchemas: 8,
      refreshMs,
      rereadMs,
      deadlineMs: limits.deadlineMs,
      directory: null,
    },
    built: createBuiltSchemas(8),
    introspectors: executors,
    onTaken: () => {},
    onBuilt: (_workspaceId, { schemas }) => void inMemory.push(schemas),
  })
  const objects = objectNames(await fixedConfiguration().read('w', 'platform'))
  const requestOf = (workspaceId: string, accessToken: string): SchemaRequest => {
    const { signal } = new AbortController()
    const own = { ...executors, local: createLocalExecutor(() => {}).execute }
    const given = {
      accessToken,
      requestId: 'r',
      signal,
      executors: own,
      wholeErrors: new Map(),
      failures: new Set<never>(),
      beginSpan: null,
    }
    return { workspaceId, objects, platform: { ...given, onVerdict: () => {} } }
  }
  return {
    inMemory,
    take: (workspaceId: string, accessToken = workspaceId) => cache.take({ ...requestOf(workspaceId, accessToken), introspects: false }),
    reread: (workspaceId: string, accessToken: string) => cache.reread(requestOf(workspaceId, accessToken)),
    passes: (ms: number): void => {
      aheadMs += ms
      vi.advanceTimersByTime(ms)
    },
  }
}
