import { z } from 'zod'
import { type InsightPorts, writeInsight } from '../../../src/features/insights/write-insight.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { createLog } from '../../../src/kernel/log.ts'
import { createInProcessNotifications } from '../../../src/providers/notifications/in-process.ts'
import { connectRedis } from '../../../src/providers/redis/connection.ts'
import { createRedisStore } from '../../../src/providers/store/redis.ts'
import { fixedConfiguration } from '../../harness/fixed-configuration.ts'
import { openKafkaBus } from '../../harness/kafka/bus.ts'
import { retentionOf } from '../../../src/wiring/stored-values.ts'

// Consumes call.completed as the service does. The process that started it stands in for the platform and the model.
const input = z
  .object({ dataDir: z.string(), broker: z.string(), group: z.string(), redis: z.string(), partners: z.string() })
  .parse(JSON.parse(process.argv[2] ?? ''))
const log = createLog('silent')
const connection = await connectRedis({ url: input.redis, log })
const store = createRedisStore({ connection, clock: systemClock, retentionOf })

async function ask(step: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${input.partners}/${step}`, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`status ${response.status}`)
  return response.json()
}

const ports: InsightPorts = {
  leadActivity: {
    async read(_access, leadId) {
      await ask('activity', { leadId })
      return {
        lead: { name: leadId, status: null, source: null },
        timeline: [],
        notes: [],
        tasks: [],
        calls: [],
        visits: [],
        unavailable: [],
      }
    },
  },
  insightRecords: { write: async (_access, leadId, insight) => void (await ask('write', { leadId, ...insight })) },
  languageModelOf: async () => ({
    async structured({ schema }) {
      return { output: schema.parse(await ask('model', {})), model: 'stand-in', tokens: { input: 0, output: 0 } }
    },
  }),
  notifications: createInProcessNotifications({ log }),
  callRecords: { byUcid: async () => null },
  leadRecords: { byPhones: async () => new Map() },
  configuration: fixedConfiguration(),
  doctorDirectory: { read: async () => ({ doctors: [], slots: [] }), invalidate: () => undefined },
  store,
  clock: systemClock,
  log,
}
const { bus } = openKafkaBus(input)
bus.subscribe({ name: 'insights', topic: 'call.completed', handle: (event, signal) => writeInsight(ports, event, signal) })
await bus.start()
process.stdout.write('ready\n')
