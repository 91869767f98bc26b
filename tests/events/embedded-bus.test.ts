import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { EventBus } from '../../src/ports/event-bus.ts'
import { NonRetryableError } from '../../src/ports/non-retryable-error.ts'
import { createRelay } from '../../src/ports/outbox-relay.ts'
import { parseEvent } from '../../src/ports/event-catalogue.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createOutboxBus } from '../../src/providers/broker/outbox-bus.ts'
import { createSqliteOutbox } from '../../src/providers/broker/sqlite-outbox.ts'
import { createEmbeddedBus } from '../harness/embedded-bus.ts'
import { callCompleted } from '../builders/events.ts'
import { createTestClock } from '../harness/clock.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'

const log = createLog('silent')

type Opened = { readonly bus: EventBus } & AsyncDisposable

function open(dataDir: string, options: { maxEvents?: number; clock?: ReturnType<typeof createTestClock> } = {}): Opened {
  const bus = createEmbeddedBus({ dataDir, clock: systemClock, log, ...options })
  return { bus, [Symbol.asyncDispose]: () => bus.close() }
}

test('delivers an event to each consumer of its topic once, however often it is published', async () => {
  await using dir = await createTempDir()
  await using opened = open(dir.path)
  const got: string[] = []
  for (const name of ['insights', 'supervision'])
    opened.bus.subscribe({ name, topic: 'call.completed', handle: async ({ ucid }) => void got.push(`${name} ${ucid}`) })
  await opened.bus.start()
  await Promise.all(Array.from({ length: 5 }, () => opened.bus.publish(callCompleted('1'))))
  await waitFor(async () => got.length > 0 && (await opened.bus.depth()).events === 0)
  await opened.bus.publish(callCompleted('1'))
  await opened.bus.publish(callCompleted('2'))
  await waitFor(async () => got.length >= 4 && (await opened.bus.depth()).events === 0)
  expect(got.toSorted()).toEqual(['insights 1', 'insights 2', 'supervision 1', 'supervision 2'])
})

test('delivers the events of a key in order, also if one fails at first; other keys do not wait', async () => {
  await using dir = await createTempDir()
  await using opened = open(dir.path)
  const got: string[] = []
  let failures = 2
  opened.bus.subscribe({
    name: 'insights',
    topic: 'call.completed',
    async handle({ id, ucid }) {
      if (ucid === 'slow' && failures-- > 0) throw new Error('a temporary error')
      got.push(id)
    },
  })
  await opened.bus.start()
  for (const id of ['a1', 'a2', 'a3']) await opened.bus.publish(callCompleted('slow', { id }))
  await opened.bus.publish(callCompleted('other', { id: 'b1' }))
  await waitFor(() => got.length === 4)
  expect(got).toEqual(['b1', 'a1', 'a2', 'a3'])
})

test('does not retry an event after a non-retryable error, and delivers the next one', async () => {
  await using dir = await createTempDir()
  await using opened = open(dir.path)
  const tried: string[] = []
  opened.bus.subscribe({
    name: 'insights',
    topic: 'call.completed',
    async handle({ id }) {
      tried.push(id)
      if (id === 'bad') throw new NonRetryableError('UNKNOWN_LEAD')
    },
  })
  await opened.bus.start()
  await opened.bus.publish(callCompleted('1', { id: 'bad' }))
  await opened.bus.publish(callCompleted('1', { id: 'good' }))
  await waitFor(async () => (await opened.bus.depth()).events === 0 && tried.includes('good'))
  expect(tried).toEqual(['bad', 'good'])
})

test('a full outbox rejects an event with OVERLOADED, and accepts events again when there is room', async () => {
  await using dir = await createTempDir()
  await using opened = open(dir.path, { maxEvents: 2 })
  let stuck = true
  opened.bus.subscribe({
    name: 'insights',
    topic: 'call.completed',
    handle: () => (stuck ? Promise.reject(new Error('stuck')) : Promise.resolve()),
  })
  await opened.bus.start()
  await opened.bus.publish(callCompleted('1'))
  await opened.bus.publish(callCompleted('2'))
  await expect(opened.bus.publish(callCompleted('3'))).rejects.toMatchObject({ reason: 'OVERLOADED', data: { retryAfterSeconds: 5 } })
  stuck = false
  await waitFor(async () => (await opened.bus.depth()).events === 0)
  await opened.bus.publish(callCompleted('3'))
})

