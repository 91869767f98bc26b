import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestClock } from '../harness/clock.ts'
import { ask, startInstances } from '../harness/instances.ts'
import { realServer } from '../harness/real-server.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import { createWidgetDesk, site, type WidgetDesk } from '../harness/widget-desk.ts'

const redis = await realServer('redis')
/** With the joiner that the word needs (U+200D). */
const stranger = { name: 'ශ්\u200Dරීමතී K.Rao', phone: '98450 98450' }
const minuteMs = 60_000

const slotOf = ({ app }: WidgetDesk, id: string) => app.standIns.platform.records('demo', 'visitSlot', { id: { eq: id } })[0]
const leadsWith = ({ app }: WidgetDesk, national: string) =>
  app.standIns.platform.records('demo', 'lead', { phones: { primaryPhoneNumber: { eq: national } } })
const confirm = (desk: WidgetDesk, bookingId: string, contact: object = stranger) =>
  desk.visit('POST', 'bookings', { body: { bookingId, ...contact } })
const anySlot = async (desk: WidgetDesk, index = 0) => {
  const slot = (await desk.slots())[index]
  if (!slot) throw new Error('no free slot')
  return slot
}
const byNumber = (a: number, b: number): number => a - b
const addressOf = (index: number): string => `198.51.${index >> 8}.${index & 255}`

describe('a visit', () => {
  test('is held for five minutes, then booked: writes the slot and a new lead on the platform', async () => {
    const clock = createTestClock()
    await using desk = await createWidgetDesk({ clock })
    const slot = await anySlot(desk)
    const held = await desk.visit('POST', 'bookings', { body: { slotId: slot.id } })
    expect(held).toMatchObject({
      status: 201,
      body: { booking: { state: 'HELD', heldUntil: '2025-01-15T09:05:00.000Z', slot, doctor: { id: slot.doctorId } } },
    })
    const { id } = await bookingIn(held.body)
    expect((await desk.slots()).map((one) => one.id)).not.toContain(slot.id)
    expect(slotOf(desk, slot.id)).toMatchObject({ state: 'FREE', leadId: null })
    const booked = await confirm(desk, id)
    expect(booked.status).toBe(200)
    expect(Object.keys(await bookingIn(booked.body)).toSorted()).toEqual(['doctor', 'id', 'slot', 'state'])
    expect(booked.body).toMatchObject({ booking: { id, state: 'BOOKED', slot } })
    const [lead, ...more] = leadsWith(desk, '9845098450')
    expect(more).toEqual([])
    expect(lead).toMatchObject({ name: stranger.name, source: 'Website', status: 'NEW' })
    expect(slotOf(desk, slot.id)).toMatchObject({ state: 'BOOKED', leadId: lead?.['id'] })
    expect((await desk.slots()).map((one) => one.id)).not.toContain(slot.id)
  })

  test('with a known phone number goes to the existing lead, and the answer does not reveal it', async () => {
    await using desk = await createWidgetDesk()
    const [known] = desk.app.standIns.platform.records('demo', 'lead')
    const national = z.looseObject({ primaryPhoneNumber: z.string() }).parse(known?.['phones']).primaryPhoneNumber
    const count = desk.app.standIns.platform.records('demo', 'lead').length
    const [first, second] = [await anySlot(desk), await anySlot(desk, 1)]
    const ofKnown = await confirm(desk, (await desk.hold(first.id)).id, { name: 'Somebody', phone: `0${national}` })
    const ofStranger = await confirm(desk, (await desk.hold(second.id)).id)
    expect(slotOf(desk, first.id)).toMatchObject({ leadId: known?.['id'] })
    expect(desk.app.standIns.platform.records('demo', 'lead', { id: { eq: known?.['id'] } })[0]).toMatchObject({ name: known?.['name'] })
    expect(desk.app.standIns.platform.records('demo', 'lead').length).toBe(count + 1)
    expect(shapeOf(ofKnown.body)).toEqual(shapeOf(ofStranger.body))
    expect(JSON.stringify(ofKnown.body)).not.toContain(String(known?.['id']))
  })

  test('that is not confirmed is free again after five minutes, or when it is released', async () => {
    const clock = createTestClock()
    await using desk = await createWidgetDesk({ clock })
    const slot = await anySlot(desk)
    const first = await desk.hold(slot.id)
    expect(await desk.visit('POST', 'bookings', { body: { slotId: slot.id } })).toMatchObject({
      status: 409,
      body: { reason: 'SLOT_TAKEN' },
    })
    clock.advance(5 * minuteMs)
    expect((await desk.slots()).map(({ id }) => id)).toContain(slot.id)
    expect(await confirm(desk, first.id)).toMatchObject({ status: 404, body: { reason: 'NOT_FOUND' } })
    const second = await desk.hold(slot.id)
    expect((await desk.visit('DELETE', `bookings/${second.id}`)).status).toBe(204)
    expect(await desk.visit('DELETE', `bookings/${second.id}`)).toMatchObject({ status: 404 })
    expect((await desk.slots()).map(({ id }) => id)).toContain(slot.id)
    const third = await desk.hold(slot.id)
    // A hold that ran out is not given back in another's place.
    expect((await desk.visit('DELETE', `bookings/${first.id}`)).status).toBe(204)
    expect((await confirm(desk, third.id)).status).toBe(200)
    expect(await desk.visit('DELETE', `bookings/${third.id}`)).toMatchObject({ status: 409, body: { reason: 'WRONG_STATE' } })
  })

  test('confirmed repeatedly and concurrently is booked once', async () => {
    await using desk = await createWidgetDesk()
    const { id, slot } = await desk.hold((await anySlot(desk)).id)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        desk.visit('POST', 'bookings', { body: { bookingId: id, ...stranger }, address: addressOf(index) }),
      ),
    )
    expect(new Set(answers.map(({ status, body }) => JSON.stringify({ status, body }))).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 200, body: { booking: { state: 'BOOKED' } } })
    expect(leadsWith(desk, '9845098450').length).toBe(1)
    expect(desk.app.standIns.platform.calls('updateVisitSlots').length).toBe(1)
    expect(await confirm(desk, id, { ...stranger, phone: '+44 20 7946 0958' })).toMatchObject({
      status: 409,
      body: { reason: 'WRONG_STATE' },
    })
    expect(slotOf(desk, slot.id)).toMatchObject({ state: 'BOOKED' })
  })

  test('in a slot that the staff has booked meanwhile is rejected', async () => {
    await using desk = await createWidgetDesk()
    const slot = await anySlot(desk)
    const { id } = await desk.hold(slot.id)
    await takeAtPlatform(desk, slot.id)
    const before = slotOf(desk, slot.id)
    expect(await confirm(desk, id)).toMatchObject({ status: 409, body: { code: 'CONFLICT', reason: 'SLOT_TAKEN' } })
    expect(slotOf(desk, slot.id)).toEqual(before)
    expect((await desk.slots()).map((one) => one.id)).not.toContain(slot.id)
  })
})

