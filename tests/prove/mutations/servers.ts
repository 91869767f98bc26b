import type { TestProject } from 'vitest/node'
import { buildIfStale } from '../../harness/build.ts'
import { startRedisServer } from '../../harness/redis-server.ts'
import { setup as startAll } from '../../harness/servers.ts'
import { findOnPath } from '../../harness/system.ts'

/** Starts Redis only, in half a second, unless `MUTATIONS_SERVERS=all`: Kafka takes ten. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.env['MUTATIONS_SERVERS'] === 'all') return startAll(project)
  await buildIfStale()
  const binary = await findOnPath(['redis-server', 'valkey-server'])
  const redis = binary === null ? null : await startRedisServer(binary)
  project.provide('redis', redis && binary !== null ? { url: redis.url, binary } : null)
  for (const name of ['kafka', 'chromium', 'espeak'] as const) project.provide(name, null)
  for (const name of ['openssl', 'curl'] as const) {
    const program = await findOnPath([name])
    project.provide(name, program === null ? null : { binary: program })
  }
  return async () => redis?.[Symbol.asyncDispose]()
}
