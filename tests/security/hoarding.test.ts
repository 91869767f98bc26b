import { describe, expect, test } from 'vitest'
import { takeBookedShare, takeHeldShare, type Visitor } from '../../src/features/widget/booking-shares.ts'
import { createLimitCounts } from '../../src/features/widget/limit-counts.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createKeyedMutex } from '../../src/kernel/keyed-mutex.ts'
import type { Directory } from '../../src/ports/doctors.ts'
import { createRedisStore } from '../../src/providers/store/redis.ts'
import { createTestClock } from '../harness/clock.ts'
import { fixedConfiguration } from '../harness/fixed-configuration.ts'
import { realServer } from '../harness/real-server.ts'
import { connectTestRedis } from '../harness/redis-connection.ts'
import { createVisitorLimits } from '../../src/features/widget/visitor-limits.ts'
import { createWithFallback } from '../../src/kernel/with-fallback.ts'
import { createLimiters } from '../../src/providers/store/rate-limiter.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { createWidgetDesk, type FreeSlot, type WidgetDesk } from '../harness/widget-desk.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

const visitor = (number: number): string => `198.51.100.${number}`
const hold = (desk: WidgetDesk, slot: FreeSlot | undefined, address: string) =>
  desk.visit('POST', 'bookings', { body: { slotId: slot?.id }, address })
const bookingIdOf = (body: unknown): string => {
  const text = JSON.stringify(body)
  return /"booking":\{"id":"([^"]+)"/.exec(text)?.[1] ?? ''
}
const book = (desk: WidgetDesk, bookingId: string, { address, phone }: { address: string; phone: string }) =>
  desk.visit('POST', 'bookings', { body: { bookingId, name: 'Asha Rao', phone }, address })

/** Holds whatever is free, from these addresses in turn; returns how many times are held. */
async function holdAll(desk: WidgetDesk, addresses: readonly string[]): Promise<number> {
  let held = 0
  for (const [index, slot] of (await desk.slots()).entries()) {
    const answers = await hold(desk, slot, addresses[index % addresses.length] ?? '')
    if (answers.status === 201) held += 1
  }
  return held
}

async function configure(desk: WidgetDesk, section: string, body: object): Promise<void> {
  expect((await desk.app.rest('PUT', `/api/config/${section}`, { token: desk.token, body })).status).toBe(200)
}

describe('held times', () => {
  test('three addresses hold a small part, and others still choose from every day', async () => {
    await using desk = await createWidgetDesk()
    const before = await desk.slots()
    const held = await holdAll(desk, [1, 2, 3].map(visitor))
    expect(held).toBe(9)
    const after = await desk.slots()
    expect(after.length).toBe(before.length - held)
    expect((await hold(desk, after[0], visitor(4))).status).toBe(201)
  })

  test('many addresses hold at most three quarters, also of one day', async () => {
    await using desk = await createWidgetDesk()
    const before = await desk.slots()
    const held = await holdAll(
      desk,
      Array.from({ length: 100 }, (_, index) => visitor(index)),
    )
    expect(held).toBeLessThanOrEqual(Math.floor(before.length * 0.75))
    const dayOf = ({ localStartsAt }: FreeSlot): string => localStartsAt.slice(0, 10)
    const left = await desk.slots()
    const days = Map.groupBy(before, dayOf)
    const emptied = [...days].filter(([day, slots]) => slots.length > 3 && !left.some((slot) => dayOf(slot) === day))
    expect(emptied).toEqual([])
  })

  test('addresses that hold something already leave room for the others', async () => {
    await using desk = await createWidgetDesk()
    const before = await desk.slots()
    const held = await holdAll(
      desk,
      Array.from({ length: 8 }, (_, index) => visitor(index)),
    )
    expect(held).toBeLessThanOrEqual(Math.floor(before.length / 2))
    const day = (await desk.slots()).at(-1)
    expect((await hold(desk, day, visitor(99))).status).toBe(201)
  })

  test('concurrent requests of one address do not get more', async () => {
    await using desk = await createWidgetDesk()
    const answers = await Promise.all((await desk.slots()).slice(0, 8).map((slot) => hold(desk, slot, visitor(1))))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  })

  test('a /64 network of IPv6 is one address', async () => {
    await using desk = await createWidgetDesk()
    const slots = await desk.slots()
    const answers = await Promise.all(slots.slice(0, 6).map((slot, index) => hold(desk, slot, `2001:db8:1:2::${index + 1}`)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect((await hold(desk, slots[7], '2001:db8:1:3::1')).status).toBe(201)
  })

  test('the refusal says what the visitor can do, and it works', async () => {
    const clock = createTestClock()
    await using desk = await createWidgetDesk({ clock })
    await configure(desk, 'telephony', { did: '+918041234567' })
    const slots = await desk.slots()
    const ids = []
    for (const slot of slots.slice(0, 3)) ids.push(bookingIdOf((await hold(desk, slot, visitor(1))).body))
    expect(await hold(desk, slots[3], visitor(1))).toMatchObject({
      status: 429,
      body: {
        reason: 'TOO_MANY_TRIES',
        detail: 'Too many times are held from your network: book one of them, or try again in five minutes, or call +918041234567',
        retryable: true,
      },
    })
    // Another time is free again at once: the refused request held nothing.
    expect((await desk.slots()).map(({ id }) => id)).toContain(slots[3]?.id)
    expect((await book(desk, ids[0] ?? '', { address: visitor(1), phone: '98450 98450' })).status).toBe(200)
    expect((await hold(desk, slots[3], visitor(1))).status).toBe(201)
    expect((await desk.visit('DELETE', `bookings/${ids[1]}`, { address: visitor(1) })).status).toBe(204)
    expect((await hold(desk, slots[4], visitor(1))).status).toBe(201)
    clock.advance(5 * 60_000)
    expect((await hold(desk, slots[5], visitor(1))).status).toBe(201)
  })

  test('a shared address of a large hospital has room, and an admin can give more', async () => {
    await using desk = await createWidgetDesk()
    await configure(desk, 'widget', { heldPercentPerAddress: 30, heldPercent: 80 })
    const slots = await desk.slots()
    const answers = await Promise.all(slots.slice(0, 8).map((slot) => hold(desk, slot, visitor(1))))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201))
  })
})