test('parks an event that waits for configuration: it takes no room, is delivered later, and is a dead letter after three days', async () => {
  await using dir = await createTempDir()
  const clock = createTestClock()
  await using opened = open(dir.path, { clock, maxEvents: 1 })
  const configured = new Set<string>()
  const done: string[] = []
  opened.bus.subscribe({
    name: 'insights',
    topic: 'call.completed',
    async handle({ id }) {
      if (!configured.has(id)) throw new AppError('NOT_CONFIGURED')
      done.push(id)
    },
  })
  await opened.bus.start()
  const isParked = (parked: number) => waitFor(async () => (await opened.bus.depth()).parked === parked)
  await opened.bus.publish(callCompleted('1', { id: 'a' }))
  await isParked(1)
  await opened.bus.publish(callCompleted('2', { id: 'b' }))
  await isParked(2)
  expect(await opened.bus.depth()).toMatchObject({ events: 0, oldestAgeMs: 0, receivers: { insights: { parked: 2 } } })
  configured.add('a')
  clock.advance(60_000)
  await waitFor(() => done.length === 1)
  clock.advance(3 * 86_400_000)
  await isParked(0)
  expect(done).toEqual(['a'])
  const deadLetters = await opened.bus.deadLetters.list({ workspaceIds: ['w1'], limit: 10, before: null })
  expect(deadLetters).toEqual([
    expect.objectContaining({ eventId: 'b', reason: 'NOT_CONFIGURED', workspaceId: 'w1', topic: 'call.completed' }),
  ])
  expect(await opened.bus.deadLetters.list({ workspaceIds: ['w2'], limit: 10, before: null })).toEqual([])
  const [deadLetter] = deadLetters
  configured.add('b')
  if (deadLetter) await opened.bus.replay(deadLetter)
  await waitFor(() => done.length === 2)
})

test('in an outage one delivery at a time tests whether it is over; afterwards events are delivered side by side again', async () => {
  await using dir = await createTempDir()
  const outbox = createSqliteOutbox({ dataDir: dir.path, clock: systemClock })
  await using closing = new AsyncDisposableStack()
  closing.defer(() => outbox.close())
  const tries: number[] = []
  const limits: number[] = []
  const waiting: (() => void)[] = []
  const relay = createRelay({
    outbox: { ...outbox, claim: (wanted) => (limits.push(wanted.limit), outbox.claim(wanted)) },
    receiver: 'r',
    concurrency: 4,
    log,
    isOutage: () => true,
    async deliver() {
      tries.push(performance.now())
      if (tries.length <= 2) {
        // A claim of before the outage may be under way: it may also try the event again at once.
        void setImmediate().then(() => limits.splice(0))
        throw new Error('away')
      }
      return new Promise<void>((resolve) => void waiting.push(resolve))
    },
  })
  closing.defer(() => relay.stop())
  closing.defer(() => {
    for (const resolve of waiting) resolve()
  })
  const add = (id: string) => outbox.add({ id, topic: 't', key: id, body: '{}', receivers: ['r'] })
  relay.start()
  await add('first')
  await waitFor(() => waiting.length === 1)
  expect((tries[2] ?? 0) - (tries[0] ?? 0)).toBeGreaterThan(45)
  expect(new Set(limits)).toEqual(new Set([1]))
  waiting[0]?.()
  for (const id of ['a', 'b', 'c', 'd']) await add(id)
  await waitFor(() => waiting.length === 5, { what: 'four deliveries at the same time' })
})

test('reads a newer minor version of an event, but not a newer major version', () => {
  const event = callCompleted('1')
  expect(parseEvent('call.completed', JSON.stringify({ ...event, version: 1.1, added: { since: 1.1 } }))).toEqual({
    ...event,
    version: 1.1,
  })
  expect(() => parseEvent('call.completed', JSON.stringify({ ...event, version: 2 }))).toThrow('UNKNOWN_VERSION')
  expect(() => parseEvent('call.completed', JSON.stringify({ ...event, version: '1' }))).toThrow('UNKNOWN_VERSION')
  const { agentId: _, ...incomplete } = event
  expect(() => parseEvent('call.completed', JSON.stringify(incomplete))).toThrow('WRONG_SCHEMA')
})

