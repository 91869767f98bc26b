import { createEmbeddedBus } from './embedded-bus.ts'
import { createLog } from '../../src/kernel/log.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { callCompleted } from '../builders/events.ts'

// Publishes until it is killed, and prints each event when it is durable. Its consumer always fails.
const [dataDir = '', run = ''] = process.argv.slice(2)
const bus = createEmbeddedBus({ dataDir, clock: systemClock, log: createLog('silent') })
bus.subscribe({ name: 'insights', topic: 'call.completed', handle: () => Promise.reject(new Error('not now')) })
await bus.start()
for (let index = 0; ; index += 1) {
  const ucid = `${run}-${index}`
  await bus.publish(callCompleted(ucid))
  process.stdout.write(`${ucid}\n`)
}
