import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '../../../src/kernel/ids.ts'
import type { EventBus } from '../../../src/ports/event-bus.ts'
import { callCompleted } from '../../builders/events.ts'
import { openKafkaBus } from '../../harness/kafka/bus.ts'
import { type KafkaPrograms, startKafkaServer } from '../../harness/kafka/server.ts'
import { startRedisServer } from '../../harness/redis-server.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { type Figure, say } from '../stage/report.ts'
import { type Child, startChild } from './child.ts'
import { startPartners, steps } from './partners.ts'

const leads = 5_000
const kills = 100
/** So many leads wait until the last kill: a consumer that is to be killed always gets work. */
const backlog = 600
/** A killed member leaves its consumer group after 10 s; only then may its partitions go to the restarted consumer. */
const workWithinMs = 90_000

/**
 * Two consumers share the work of at least 5,000 leads and are killed in turn, each time while the platform or the model holds a request
 * of theirs. The model gives another text each time it is asked.
 */
export async function proveKilledConsumers(programs: KafkaPrograms, redisBinary: string): Promise<readonly Figure[]> {
  await using server = await startKafkaServer(programs)
  await using redis = await startRedisServer(redisBinary)
  await using partners = await startPartners()
  await using publisherDir = await createTempDir()
  await using consumerDirs = new AsyncDisposableStack()
  const dirs = [consumerDirs.use(await createTempDir()), consumerDirs.use(await createTempDir())] as const
  const { broker } = server
  await using opened = openKafkaBus({ dataDir: publisherDir.path, broker }, { consumes: false, storesDeadLetters: false })
  await opened.bus.start()
  const startConsumer = (at: 0 | 1): Child => {
    const input = { dataDir: dirs[at].path, broker, group: 'prove', redis: redis.url, partners: `${partners.url}/${at}` }
    return startChild('consumer-process.ts', input, () => undefined)
  }
  const consumers: [Child, Child] = [startConsumer(0), startConsumer(1)]
  await using endConsumers = new AsyncDisposableStack()
  endConsumers.defer(async () => void (await Promise.all(consumers.map((consumer) => consumer.kill()))))
  const publishing = publishLeads(opened.bus, () => partners.texts.size)
  say(`${kills} kills`)
  for (let kill = 0; kill < kills; kill += 1) {
    const at = kill % 2 === 0 ? 0 : 1
    const step = steps[Math.floor(kill / 2) % steps.length] ?? 'activity'
    // The kills are spread over all leads.
    const written = Math.floor(((kill + 1) * leads) / (kills + 1))
    await waitFor(() => partners.texts.size >= written, { deadlineMs: 2 * workWithinMs, what: `${written} leads before kill ${kill + 1}` })
    const held = partners.holdNext(String(at), step)
    await waitFor(() => held.isReached(), { deadlineMs: workWithinMs, what: `consumer ${at} to reach "${step}"` })
    await consumers[at].kill()
    held.release()
    consumers[at] = startConsumer(at)
    if (kill % 10 === 9) say(`${kill + 1} kills, ${partners.texts.size} leads written`)
  }
  const published = await publishing.stop()
  say(`no more kills; ${published - partners.texts.size} of ${published} leads are left`)
  await waitFor(() => partners.texts.size === published, { deadlineMs: 180_000, what: 'all leads' })
  // A double would come now: an event that was delivered although it was worked.
  await delay(5_000)
  const texts = [...partners.texts.values()]
  const doubles = texts.filter((own) => new Set(own).size > 1).length
  const repeated = texts.reduce((sum, own) => sum + own.length - 1, 0)
  return [
    {
      claim: `${kills} kills (-9) of two consumers over ${published} leads, each while a request of the consumer is being answered (${kills / steps.length} each: ${steps.join(', ')})`,
      figure: `${texts.length} leads written, ${doubles} doubles, ${published - texts.length} lost; ${repeated} writes repeated with the same text`,
      holds: doubles === 0 && texts.length === published,
    },
  ]
}

/** Publishes at least `leads` leads and, until it is stopped, one for each that was written; `stop` returns how many in all. */
function publishLeads(bus: EventBus, written: () => number): { readonly stop: () => Promise<number> } {
  let published = 0
  const stopping = new AbortController()
  const publish = async (): Promise<void> => {
    while (published < leads || !stopping.signal.aborted) {
      if (published - written() >= backlog) {
        await delay(20)
        continue
      }
      const ids = { id: newId(), leadId: `lead-${published}`, occurredAt: new Date().toISOString() }
      await bus.publish(callCompleted(`call-${published}`, ids))
      published += 1
    }
  }
  const publishing = publish()
  return {
    async stop() {
      stopping.abort()
      await publishing
      return published
    },
  }
}