describe('booked visits', () => {
  const bookAll = async (desk: WidgetDesk, addressOf: (index: number) => string) => {
    const answers: Awaited<ReturnType<typeof book>>[] = []
    for (const [index, slot] of (await desk.slots()).entries()) {
      const held = await hold(desk, slot, addressOf(index))
      if (held.status !== 201) continue
      answers.push(await book(desk, bookingIdOf(held.body), { address: addressOf(index), phone: `+9198450${10_000 + index}` }))
    }
    return answers
  }
  const booked = (answers: readonly { readonly status: number }[]) => answers.filter(({ status }) => status === 200).length

  test('one address books three a day, under whatever numbers', async () => {
    const clock = createTestClock()
    await using desk = await createWidgetDesk({ clock })
    const answers = await bookAll(desk, () => visitor(1))
    expect(booked(answers)).toBe(3)
    expect(answers.at(-1)).toMatchObject({ status: 429, body: { reason: 'TOO_MANY_TRIES', retryable: true } })
    expect(JSON.stringify(answers.at(-1)?.body)).toContain('Too many visits were booked from your network today: try again tomorrow')
    clock.advance(86_400_000)
    const [slot] = await desk.slots()
    const held = await hold(desk, slot, visitor(1))
    expect((await book(desk, bookingIdOf(held.body), { address: visitor(1), phone: '98450 98450' })).status).toBe(200)
  })

  test('many addresses book at most three quarters in a day', async () => {
    await using desk = await createWidgetDesk()
    const before = (await desk.slots()).length
    const answers = await bookAll(desk, (index) => visitor(index))
    expect(booked(answers)).toBeLessThanOrEqual(Math.floor(before * 0.75))
    expect((await desk.slots()).length).toBeGreaterThan(0)
  })

  test('a refused booking counts for nothing, and a failed one is given back', async () => {
    await using desk = await createWidgetDesk()
    const slots = await desk.slots()
    desk.app.standIns.platform.fault({ operation: 'updateVisitSlots', act: 'refuse', status: 500, times: 20 })
    const held = bookingIdOf((await hold(desk, slots[0], visitor(1))).body)
    for (let tries = 0; tries < 5; tries += 1)
      expect((await book(desk, held, { address: visitor(1), phone: '98450 98450' })).status).toBe(503)
    desk.app.standIns.platform.clearFaults()
    expect((await book(desk, held, { address: visitor(1), phone: '98450 98450' })).status).toBe(200)
    const more = await bookAll(desk, () => visitor(1))
    expect(booked(more)).toBe(2)
  })
})

test('a booking that fails holds nothing any more', async () => {
  await using desk = await createWidgetDesk()
  const slots = await desk.slots()
  desk.app.standIns.platform.fault({ operation: 'updateVisitSlots', act: 'refuse', status: 500, times: 20 })
  const ids = []
  for (const slot of slots.slice(0, 3)) ids.push(bookingIdOf((await hold(desk, slot, visitor(1))).body))
  expect((await hold(desk, slots[3], visitor(1))).status).toBe(429)
  for (const [index, id] of ids.entries())
    expect((await book(desk, id, { address: visitor(1), phone: `98450 1000${index}` })).status).toBe(503)
  desk.app.standIns.platform.clearFaults()
  expect((await hold(desk, slots[3], visitor(1))).status).toBe(201)
})

test('a visit that is given back after its day is no additional one', async () => {
  await using dir = await createTempDir()
  await using closing = new AsyncDisposableStack()
  const clock = createTestClock()
  const store = createSqliteStore({ dataDir: dir.path, clock, retentionOf })
  closing.defer(() => store.close())
  const withFallback = createWithFallback({ patienceMs: 5_000, pauseMs: 1 })
  const { booking } = createVisitorLimits(createLimiters({ store, clock, withFallback }))
  await booking.take('phone')
  clock.advance(86_400_000)
  await booking.giveBack('phone')
  for (let visits = 0; visits < 4; visits += 1) await booking.take('phone')
  await expect(booking.take('phone')).rejects.toMatchObject({ reason: 'TOO_MANY_TRIES' })
  await booking.giveBack('phone')
  await booking.take('phone')
  await expect(booking.take('phone')).rejects.toMatchObject({ reason: 'TOO_MANY_TRIES' })
})

