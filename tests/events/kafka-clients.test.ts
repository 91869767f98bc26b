import { expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createLog } from '../../src/kernel/log.ts'
import { NonRetryableError } from '../../src/ports/non-retryable-error.ts'
import type { Outbox } from '../../src/ports/outbox.ts'
import { replayInOutbox } from '../../src/providers/broker/dead-letter.ts'
import { createKafkaClient } from '../../src/providers/broker/kafka/client.ts'
import { inspectKafka } from '../../src/providers/broker/kafka/inspect.ts'
import { createKafkaBus, type KafkaBusOptions } from '../../src/providers/broker/kafka/kafka-bus.ts'
import { deadLetterIn, deadMessage, readMessage } from '../../src/providers/broker/kafka/message.ts'
import { createReader } from '../../src/providers/broker/kafka/reader.ts'
import { createSender } from '../../src/providers/broker/kafka/sender.ts'
import { ensureTopics } from '../../src/providers/broker/kafka/topics.ts'
import { createSqliteOutbox } from '../../src/providers/broker/sqlite-outbox.ts'
import { callCompleted } from '../builders/events.ts'
import { standInKafka } from '../harness/kafka/clients.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'

const log = createLog('silent')
const away = () => Object.assign(new Error('the broker is away'), { name: 'KafkaJSConnectionError' })
const message = (value: string) => ({ topic: 'call.completed', key: 'k', value: Buffer.from(value), headers: {} })

test('a sender connects again after a failure, and distinguishes a refused message from brokers that are away', async () => {
  using stage = standInKafka()
  const sender = createSender(stage.kafka)
  stage.failures.set('producer connect', [away()])
  await expect(sender.send(message('1'))).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  await Promise.all([sender.send(message('2')), sender.send(message('3'))])
  const refusal = Object.assign(new Error('large'), { type: 'MESSAGE_TOO_LARGE' })
  stage.failures.set('producer send', [new Error('retries', { cause: refusal }), away()])
  await expect(sender.send(message('4'))).rejects.toMatchObject({ reason: 'PROVIDER_REFUSED' })
  await expect(sender.send(message('5'))).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  expect(stage.done).toEqual(['producer connect', 'producer send', 'producer send'])
  expect(stage.sent.map(({ topic, messages }) => [topic, messages[0]?.key, String(messages[0]?.value)])).toEqual([
    ['call.completed', 'k', '2'],
    ['call.completed', 'k', '3'],
  ])
})

test('a sender is reachable only if a broker answers, and ends although it cannot take its leave', async () => {
  using stage = standInKafka()
  const sender = createSender(stage.kafka)
  stage.failures.set('admin describeCluster', [away()])
  await expect(sender.ping()).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  await sender.ping()
  stage.failures.set('producer disconnect', [away()])
  await sender.close()
  expect(stage.done).toEqual(['admin connect', 'admin connect', 'admin describeCluster', 'admin disconnect'])
})

test('creates the topics that are missing, and only those', async () => {
  using stage = standInKafka()
  stage.present.push('a')
  stage.failures.set('admin disconnect', [away()])
  const ensure = (topics: string[]) => ensureTopics(stage.kafka, { topics, partitions: 1, log })
  await ensure(['a', 'b'])
  expect(stage.present).toEqual(['a', 'b'])
  await ensure(['a', 'b'])
  const steps = ['connect', 'listTopics', 'createTopics', 'connect', 'listTopics', 'disconnect']
  expect(stage.done).toEqual(steps.map((step) => `admin ${step}`))
  stage.failures.set('admin createTopics', [away()])
  await expect(ensure(['c'])).rejects.toThrow('away')
  expect(stage.done.at(-1)).toBe('admin disconnect')
})

function openReader(stage: ReturnType<typeof standInKafka>, accept: Parameters<typeof createReader>[0]['accept'] = async () => undefined) {
  const warnings: string[] = []
  const watched = Object.assign(createLog('silent'), { warn: (_facts: unknown, text: string) => void warnings.push(text) })
  const reader = createReader({ kafka: stage.kafka, groupId: 'g', topics: ['t'], accept, log: watched })
  reader.start()
  return { reader, warnings, [Symbol.asyncDispose]: () => reader.stop() }
}

