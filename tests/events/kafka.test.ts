import RequestQueue from 'kafkajs/src/network/requestQueue/index.js'
import { describe, expect, test, vi } from 'vitest'
import { NonRetryableError } from '../../src/ports/non-retryable-error.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createLog } from '../../src/kernel/log.ts'
import { activeTraceparent, inSpan } from '../../src/kernel/tracing.ts'
import { createSqliteOutbox } from '../../src/providers/broker/sqlite-outbox.ts'
import { withTraceparents } from '../../src/providers/broker/traced-outbox.ts'
import { openTracing } from '../../src/providers/tracing/open-tracing.ts'
import { repairRequestQueue } from '../../src/providers/broker/kafka/request-queue.ts'
import { callCompleted } from '../builders/events.ts'
import { openKafkaBus } from '../harness/kafka/bus.ts'
import { addKafkaUser, startKafkaServer } from '../harness/kafka/server.ts'
import { headerOf, viewTopic } from '../harness/kafka/topic.ts'
import { startOtlpCollector } from '../harness/otlp-collector.ts'
import { realServer } from '../harness/real-server.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'

const kafka = await realServer('kafka')
const broker = kafka?.broker ?? ''

test('replays what never went to the broker, a call record for example, without the broker', async () => {
  await using dir = await createTempDir()
  const outbox = createSqliteOutbox({ dataDir: dir.path, clock: systemClock })
  await using opened = openKafkaBus({ dataDir: dir.path, broker: '127.0.0.1:9' }, { outbox })
  const value = Buffer.from('{"workspaceId":"w1"}').toString('base64')
  const names = { topic: 'call.record', receiver: 'call-records', eventId: null, workspaceId: 'w1', key: 'ucid', reason: 'RECORD_REFUSED' }
  await opened.bus.replay({ id: 'dead-1', ...names, deadAt: Date.now(), value, headers: {} })
  const claimed = await outbox.claim({ receiver: 'call-records', limit: 10, leaseMs: 60_000 })
  expect(claimed).toEqual([expect.objectContaining({ topic: 'call.record', key: 'ucid', body: '{"workspaceId":"w1"}' })])
})

