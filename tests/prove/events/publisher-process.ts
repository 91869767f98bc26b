import { z } from 'zod'
import { callCompleted } from '../../builders/events.ts'
import { openKafkaBus } from '../../harness/kafka/bus.ts'

// Publishes `perSecond` events a second until it is killed. Prints each event when it is durable, and how long that took.
const input = z
  .object({ dataDir: z.string(), broker: z.string(), group: z.string(), first: z.number(), perSecond: z.number() })
  .parse(JSON.parse(process.argv[2] ?? ''))
const { bus } = openKafkaBus(input, { consumes: false, storesDeadLetters: false })
await bus.start()
let next = input.first
const startedAt = performance.now()
const timer = setInterval(() => {
  const due = input.first + ((performance.now() - startedAt) / 1_000) * input.perSecond
  for (; next < due; next += 1) void publish(next)
}, 5)

async function publish(index: number): Promise<void> {
  const askedAt = performance.now()
  await bus.publish(callCompleted(`call-${index}`, { id: `event-${index}`, leadId: `lead-${index}` }))
  process.stdout.write(`${index} ${(performance.now() - askedAt).toFixed(2)}\n`)
}

process.once('SIGTERM', () => {
  clearInterval(timer)
  void drain()
})

async function drain(): Promise<void> {
  while ((await bus.depth()).events > 0) await new Promise((resolve) => void setTimeout(resolve, 100))
  await bus.close()
  process.exit(0)
}
