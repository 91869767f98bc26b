import { expect, onTestFinished, test, vi } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { asService, type ServiceLane } from '../../src/ports/record-access.ts'
import { createRequestWindow, type RequestWindow } from '../../src/providers/platform/api-key-limit.ts'
import { createServiceQueue } from '../../src/providers/platform/api-key-queue.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createCallsDesk } from '../harness/calls-desk.ts'
import { lateStore } from '../harness/late-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { createTestClock } from '../harness/clock.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

async function openWindow(perMinute: number, now?: string) {
  await using opening = new AsyncDisposableStack()
  const dir = opening.use(await createTempDir())
  const clock = createTestClock(now)
  const real = createSqliteStore({ dataDir: dir.path, clock, retentionOf })
  opening.defer(() => real.close())
  const store = lateStore(real)
  const running = opening.move()
  const increments: string[] = []
  const counting: Store = {
    ...real,
    increment(key, by, lifetime) {
      increments.push(key)
      return store.increment(key, by, lifetime)
    },
  }
  const window = createRequestWindow({ store: counting, clock, perMinute })
  return { clock, store: real, increments, window, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

/** How many of these requests are allowed at this moment. */
async function allowed(window: RequestWindow, tries: number): Promise<number> {
  let count = 0
  for (let at = 0; at < tries; at += 1) if ((await window.take('w', 1, 0)).waitMs === 0) count += 1
  return count
}

test('allows the configured requests of a minute, and never more than 100 in a second', async () => {
  await using opened = await openWindow(250)
  const { clock, window } = opened
  expect(await allowed(window, 150)).toBe(100)
  clock.advance(1_100)
  expect(await allowed(window, 150)).toBe(100)
  clock.advance(1_100)
  expect(await allowed(window, 150)).toBe(50)
  clock.advance(66_000)
  expect(await allowed(window, 150)).toBe(100)
})

test('learns a lower limit from the platform, of a minute and of a second', async () => {
  await using opened = await openWindow(250)
  const { clock, window } = opened
  window.learn('w', { requests: 60, windowMs: 60_000 })
  expect(await allowed(window, 1)).toBe(0)
  clock.advance(5_000)
  expect(await allowed(window, 100)).toBe(60)
  clock.advance(66_000)
  window.learn('w', { requests: 20, windowMs: 1_000 })
  clock.advance(1_000)
  expect(await allowed(window, 100)).toBe(20)
  clock.advance(1_100)
  expect(await allowed(window, 100)).toBe(20)
  // Somebody may have raised the platform's limit: after an hour ours is used again.
  clock.advance(3_600_000 - 2_100)
  expect(await allowed(window, 150)).toBe(100)
})

test('minutes and seconds are counted apart, from the first moment on', async () => {
  await using opened = await openWindow(250, '1970-01-01T00:00:00.000Z')
  expect(await allowed(opened.window, 150)).toBe(100)
})

test('a limit that is no higher in a minute than in a second is counted once', async () => {
  for (const { perMinute, counted } of [
    { perMinute: 100, counted: 1 },
    { perMinute: 101, counted: 2 },
  ]) {
    await using opened = await openWindow(perMinute)
    expect(await allowed(opened.window, 1)).toBe(1)
    expect(opened.increments).toHaveLength(counted)
  }
})

test('a refused request is taken back before its answer', async () => {
  await using opened = await openWindow(101)
  const counts = () => opened.store.getMany([...new Set(opened.increments)])
  expect(await allowed(opened.window, 101)).toBe(100)
  expect(await counts()).toEqual(['100', '100'])
  opened.clock.advance(1_100)
  expect(await allowed(opened.window, 2)).toBe(1)
  expect((await counts())[0]).toBe('101')
})

test('without the store this process counts alone', async () => {
  await using opened = await openWindow(250)
  const away = () => Promise.reject(new AppError('STORE_UNAVAILABLE'))
  const { clock } = opened
  const window = createRequestWindow({ store: { ...opened.store, increment: away, getMany: away }, clock, perMinute: 150 })
  expect(await allowed(window, 200)).toBe(100)
  clock.advance(10_000)
  expect(await allowed(window, 200)).toBe(50)
  clock.advance(66_000)
  expect(await allowed(window, 200)).toBe(100)
})

test('after one refusal of the platform the service stays below its limit', async () => {
  const clock = createTestClock(new Date().toISOString())
  await using desk = await createCallsDesk({ clock })
  desk.standIns.platform.setApiKeyLimit(30)
  const read = () => desk.ports.leadRecords.byPhone(asService(desk.workspaceId, 'WEBHOOKS'), '+919820011111')
  // After a refusal the others wait for this clock.
  const goOn = (error: unknown): never => {
    clock.advance(70_000)
    throw error
  }
  const first = await Promise.allSettled(Array.from({ length: 40 }, () => read().catch(goOn)))
  expect(first.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
  clock.advance(70_000)
  desk.standIns.platform.setApiKeyLimit(1_000)
  desk.standIns.platform.forgetCalls()
  const leaving = new AbortController()
  let answered = 0
  const waiting = Array.from({ length: 40 }, () =>
    desk.ports.records
      .list(asService(desk.workspaceId, 'WEBHOOKS'), 'lead', { fields: [], filter: () => ({}), first: 1, signal: leaving.signal })
      .then(() => void (answered += 1)),
  )
  await waitFor(() => answered === 30)
  leaving.abort()
  await Promise.allSettled(waiting)
  expect(desk.standIns.platform.calls('leads')).toHaveLength(30)
})

test('a refused request counts for nothing, and no minute has more than its requests', async () => {
  await using opened = await openWindow(10)
  const { clock, window } = opened
  // At the end of a slice of time.
  clock.advance(5_999)
  expect(await allowed(window, 10)).toBe(10)
  clock.advance(30_000)
  expect(await allowed(window, 20)).toBe(0)
  clock.advance(29_999)
  expect(await allowed(window, 1)).toBe(0)
  clock.advance(6_001)
  expect(await allowed(window, 20)).toBe(10)
})

test('requests wait for their turn: each lane leaves a share to those before it, and these go first', async () => {
  await using opened = await openWindow(10)
  const { clock, window } = opened
  const queue = createServiceQueue(window)
  using closing = new DisposableStack()
  closing.defer(() => queue.stop())
  const granted: ServiceLane[] = []
  const waiting: Promise<void>[] = []
  const ask = (lane: ServiceLane, count: number): void => {
    for (let at = 0; at < count; at += 1) {
      const request = queue.wait({ workspaceId: 'w', lane, cost: 1 }).then(() => void granted.push(lane))
      request.catch(() => undefined)
      waiting.push(request)
    }
  }
  const expected: ServiceLane[] = []
  for (const [lane, asked, allowedNow] of [
    ['RECORDINGS', 6, 5],
    ['WIDGET', 3, 2],
    ['INSIGHTS', 3, 2],
    ['WEBHOOKS', 2, 1],
  ] as const) {
    ask(lane, asked)
    expected.push(...Array.from({ length: allowedNow }, () => lane))
    await waitFor(() => granted.length === expected.length, { what: `the requests of ${lane}` })
  }
  expect(granted).toEqual(expected)
  expect(queue.waiting()).toBe(4)
  clock.advance(66_000)
  await Promise.all(waiting)
  expect(granted.slice(expected.length)).toEqual(['WEBHOOKS', 'INSIGHTS', 'WIDGET', 'RECORDINGS'])
  expect(queue.waiting()).toBe(0)
})

test('the queue has a bound; who leaves it makes room, and when the service stops all leave', async () => {
  const never: RequestWindow = { take: async () => ({ waitMs: 60_000 }), learn: () => undefined }
  const queue = createServiceQueue(never)
  const leaving = new AbortController()
  const request = { workspaceId: 'w', lane: 'WEBHOOKS', cost: 1 } as const
  const waiting = Array.from({ length: 2_000 }, (_, at) => queue.wait(at === 0 ? { ...request, signal: leaving.signal } : request))
  const outcomes = Promise.allSettled(waiting)
  await expect(queue.wait({ ...request, workspaceId: 'other' })).rejects.toMatchObject({ reason: 'OVERLOADED' })
  leaving.abort()
  await expect(waiting[0]).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  const last = Promise.allSettled([queue.wait(request)])
  expect(queue.waiting()).toBe(2_000)
  queue.stop()
  const left = [...(await outcomes), ...(await last)].slice(1)
  const isOverloaded = (error: unknown): boolean => error instanceof AppError && error.reason === 'OVERLOADED'
  expect(left.every((one) => one.status === 'rejected' && isOverloaded(one.reason))).toBe(true)
  expect(queue.waiting()).toBe(0)
  await expect(queue.wait(request)).rejects.toMatchObject({ reason: 'OVERLOADED' })
})

test('while the service stops, those that wait may still get their turn for a while, and then fail', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let isFree = false
  const queue = createServiceQueue({ take: async () => ({ waitMs: isFree ? 0 : 100 }), learn: () => undefined })
  const request = { workspaceId: 'w', lane: 'WIDGET', cost: 1 } as const
  const first = queue.wait(request)
  queue.stop(8_000)
  await vi.advanceTimersByTimeAsync(7_000)
  isFree = true
  await vi.advanceTimersByTimeAsync(100)
  await expect(first).resolves.toBeUndefined()
  isFree = false
  const late = Promise.allSettled([queue.wait(request)])
  await vi.advanceTimersByTimeAsync(900)
  expect(await late).toMatchObject([{ status: 'rejected', reason: { reason: 'OVERLOADED' } }])
})
