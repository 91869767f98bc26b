import { access } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createHttpServer } from '../../src/server/http/http-server.ts'
import { checkDueWork } from '../../src/server/operations/health-checks.ts'
import type { HealthCheck } from '../../src/server/operations/health.ts'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { inUsualTime } from '../harness/patient-settings.ts'
import { createTestClock } from '../harness/clock.ts'
import { becomes, healthSchema, partOf, readiness } from '../harness/health.ts'
import { waitFor } from '../harness/wait-for.ts'

test('a store that can be read but not written is down, and the instance gets no traffic until it can', async () => {
  await using app = await createTestApp()
  await becomes(app, 'store', 'up')
  await becomes(app, 'disk', 'up')
  expect(await readiness(app)).toEqual({ status: 200, ready: true, reasons: [] })
  using other = new DatabaseSync(join(app.dataDir, 'store.db'))
  other.exec('BEGIN IMMEDIATE')
  expect((await becomes(app, 'store', 'down')).reason).toBeTypeOf('string')
  const refused = await readiness(app)
  expect(refused).toMatchObject({ status: 503, ready: false })
  expect(refused.reasons.join()).toContain('store: ')
  // Somebody behind a proxy, who is no operator, gets no text of an error.
  const stranger = await fetch(`${app.url}/ready`, { headers: { 'x-forwarded-for': '203.0.113.9' } })
  expect(await stranger.json()).toEqual({ ready: false, reasons: ['store'] })
  other.exec('ROLLBACK')
  await becomes(app, 'store', 'up')
  expect((await readiness(app)).status).toBe(200)
})

test('a platform that is away degrades the service, which stays ready', async () => {
  await using app = await createTestApp({ environment: { PLATFORM_URL: 'http://127.0.0.1:9' } })
  await becomes(app, 'platform', 'down')
  expect((await readiness(app)).status).toBe(200)
})

test('no address for live events is a reason to be degraded', async () => {
  await using app = await createTestApp()
  const { reason } = await becomes(app, 'liveEvents', 'degraded')
  expect(reason).toContain('PUBLIC_URL')
  expect(healthSchema.parse((await app.rest('GET', '/health')).body).status).toBe('degraded')
})

test('the queue of automatic analysis is in /health and /metrics', async () => {
  await using app = await createTestApp()
  expect(await becomes(app, 'recordings', 'up')).toMatchObject({ detail: { waiting: 0, later: 0, isFull: false } })
  expect((await app.rest('GET', '/metrics')).body).toContain('sidecar_recordings_waiting{state="waiting"} 0')
})

test('what is done later is in /health and /metrics, with how much waits or fails and since when', async () => {
  await using app = await createTestApp()
  const nothing = { due: 0, failing: 0, oldestMs: 0 }
  expect(await becomes(app, 'dueWork', 'up')).toMatchObject({ detail: { 'callback-tasks': nothing, 'dispositions-unfinished': nothing } })
  const { body } = await app.rest('GET', '/metrics')
  expect(body).toContain('sidecar_due_work_items{list="callback-tasks",state="failing"} 0')
  expect(body).toContain('sidecar_due_work_oldest_seconds{list="callback-tasks"} 0')
  const figures = { 'callback-tasks': { due: 1, failing: 3, oldestMs: 420_000 }, 'session-checks': nothing }
  expect(await checkDueWork({ figures: async () => figures })).toMatchObject({
    problem: expect.stringContaining('callback-tasks (7 minutes, 3 failing)') as unknown,
    detail: figures,
  })
})

test('a part says in plain words why it is degraded or down', async () => {
  const health: Record<string, HealthCheck> = {
    bus: async () => ({ problem: 'The outbox is full', detail: { events: 100_000 } }),
    broker: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1')),
  }
  await using server = await serverWith(health)
  expect(await partOf(server, 'bus')).toMatchObject({ state: 'degraded', reason: 'The outbox is full' })
  expect(await partOf(server, 'broker')).toMatchObject({ state: 'down', reason: 'It does not answer' })
  expect((await readiness(server)).status).toBe(200)
})

