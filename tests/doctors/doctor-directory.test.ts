import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDoctorDirectory } from '../../src/features/doctors/doctor-directory.ts'
import type { DoctorDirectory, DoctorRecords } from '../../src/ports/doctors.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { Notifications } from '../../src/ports/notifications.ts'
import { asService } from '../../src/ports/record-access.ts'
import type { Store } from '../../src/ports/store.ts'
import { createInProcessNotifications } from '../../src/providers/notifications/in-process.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { createTestClock, type TestClock } from '../harness/clock.ts'
import { failingStore } from '../harness/failing-store.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

let desk: CallsDesk
let clock: TestClock
let store: Store
let notifications: Notifications
let closing: AsyncDisposableStack
beforeEach(async () => {
  closing = new AsyncDisposableStack()
  desk = closing.use(await createCallsDesk())
  const { path: dataDir } = closing.use(await createTempDir())
  clock = createTestClock(new Date().toISOString())
  store = createSqliteStore({ dataDir, clock, retentionOf })
  closing.defer(() => store.close())
  notifications = createInProcessNotifications({ log: createLog('silent') })
})
afterEach(() => closing.disposeAsync())

/** Platform requests in flight. */
let underWay = 0
const counted = <T>(step: Promise<T>): Promise<T> => {
  underWay += 1
  return step.finally(() => (underWay -= 1))
}
const idle = async (): Promise<void> => {
  await setImmediate()
  await waitFor(() => underWay === 0)
  await setImmediate()
}
const doctors = (): DoctorRecords => ({
  ...desk.ports.doctorRecords,
  doctors: (...of) => counted(desk.ports.doctorRecords.doctors(...of)),
  slots: (...of) => counted(desk.ports.doctorRecords.slots(...of)),
})
const instance = (): DoctorDirectory => createDoctorDirectory({ doctorRecords: doctors(), store, notifications, clock })
const read = (directory: DoctorDirectory) => directory.read(desk.workspaceId)
const asked = (): number => desk.standIns.platform.calls('doctors').length + desk.standIns.platform.calls('visitSlots').length
const stateOf = async (directory: DoctorDirectory, id: string) => (await read(directory)).slots.find((slot) => slot.id === id)?.state
const firstFree = async (directory: DoctorDirectory): Promise<string> =>
  (await read(directory)).slots.find(({ state }) => state === 'FREE')?.id ?? ''

test('a thousand concurrent reads cost two platform requests, with the API key', async () => {
  const directory = instance()
  const views = await Promise.all(Array.from({ length: 1_000 }, () => read(directory)))
  expect(views.every(({ doctors, slots }) => doctors.length === 5 && slots.length === 45)).toBe(true)
  const calls = desk.standIns.platform.calls('visitSlots')
  expect([asked(), calls[0]?.headers.authorization]).toEqual([2, `Bearer ${desk.standIns.platform.apiKeyOf('demo')}`])
})

test('a thousand visitors on two instances with bookings cost at most ten platform requests in any minute', async () => {
  const directories = [instance(), instance()]
  const at: number[] = []
  for (let second = 0; second < 180; second += 1) {
    const before = asked()
    await Promise.all(directories.flatMap((directory) => Array.from({ length: 6 }, () => read(directory))))
    if (second % 3 === 0) directories[second % 2]?.invalidate(desk.workspaceId, newId())
    await idle()
    at.push(...Array.from({ length: asked() - before }, () => second))
    clock.advance(1_000)
  }
  const inMinute = at.map((start) => at.filter((moment) => moment >= start && moment < start + 60).length)
  expect(Math.max(...inMinute)).toBeLessThanOrEqual(10)
  expect(at.length).toBeGreaterThan(20)
})

test('a directory that needs more requests is read less often', async () => {
  const startsAt = new Date(Date.now() + 3_600_000).toISOString()
  for (let page = 0; page < 5; page += 1) {
    const extra = Array.from({ length: 60 }, (_, index) => ({
      id: newId(),
      values: { name: `Extra ${page}-${index}`, startsAt, state: 'FREE' },
    }))
    await desk.ports.records.upsertMany(asService(desk.workspaceId, 'WIDGET'), 'visitSlot', extra)
  }
  const directory = instance()
  expect((await read(directory)).slots).toHaveLength(345)
  const at: number[] = []
  for (let second = 0; second < 120; second += 1) {
    const before = asked()
    await read(directory)
    await idle()
    at.push(...Array.from({ length: asked() - before }, () => second))
    clock.advance(1_000)
  }
  expect(at).toEqual([20, 20, 20, 40, 40, 40, 60, 60, 60, 80, 80, 80, 100, 100, 100])
})