test('a consumer that cannot start, or ends, is replaced until the reader is stopped', async () => {
  using stage = standInKafka()
  stage.failures.set('g run', [away()])
  stage.failures.set('g disconnect', [away()])
  await using opened = openReader(stage)
  await waitFor(() => stage.running.length === 1)
  stage.crashes[1]?.(away())
  await waitFor(() => stage.running.length === 2)
  await opened.reader.stop()
  expect(opened.warnings).toEqual(['kafka.consumer-ended', 'kafka.consumer-ended'])
  const [left, started] = [['g disconnect'], ['g connect', 'g subscribe', 'g run']]
  expect(stage.done).toEqual(['g connect', 'g subscribe', ...started, ...left, ...started, ...left])
  // kafkajs may report a crash that late, and one of a consumer that did not start.
  for (const crash of stage.crashes) crash(away())
  expect(stage.crashes).toHaveLength(3)
})

test('messages are committed in groups when they are accepted, and handed over again until they are', async () => {
  using stage = standInKafka()
  const groups: number[] = []
  await using opened = openReader(stage, async (messages) => {
    groups.push(messages.length)
    if (groups.length === 2) throw new Error('the outbox is full')
  })
  const { read } = await waitFor(() => stage.running[0])
  const messages = (length: number) => Array.from({ length }, (_, index) => ({ key: 'k', value: String(index) }))
  let heartbeats = 0
  const heartbeat = async () => void (heartbeats += 1)
  expect(await read(messages(200), { heartbeat })).toEqual(['99', '199'])
  expect(groups).toEqual([100, 100, 100])
  expect(heartbeats).toBe(3)
  const offsets: string[] = []
  const resolveOffset = (offset: string) => void offsets.push(offset)
  const isLate = read(messages(1), { resolveOffset, heartbeat: () => Promise.reject(new Error('the group has changed')) })
  await expect(isLate).rejects.toThrow('the group has changed')
  for (const changes of [{ isRunning: () => false }, { isStale: () => true }]) await read(messages(1), { resolveOffset, ...changes })
  await opened.reader.stop()
  await read(messages(1), { resolveOffset })
  expect([groups.length, offsets]).toEqual([4, []])
})