test('a part that hangs delays no answer, is checked without being asked, and never twice at the same time', async () => {
  using _ = inUsualTime()
  let hung = 0
  let quick = 0
  const health: Record<string, HealthCheck> = {
    bus: () => {
      hung += 1
      return new Promise(() => undefined)
    },
    store: async () => void (quick += 1),
  }
  await using server = await serverWith(health)
  // Only the first answers after the start wait, and not for long.
  expect(await partOf(server, 'store')).toMatchObject({ state: 'up' })
  expect(await partOf(server, 'bus')).toMatchObject({ state: 'unknown' })
  expect(await readiness(server)).toMatchObject({ status: 503, reasons: ['bus: It does not answer'] })
  await waitFor(() => quick >= 3)
  expect(hung).toBe(1)
  // What still hangs is down, and this is no old state.
  const before = (await partOf(server, 'bus'))?.['checkedAt']
  await waitFor(async () => (await partOf(server, 'bus'))?.['checkedAt'] !== before)
  expect(await partOf(server, 'bus')).toMatchObject({ state: 'down', reason: 'It does not answer' })
  expect(await readiness(server)).toMatchObject({ status: 503, reasons: ['bus: It does not answer'] })
})

test('a state older than ten seconds is unknown, and an instance whose store is unknown is not ready', async () => {
  let checks = 0
  // A later check ends in no case, so that no new result comes while the clock stands still.
  const once = () => {
    checks += 1
    return checks === 1 ? Promise.resolve() : new Promise<void>(() => undefined)
  }
  await using server = await serverWith({ store: once })
  expect((await readiness(server)).status).toBe(200)
  const at = performance.now()
  const late = vi.spyOn(performance, 'now').mockReturnValue(at + 10_100)
  try {
    expect(await partOf(server, 'store')).toEqual({
      state: 'unknown',
      checkedAt: null,
      checkMs: null,
      reason: 'No result in the last ten seconds',
    })
    expect(await readiness(server)).toMatchObject({ status: 503, reasons: ['store: No result in the last ten seconds'] })
    expect(healthSchema.parse(await (await fetch(`${server.url}/health`)).json()).status).toBe('degraded')
  } finally {
    late.mockRestore()
  }
})

test('/health fails when the store has refused for half a minute; one that is away is no reason to restart', async () => {
  const refusal = new AppError('STORE_UNAVAILABLE', { cause: Object.assign(new Error('READONLY ...'), { name: 'ReplyError' }) })
  const away = new AppError('STORE_UNAVAILABLE', { cause: new Error('connect ECONNREFUSED 10.0.0.1') })
  let found: AppError | null = away
  let moved = 0
  const real = performance.now.bind(performance)
  using clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + moved)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  using _ = { [Symbol.dispose]: () => vi.useRealTimers() }
  await using server = await serverWith({ store: () => (found === null ? Promise.resolve() : Promise.reject(found)) })
  const statusAfter = async (ms: number): Promise<number> => {
    moved += ms
    const checkedAt = (await partOf(server, 'store'))?.['checkedAt']
    vi.advanceTimersByTime(2_000)
    await waitFor(async () => (await partOf(server, 'store'))?.['checkedAt'] !== checkedAt, { what: 'another check' })
    return (await fetch(`${server.url}/health`)).status
  }
  expect(await statusAfter(40_000)).toBe(200)
  found = refusal
  expect(await statusAfter(0)).toBe(200)
  for (const ms of [9_000, 9_000, 9_000]) expect(await statusAfter(ms)).toBe(200)
  expect(await statusAfter(4_000)).toBe(503)
  // While a new connection is opened it is away.
  found = away
  expect(await statusAfter(0)).toBe(503)
  expect(await statusAfter(11_000)).toBe(200)
  found = null
  expect(await statusAfter(0)).toBe(200)
  expect(clock).toHaveBeenCalled()
})

