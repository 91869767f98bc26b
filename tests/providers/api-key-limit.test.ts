import { expect, test } from 'vitest'
import { asService } from '../../src/ports/record-access.ts'
import { createRequestWindow, type RequestWindow } from '../../src/providers/platform/api-key-limit.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createCallsDesk } from '../harness/calls-desk.ts'
import { createTestClock } from '../harness/clock.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'

async function openWindow(perMinute: number) {
  await using opening = new AsyncDisposableStack()
  const dir = opening.use(await createTempDir())
  const clock = createTestClock()
  const store = createSqliteStore({ dataDir: dir.path, clock })
  opening.defer(() => store.close())
  const running = opening.move()
  return { clock, window: createRequestWindow({ store, clock, perMinute }), [Symbol.asyncDispose]: () => running.disposeAsync() }
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
})

test('after one refusal of the platform the service stays below its limit', async () => {
  const clock = createTestClock(new Date().toISOString())
  await using desk = await createCallsDesk({ clock })
  desk.standIns.platform.setApiKeyLimit(30)
  const read = () => desk.ports.leadRecords.byPhone(asService(desk.workspaceId, 'WEBHOOKS'), '+919820011111')
  const first = await Promise.allSettled(Array.from({ length: 40 }, read))
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