describe('200 visitors for one slot', () => {
  test('one of them books it, and has it on the platform', async () => {
    await using desk = await createWidgetDesk()
    const slot = await anySlot(desk)
    const book = async (index: number): Promise<number> => {
      const address = addressOf(index)
      const held = await desk.visit('POST', 'bookings', { body: { slotId: slot.id }, address })
      if (held.status !== 201) return held.status
      const contact = { name: `Visitor ${index}`, phone: `+9198450${String(10_000 + index)}` }
      return (await desk.visit('POST', 'bookings', { body: { bookingId: (await bookingIn(held.body)).id, ...contact }, address })).status
    }
    const statuses = await Promise.all(Array.from({ length: 200 }, (_, index) => book(index)))
    const winner = statuses.indexOf(200)
    expect(statuses.toSorted(byNumber)).toEqual([200, ...Array.from({ length: 199 }, () => 409)])
    expect(desk.app.standIns.platform.calls('updateVisitSlots').length).toBe(1)
    const [lead] = leadsWith(desk, `98450${10_000 + winner}`)
    expect(slotOf(desk, slot.id)).toMatchObject({ state: 'BOOKED', leadId: lead?.['id'] })
  })

  test.skipIf(redis === null)('also on two instances', async () => {
    await using server = await startRedisServer(redis?.binary ?? '')
    await using instances = await startInstances({ count: 2, redisUrl: server.url })
    const desk = await openInstances(instances.urls)
    const { slots } = z.object({ slots: z.array(z.object({ id: z.string() })).min(1) }).parse((await desk(0, 'slots')).body)
    const slotId = slots[0]?.id ?? ''
    const book = async (index: number): Promise<number> => {
      const held = await desk(index, 'bookings', { slotId })
      if (held.status !== 201) return held.status
      const { id } = await bookingIn(held.body)
      // Both steps of one visitor may meet different instances.
      return (await desk(index + 1, 'bookings', { bookingId: id, name: 'Visitor', phone: `+9198450${10_000 + index}` })).status
    }
    const statuses = await Promise.all(Array.from({ length: 200 }, (_, index) => book(index)))
    expect(statuses.toSorted(byNumber)).toEqual([200, ...Array.from({ length: 199 }, () => 409)])
    expect(instances.standIns.platform.calls('updateVisitSlots').length).toBe(1)
    expect(instances.standIns.platform.records('demo', 'visitSlot', { id: { eq: slotId } })[0]).toMatchObject({ state: 'BOOKED' })
  })
})

