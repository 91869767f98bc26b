import { expect, test } from 'vitest'
import { z } from 'zod'
import { createTestClock } from '../harness/clock.ts'
import { createWidgetDesk, type WidgetDesk } from '../harness/widget-desk.ts'

const dayMs = 86_400_000
const asked = ({ app }: WidgetDesk): number =>
  app.standIns.platform.calls().filter(({ operation }) => /doctors|visitSlots/.test(operation)).length

test('lists active doctors with their public fields; nothing of members or leads', async () => {
  await using desk = await createWidgetDesk()
  const { status, body } = await desk.visit('GET', 'doctors')
  expect(status).toBe(200)
  const { doctors } = z
    .strictObject({
      doctors: z.array(
        z.strictObject({
          id: z.uuid(),
          name: z.string(),
          speciality: z.string(),
          clinic: z.string(),
          languages: z.array(z.string()),
          fee: z.number(),
        }),
      ),
    })
    .parse(body)
  const names = doctors.map(({ name }) => name)
  expect(names).toContain('Dr. Nandini Rao')
  expect(names).not.toContain('Dr. Thomas Mathew')
})

test('lists only free slots, by start, for one doctor or a period', async () => {
  await using desk = await createWidgetDesk()
  const { body } = await desk.visit('GET', 'slots')
  const slot = z.strictObject({
    id: z.uuid(),
    doctorId: z.uuid(),
    startsAt: z.iso.datetime(),
    endsAt: z.iso.datetime(),
    localStartsAt: z.string().regex(/T\d\d:\d\d:00\+05:30$/),
    durationMinutes: z.int(),
  })
  const { timeZone, slots } = z.strictObject({ timeZone: z.string(), slots: z.array(slot).min(10) }).parse(body)
  expect(timeZone).toBe('Asia/Kolkata')
  const records = desk.app.standIns.platform.records('demo', 'visitSlot')
  const free = new Set(records.filter(({ state }) => state === 'FREE').map(({ id }) => id))
  expect(slots.every(({ id }) => free.has(id))).toBe(true)
  const [first] = slots
  const later = slots[9]
  if (!first || !later) throw new Error('too few slots')
  const ids = async (query: string) => {
    const answer = await desk.visit('GET', `slots?${query}`)
    return z
      .object({ slots: z.array(slot) })
      .parse(answer.body)
      .slots.map(({ id }) => id)
  }
  expect(await ids(`doctorId=${first.doctorId}`)).toEqual(slots.filter(({ doctorId }) => doctorId === first.doctorId).map(({ id }) => id))
  expect(await ids(`from=${later.startsAt}`)).not.toContain(first.id)
  expect(await ids(`to=${later.startsAt}`)).toContain(first.id)
  expect(await ids(`from=${encodeURIComponent(later.localStartsAt)}`)).toContain(later.id)
  expect(await ids('doctorId=nobody')).toEqual([])
})

test.each([['from=tomorrow'], ['to=2026-13-01T00:00:00Z'], ['doctor=1'], ['from=']])(
  'rejects the query %s and names the parameter',
  async (query) => {
    await using desk = await createWidgetDesk()
    expect(await desk.visit('GET', `slots?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'BAD_USER_INPUT', data: { fields: [{ path: query.split('=')[0] }] } },
    })
  },
)

test('slots that have begun are not available', async () => {
  const clock = createTestClock()
  await using desk = await createWidgetDesk({ clock })
  const slots = await desk.slots()
  const last = slots.at(-1)
  if (!last) throw new Error('no slots')
  clock.advance(Date.parse(last.startsAt) - clock.now() - 1)
  expect((await desk.slots()).map(({ id }) => id)).toEqual([last.id])
  clock.advance(1)
  expect(await desk.slots()).toEqual([])
})

test('slots are available at most 14 days ahead', async () => {
  const clock = createTestClock()
  await using desk = await createWidgetDesk({ clock })
  const free = desk.app.standIns.platform.records('demo', 'visitSlot', { state: { eq: 'FREE' } })
  const starts = free.map(({ startsAt }) => Date.parse(String(startsAt))).toSorted((a, b) => a - b)
  const last = starts.at(-1) ?? 0
  clock.advance(last - 14 * dayMs - 1 - clock.now())
  const offered = (await desk.slots()).map(({ startsAt }) => Date.parse(startsAt))
  expect(offered.length).toBeGreaterThan(10)
  expect(Math.max(...offered)).toBeLessThan(last)
  const farSlot = free.find(({ startsAt }) => Date.parse(String(startsAt)) === last)
  expect(await desk.visit('POST', 'bookings', { body: { slotId: farSlot?.['id'] } })).toMatchObject({ status: 404 })
  clock.advance(1)
  expect((await desk.slots()).map(({ startsAt }) => Date.parse(startsAt))).toContain(last)
})

test('a widget that is switched off answers only with its configuration', async () => {
  await using desk = await createWidgetDesk()
  await desk.app.rest('PUT', '/api/config/widget', { token: desk.token, body: { enabled: false } })
  expect(await desk.visit('GET', 'config')).toMatchObject({ status: 200, body: { widget: { enabled: false } } })
  for (const path of ['doctors', 'slots']) {
    expect(await desk.visit('GET', path)).toMatchObject({ status: 409, body: { reason: 'WRONG_STATE' } })
  }
})

test('1,000 visitors cost the platform no more than 10 requests a minute', async () => {
  // Within one moment of this clock, however slow the machine is.
  await using desk = await createWidgetDesk({ clock: createTestClock() })
  desk.app.standIns.platform.forgetCalls()
  const visitor = async (index: number): Promise<readonly number[]> => {
    const address = `198.51.${index >> 8}.${index & 255}`
    const answers = [await desk.visit('GET', 'config', { address }), await desk.visit('GET', 'doctors', { address })]
    return [...answers, await desk.visit('GET', 'slots', { address })].map(({ status }) => status)
  }
  for (let group = 0; group < 10; group += 1) {
    const statuses = await Promise.all(Array.from({ length: 100 }, (_, index) => visitor(group * 100 + index)))
    expect(new Set(statuses.flat())).toEqual(new Set([200]))
  }
  expect(asked(desk)).toBeGreaterThan(0)
  expect(desk.app.standIns.platform.calls('').filter(({ headers }) => headers.authorization !== undefined).length).toBeLessThanOrEqual(10)
})

test('errors of the platform reach visitors without details', async () => {
  await using desk = await createWidgetDesk()
  desk.app.standIns.platform.fault({
    operation: 'visitSlots',
    act: 'refuse',
    status: 500,
    body: 'internal: table visit_slot in workspace_1wgvd',
  })
  const { status, body } = await desk.visit('GET', 'slots')
  expect(status).toBe(503)
  const away = { reason: 'PROVIDER_UNAVAILABLE', detail: 'The hospital cannot be reached at the moment; try again later' }
  expect(body).toMatchObject(away)
  expect(JSON.stringify(body)).not.toMatch(/table|workspace|at \w+ \(/)
  await using other = await createWidgetDesk()
  await other.app.rest('PUT', '/api/config/platform', { token: other.token, body: { apiKey: null } })
  expect((await other.visit('GET', 'doctors')).body).toMatchObject(away)
})