test('is fresh for 15 seconds; later reads return the cached directory during the refresh', async () => {
  const directory = instance()
  const slotId = await firstFree(directory)
  await desk.ports.records.update(asService(desk.workspaceId, 'WIDGET'), 'visitSlot', { id: slotId, values: { state: 'HELD' } })
  clock.advance(14_999)
  expect(await stateOf(directory, slotId)).toBe('FREE')
  expect(asked()).toBe(2)
  clock.advance(1)
  expect(await stateOf(directory, slotId)).toBe('FREE')
  await waitFor(async () => (await stateOf(directory, slotId)) === 'HELD')
  expect(asked()).toBe(4)
})

test('every instance shows a booking at once, without a platform request', async () => {
  const [here, there] = [instance(), instance()]
  const slotId = await firstFree(here)
  await read(there)
  expect(asked()).toBe(2)
  here.invalidate(desk.workspaceId, slotId)
  expect(await stateOf(here, slotId)).toBe('BOOKED')
  await waitFor(async () => (await stateOf(there, slotId)) === 'BOOKED')
  expect(asked()).toBe(2)
  clock.advance(12_000)
  await waitFor(async () => (await stateOf(here, slotId)) === 'FREE', {
    what: 'a new read of the platform, which does not have the booking',
  })
})

test('a booking during a read of the platform is shown, although the read does not have it', async () => {
  const gate = Promise.withResolvers<void>()
  const slow: DoctorRecords = {
    ...doctors(),
    slots: (...of) => counted(desk.ports.doctorRecords.slots(...of).then(async (slots) => (await gate.promise, slots))),
  }
  const directory = createDoctorDirectory({ doctorRecords: slow, store, notifications, clock })
  const [slotId = '', otherId = ''] = (await read(instance())).slots.filter(({ state }) => state === 'FREE').map(({ id }) => id)
  expect(await stateOf(directory, slotId)).toBe('FREE')
  await desk.ports.records.update(asService(desk.workspaceId, 'WIDGET'), 'visitSlot', { id: otherId, values: { state: 'HELD' } })
  clock.advance(15_000)
  expect(await stateOf(directory, slotId)).toBe('FREE')
  await waitFor(() => asked() === 4)
  // In the same millisecond in which the read began.
  directory.invalidate(desk.workspaceId, slotId)
  gate.resolve()
  await waitFor(async () => (await stateOf(directory, otherId)) === 'HELD', { what: 'the new view' })
  expect(await stateOf(directory, slotId)).toBe('BOOKED')
})

test('a slot becomes PAST when it begins, without a platform request', async () => {
  const directory = instance()
  const slotId = await firstFree(directory)
  const { startsAt } = (await read(directory)).slots.find(({ id }) => id === slotId) ?? { startsAt: '' }
  desk.standIns.platform.fault({ operation: 'visitSlots', act: 'refuse', status: 503 })
  clock.advance(Math.min(Date.parse(startsAt) - clock.now(), 599_000))
  const state = await stateOf(directory, slotId)
  expect(state).toBe(Date.parse(startsAt) <= clock.now() ? 'PAST' : 'FREE')
})

test('during an outage of the platform the cache serves for ten minutes; then reads fail without a request each', async () => {
  const directory = instance()
  await read(directory)
  desk.standIns.platform.fault({ act: 'refuse', status: 503 })
  desk.standIns.platform.forgetCalls()
  clock.advance(599_000)
  expect((await read(directory)).doctors).toHaveLength(5)
  clock.advance(1_000)
  await expect(read(directory)).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  const before = desk.standIns.platform.calls().length
  for (let count = 0; count < 100; count += 1) await expect(read(directory)).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  expect(desk.standIns.platform.calls().length).toBe(before)
  desk.standIns.platform.clearFaults()
  clock.advance(12_000)
  expect((await read(directory)).doctors).toHaveLength(5)
})

test('an instance that starts during an outage of the platform serves what another one has read', async () => {
  await read(instance())
  desk.standIns.platform.fault({ act: 'refuse', status: 503 })
  clock.advance(60_000)
  const started = instance()
  expect((await read(started)).doctors).toHaveLength(5)
  const before = desk.standIns.platform.calls().length
  for (let count = 0; count < 100; count += 1) expect((await read(started)).doctors).toHaveLength(5)
  expect(desk.standIns.platform.calls().length).toBe(before)
  clock.advance(540_000)
  await expect(read(started)).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
})

test('during an outage of the store each instance reads the platform itself, at the same rate', async () => {
  const failing = failingStore(store, () => true)
  const directory = createDoctorDirectory({ doctorRecords: doctors(), store: failing, notifications, clock })
  for (let second = 0; second < 60; second += 1) {
    await Promise.all(Array.from({ length: 10 }, () => read(directory)))
    directory.invalidate(desk.workspaceId)
    await idle()
    clock.advance(1_000)
  }
  expect(asked()).toBe(10)
})