describe('one lead per phone', () => {
  test('with many concurrent bookings; and a daily limit', async () => {
    await using desk = await createWidgetDesk()
    const slots = (await desk.slots()).filter((_, index) => index % 3 === 0).slice(0, 8)
    const held = await Promise.all(slots.map(({ id }, index) => desk.hold(id, addressOf(index))))
    const spellings = ['९८४५०९८४५०', '+91 98450 98450', '೦೯೮೪೫೦-೯೮೪೫೦', '0091 9845098450', '𝟡𝟠𝟜𝟝𝟘 𝟡𝟠𝟜𝟝𝟘']
    const answers = await Promise.all(
      held.map(({ id }, index) => {
        const body = { bookingId: id, name: 'Asha', phone: spellings[index % spellings.length] }
        return desk.visit('POST', 'bookings', { body, address: addressOf(index) })
      }),
    )
    const statuses = answers.map(({ status }) => status).toSorted(byNumber)
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429, 429, 429])
    const leads = leadsWith(desk, '9845098450')
    expect(leads.length).toBe(1)
    const booked = desk.app.standIns.platform.records('demo', 'visitSlot', { leadId: { eq: leads[0]?.['id'] } })
    expect(booked.length).toBe(4)
    expect(answers.find(({ status }) => status === 429)).toMatchObject({ body: { reason: 'TOO_MANY_TRIES', retryable: true } })
  })

  test('a new one if the former was deleted', async () => {
    await using desk = await createWidgetDesk()
    await confirm(desk, (await desk.hold((await anySlot(desk)).id)).id)
    const [lead] = leadsWith(desk, '9845098450')
    const deleted = await desk.app.graphql('mutation($id: UUID!) { deleteLead(id: $id) { id } }', {
      token: desk.token,
      variables: { id: lead?.['id'] },
    })
    expect(deleted.errors).toBeUndefined()
    const slot = await anySlot(desk)
    expect((await confirm(desk, (await desk.hold(slot.id)).id)).status).toBe(200)
    const [again, ...more] = leadsWith(desk, '9845098450')
    expect(more).toEqual([])
    expect(again?.['id']).not.toBe(lead?.['id'])
    expect(slotOf(desk, slot.id)).toMatchObject({ leadId: again?.['id'] })
  })
})

describe('a failure at any write', () => {
  const faults = (['leads', 'createLead', 'updateVisitSlots'] as const).flatMap((operation) =>
    (['refuse', 'cut', 'cutAfter'] as const).map((act) => ({ operation, act })),
  )

  test.each(faults)('$act at $operation releases the slot, and a retry completes the booking', async ({ operation, act }) => {
    await using desk = await createWidgetDesk()
    const slot = await anySlot(desk)
    const { id } = await desk.hold(slot.id)
    desk.app.standIns.platform.fault({ operation, act, times: 20, status: 500, body: 'broken: secret words' })
    const failed = await confirm(desk, id)
    expect(failed.status).toBe(503)
    expect(JSON.stringify(failed.body)).not.toContain('secret words')
    desk.app.standIns.platform.clearFaults()
    const other = await desk.hold(slot.id)
    expect((await desk.visit('DELETE', `bookings/${other.id}`)).status).toBe(204)
    expect(await confirm(desk, id)).toMatchObject({ status: 200, body: { booking: { id, state: 'BOOKED' } } })
    const [lead, ...more] = leadsWith(desk, '9845098450')
    expect(more).toEqual([])
    expect(slotOf(desk, slot.id)).toMatchObject({ state: 'BOOKED', leadId: lead?.['id'] })
  })

  test('of an answer to a successful write is detected, also if another visitor holds the slot by then', async () => {
    await using desk = await createWidgetDesk()
    const slot = await anySlot(desk)
    const first = await desk.hold(slot.id)
    desk.app.standIns.platform.fault({ operation: 'updateVisitSlots', act: 'cutAfter' })
    expect((await confirm(desk, first.id)).status).toBe(503)
    desk.app.standIns.platform.clearFaults()
    const second = await desk.hold(slot.id)
    expect(await confirm(desk, first.id)).toMatchObject({ status: 200, body: { booking: { id: first.id, state: 'BOOKED' } } })
    expect(await confirm(desk, second.id, { name: 'Bala', phone: '98450 11111' })).toMatchObject({
      status: 409,
      body: { reason: 'SLOT_TAKEN' },
    })
    expect(slotOf(desk, slot.id)).toMatchObject({ leadId: leadsWith(desk, '9845098450')[0]?.['id'] })
  })

  test('leaves the slot to the next visitor who holds it', async () => {
    await using desk = await createWidgetDesk()
    const slot = await anySlot(desk)
    const first = await desk.hold(slot.id)
    desk.app.standIns.platform.fault({ operation: 'updateVisitSlots', act: 'refuse', status: 500 })
    expect((await confirm(desk, first.id)).status).toBe(503)
    desk.app.standIns.platform.clearFaults()
    const second = await desk.hold(slot.id)
    expect(await confirm(desk, first.id)).toMatchObject({ status: 409, body: { reason: 'SLOT_TAKEN' } })
    expect((await confirm(desk, second.id, { name: 'Bala', phone: '98450 11111' })).status).toBe(200)
    expect(slotOf(desk, slot.id)).toMatchObject({ leadId: leadsWith(desk, '9845011111')[0]?.['id'] })
  })
})

