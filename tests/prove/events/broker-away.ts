import { setTimeout as delay } from 'node:timers/promises'
import { type KafkaPrograms, startKafkaServer } from '../../harness/kafka/server.ts'
import { viewTopic } from '../../harness/kafka/topic.ts'
import { openKafkaBus } from '../../harness/kafka/bus.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { type Figure, say } from '../stage/report.ts'
import { type Child, startChild } from './child.ts'

const perSecond = 200
const kills = 20
const awayMs = 60_000
const long = { deadlineMs: 180_000 }

/** 200 events a second; the broker is down for a minute, and the service is killed 20 times in it. */
export async function proveBrokerAway(programs: KafkaPrograms): Promise<readonly Figure[]> {
  await using server = await startKafkaServer(programs)
  await using dir = await createTempDir()
  const { broker } = server
  const durable = new Map<number, number>()
  let next = 0
  const start = (): Child =>
    startChild('publisher-process.ts', { dataDir: dir.path, broker, group: 'prove', first: next, perSecond }, (line) => {
      const [index = 0, ms = 0] = line.split(' ').map(Number)
      durable.set(index, ms)
      next = Math.max(next, index + 1_000)
    })
  say('the broker is there')
  let service = start()
  await waitFor(() => durable.size > 5 * perSecond, long)
  say('the broker is killed')
  await server.kill()
  const before = durable.size
  for (let kill = 0; kill < kills; kill += 1) {
    await delay(awayMs / kills)
    await service.kill()
    service = start()
  }
  const away = [...durable.values()].slice(before).toSorted((a, b) => a - b)
  say(`the broker comes back; ${away.length} events were taken meanwhile`)
  await server.restart()
  const atReturn = durable.size
  await waitFor(() => durable.size > atReturn + 5 * perSecond, long)
  await service.end()

  await using topic = await viewTopic(broker, 'call.completed')
  const isOurs = new Set([...durable.keys()].map((index) => `event-${index}`))
  const sent = await topic.messages(({ headers }) => isOurs.has(String(headers?.['event-id'])), durable.size)
  const different = new Set(sent.map(({ headers }) => String(headers?.['event-id']))).size
  const lost = isOurs.size - different
  const twice = sent.length - different
  const effects = await effectsOf(broker, isOurs)
  const once = [...effects.values()].filter((count) => count === 1).length
  const p = (share: number): string => (away[Math.floor(away.length * share)] ?? 0).toFixed(1)
  return [
    {
      claim: `Broker away for ${awayMs / 1_000} s at ${perSecond} events/s, service killed (-9) ${kills} times in it`,
      figure: `${isOurs.size} events acknowledged (${away.length} of them without the broker), ${lost} lost, ${twice} sent twice (${((100 * twice) / isOurs.size).toFixed(2)} %)`,
      holds: lost === 0 && twice <= isOurs.size / 100 && away.length > (awayMs / 1_000) * perSecond * 0.5,
    },
    {
      claim: 'Effects of those events at the consumer',
      figure: `${once} events worked once, ${effects.size - once} more than once, ${isOurs.size - effects.size} not`,
      holds: once === isOurs.size,
    },
    {
      claim: 'Time to take an event without the broker (on disk, then the answer; the 20 starts of the service included)',
      figure: `median ${p(0.5)} ms, 99 % within ${p(0.99)} ms`,
      holds: (away[Math.floor(away.length * 0.99)] ?? Infinity) < 500,
    },
  ]
}

async function effectsOf(broker: string, events: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
  await using dir = await createTempDir()
  await using opened = openKafkaBus({ dataDir: dir.path, broker })
  const effects = new Map<string, number>()
  opened.bus.subscribe({
    name: 'insights',
    topic: 'call.completed',
    handle: async ({ id }) => void (events.has(id) && effects.set(id, (effects.get(id) ?? 0) + 1)),
  })
  await opened.bus.start()
  await waitFor(() => effects.size >= events.size, long)
  await waitFor(async () => (await opened.bus.depth()).events === 0, long)
  return effects
}
