import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { DoctorRecords, VisitSlot } from '../../src/ports/doctors.ts'
import { bookVisit } from '../../src/features/doctors/book-visit.ts'
import { listSlots } from '../../src/features/doctors/list-slots.ts'
import { openDirectory } from '../../src/features/doctors/open-directory.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createLog } from '../../src/kernel/log.ts'
import { asPerson, asService } from '../../src/ports/record-access.ts'
import type { Store } from '../../src/ports/store.ts'
import { createDoctorRecords } from '../../src/providers/platform/doctors.ts'
import type { Fault } from '../../src/sandbox/stand-in.ts'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { lookUpCall } from '../../src/features/calls/screen-pop/look-up-call.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { createTestClock } from '../harness/clock.ts'
import { waitFor } from '../harness/wait-for.ts'

const listed = z.object({
  timeZone: z.string(),
  doctors: z.array(z.object({ id: z.string(), name: z.string() })),
  slots: z.array(z.object({ id: z.string(), doctorId: z.string().nullable(), startsAt: z.string(), state: z.string() })),
})

let desk: CallsDesk
beforeEach(async () => {
  desk = await createCallsDesk()
})
afterEach(() => desk[Symbol.asyncDispose]())

const service = () => asService(desk.workspaceId, 'WIDGET')
const records = (): DoctorRecords => desk.ports.doctorRecords
const soon = () => ({ from: new Date().toISOString(), first: 100 })
const firstFree = async (): Promise<VisitSlot> => {
  const slot = (await records().slots(service(), soon())).find(({ state }) => state === 'FREE')
  if (!slot) throw new Error('no free slot')
  return slot
}
const slotAtPlatform = (id: string) => desk.standIns.platform.records('demo', 'visitSlot', { id: { eq: id } })[0]

test('of two members who book a slot for different leads one gets it; the same booking again changes nothing', async () => {
  const slotId = (await firstFree()).id
  const actors = await Promise.all(['agent1', 'agent2'].map((name) => desk.signIn(`${name}@demo.example`)))
  const leadIds = desk.standIns.platform.records('demo', 'lead', {}).map(({ id }) => String(id))
  const invalidated: (string | undefined)[] = []
  const doctorDirectory = {
    read: () => Promise.reject(new Error('not read')),
    invalidate: (_: string, id?: string) => void invalidated.push(id),
  }
  const ports = { ...desk.ports, doctorDirectory }
  const bookings = actors.map((actor, index) => ({ actor, booking: { slotId, leadId: leadIds[index] ?? '' } }))
  const answers = await Promise.allSettled(bookings.map(({ actor, booking }) => bookVisit(ports, actor, booking)))
  const won = answers.findIndex(({ status }) => status === 'fulfilled')
  expect(answers[1 - won]).toMatchObject({ status: 'rejected', reason: { reason: 'SLOT_TAKEN' } })
  expect(slotAtPlatform(slotId)).toMatchObject({ leadId: leadIds[won] })
  const winner = bookings[won]
  if (!winner) throw new Error('nobody got the slot')
  expect(await bookVisit(ports, winner.actor, winner.booking)).toEqual(winner.booking)
  expect(invalidated).toEqual([slotId, slotId, slotId])
  const failing = { ...ports, doctorRecords: { ...ports.doctorRecords, book: () => Promise.reject(new AppError('DEADLINE_PASSED')) } }
  await expect(bookVisit(failing, winner.actor, winner.booking)).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  expect(invalidated.at(-1)).toBeUndefined()
})
const leadIds = (): string[] => desk.standIns.platform.records('demo', 'lead').map(({ id }) => String(id))
const asked = (): number => desk.standIns.platform.calls('doctors').length + desk.standIns.platform.calls('visitSlots').length

/** Slots that start in an hour, by default all at the same moment. */
async function addSlots(count: number, stepMs = 0): Promise<void> {
  const start = Date.now() + 3_600_000
  const many = Array.from({ length: count }, (_, index) => {
    const startsAt = new Date(start + index * stepMs).toISOString()
    return { id: newId(), values: { name: `Extra ${index}`, startsAt, state: 'FREE' } }
  })
  // The platform takes at most 200 in one request.
  for (let sent = 0; sent < count; sent += 150) {
    await desk.ports.records.upsertMany(service(), 'visitSlot', many.slice(sent, sent + 150))
  }
}

