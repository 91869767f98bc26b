import { z } from 'zod'
import { createWriteInsight } from '../../../src/features/insights/write-insight.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { createLog } from '../../../src/kernel/log.ts'
import { connectRedis } from '../../../src/providers/redis/connection.ts'
import { createRedisStore } from '../../../src/providers/store/redis.ts'
import { openKafkaBus } from '../../harness/kafka/bus.ts'

// Consumes call.completed as the service does; the platform and the model are played by the process that started it.
const input = z
  .object({ dataDir: z.string(), broker: z.string(), group: z.string(), redis: z.string(), world: z.string() })
  .parse(JSON.parse(process.argv[2] ?? ''))
const log = createLog('silent')
const connection = await connectRedis({ url: input.redis, log })
const store = createRedisStore({ connection, clock: systemClock })

async function ask(what: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${input.world}/${what}`, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`status ${response.status}`)
  return response.json()
}

const handle = createWriteInsight({
  activity: {
    async read(_access, leadId) {
      await ask('activity', { leadId })
      return { lead: { name: leadId, status: null, source: null }, timeline: [], notes: [], tasks: [], calls: [], visits: [] }
    },
  },
  insights: { write: async (_access, leadId, insight) => void (await ask('write', { leadId, ...insight })) },
  languageModelOf: async () => ({
    async structured({ schema }) {
      return { output: schema.parse(await ask('model', {})), model: 'played', tokens: { input: 0, output: 0 } }
    },
  }),
  leadOfCall: async () => null,
  recordingOf: async () => null,
  knownDoctors: async () => [],
  store,
  clock: systemClock,
})
const { bus } = openKafkaBus(input)
bus.subscribe({ name: 'insights', topic: 'call.completed', handle })
await bus.start()
process.stdout.write('ready\n')
