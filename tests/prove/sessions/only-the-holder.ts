import { systemClock } from '../../../src/kernel/clock.ts'
import { createLog } from '../../../src/kernel/log.ts'
import type { Store } from '../../../src/ports/store.ts'
import { connectRedis } from '../../../src/providers/redis/connection.ts'
import { createRedisStore } from '../../../src/providers/store/redis.ts'
import { createSqliteStore } from '../../../src/providers/store/sqlite.ts'
import { lateHolder } from '../../harness/late-holder.ts'
import { startRedisServer } from '../../harness/redis-server.ts'
import { findOnPath } from '../../harness/system.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import { type Figure, say } from '../stage/report.ts'
import { retentionOf } from '../../../src/wiring/stored-values.ts'

const tries = 1_000
const log = createLog('silent')

/** Late heartbeats and logouts against a lock that another holder has by now, 1,000 on each store. */
export async function proveOnlyTheHolder(): Promise<readonly Figure[]> {
  await using dir = await createTempDir()
  const embedded = createSqliteStore({ dataDir: dir.path, clock: systemClock, retentionOf })
  const binary = await findOnPath(['redis-server', 'valkey-server'])
  await using redis = await startRedisServer(binary ?? 'redis-server')
  await using connection = await connectRedis({ url: redis.url, log })
  const figures = [
    await attack('SQLite', embedded),
    await attack('Redis', createRedisStore({ connection, clock: systemClock, retentionOf })),
  ]
  await embedded.close()
  return figures
}

async function attack(name: string, store: Store): Promise<Figure> {
  say(`${tries} late heartbeats and logouts on ${name}`)
  let touched = 0
  for (let number = 0; number < tries; number += 1) touched += (await lateHolder(store, number)) ? 1 : 0
  return {
    claim: `A late heartbeat or logout of a former holder, ${tries} tries on ${name}`,
    figure: `${touched} locks touched`,
    holds: touched === 0,
  }
}