async function change(id: string, data: Readonly<Record<string, unknown>>): Promise<void> {
  await desk.ports.records.update(service(), 'visitSlot', { id, values: data })
}

describe('doctors and visit slots of the platform', () => {
  test("lists doctors by name and slots by start, in the clinic's time zone", async () => {
    const doctors = await records().doctors(service())
    expect(doctors.map(({ name, active }) => [name, active])).toEqual([
      ['Dr. Ayesha Siddiqui', true],
      ['Dr. Kiran Deshpande', true],
      ['Dr. Nandini Rao', true],
      ['Dr. Sanjay Kulkarni', true],
      ['Dr. Thomas Mathew', false],
    ])
    const slots = await records().slots(service(), soon())
    expect(slots.length).toBeGreaterThan(20)
    expect(slots.map(({ startsAt }) => startsAt)).toEqual(slots.map(({ startsAt }) => startsAt).toSorted())
    expect(slots[0]).toMatchObject({ durationMinutes: 20, timeZone: 'Asia/Kolkata' })
    expect(slots[0]?.localStartsAt).toMatch(/T10:\d0:00\+05:30$/)
  })

  test('filters slots by doctor, lead, end and number', async () => {
    const [one, other] = await records().doctors(service())
    const ofBoth = await records().slots(service(), { ...soon(), doctorId: [one?.id ?? '', other?.id ?? ''] })
    expect(new Set(ofBoth.map(({ doctorId }) => doctorId))).toEqual(new Set([one?.id, other?.id]))
    expect(await records().slots(service(), { ...soon(), doctorId: [] })).toEqual([])
    const booked = ofBoth.find(({ leadId }) => leadId !== null)
    const ofLead = await records().slots(service(), { ...soon(), leadId: booked?.leadId ?? '' })
    expect(ofLead).toContainEqual(booked)
    expect(await records().slots(service(), { ...soon(), to: ofBoth[0]?.startsAt, doctorId: one?.id })).toEqual([])
    expect(await records().slots(service(), { ...soon(), first: 2 })).toEqual((await records().slots(service(), soon())).slice(0, 2))
  })

  test('reads more than one page', async () => {
    await addSlots(250)
    desk.standIns.platform.forgetCalls()
    const slots = await records().slots(service(), { ...soon(), first: 1_000 })
    expect(slots.filter(({ title }) => title?.startsWith('Extra')).length).toBe(250)
    expect(asked()).toBe(2)
  })

  test('pages of slots neither repeat nor skip one, also if many start at the same moment', async () => {
    const actor = await desk.signIn('manager@demo.example')
    const ports = { ...desk.ports, configuration: desk.configuration, clock: systemClock }
    await addSlots(250)
    const directory = openDirectory(ports, actor, {})
    const read = async (first: number): Promise<string[]> => {
      const ids: string[] = []
      for (let after: string | null = null; ;) {
        const { nodes, pageInfo } = await listSlots(ports, directory, { first, after })
        ids.push(...nodes.map(({ id }) => id))
        if (!pageInfo.hasNextPage) return ids
        after = pageInfo.endCursor
      }
    }
    const all = await read(1_000)
    expect(all.length).toBeGreaterThan(280)
    expect(new Set(all).size).toBe(all.length)
    for (const first of [70, all.length - 1]) expect(await read(first)).toEqual(all)
  })

  test('slots that are added while a page is read do not end the list', async () => {
    const actor = await desk.signIn('manager@demo.example')
    await addSlots(450, 1_000)
    const { records: platformRecords } = desk.ports
    const disturbed: typeof platformRecords = {
      ...platformRecords,
      async list(access, name, query) {
        // Moves the last record of the first request into the second one.
        if ((query.offset ?? 0) > 0) await addSlots(1)
        return platformRecords.list(access, name, query)
      },
    }
    const { configuration, store } = desk
    const doctorRecords = createDoctorRecords({ records: disturbed, configuration, store, clock: systemClock, log: createLog('silent') })
    const ports = { doctorRecords, configuration, clock: systemClock }
    const { nodes, pageInfo } = await listSlots(ports, openDirectory(ports, actor, {}), { first: 399 })
    expect([nodes.length, new Set(nodes.map(({ id }) => id)).size, pageInfo.hasNextPage]).toEqual([399, 399, true])
  })

  test('a page of slots in a rare state reads 1,400 slots at most, and says where to go on', async () => {
    const start = Date.parse('2030-01-01T00:00:00.000Z')
    const [template] = await records().slots(service(), soon())
    if (!template) throw new Error('there are no slots')
    const slots = Array.from({ length: 1_500 }, (_, minute) => ({
      ...template,
      id: newId(),
      doctorId: null,
      startsAt: new Date(start + minute * 60_000).toISOString(),
      state: minute === 1_450 ? ('BOOKED' as const) : ('FREE' as const),
    }))
    let read = 0
    const doctorRecords: DoctorRecords = {
      ...records(),
      doctors: async () => [],
      slotPage: async (_access, { from, first }) => {
        read += first
        const found = slots.filter(({ startsAt }) => startsAt >= from)
        return { slots: found.slice(0, first), isEnd: found.length < first }
      },
    }
    const ports = { doctorRecords, configuration: desk.configuration, clock: systemClock }
    const filter = { from: slots[0]?.startsAt ?? '', state: 'BOOKED' } as const
    const directory = openDirectory(ports, await desk.signIn('manager@demo.example'), filter)
    const first = await listSlots(ports, directory, { first: 5 })
    expect([first.nodes, first.pageInfo.hasNextPage, read]).toEqual([[], true, 1_400])
    const second = await listSlots(ports, directory, { first: 5, after: first.pageInfo.endCursor })
    expect([second.nodes.map(({ id }) => id), second.pageInfo.hasNextPage]).toEqual([[slots[1_450]?.id], false])
  })

  test('a question ends after it begins, and at most 92 days later', async () => {
    const ports = { doctorRecords: records(), configuration: desk.configuration, clock: systemClock }
    const actor = await desk.signIn('manager@demo.example')
    const from = '2026-01-01T00:00:00.000Z'
    const open = (to: string) => () => openDirectory(ports, actor, { from, to })
    const day = 86_400_000
    const after = (ms: number): string => new Date(Date.parse(from) + ms).toISOString()
    for (const to of [after(-1), after(0), after(92 * day + 1)]) expect(open(to)).toThrow('filter.to')
    for (const to of [after(1), after(92 * day)]) expect(open(to)().range).toEqual({ from, to })
    expect(openDirectory(ports, actor, { from }).range.to).toBe(after(14 * day))
  })

  test('a page that cannot get past one moment is an error, not the same page for ever', async () => {
    const doctorRecords: DoctorRecords = { ...records(), doctors: async () => [], slotPage: async () => ({ slots: [], isEnd: false }) }
    const ports = { doctorRecords, configuration: desk.configuration, clock: systemClock }
    const directory = openDirectory(ports, await desk.signIn('manager@demo.example'), {})
    await expect(listSlots(ports, directory, { first: 5 })).rejects.toMatchObject({
      reason: 'INVALID_INPUT',
      data: { fields: [expect.objectContaining({ path: 'filter.from' })] },
    })
  })

  test('a workspace without these objects has empty lists, not an error', async () => {
    const { objects } = await desk.configuration.read(desk.workspaceId, 'platform')
    const elsewhere = { singular: 'ward', plural: 'wards' }
    desk.configure('platform', {
      objects: { ...objects, doctor: { ...objects.doctor, ...elsewhere }, visitSlot: { ...objects.visitSlot, ...elsewhere } },
    })
    expect(await records().doctors(service())).toEqual([])
    expect(await records().slots(service(), soon())).toEqual([])
  })

  test('takes the time zone, and the duration of a slot without an end, from the configuration', async () => {
    const { objects } = await desk.configuration.read(desk.workspaceId, 'platform')
    const { visitSlot } = objects
    desk.configure('platform', {
      objects: { ...objects, visitSlot: { ...visitSlot, fields: { ...visitSlot.fields, endsAt: 'nowhere' } } },
      visits: { timeZone: 'America/New_York', slotMinutes: 40 },
    })
    const [slot] = await records().slots(service(), soon())
    expect(slot).toMatchObject({ durationMinutes: 40, timeZone: 'America/New_York' })
    expect(slot?.localStartsAt).toMatch(/-0[45]:00$/)
  })
})

