import { setTimeout as pause } from 'node:timers/promises'
import { createLog } from '../../../src/kernel/log.ts'
import { connectRedis } from '../../../src/providers/redis/connection.ts'
import { startRedisServer } from '../../harness/redis-server.ts'
import { findOnPath } from '../../harness/system.ts'
import { openTcpGate } from '../../harness/tcp-gate.ts'
import { createClient } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { setStage } from '../stage/stage.ts'

const longestMs = 5_000
const refusedMs = 30_000
const pollMs = 50

/** A primary and a replica behind one address change their roles, and the connections to the old primary live on. Then there is no primary. */
export async function proveFailOver(): Promise<readonly Figure[]> {
  await using stage = await setStage({ agents: 20 })
  const binary = await findOnPath(['redis-server', 'valkey-server'])
  await using second = await startRedisServer(binary ?? '')
  await using gate = await openTcpGate(stage.redis.port)
  const log = createLog('silent')
  await using old = await connectRedis({ url: stage.redis.url, log })
  await using other = await connectRedis({ url: second.url, log })
  await old.once((redis) => redis.config('SET', 'repl-diskless-sync-delay', 0))
  await other.once((redis) => redis.replicaof('127.0.0.1', stage.redis.port))

  await using client = createClient()
  const { url } = await stage.service('redis', { REDIS_URL: `redis://127.0.0.1:${gate.port}` })
  let number = 0
  const logIn = async (): Promise<number> => (await client.logIn(url, `load${(number += 1)}`)).status
  const health = async (): Promise<number> => (await fetch(`${url}/health`)).status
  const msUntil = async (condition: () => Promise<boolean>, limitMs: number): Promise<number> => {
    const startedAt = performance.now()
    while (!(await condition()) && performance.now() - startedAt < limitMs) await pause(pollMs)
    return Math.round(performance.now() - startedAt)
  }
  const before = await logIn()
  while ((await other.once((redis) => redis.info('replication'))).includes('master_link_status:down')) await pause(pollMs)

  say('The replica becomes the primary, and the old one its replica')
  await other.once((redis) => redis.call('REPLICAOF', 'NO', 'ONE'))
  gate.leadTo(second.port)
  await old.once((redis) => redis.replicaof('127.0.0.1', second.port))
  const againMs = await msUntil(async () => (await logIn()) === 200, 60_000)

  say('Both are replicas')
  await other.once((redis) => redis.replicaof('127.0.0.1', stage.redis.port))
  const firstHealth = await health()
  const failsMs = await msUntil(async () => (await health()) === 503, 2 * refusedMs)
  await other.once((redis) => redis.call('REPLICAOF', 'NO', 'ONE'))
  const wellMs = await msUntil(async () => (await health()) === 200, 60_000)

  return [
    {
      claim: 'After a fail-over, with living connections to the old primary, an agent signs in',
      figure: `before: ${before}; again after ${againMs} ms, at most ${longestMs}`,
      holds: before === 200 && againMs <= longestMs,
    },
    {
      claim: 'Without any primary /health fails',
      figure: `${firstHealth} at first, 503 after ${failsMs} ms; 200 again ${wellMs} ms after there is one`,
      holds: firstHealth === 200 && failsMs >= refusedMs - 2_000 && failsMs <= refusedMs + 10_000 && wellMs <= longestMs,
    },
  ]
}