describe('bad input', () => {
  test.each([
    [{ slotId: 'nothing' }, 404, 'NOT_FOUND'],
    [{ slotId: '' }, 400, 'INVALID_INPUT'],
    [{ slotId: 'x'.repeat(10_000) }, 400, 'INVALID_INPUT'],
    [{ slotId: { $ne: null } }, 400, 'INVALID_INPUT'],
    [{}, 400, 'INVALID_INPUT'],
    [[], 400, 'INVALID_INPUT'],
    [{ slotId: 'a', more: 1 }, 400, 'INVALID_INPUT'],
    [{ bookingId: 'nothing', ...stranger }, 404, 'NOT_FOUND'],
    [{ bookingId: '../../demo', ...stranger }, 400, 'INVALID_INPUT'],
    [{ bookingId: 'a' }, 400, 'INVALID_INPUT'],
    ['{"slotId":', 400, 'INVALID_INPUT'],
    ['{"slotId":"' + 'x'.repeat(20_000) + '"}', 413, 'INVALID_INPUT'],
  ])('%j', async (body, status, reason) => {
    await using desk = await createWidgetDesk()
    expect(await desk.visit('POST', 'bookings', { body })).toMatchObject({ status, body: { reason } })
  })

  test.each([
    [{ name: 'Asha', phone: '12' }, 'phone'],
    [{ name: 'Asha', phone: '00000 00000' }, 'phone'],
    [{ name: 'Asha', phone: 'call me' }, 'phone'],
    [{ name: 'Asha', phone: '' }, 'phone'],
    [{ name: 'Asha', phone: '9'.repeat(90) }, 'phone'],
    [{ name: ' \u200B\n ', phone: '98450 98450' }, 'name'],
    [{ name: '\uD800', phone: '98450 98450' }, 'name'],
    [{ name: 'a'.repeat(121), phone: '98450 98450' }, 'name'],
  ])('rejects the contact %j and names the field; the slot remains held', async (contact, path) => {
    await using desk = await createWidgetDesk()
    const { id } = await desk.hold((await anySlot(desk)).id)
    expect(await confirm(desk, id, contact)).toMatchObject({ status: 400, body: { code: 'BAD_USER_INPUT', data: { fields: [{ path }] } } })
    expect((await confirm(desk, id)).status).toBe(200)
  })

  test('rejects other content types, and slots and bookings of other workspaces', async () => {
    await using desk = await createWidgetDesk()
    const slot = await anySlot(desk)
    expect(await desk.visit('POST', 'bookings', { body: { slotId: slot.id }, headers: { 'content-type': 'text/plain' } })).toMatchObject({
      status: 415,
    })
    const { id } = await desk.hold(slot.id)
    const acme = await acmeKey(desk)
    expect(await desk.visit('POST', 'bookings', { body: { slotId: slot.id }, key: acme })).toMatchObject({ status: 404 })
    expect(await desk.visit('POST', 'bookings', { body: { bookingId: id, ...stranger }, key: acme })).toMatchObject({ status: 404 })
    expect(await desk.visit('DELETE', `bookings/${id}`, { key: acme })).toMatchObject({ status: 404 })
    expect((await confirm(desk, id)).status).toBe(200)
  })

  test('a past slot', async () => {
    const clock = createTestClock()
    await using desk = await createWidgetDesk({ clock })
    const slot = await anySlot(desk)
    clock.advance(Date.parse(slot.startsAt) - clock.now() - minuteMs)
    const { id } = await desk.hold(slot.id)
    clock.advance(minuteMs)
    const past = { status: 400, body: { code: 'BAD_USER_INPUT' } }
    expect(await desk.visit('POST', 'bookings', { body: { slotId: slot.id } })).toMatchObject({
      ...past,
      body: { data: { fields: [{ path: 'slotId' }] } },
    })
    expect(await confirm(desk, id)).toMatchObject({ ...past, body: { data: { fields: [{ path: 'bookingId' }] } } })
    expect(slotOf(desk, slot.id)).toMatchObject({ state: 'FREE' })
  })

  test('rejects bookings if booking is switched off', async () => {
    await using desk = await createWidgetDesk()
    const slot = await anySlot(desk)
    const { id } = await desk.hold(slot.id)
    await desk.app.rest('PUT', '/api/config/widget', { token: desk.token, body: { bookingEnabled: false } })
    const off = { status: 409, body: { reason: 'WRONG_STATE' } }
    expect(await desk.visit('POST', 'bookings', { body: { slotId: slot.id } })).toMatchObject(off)
    expect(await confirm(desk, id)).toMatchObject(off)
  })

  test('one address may hold ten slots in five minutes', async () => {
    await using desk = await createWidgetDesk()
    await desk.app.rest('PUT', '/api/config/widget', { token: desk.token, body: { heldPercentPerAddress: 100, heldPercent: 100 } })
    const slots = (await desk.slots()).slice(0, 12)
    const answers = await Promise.all(
      slots.map(({ id }) => desk.visit('POST', 'bookings', { body: { slotId: id }, address: '203.0.113.9' })),
    )
    expect(answers.map(({ status }) => status).toSorted(byNumber)).toEqual([...Array.from({ length: 10 }, () => 201), 429, 429])
    expect((await desk.visit('POST', 'bookings', { body: { slotId: (await anySlot(desk)).id }, address: '203.0.113.10' })).status).toBe(201)
  })
})