describe('booking a slot', () => {
  test('one of many concurrent bookings succeeds, and the slot belongs to its lead', async () => {
    const slot = await firstFree()
    const leads = leadIds()
    const answers = await Promise.all(leads.map((leadId) => records().book(service(), { slotId: slot.id, leadId })))
    expect(answers.filter(({ booked }) => booked)).toHaveLength(1)
    expect(slotAtPlatform(slot.id)).toMatchObject({ state: 'BOOKED', leadId: leads[answers.findIndex(({ booked }) => booked)] })
  })

  test('a repeated booking by the same lead succeeds, one by another lead does not', async () => {
    const slot = await firstFree()
    const [one = '', other = ''] = leadIds()
    const book = (leadId: string) => records().book(service(), { slotId: slot.id, leadId })
    expect([await book(one), await book(one), await book(other)]).toEqual([{ booked: true }, { booked: true }, { booked: false }])
  })

  test.each(['HELD', 'BOOKED'])('rejects a booking of a %s slot', async (state) => {
    const slot = await firstFree()
    await change(slot.id, { state })
    expect(await records().book(service(), { slotId: slot.id, leadId: leadIds()[0] ?? '' })).toEqual({ booked: false })
    expect(slotAtPlatform(slot.id)).toMatchObject({ state, leadId: null })
  })

  test('rejects a booking of a slot that has begun or does not exist', async () => {
    const slot = await firstFree()
    await change(slot.id, { startsAt: new Date(Date.now() - 1_000).toISOString() })
    const leadId = leadIds()[0] ?? ''
    expect(await records().book(service(), { slotId: slot.id, leadId })).toEqual({ booked: false })
    expect(await records().book(service(), { slotId: newId(), leadId })).toEqual({ booked: false })
  })

  const refusal = {
    errors: [{ message: 'missing FROM-clause entry for table "_visitSlot"', extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
    data: null,
  }
  const cannotCompareAndSet: Fault = { operation: 'updateVisitSlots', act: 'refuse', status: 200, body: JSON.stringify(refusal) }

  test('a platform without conditional updates is written under a lease', async () => {
    const slot = await firstFree()
    desk.standIns.platform.fault(cannotCompareAndSet)
    const leads = leadIds()
    const answers = await Promise.all(leads.map((leadId) => records().book(service(), { slotId: slot.id, leadId })))
    expect(answers.filter(({ booked }) => booked)).toHaveLength(1)
    expect(desk.standIns.platform.calls('updateVisitSlot').filter(({ operation }) => !operation.includes('Slots'))).toHaveLength(1)
    expect(slotAtPlatform(slot.id)).toMatchObject({ state: 'BOOKED', leadId: leads[answers.findIndex(({ booked }) => booked)] })
  })

  test('a booking succeeds even if its lease cannot be released', async () => {
    const releaseFails = (store: Store): Store => ({
      ...store,
      compareAndDelete: () => Promise.reject(new AppError('STORE_UNAVAILABLE')),
    })
    await using desk = await createCallsDesk({ disturb: releaseFails })
    const { platform } = desk.standIns
    const access = asService(desk.workspaceId, 'WIDGET')
    const slot = (await desk.ports.doctorRecords.slots(access, soon())).find(({ state }) => state === 'FREE')
    platform.fault(cannotCompareAndSet)
    const leadId = String(platform.records('demo', 'lead')[0]?.['id'])
    expect(await desk.ports.doctorRecords.book(access, { slotId: slot?.id ?? '', leadId })).toEqual({ booked: true })
    expect(platform.records('demo', 'visitSlot', { id: { eq: slot?.id ?? '' } })).toMatchObject([{ state: 'BOOKED', leadId }])
  })

  test('the lease lasts as long as the platform and the API key limit make a booking wait', async () => {
    const clock = createTestClock(new Date().toISOString())
    await using slow = await createCallsDesk({ clock })
    const { platform } = slow.standIns
    const access = asService(slow.workspaceId, 'WIDGET')
    const { doctorRecords: doctors } = slow.ports
    const slot = (await doctors.slots(access, soon())).find(({ state }) => state === 'FREE')
    const slotId = slot?.id ?? ''
    platform.fault(cannotCompareAndSet)
    platform.fault({ operation: 'updateVisitSlot', act: 'answer', delayMs: 1_500, times: 1 })
    const [one = '', other = ''] = platform.records('demo', 'lead').map(({ id }) => String(id))
    const first = doctors.book(access, { slotId, leadId: one })
    await waitFor(() => platform.calls('updateVisitSlot').some(({ operation }) => !operation.includes('Slots')))
    // Each of the two requests under the lease may wait 65 seconds for its turn, and 10 for its answer.
    clock.advance(149_000)
    expect(await doctors.book(access, { slotId, leadId: other })).toEqual({ booked: false })
    expect(await first).toEqual({ booked: true })
    expect(platform.records('demo', 'visitSlot', { id: { eq: slotId } })).toMatchObject([{ state: 'BOOKED', leadId: one }])
  })

  test("reports NOT_CONFIGURED if the workspace's slots cannot store a booking", async () => {
    const slot = await firstFree()
    const { objects } = await desk.configuration.read(desk.workspaceId, 'platform')
    const { visitSlot } = objects
    const fields = { ...visitSlot.fields, state: 'nowhere', lead: 'nobody' }
    desk.configure('platform', { objects: { ...objects, visitSlot: { ...visitSlot, fields } } })
    await expect(records().book(service(), { slotId: slot.id, leadId: leadIds()[0] ?? '' })).rejects.toMatchObject({
      reason: 'NOT_CONFIGURED',
    })
  })
})

test('the next visit of a lead is its earliest booked slot', async () => {
  const agent = await desk.signIn('agent1@demo.example')
  const [lead] = desk.standIns.platform.records('demo', 'lead', { name: { eq: 'Ananya Sharma' } })
  const leadId = String(lead?.['id'])
  const slots = (await records().slots(service(), soon())).filter(({ state }) => state === 'FREE')
  const [held, booked, later] = slots
  for (const slot of slots.slice(0, 3)) await change(slot.id, { lead: leadId, state: slot === held ? 'HELD' : 'BOOKED' })
  const visit = await desk.ports.leadAgenda.nextVisit(asPerson(desk.workspaceId, agent.accessToken), leadId, soon().from)
  expect([held?.id, booked?.id, later?.id].indexOf(visit?.id)).toBe(1)
  const { nextVisit } = await lookUpCall(desk.callPorts, agent, { phoneNumber: '9876543210' })
  expect(nextVisit).toEqual(visit)
})

describe('the directory over GraphQL and REST', () => {
  let app: TestApp
  let token: string
  beforeAll(async () => {
    app = await createTestApp()
    token = (await app.signIn('user@demo.example')).token
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const list = async (query = ''): Promise<z.output<typeof listed>> =>
    listed.parse((await app.rest('GET', `/api/doctors${query}`, { token })).body)
  const namesOf = async (query: string): Promise<string[]> => (await list(query)).doctors.map(({ name }) => name)

  test("lists active doctors and two weeks of slots, with the actor's own token", async () => {
    app.standIns.platform.forgetCalls()
    const { timeZone, doctors, slots } = await list()
    expect([timeZone, doctors.length, slots.length]).toEqual(['Asia/Kolkata', 4, 36])
    const tokens = app.standIns.platform.calls('visitSlots').map(({ headers }) => headers.authorization)
    expect(tokens).toEqual([`Bearer ${token}`])
  })

  test.each([
    ['?speciality=CARDIO', ['Dr. Nandini Rao']],
    ['?clinic=wing', ['Dr. Ayesha Siddiqui']],
    ['?language=urdu', ['Dr. Ayesha Siddiqui']],
    ['?language=malayalam', []],
    ['?language=malayalam&inactive=true', ['Dr. Thomas Mathew']],
    ['?search=joint%20kulkarni', ['Dr. Sanjay Kulkarni']],
    ['?search=joint%20rao', []],
    ['?search=%20', ['Dr. Ayesha Siddiqui', 'Dr. Kiran Deshpande', 'Dr. Nandini Rao', 'Dr. Sanjay Kulkarni']],
  ])('%s', async (query, names) => {
    expect(await namesOf(query)).toEqual(names)
    const { doctors, slots } = await list(query)
    const ids = new Set(doctors.map(({ id }) => id))
    expect(slots.every(({ doctorId }) => ids.has(doctorId ?? ''))).toBe(true)
    expect(slots.length).toBe(9 * doctors.length)
  })

  test('filters by doctor, state, dates and number', async () => {
    const { doctors, slots } = await list()
    const of = async (query: string) => (await list(query)).slots
    expect(await of(`?doctorId=${doctors[0]?.id}`)).toEqual(slots.filter(({ doctorId }) => doctorId === doctors[0]?.id))
    expect((await of('?state=booked')).every(({ state }) => state === 'BOOKED')).toBe(true)
    expect(await of('?state=free&first=3')).toEqual(slots.filter(({ state }) => state === 'FREE').slice(0, 3))
    const [from, to] = [slots[4]?.startsAt ?? '', slots[9]?.startsAt ?? '']
    expect(await of(`?from=${from}&to=${to}`)).toEqual(slots.filter(({ startsAt }) => startsAt >= from && startsAt < to))
  })

  test('the slots are a list of pages, in GraphQL and REST', async () => {
    // No slot begins during the test.
    const from = new Date(Date.now() + 86_400_000).toISOString()
    const { slots } = await list(`?from=${from}`)
    const page = (given: string) =>
      app.graphql(
        `{ doctorDirectory(filter: { from: "${from}", state: FREE }) { doctors { id } slots(${given}) { nodes { id } pageInfo { hasNextPage endCursor } } } }`,
        {
          token,
        },
      )
    const free = slots.filter(({ state }) => state === 'FREE').map(({ id }) => ({ id }))
    const [first, half] = [await page(`first: ${free.length}`), await page('first: 5')]
    expect(first.data).toMatchObject({ doctorDirectory: { slots: { nodes: free, pageInfo: { hasNextPage: false } } } })
    expect(half.data).toMatchObject({ doctorDirectory: { slots: { nodes: free.slice(0, 5), pageInfo: { hasNextPage: true } } } })
    const answer = await app.rest('GET', `/api/doctors?from=${from}&state=free&first=5`, { token })
    const next = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1] ?? ''
    expect((await list(next.slice('/api/doctors'.length))).slots).toMatchObject(free.slice(5, 10))
    expect((await app.rest('GET', `/api/doctors?from=${from}`, { token })).headers.get('link')).toBeNull()
    for (const given of ['first: 0', 'first: 1001', 'first: 1, after: "x"']) {
      const { errors } = await page(given)
      const fields = [expect.objectContaining({ path: given.includes('after') ? 'after' : 'first' })]
      expect(errors).toMatchObject([{ path: ['doctorDirectory', 'slots'], extensions: { code: 'BAD_USER_INPUT', data: { fields } } }])
    }
  })

  test.each([
    ['?to=2020-01-01T00:00:00.000Z', 'to'],
    ['?from=2026-01-01T00:00:00.000Z&to=2026-06-01T00:00:00.000Z', 'to'],
    ['?doctorId=rao', 'doctorId'],
    ['?first=5000', 'first'],
    ['?state=gone', 'state'],
  ])('rejects %s and names the field', async (query, path) => {
    const { status, body } = await app.rest('GET', `/api/doctors${query}`, { token })
    expect({ status, body }).toMatchObject({ status: 400, body: { reason: 'INVALID_INPUT', data: { fields: [{ path }] } } })
  })

  test('requires a role', async () => {
    const guest = await app.signIn('guest@demo.example')
    expect(await app.rest('GET', '/api/doctors', { token: guest.token })).toMatchObject({ status: 403, body: { reason: 'ROLE_MISSING' } })
    expect((await app.rest('GET', '/api/doctors')).status).toBe(401)
  })
})
