import { createLog } from '../../src/kernel/log.ts'
import { createFileDocuments } from '../../src/providers/store/file-documents.ts'
import { runSecretRounds } from '../harness/secret-rounds.ts'
import { findOnPath } from '../harness/system.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { proveFullDisk } from './configuration/full-disk.ts'
import { proveKilledRedis, startDurableRedis } from './configuration/killed-redis.ts'
import { proveKilledWriters } from './configuration/killed-writers.ts'
import { proveTwoWriters } from './configuration/two-writers.ts'
import { type Figure, proveParts } from './stage/report.ts'

async function proveSecrets(count: number): Promise<Figure> {
  await using directory = await createTempDir()
  const store = await createFileDocuments({ dataDir: directory.path, log: createLog('silent') })
  const claim = 'Secrets in generated documents (whole, partial, nested, lists, unknown fields)'
  try {
    const { rounds, accepted, unchanged, set, cleared } = await runSecretRounds({ store, count, seed: 20_250_115 })
    const figure = `${rounds} round trips (${accepted} accepted; ${unchanged} secrets unchanged, ${set} set, ${cleared} cleared): 0 lost, 0 shown, 0 overwritten`
    return { claim, figure, holds: rounds === count }
  } catch (error) {
    return { claim, figure: error instanceof Error ? error.message : String(error), holds: false }
  } finally {
    await store.close()
  }
}

async function proveFiles(): Promise<readonly Figure[]> {
  await using directory = await createTempDir()
  const place = `files:${directory.path}` as const
  return [
    await proveKilledWriters({ claim: 'Files: kill -9 during writes', place, rounds: 200 }),
    await proveTwoWriters('Files: two writers', { place, times: 500 }),
    await proveFullDisk(),
  ]
}

async function proveRedis(): Promise<readonly Figure[]> {
  const binary = await findOnPath(['redis-server', 'valkey-server'])
  if (binary === null) return [{ claim: 'Redis', figure: 'not tried: put redis-server on PATH', holds: false }]
  await using redis = await startDurableRedis(binary)
  const place = `redis:${redis.url}` as const
  return [
    await proveKilledWriters({ claim: 'Redis: kill -9 of an instance during writes', place, rounds: 200 }),
    await proveKilledRedis(redis, 40),
    await proveTwoWriters('Redis: two writers', { place, times: 500 }),
  ]
}

const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  secrets: async () => [await proveSecrets(10_000)],
  files: proveFiles,
  redis: proveRedis,
}
await proveParts('Configuration', parts)
process.exit(process.exitCode)