describe.skipIf(kafka === null)('events on a real Kafka', () => {
  test('sends an event to its topic with its key and headers, and delivers it to its consumer once', async () => {
    await using dir = await createTempDir()
    await using topic = await viewTopic(broker, 'call.completed')
    await using opened = openKafkaBus({ dataDir: dir.path, broker })
    const event = callCompleted(newId(), { id: newId() })
    const got: unknown[] = []
    opened.bus.subscribe({
      name: 'insights',
      topic: 'call.completed',
      handle: async (handed) => void (handed.id === event.id && got.push(handed)),
    })
    await opened.bus.start()
    await Promise.all([opened.bus.publish(event), opened.bus.publish(event)])
    await waitFor(() => got.length > 0)
    const [message] = await topic.messages(({ headers }) => headers?.['event-id']?.toString() === event.id, 1)
    expect(message?.key?.toString()).toBe(event.ucid)
    expect(JSON.parse(String(message?.value))).toEqual(event)
    expect([headerOf(message, 'type'), headerOf(message, 'version'), headerOf(message, 'workspace')]).toEqual(['call.completed', '1', 'w1'])
    // Another program sends it again: the consumer knows it by its id.
    await topic.put({ key: event.ucid, value: JSON.stringify(event), headers: { 'event-id': event.id } })
    const last = callCompleted(event.ucid, { id: newId() })
    opened.bus.subscribe({ name: 'unused', topic: 'call.missed', handle: async () => {} })
    await opened.bus.publish(last)
    await topic.messages(({ headers }) => headers?.['event-id']?.toString() === last.id, 1)
    await waitFor(async () => (await opened.bus.depth()).events === 0)
    expect(got).toEqual([event])
  })

  test('the consumer of an event is in the trace in which it was published; the message names it', async () => {
    await using dir = await createTempDir()
    await using collector = await startOtlpCollector()
    await using topic = await viewTopic(broker, 'call.completed')
    const tracing = { endpoint: collector.url, headers: {}, serviceName: 'test', sampled: 1 }
    await using stack = new AsyncDisposableStack()
    stack.use(openTracing(tracing, { platformUrl: 'http://127.0.0.1:9', log: createLog('silent') }))
    const outbox = withTraceparents(createSqliteOutbox({ dataDir: dir.path, clock: systemClock }))
    await using opened = openKafkaBus({ dataDir: dir.path, broker }, { outbox })
    const event = callCompleted(newId(), { id: newId() })
    const got: (string | null)[] = []
    opened.bus.subscribe({
      name: 'insights',
      topic: 'call.completed',
      handle: async (handed) => void (handed.id === event.id && got.push(activeTraceparent())),
    })
    await opened.bus.start()
    const published = await inSpan({ name: 'a request', kind: 'SERVER' }, async () => {
      await opened.bus.publish(event)
      return activeTraceparent()
    })
    const [inConsumer] = await waitFor(() => got.length > 0 && got)
    const traceId = published?.split('-')[1] ?? ''
    expect(inConsumer?.split('-')[1]).toBe(traceId)
    const [message] = await topic.messages(({ headers }) => headers?.['event-id']?.toString() === event.id, 1)
    expect(JSON.parse(String(message?.value))).toEqual(event)
    const named = (name: string) => waitFor(() => collector.spans.find((span) => span.traceId === traceId && span.name === name))
    const [request, sent, handled] = [await named('a request'), await named('send call.completed'), await named('process call.completed')]
    expect([sent.parentSpanId, handled.parentSpanId]).toEqual([request.spanId, sent.spanId])
    expect(headerOf(message, 'traceparent')).toBe(`00-${traceId}-${sent.spanId}-01`)
  })

  test('a new consumer gets the events from before its first start', async () => {
    await using dir = await createTempDir()
    await using other = await createTempDir()
    const event = callCompleted(newId(), { id: newId() })
    const got: string[] = []
    const late = { name: 'late', topic: 'call.completed', handle: async ({ id }: { readonly id: string }) => void got.push(id) } as const
    await using publisher = openKafkaBus({ dataDir: dir.path, broker }, { consumes: false })
    publisher.bus.subscribe(late)
    await publisher.bus.start()
    await publisher.bus.publish(event)
    await waitFor(async () => (await publisher.bus.depth()).events === 0)
    expect((await publisher.bus.lag())['late']).toBeGreaterThan(0)
    await using listener = openKafkaBus({ dataDir: other.path, broker, group: publisher.group })
    listener.bus.subscribe(late)
    await listener.bus.start()
    await waitFor(() => got.includes(event.id))
    expect(got.filter((id) => id === event.id)).toHaveLength(1)
    await waitFor(async () => (await publisher.bus.lag())['late'] === 0)
  })

  test('an idle client sleeps, and sets no timer in the past', async () => {
    const warnings: string[] = []
    const warn = (warning: Error): void => void warnings.push(warning.name)
    process.on('warning', warn)
    await using dir = await createTempDir()
    await using opened = openKafkaBus({ dataDir: dir.path, broker })
    opened.bus.subscribe({ name: 'idle', topic: 'agent.state', handle: async () => {} })
    await opened.bus.start()
    await opened.bus.publish(callCompleted(newId(), { id: newId() }))
    await waitFor(async () => (await opened.bus.depth()).events === 0)
    const checks = vi.spyOn(RequestQueue.prototype, 'checkPendingRequests')
    const until = performance.now() + 2_000
    await waitFor(() => performance.now() > until)
    const checked = checks.mock.calls.length
    checks.mockRestore()
    process.off('warning', warn)
    // One check for each answer of the broker: a few fetches and heartbeats. Without the repair there are some 700 per second and connection.
    expect(checked).toBeLessThan(100)
    expect(warnings.filter((name) => name.startsWith('Timeout'))).toEqual([])
  })

  test('checks a pending request again, also if the pause that the broker asked for has just ended', async () => {
    repairRequestQueue()
    const checks: number[] = []
    const logger = { namespace: () => ({ debug: () => undefined }) }
    const queue = new RequestQueue({
      maxInFlightRequests: 1,
      requestTimeout: 1_000,
      clientId: '',
      broker: '',
      logger,
      isConnected: () => true,
    })
    Object.assign(queue, { pending: ['a request'], throttledUntil: Date.now() })
    queue.checkPendingRequests = () => void checks.push(performance.now())
    const asked = performance.now()
    queue.scheduleCheckPendingRequests()
    await waitFor(() => checks.length === 1)
    Object.assign(queue, { throttledUntil: Date.now() + 200 })
    queue.scheduleCheckPendingRequests()
    await waitFor(() => checks.length === 2)
    expect((checks[1] ?? 0) - asked).toBeGreaterThan(195)
  })

  test('connects through TLS with user name and password, and not with a wrong password', async () => {
    const { broker: secure = '', caFile = '', username = '', password = '' } = kafka?.secure ?? {}
    const tls = { caFile, certFile: null, keyFile: null }
    const sasl = { mechanism: 'scram-sha-512', username, password } as const
    await using dir = await createTempDir()
    await using opened = openKafkaBus({ dataDir: dir.path, broker: secure, access: { tls, sasl } })
    const event = callCompleted(newId(), { id: newId() })
    const got: string[] = []
    opened.bus.subscribe({ name: 'insights', topic: 'call.completed', handle: async ({ id }) => void got.push(id) })
    await opened.bus.start()
    await opened.bus.publish(event)
    await waitFor(() => got.includes(event.id))
    await using otherDir = await createTempDir()
    await using refused = openKafkaBus({ dataDir: otherDir.path, broker: secure, access: { tls, sasl: { ...sasl, password: 'wrong' } } })
    await expect(refused.bus.ping()).rejects.toThrow('The event broker answers, and refuses: SASL_AUTHENTICATION_FAILED')
    await opened.bus.ping()
  })

  test('a user whom the brokers refuse begins to send and to read when they know the user', async () => {
    const { broker: secure = '', caFile = '' } = kafka?.secure ?? {}
    const user = { username: `late-${newId()}`, password: 'the password of a new user' }
    const tls = { caFile, certFile: null, keyFile: null }
    const access = { tls, sasl: { mechanism: 'scram-sha-512', ...user } as const }
    const warnings: unknown[] = []
    const log = Object.assign(createLog('silent'), { warn: (facts: object) => void warnings.push(facts) })
    await using dir = await createTempDir()
    await using opened = openKafkaBus({ dataDir: dir.path, broker: secure, access }, { log })
    const event = callCompleted(newId(), { id: newId() })
    const got: string[] = []
    opened.bus.subscribe({ name: 'insights', topic: 'call.completed', handle: async ({ id }) => void got.push(id) })
    await opened.bus.start()
    await opened.bus.publish(event)
    await waitFor(() => warnings.length > 2)
    await expect(opened.bus.ping()).rejects.toThrow('refuses: SASL_AUTHENTICATION_FAILED')
    expect(got).toEqual([])
    await addKafkaUser(broker, user)
    await waitFor(() => got.includes(event.id))
    await opened.bus.ping()
    expect(JSON.stringify(warnings)).not.toContain(user.password)
  })

  test('sends an event that cannot be handled to the dead topic with its original bytes; other events do not wait for it', async () => {
    await using dir = await createTempDir()
    await using topic = await viewTopic(broker, 'call.completed')
    await using dead = await viewTopic(broker, 'call.completed.dead')
    await using opened = openKafkaBus({ dataDir: dir.path, broker })
    const workspaceId = newId()
    const [good, unknownLead] = [callCompleted(newId(), { id: newId(), workspaceId }), callCompleted(newId(), { id: newId(), workspaceId })]
    const got: string[] = []
    let leadExists = false
    opened.bus.subscribe({
      name: 'insights',
      topic: 'call.completed',
      async handle({ id }) {
        if (id === unknownLead.id && !leadExists) throw new NonRetryableError('UNKNOWN_LEAD')
        got.push(id)
      },
    })
    const bytes = Buffer.from([0xff, 0x00, 0xfe, ...Buffer.from(workspaceId)])
    const headers = { workspace: workspaceId, custom: 'custom value' }
    await topic.put({ key: 'not-json', value: bytes, headers })
    await topic.put({ key: 'schema', value: JSON.stringify({ ...good, id: newId(), ucid: 7 }), headers })
    await topic.put({ key: 'version', value: JSON.stringify({ ...good, id: newId(), version: 2 }), headers })
    await opened.bus.start()
    await opened.bus.publish(unknownLead)
    await opened.bus.publish(good)
    const deadMessages = await dead.messages(
      (message) => headerOf(message, 'workspace') === workspaceId && headerOf(message, 'dead-receiver') === 'insights',
      4,
    )
    const reasons = new Map(deadMessages.map((message) => [message.key?.toString(), headerOf(message, 'dead-reason')]))
    expect(reasons).toEqual(
      new Map([
        ['not-json', 'NOT_JSON'],
        ['schema', 'WRONG_SCHEMA'],
        ['version', 'UNKNOWN_VERSION'],
        [unknownLead.ucid, 'UNKNOWN_LEAD'],
      ]),
    )
    const original = deadMessages.find(({ key }) => key?.toString() === 'not-json')
    expect(original?.value?.equals(bytes)).toBe(true)
    expect(headerOf(original, 'custom')).toBe('custom value')
    await waitFor(() => got.includes(good.id))

    const page = { workspaceIds: [workspaceId], limit: 100, before: null }
    const deadLetters = await waitFor(async () => {
      const own = await opened.bus.deadLetters.list(page)
      return own.length >= 4 && own
    })
    const deadLetter = deadLetters.find(({ eventId }) => eventId === unknownLead.id)
    expect(deadLetter).toMatchObject({ topic: 'call.completed', receiver: 'insights', reason: 'UNKNOWN_LEAD', key: unknownLead.ucid })
    leadExists = true
    if (deadLetter) await opened.bus.replay(deadLetter)
    await waitFor(() => got.includes(unknownLead.id))
  })
})