const bookingSchema = z.object({ booking: z.looseObject({ id: z.string() }) })
async function bookingIn(body: unknown) {
  return bookingSchema.parse(body).booking
}

/** An answer without its values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return []
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]))
}

/** As somebody at the desk does in the CRM. */
async function takeAtPlatform(desk: WidgetDesk, slotId: string): Promise<void> {
  const [lead] = desk.app.standIns.platform.records('demo', 'lead')
  const document = 'mutation($id: UUID!, $data: VisitSlotUpdateInput!) { updateVisitSlot(id: $id, data: $data) { id } }'
  const variables = { id: slotId, data: { state: 'BOOKED', leadId: lead?.['id'] } }
  const answer = await desk.app.graphql(document, { token: desk.token, variables })
  expect(answer.errors).toBeUndefined()
}

async function acmeKey({ app }: WidgetDesk): Promise<string> {
  const { token } = await app.signIn('manager@acme.example')
  await app.rest('PUT', '/api/config/theme', { token, body: { brand: { hospitalName: 'Acme' } } })
  await app.rest('PUT', '/api/config/widget', { token, body: { enabled: true } })
  const made = await app.rest('POST', '/api/config/widget/keys', { token, body: { origins: [site] } })
  return z.object({ key: z.string() }).parse(made.body).key
}

const tokenSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })

/** Visitors of several instances, by turns, each from an address of its own. */
async function openInstances(urls: readonly string[]) {
  const [first = ''] = urls
  const login = { email: 'manager@demo.example', password: 'sandbox-password', workspace: 'demo' }
  const { token } = tokenSchema.parse((await ask(first, '/auth/login', { body: login })).body).tokens.accessToken
  const put = (section: string, body: object) =>
    fetch(`${first}/api/config/${section}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await put('theme', { brand: { hospitalName: 'Sunrise' } })
  await put('widget', { enabled: true })
  const made = await ask(first, '/api/config/widget/keys', { token, body: { origins: [site] } })
  const { key } = z.object({ key: z.string() }).parse(made.body)
  return async (index: number, path: string, body?: object) => {
    const response = await fetch(`${urls[index % urls.length] ?? first}/api/widget/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-widget-key': key, origin: site, 'x-forwarded-for': addressOf(index), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: z.unknown().parse(await response.json()) }
  }
}