test("a booking that the address's share refuses leaves the phone number its four visits", async () => {
  await using desk = await createWidgetDesk()
  await configure(desk, 'widget', { heldPercentPerAddress: 50 })
  const slots = await desk.slots()
  const phone = '98450 98450'
  const held = []
  for (const slot of slots.slice(0, 4)) held.push(bookingIdOf((await hold(desk, slot, visitor(1))).body))
  for (const [index, id] of held.slice(0, 3).entries())
    expect((await book(desk, id, { address: visitor(1), phone: `98450 1000${index}` })).status).toBe(200)
  for (let tries = 0; tries < 5; tries += 1) expect((await book(desk, held[3] ?? '', { address: visitor(1), phone })).status).toBe(429)
  expect((await book(desk, held[3] ?? '', { address: visitor(2), phone })).status).toBe(200)
})

test('/metrics shows how near a limit somebody is, and the refusals', async () => {
  await using desk = await createWidgetDesk()
  const slots = await desk.slots()
  for (const slot of slots.slice(0, 5)) await hold(desk, slot, visitor(1))
  const text = await (await fetch(`${desk.app.url}/metrics`)).text()
  expect(text).toContain('sidecar_widget_limit_used_ratio{limit="held-per-address"} 1')
  expect(text).toContain('sidecar_widget_refused_total{limit="held-per-address"} 2')
  expect(text).toContain('sidecar_widget_refused_total{limit="booked-per-key"} 0')
})

describe.skipIf((await realServer('redis')) === null)('two instances that share a Redis', () => {
  const limits = { heldPercent: 50, heldPercentPerAddress: 10, bookedPercent: 50, bookedPercentPerAddress: 6 }
  const visitorAt = (clientAddress: string): Visitor => ({ workspaceId: 'w', widgetKey: 'key', clientAddress })

  /** Forty free times of one day; `hold` and `book` try it on one of the instances after the other, and resolve to whether they may. */
  async function twoInstances() {
    const prefix = `test:${crypto.randomUUID()}:`
    const connections = await Promise.all([connectTestRedis({ prefix }), connectTestRedis({ prefix })])
    const configuration = fixedConfiguration({ widget: limits })
    const instances = connections.map((connection) => ({
      configuration,
      clock: systemClock,
      store: createRedisStore({ connection, clock: systemClock, retentionOf }),
      limitCounts: createLimitCounts(),
      holdMutex: createKeyedMutex(),
    }))
    const directory = { doctors: [], slots: Array.from({ length: 40 }, () => freeSlot()) }
    const until = Date.now() + 300_000
    let asked = 0
    const next = () => instances[asked++ % instances.length] ?? Promise.reject(new Error('no instance'))
    const isAllowed = (taking: Promise<unknown>) => taking.then(() => true, refused)
    return {
      hold: async (address: string) =>
        isAllowed(takeHeldShare(await next(), visitorAt(address), { directory, slot: freeSlot(), bookingId: newId(), until })),
      book: async (address: string) => isAllowed(takeBookedShare(await next(), visitorAt(address), directory)),
      [Symbol.asyncDispose]: async () => {
        for (const connection of connections) await connection[Symbol.asyncDispose]()
      },
    }
  }

  test.each([
    ['hold', 4],
    ['book', 3],
  ] as const)('never let an address %s more than its share, and give all of it: %i', async (act, share) => {
    await using instances = await twoInstances()
    const rush = await Promise.all(Array.from({ length: 16 }, () => instances[act]('198.51.100.1')))
    let allowed = rush.filter(Boolean).length
    expect(allowed).toBeLessThanOrEqual(share)
    for (let tries = 0; tries < 6; tries += 1) if (await instances[act]('198.51.100.1')) allowed += 1
    expect(allowed).toBe(share)
  })

  test('never let all addresses together hold more than their part', async () => {
    await using instances = await twoInstances()
    const rush = await Promise.all(Array.from({ length: 60 }, (_, index) => instances.hold(visitor(index))))
    expect(rush.filter(Boolean).length).toBeLessThanOrEqual(30)
  })
})

function refused(error: unknown): false {
  expect(error).toMatchObject({ reason: 'TOO_MANY_TRIES' })
  return false
}

function freeSlot(): Directory['slots'][number] {
  const startsAt = new Date(Date.now() + 86_400_000).toISOString()
  return {
    id: newId(),
    title: null,
    doctorId: null,
    state: 'FREE',
    startsAt,
    localStartsAt: startsAt,
    endsAt: startsAt,
    localEndsAt: startsAt,
    timeZone: 'UTC',
    durationMinutes: 30,
    leadId: null,
  }
}