/** A bus on the clients above. Events of its outbox are stored in a file, and `ended` says when each part has ended. */
async function openBus(stage: ReturnType<typeof standInKafka>, options: Partial<KafkaBusOptions> = {}) {
  await using opening = new AsyncDisposableStack()
  const { path } = opening.use(await createTempDir())
  const real = createSqliteOutbox({ dataDir: path, clock: systemClock })
  const outbox: Outbox = {
    ...real,
    async close() {
      stage.done.push('outbox close')
      await real.close()
    },
    ...options.outbox,
  }
  const access = { brokers: ['127.0.0.1:9'], group: 'g', sasl: null, tls: null }
  const bus = createKafkaBus({ access, partitions: 1, clock: systemClock, log, ...options, outbox })
  opening.defer(() => bus.close())
  const opened = opening.move()
  return { bus, outbox: real, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

test('a bus that does not consume, or stores no dead letters, does not read them; brokers that refuse to create topics do not stop it', async () => {
  for (const { changes, group, isRefused } of [
    { changes: { consumes: false }, group: 'g.dead-letters', isRefused: false },
    { changes: { storesDeadLetters: false }, group: 'g.insights', isRefused: true },
  ]) {
    using stage = standInKafka()
    if (isRefused) stage.failures.set('admin listTopics', [new Error('no right to see topics')])
    await using opened = await openBus(stage, changes)
    opened.bus.subscribe({ name: 'insights', topic: 'call.completed', handle: async () => undefined })
    await opened.bus.start()
    await opened.bus.publish(callCompleted('ucid', { id: 'e1' }))
    await waitFor(() => stage.sent.length === 1 && stage.running.length === 1)
    const headers = { 'event-id': 'e1', type: 'call.completed', version: '1', workspace: 'w1' }
    expect(stage.sent).toMatchObject([{ topic: 'call.completed', messages: [{ key: 'ucid', headers }] }])
    expect(stage.running.map(({ groupId }) => groupId)).toEqual([group])
    expect(stage.present.includes('call.completed.dead')).toBe(!isRefused)
    const lag = await opened.bus.lag().catch(() => null)
    expect(lag).toEqual(isRefused ? null : { insights: 23 })
  }
})

test('after refused sign-ins everything begins as soon as the brokers take the password: topics, reading, and what was published meanwhile', async () => {
  using stage = standInKafka()
  const refused = () => Object.assign(new Error('SASL failed'), { name: 'KafkaJSSASLAuthenticationError' })
  for (const step of ['admin listTopics', 'producer connect', 'g.insights connect', 'g.dead-letters connect'])
    stage.failures.set(step, [refused(), refused(), refused()])
  const warnings: unknown[] = []
  const watched = Object.assign(createLog('silent'), { warn: (facts: object, text: string) => void warnings.push({ ...facts, text }) })
  await using opened = await openBus(stage, { log: watched, retryRefusedMs: 10 })
  opened.bus.subscribe({ name: 'insights', topic: 'call.completed', handle: async () => undefined })
  await opened.bus.start()
  await opened.bus.publish(callCompleted('ucid', { id: 'e1' }))
  await waitFor(() => stage.sent.length === 1 && stage.running.length === 2 && stage.present.includes('call.completed.dead'))
  expect(stage.sent).toMatchObject([{ topic: 'call.completed', messages: [{ key: 'ucid', headers: { 'event-id': 'e1' } }] }])
  expect(stage.running.map(({ groupId }) => groupId).toSorted()).toEqual(['g.dead-letters', 'g.insights'])
  expect([...stage.failures.values()].flat()).toEqual([])
  // The same refusal is logged once.
  const topics = warnings.filter((warning) => JSON.stringify(warning).includes('kafka.topics-failed'))
  expect(topics).toEqual([expect.objectContaining({ reason: 'SASL_AUTHENTICATION_FAILED' })])
  await waitFor(async () => (await opened.bus.depth()).events === 0)
})

test('a bus that is closed while it waits for the brokers neither reads nor sends, and accepts nothing', async () => {
  using stage = standInKafka()
  stage.failures.set('admin connect', [away()])
  await using opened = await openBus(stage)
  opened.bus.subscribe({ name: 'insights', topic: 'call.completed', handle: async () => undefined })
  await opened.bus.publish(callCompleted(newId()))
  await opened.bus.start()
  await waitFor(() => stage.done.includes('admin disconnect'))
  await opened.bus.close()
  await expect(opened.bus.publish(callCompleted(newId()))).rejects.toMatchObject({ reason: 'OVERLOADED' })
  expect(stage.done.filter((step) => !step.startsWith('admin'))).toEqual(['producer disconnect', 'outbox close'])
})

test.each(['admin listTopics', 'producer disconnect'])('a bus that is closed waits for what is under way: %s', async (under) => {
  using stage = standInKafka()
  const { promise, resolve } = Promise.withResolvers<void>()
  stage.holds.set(under, promise)
  await using opened = await openBus(stage)
  await opened.bus.start()
  await waitFor(() => stage.done.includes('admin connect'))
  const closing = opened.bus.close()
  for (let rounds = 0; rounds < 20; rounds += 1) await new Promise((next) => void setImmediate(next))
  expect(stage.done).not.toContain('outbox close')
  resolve()
  await closing
  expect(stage.done.indexOf(under)).toBeGreaterThan(-1)
  expect(stage.done.indexOf(under)).toBeLessThan(stage.done.indexOf('outbox close'))
})

test('what the brokers have is read, and nothing but the brokers can make it fail', async () => {
  using stage = standInKafka()
  const access = { brokers: ['127.0.0.1:9'], group: 'g', sasl: null, tls: null }
  stage.present.push('call.completed', 'call.missed', 'not ours')
  stage.groups.push('g.insights', 'elsewhere.insights', 'great')
  stage.failures.set('admin disconnect', [away()])
  const report = await inspectKafka(access, log)
  expect(report).toMatchObject({ brokers: 0, topics: { 'call.completed': 2, 'call.missed': 2 }, lag: { 'g.insights': 6 } })
  expect(Object.keys(report.lag)).toEqual(['g.insights'])
  expect(report.missing).toContain('call.recorded')
  expect(report.missing).not.toContain('call.missed')
  stage.present.length = 0
  expect(await inspectKafka(access, log)).toMatchObject({ topics: {}, lag: { 'g.insights': 0 } })
  stage.failures.set('admin connect', [away()])
  await expect(inspectKafka(access, log)).rejects.toThrow('the broker is away')
  expect(stage.done.at(-1)).toBe('admin disconnect')
})

test('a replay that cannot be stored fails', async () => {
  const deadLetter = {
    id: newId(),
    topic: 'webhook',
    receiver: 'calls',
    eventId: null,
    workspaceId: null,
    key: null,
    reason: 'WRONG_SCHEMA',
    deadAt: 0,
    value: '',
    headers: {},
  }
  const add = () => Promise.reject(new AppError('STORE_UNAVAILABLE'))
  await expect(replayInOutbox({ add }, deadLetter)).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
})

test('a sender that cannot take its leave in three seconds ends all the same', async () => {
  using stage = standInKafka()
  stage.holds.set('producer disconnect', new Promise(() => {}))
  const sender = createSender(stage.kafka)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const closing = sender.close()
  await vi.advanceTimersByTimeAsync(3_000)
  await expect(closing).resolves.toBeUndefined()
})

test('a bus ends in order: its readers, its running handlers, its connections, its outbox', async () => {
  using stage = standInKafka()
  const handling = Promise.withResolvers<void>()
  let isHandled = false
  await using opened = await openBus(stage, { storesDeadLetters: false })
  const handle = async () => {
    handling.resolve()
    await waitFor(() => stage.done.includes('g.insights disconnect'))
    isHandled = true
    stage.done.push('handled')
  }
  opened.bus.subscribe({ name: 'insights', topic: 'call.completed', handle })
  await opened.bus.start()
  const { read } = await waitFor(() => stage.running[0])
  await read([{ key: 'k', value: JSON.stringify(callCompleted(newId())) }])
  await handling.promise
  await opened.bus.close()
  expect(isHandled).toBe(true)
  const ends = ['g.insights disconnect', 'handled', 'producer disconnect', 'outbox close']
  expect(stage.done.filter((step) => ends.includes(step))).toEqual(ends)
})

test('a handler handles as many events at once as it may', async () => {
  using stage = standInKafka()
  await using opened = await openBus(stage, { concurrency: 2, storesDeadLetters: false })
  const waiting: (() => void)[] = []
  const handle = () => new Promise<void>((resolve) => void waiting.push(resolve))
  opened.bus.subscribe({ name: 'insights', topic: 'call.completed', handle })
  await opened.bus.start()
  const { read } = await waitFor(() => stage.running[0])
  await read(['1', '2', '3'].map((ucid) => ({ key: ucid, value: JSON.stringify(callCompleted(ucid)) })))
  await waitFor(() => waiting.length === 2)
  expect(await opened.outbox.claim({ receiver: 'insights', limit: 10, leaseMs: 60_000 })).toHaveLength(1)
  expect(waiting).toHaveLength(2)
  for (const resolve of waiting) resolve()
})

/** A bus with the consumer `insights`, and a way to hand it messages. */
async function openInsights(stage: ReturnType<typeof standInKafka>, handle: (id: string) => Promise<void>, outbox?: Outbox) {
  const opened = await openBus(stage, outbox && { outbox })
  opened.bus.subscribe({ name: 'insights', topic: 'call.completed', handle: ({ id }) => handle(id) })
  await opened.bus.start()
  const of = (group: string) => waitFor(() => stage.running.find(({ groupId }) => groupId === group))
  return { ...opened, own: await of('g.insights'), dead: await of('g.dead-letters') }
}

test('what cannot be stored is not committed: events, dead letters and messages that are no events', async () => {
  using stage = standInKafka()
  const full = () => Promise.reject(new AppError('OVERLOADED'))
  await using dir = await createTempDir()
  const real = createSqliteOutbox({ dataDir: dir.path, clock: systemClock })
  await using closing = new AsyncDisposableStack()
  // Its thread may open the file later than everything here has happened.
  closing.defer(() => real.close())
  const outbox = { ...real, add: full, deadLetters: { ...real.deadLetters, add: full } }
  await using opened = await openInsights(stage, async () => undefined, outbox)
  const { own, dead } = opened
  await expect(opened.bus.publish(callCompleted('1'))).rejects.toMatchObject({ reason: 'OVERLOADED' })
  stage.failures.set('producer connect', [away()])
  // The group has changed after the first try.
  const once = () => {
    let checks = 0
    return { isStale: () => (checks += 1) > 1 }
  }
  const event = { key: '1', value: JSON.stringify(callCompleted('1')) }
  const noEvent = { key: '1', value: Buffer.from([0xff, 0xfe]) }
  const committed = await Promise.all([dead.read([event], once()), own.read([event], once()), own.read([noEvent], once())])
  expect(committed).toEqual([[], [], []])
  expect(await own.read([noEvent])).toEqual(['0'])
  expect(stage.sent).toEqual([expect.objectContaining({ topic: 'call.completed.dead' })])
})

test('an event is handled once, and again by its receiver alone when it is replayed', async () => {
  using stage = standInKafka()
  const handled: string[] = []
  await using opened = await openInsights(stage, async (id) => void handled.push(id))
  const event = { key: '1', value: JSON.stringify(callCompleted('1', { id: 'e1' })) }
  const replayed = (receiver: string, replay: string) => ({ ...event, headers: { receiver, replay } })
  const last = { key: '1', value: JSON.stringify(callCompleted('1', { id: 'e2' })) }
  await opened.own.read([
    event,
    event,
    replayed('other', 'r1'),
    replayed('insights', 'r2'),
    replayed('insights', 'r2'),
    replayed('insights', 'r3'),
    last,
  ])
  await waitFor(() => handled.includes('e2'))
  expect(handled).toEqual(['e1', 'e1', 'e1', 'e2'])
})

test('an event that is given up stays in the inbox until its dead letter is sent, and it is settled', async () => {
  using stage = standInKafka()
  const refuse = () => Promise.reject(new NonRetryableError('UNKNOWN_LEAD'))
  await using dir = await createTempDir()
  const outbox = createSqliteOutbox({ dataDir: dir.path, clock: systemClock })
  const failures = [new AppError('STORE_UNAVAILABLE')]
  const settle: Outbox['settle'] = async (delivery) => {
    const failure = failures.pop()
    if (failure) throw failure
    return outbox.settle(delivery)
  }
  await using opened = await openInsights(stage, refuse, { ...outbox, settle })
  stage.failures.set('producer send', [away()])
  const headers = { workspace: 'w1', 'event-id': 'e1' }
  await opened.own.read([{ key: '1', value: JSON.stringify(callCompleted('1', { id: 'e1' })), headers }])
  const [record] = await waitFor(() => stage.sent.length === 2 && stage.sent)
  const sent = record?.messages[0]
  await waitFor(async () => (await opened.bus.depth()).events === 0)
  expect([record?.topic, sent?.key]).toEqual(['call.completed.dead', '1'])
  // The message as another instance reads it from the dead topic, with the time of its death.
  const at = '2026-01-02T03:04:05.000Z'
  await opened.dead.read([{ key: '1', value: String(sent?.value), headers: { ...sent?.headers, 'dead-at': at } }])
  const [deadLetter] = await opened.bus.deadLetters.list({ workspaceIds: ['w1'], limit: 10, before: null })
  expect(deadLetter).toMatchObject({ receiver: 'insights', reason: 'UNKNOWN_LEAD', eventId: 'e1', workspaceId: 'w1', key: '1', headers })
  expect(deadLetter?.deadAt).toBe(Date.parse(at))
  const { eventId, value } = deadLetter ?? {}
  expect([eventId, Buffer.from(value ?? '', 'base64').toString()]).toEqual(['e1', String(sent?.value)])
})

test('a file of certificates that cannot be read is named at the start', () => {
  const tls = { caFile: '/nowhere/ca.pem', certFile: null, keyFile: null }
  const access = { brokers: ['127.0.0.1:9'], group: 'g', sasl: null, tls }
  expect(() => createKafkaClient(access, log)).toThrow('The file /nowhere/ca.pem of the Kafka settings cannot be read')
})

test('a message has one dead letter, and each message one of its own', () => {
  const idOf = (partition: number, offset: string) => {
    const read = readMessage('call.completed', partition, { key: null, value: null, timestamp: '', attributes: 0, offset, headers: {} })
    return deadMessage(read, { receiver: 'insights', reason: 'NOT_JSON', deadAt: 0 }).headers['dead-id']
  }
  expect(idOf(0, '1')).toBe(idOf(0, '1'))
  expect(new Set([idOf(0, '1'), idOf(1, '1'), idOf(1, '0')]).size).toBe(3)
  const foreign = { topic: 'call.completed.dead', key: null, value: Buffer.from('x'), position: '0:1' }
  expect(deadLetterIn({ ...foreign, headers: {} }, 7)).toMatchObject({ topic: 'call.completed', receiver: 'unknown', deadAt: 7 })
  expect(deadLetterIn({ ...foreign, headers: { 'dead-at': 'yesterday' } }, 7)).toMatchObject({
    deadAt: 7,
    eventId: null,
    workspaceId: null,
  })
})
