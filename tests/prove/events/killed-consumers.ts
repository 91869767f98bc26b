import { createServer } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { newId } from '../../../src/kernel/ids.ts'
import { callCompleted } from '../../builders/events.ts'
import { openKafkaBus } from '../../harness/kafka/bus.ts'
import { type KafkaPrograms, startKafkaServer } from '../../harness/kafka/server.ts'
import { startRedisServer } from '../../harness/redis-server.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { type Figure, say } from '../stage/report.ts'
import { type Child, startChild } from './child.ts'

const leads = 5_000
const kills = 100
const publishForMs = 20_000
const betweenKillsMs = 1_400
const writeSchema = z.object({ leadId: z.string(), summary: z.string() })

/** Two consumers share the work of 5,000 leads and are killed in turn; the model says something else each time it is asked. */
export async function proveKilledConsumers(programs: KafkaPrograms, redisBinary: string): Promise<readonly Figure[]> {
  await using server = await startKafkaServer(programs)
  await using redis = await startRedisServer(redisBinary)
  await using world = await playWorld()
  await using teller = await createTempDir()
  const dirs = [await createTempDir(), await createTempDir()] as const
  const { broker } = server
  await using opened = openKafkaBus({ dataDir: teller.path, broker }, { consumes: false, storesDeadLetters: false })
  await opened.bus.start()
  const startConsumer = (at: 0 | 1): Child => {
    const input = { dataDir: dirs[at].path, broker, group: 'prove', redis: redis.url, world: `${world.url}/${at}` }
    return startChild('consumer-process.ts', input, () => undefined)
  }
  const consumers: [Child, Child] = [startConsumer(0), startConsumer(1)]
  const published = publishAll(opened.bus)
  say(`${kills} kills, one every ${betweenKillsMs / 1_000} s`)
  let killedAtWork = 0
  for (let kill = 0; kill < kills; kill += 1) {
    await delay(betweenKillsMs * (0.5 + Math.random()))
    const at = kill % 2 === 0 ? 0 : 1
    // A kill proves something where it meets a consumer between two of its steps.
    const isAtWork = await waitFor(() => world.atWork(at) > 0, { deadlineMs: 4_000 }).catch(() => false)
    await consumers[at].kill()
    if (isAtWork) killedAtWork += 1
    consumers[at] = startConsumer(at)
  }
  await published
  say('no kill any more; the rest is worked')
  await waitFor(() => world.texts.size === leads, { deadlineMs: 180_000, what: 'all leads' })
  await delay(5_000)
  await Promise.all(consumers.map((consumer) => consumer.kill()))
  await Promise.all(dirs.map((dir) => dir[Symbol.asyncDispose]()))
  const doubles = [...world.texts.values()].filter((texts) => new Set(texts).size > 1).length
  const again = [...world.texts.values()].reduce((sum, texts) => sum + texts.length - 1, 0)
  return [
    {
      claim: `${kills} kills (-9) of two consumers over ${leads} leads`,
      figure: `${world.texts.size} leads written, ${doubles} doubles, ${leads - world.texts.size} lost; ${again} writes repeated with the same text; ${killedAtWork} kills met a consumer in the middle of its work`,
      holds: doubles === 0 && world.texts.size === leads && killedAtWork >= kills * 0.8,
    },
  ]
}

async function publishAll(bus: ReturnType<typeof openKafkaBus>['bus']): Promise<void> {
  const startedAt = performance.now()
  for (let index = 0; index < leads; index += 1) {
    await bus.publish(callCompleted(`call-${index}`, { id: newId(), leadId: `lead-${index}`, occurredAt: new Date().toISOString() }))
    const aheadMs = (index / leads) * publishForMs - (performance.now() - startedAt)
    if (aheadMs > 5) await delay(aheadMs)
  }
}

/** The platform and the model, slow enough that a kill meets them half way. */
async function playWorld() {
  const texts = new Map<string, string[]>()
  const underWay = new Map<string, number>()
  const count = (consumer: string, by: number): void => void underWay.set(consumer, (underWay.get(consumer) ?? 0) + by)
  const answer = async (what: string, body: string): Promise<unknown> => {
    await delay(40 + Math.random() * 60)
    if (what === 'model') return { summary: `Said ${newId()}`, suggestedAction: 'CALL_BACK', reason: 'Because.', callBackAt: null }
    if (what !== 'write') return {}
    const { leadId, summary } = writeSchema.parse(JSON.parse(body))
    texts.set(leadId, [...(texts.get(leadId) ?? []), summary])
    await delay(30)
    return {}
  }
  const server = createServer(async (request, response) => {
    const [, consumer = '', what = ''] = (request.url ?? '').split('/')
    count(consumer, 1)
    const result = await answer(what, await text(request).catch(() => '{}'))
    count(consumer, -1)
    response.end(JSON.stringify(result))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    texts,
    atWork: (consumer: number) => underWay.get(String(consumer)) ?? 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