test('a part that answered while the event loop was blocked is up', async () => {
  let isFirst = true
  // Blocked after the check has begun, and before its answer is read.
  const store = () =>
    new Promise<void>((resolve, reject) => {
      setImmediate(() => {
        access('/').then(resolve, reject)
        if (isFirst) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_200)
        isFirst = false
      })
    })
  await using server = await serverWith({ store })
  expect(await readiness(server)).toEqual({ status: 200, ready: true, reasons: [] })
})

test('checks end with the server', async () => {
  const aborted = Promise.withResolvers<void>()
  {
    await using server = await serverWith({
      platform: (signal) => new Promise(() => signal.addEventListener('abort', () => aborted.resolve(), { once: true })),
    })
    expect(await partOf(server, 'platform')).toMatchObject({ state: 'unknown' })
  }
  await aborted.promise
})

describe('who is no operator', () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9' }
  const read = async (app: Pick<TestApp, 'rest'>, token?: string) => {
    const { status, body } = await app.rest('GET', '/health', { token, headers: forwarded })
    expect(status).toBe(200)
    return body
  }

  test('learns from /health that the service is up or down, and nothing else; a manager and an operator learn all', async () => {
    await using app = await createTestApp()
    await becomes(app, 'liveEvents', 'degraded')
    const [agent, manager] = [await app.signIn('agent1@demo.example'), await app.signIn('manager@demo.example')]
    for (const token of [undefined, 'no-token', agent.token, `${manager.token.slice(0, -3)}abc`])
      expect(await read(app, token)).toEqual({ status: 'up' })
    expect(await read(app, manager.token)).toMatchObject({ status: 'degraded', parts: { liveEvents: { state: 'degraded' } } })
    expect(await (await fetch(`${app.url}/health`)).json()).toMatchObject({
      status: 'degraded',
      parts: { liveEvents: { state: 'degraded' } },
    })
    const head = await fetch(`${app.url}/health`, { method: 'HEAD', headers: forwarded })
    expect([head.status, head.headers.get('cache-control'), await head.text()]).toEqual([200, 'no-store', ''])

    using other = new DatabaseSync(join(app.dataDir, 'store.db'))
    other.exec('BEGIN IMMEDIATE')
    await waitFor(async () => JSON.stringify(await read(app)) === '{"status":"down"}')
    other.exec('ROLLBACK')
    await waitFor(async () => JSON.stringify(await read(app)) === '{"status":"up"}')
  })

  test('a manager sees why the platform is away, although it can confirm nobody, and waits for it no longer than a second', async () => {
    const clock = createTestClock()
    await using app = await createTestApp({ clock })
    using _ = inUsualTime()
    const first = await app.signIn('manager@demo.example')
    const [second, third] = [await app.signIn('manager@demo.example'), await app.signIn('manager@demo.example')]
    await app.signIn('agent1@demo.example')
    expect(await read(app, first.token)).toMatchObject({ parts: {} })
    app.standIns.platform.fault({ act: 'hang' })
    clock.advance(61_000)
    const startedAt = performance.now()
    const answers = await Promise.all(Array.from({ length: 20 }, () => read(app, first.token)))
    expect(performance.now() - startedAt).toBeLessThan(8_000)
    for (const body of answers) expect(body).toMatchObject({ parts: {} })
    // Of these tokens it has said only at the sign-in that they are a manager's: that counts for 15 minutes.
    expect(await read(app, second.token)).toMatchObject({ parts: {} })
    clock.advance(900_000)
    expect(await read(app, third.token)).toEqual({ status: 'up' })
  })
})

function serverWith(health: Readonly<Record<string, HealthCheck>>) {
  const metricsFrom = ['127.0.0.1']
  return createHttpServer({ host: '127.0.0.1', port: 0, trustProxy: [], metricsFrom, handlers: {}, health, log: createLog('silent') })
}
