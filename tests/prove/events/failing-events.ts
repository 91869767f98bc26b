import { setTimeout as delay } from 'node:timers/promises'
import { NonRetryableError } from '../../../src/ports/non-retryable-error.ts'
import { callCompleted } from '../../builders/events.ts'
import { openKafkaBus } from '../../harness/kafka/bus.ts'
import { type KafkaPrograms, startKafkaServer } from '../../harness/kafka/server.ts'
import { headerOf, viewTopic, type TopicView } from '../../harness/kafka/topic.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { type Figure, say } from '../stage/report.ts'

const events = 4_000
const perSecond = 100
const failingEvery = 100
const kinds = ['NOT_JSON', 'WRONG_SCHEMA', 'UNKNOWN_VERSION', 'UNKNOWN_LEAD', 'MODEL_REFUSED'] as const

/** How long good events take with and without one non-retryable event in a hundred. */
export async function proveFailingEvents(programs: KafkaPrograms): Promise<readonly Figure[]> {
  await using server = await startKafkaServer(programs)
  await using topic = await viewTopic(server.broker, 'call.completed')
  await using dead = await viewTopic(server.broker, 'call.completed.dead')
  await using dir = await createTempDir()
  await using opened = openKafkaBus({ dataDir: dir.path, broker: server.broker })
  const took = new Map<string, number>()
  const sentAt = new Map<string, number>()
  const tries = new Map<string, number>()
  opened.bus.subscribe({
    name: 'insights',
    topic: 'call.completed',
    async handle({ id, disposition }) {
      await delay(20)
      if (disposition === 'UNKNOWN_LEAD') throw new NonRetryableError('UNKNOWN_LEAD')
      if (disposition === 'MODEL_REFUSED') refuse(id)
      took.set(id, performance.now() - (sentAt.get(id) ?? 0))
    },
  })
  function refuse(id: string): never {
    const times = (tries.get(id) ?? 0) + 1
    tries.set(id, times)
    if (times >= 3) throw new NonRetryableError('MODEL_REFUSED')
    throw new Error('refused')
  }
  await opened.bus.start()

  const run = async (name: string, hasFailing: boolean): Promise<{ median: number; mean: number; p99: number }> => {
    say(`${name}: ${events} events, ${perSecond} a second`)
    took.clear()
    const startedAt = performance.now()
    let good = 0
    for (let index = 0; index < events; index += 1) {
      const id = `${name}-${index}`
      const kind = hasFailing && index % failingEvery === 0 ? kinds[(index / failingEvery) % kinds.length] : undefined
      if (kind === undefined) good += 1
      sentAt.set(id, performance.now())
      await send(topic, { id, kind })
      const aheadMs = (index / perSecond) * 1_000 - (performance.now() - startedAt)
      if (aheadMs > 2) await delay(aheadMs)
    }
    await waitFor(() => took.size >= good, { deadlineMs: 60_000, what: 'all good events' })
    const times = [...took.values()].toSorted((a, b) => a - b)
    const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0
    return { median: at(0.5), mean: times.reduce((a, b) => a + b, 0) / times.length, p99: at(0.99) }
  }
  await run('warm', false)
  const clean = await run('clean', false)
  const failing = await run('failing', true)
  const expected = events / failingEvery
  const deadMessages = await dead.messages((message) => headerOf(message, 'dead-reason') !== undefined, expected)
  const reasons = new Set(deadMessages.map((message) => headerOf(message, 'dead-reason')))
  const more = (failing.mean / clean.mean - 1) * 100
  const shown = ({ median, mean, p99 }: typeof clean): string =>
    `median ${median.toFixed(0)} ms, mean ${mean.toFixed(0)} ms, 99 % ${p99.toFixed(0)} ms`
  return [
    {
      claim: `1 % non-retryable events of five kinds among ${events} events at ${perSecond}/s: delay of the others`,
      figure: `without: ${shown(clean)}; with: ${shown(failing)} (mean ${more >= 0 ? '+' : ''}${more.toFixed(0)} %)`,
      holds: more <= 20,
    },
    {
      claim: 'Non-retryable events in `call.completed.dead`, with their reason',
      figure: `${deadMessages.length} of ${expected}, ${reasons.size} kinds of reasons`,
      holds: deadMessages.length === expected && reasons.size === kinds.length,
    },
  ]
}

async function send(topic: TopicView, { id, kind }: { id: string; kind: (typeof kinds)[number] | undefined }): Promise<void> {
  const event = callCompleted(id, { id, disposition: kind ?? null })
  const texts: Partial<Record<string, string>> = {
    NOT_JSON: 'no event at all',
    WRONG_SCHEMA: JSON.stringify({ ...event, ucid: 1 }),
    UNKNOWN_VERSION: JSON.stringify({ ...event, version: 2 }),
  }
  await topic.put({ key: id, value: texts[kind ?? ''] ?? JSON.stringify(event), headers: { 'event-id': id } })
}