test('closing aborts a handler that takes long; its event is delivered again', async () => {
  await using dir = await createTempDir()
  const ending = Promise.withResolvers<void>()
  const first = open(dir.path)
  first.bus.subscribe({
    name: 'insights',
    topic: 'call.completed',
    handle(_event, signal) {
      ending.resolve()
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
    },
  })
  await first.bus.start()
  await first.bus.publish(callCompleted('1'))
  await ending.promise
  const startedAt = performance.now()
  await first.bus.close()
  expect(performance.now() - startedAt).toBeLessThan(30_000)
  await using second = open(dir.path)
  const got: string[] = []
  second.bus.subscribe({ name: 'insights', topic: 'call.completed', handle: async ({ ucid }) => void got.push(ucid) })
  await second.bus.start()
  await waitFor(() => got.length === 1)
})

test('a closed bus accepts nothing, and ends after its running handlers', async () => {
  await using dir = await createTempDir()
  const outbox = createSqliteOutbox({ dataDir: dir.path, clock: systemClock })
  const ends: string[] = []
  const close = async () => {
    ends.push('outbox')
    await outbox.close()
    ends.push('closed')
  }
  const bus = createOutboxBus({ outbox: { ...outbox, close }, log, clock: systemClock })
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const handle = async () => {
    begun.resolve()
    await goOn.promise
    ends.push('handler')
  }
  bus.subscribe({ name: 'insights', topic: 'call.completed', handle })
  expect(() => bus.subscribe({ name: 'insights', topic: 'call.missed', handle })).toThrow('Two consumers have the name insights')
  await bus.start()
  await bus.publish(callCompleted('1'))
  await begun.promise
  const closed = bus.close()
  await setImmediate()
  goOn.resolve()
  await closed
  expect(ends).toEqual(['handler', 'outbox', 'closed'])
  await expect(bus.publish(callCompleted('2'))).rejects.toMatchObject({ reason: 'OVERLOADED' })
  const facts = { id: 'd', topic: 'call.completed', receiver: 'insights', eventId: null, workspaceId: null, key: null, reason: '' }
  await expect(bus.replay({ ...facts, deadAt: 0, value: '', headers: {} })).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
})

test('a process that does not consume stores the events for another one', async () => {
  await using dir = await createTempDir()
  const outbox = createSqliteOutbox({ dataDir: dir.path, clock: systemClock })
  const handled: string[] = []
  const opened = (consumes: boolean) => {
    const bus = createOutboxBus({ outbox: { ...outbox, close: async () => undefined }, log, clock: systemClock, consumes })
    bus.subscribe({ name: 'insights', topic: 'call.completed', handle: async ({ id }) => void handled.push(`${id} ${consumes}`) })
    return bus
  }
  const [publisher, consumer] = [opened(false), opened(true)]
  await publisher.start()
  await publisher.publish(callCompleted('1', { id: 'a' }))
  await publisher.close()
  expect((await outbox.depth()).events).toBe(1)
  await consumer.start()
  await waitFor(() => handled.length === 1)
  await consumer.close()
  await outbox.close()
  expect(handled).toEqual(['a true'])
})

test('reports how many events wait and how old the oldest is', async () => {
  await using dir = await createTempDir()
  const clock = createTestClock()
  await using opened = open(dir.path, { clock })
  opened.bus.subscribe({ name: 'insights', topic: 'call.completed', handle: async () => {} })
  await opened.bus.publish(callCompleted('1'))
  clock.advance(5_000)
  expect(await opened.bus.depth()).toMatchObject({ events: 1, oldestAgeMs: 5_000, parked: 0 })
})

test('loses no published event when the process is killed with kill -9 five times', async () => {
  await using dir = await createTempDir()
  const durable: string[] = []
  for (let run = 0; run < 5; run += 1) durable.push(...(await publishUntilKilled(dir.path, run)))
  await using opened = open(dir.path)
  const got: string[] = []
  opened.bus.subscribe({ name: 'insights', topic: 'call.completed', handle: async ({ ucid }) => void got.push(ucid) })
  await opened.bus.start()
  await waitFor(async () => (await opened.bus.depth()).events === 0)
  expect(durable.length).toBeGreaterThan(250)
  expect(durable.filter((ucid) => !got.includes(ucid))).toEqual([])
  expect(new Set(got).size).toBe(got.length)
})

async function publishUntilKilled(dataDir: string, run: number): Promise<string[]> {
  const child = spawn(process.execPath, [new URL('../harness/publishing-process.ts', import.meta.url).pathname, dataDir, `run${run}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const durable: string[] = []
  createInterface(child.stdout).on('line', (line) => {
    durable.push(line)
    if (durable.length === 60 + run * 7) child.kill('SIGKILL')
  })
  await once(child, 'close')
  return durable
}