describe.skipIf(kafka === null)('without the broker', () => {
  test('publishing does not wait; when the broker is back every event is delivered, in order per key', async () => {
    if (kafka === null) throw new Error('skipped')
    await using server = await startKafkaServer(kafka.programs, { sessionMs: 3_000 })
    await using dir = await createTempDir()
    await using opened = openKafkaBus({ dataDir: dir.path, broker: server.broker })
    const got: string[] = []
    opened.bus.subscribe({ name: 'insights', topic: 'call.completed', handle: async ({ id }) => void got.push(id) })
    await opened.bus.start()
    await opened.bus.publish(callCompleted('k0', { id: 'first' }))
    await waitFor(() => got.length === 1)
    await server.kill()
    const ids = Array.from({ length: 300 }, (_, index) => ({ id: `e${index}`, key: `k${index % 20}` }))
    for (const { id, key } of ids) await opened.bus.publish(callCompleted(key, { id }))
    await expect(opened.bus.ping()).rejects.toThrow('The event broker is not available')
    expect((await opened.bus.depth()).events).toBe(300)
    await server.restart()
    await waitFor(() => got.length >= 301)
    await waitFor(async () => (await opened.bus.depth()).events === 0)
    expect(got.toSorted()).toEqual(['first', ...ids.map(({ id }) => id)].toSorted())
    for (let key = 0; key < 20; key += 1) {
      const own = ids.filter((entry) => entry.key === `k${key}`).map(({ id }) => id)
      expect(got.filter((id) => own.includes(id))).toEqual(own)
    }
  })
})
