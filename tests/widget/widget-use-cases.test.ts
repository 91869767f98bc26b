import { RateLimiterMemory } from 'rate-limiter-flexible'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readBooking, type StoredBooking, writeBooking } from '../../src/features/widget/booking-store.ts'
import { bookableAheadMs, freeSlots } from '../../src/features/widget/availability.ts'
import type { AssistantContext } from '../../src/features/widget/chat/assistant-context.ts'
import { noteOf } from '../../src/features/widget/chat/conversation-note.ts'
import { emptyConversation, replyTo, type VisitorConversation } from '../../src/features/widget/chat/conversation.ts'
import { handOffTool } from '../../src/features/widget/chat/hand-off-tool.ts'
import { historyOf } from '../../src/features/widget/chat/history.ts'
import { listSlotsTool } from '../../src/features/widget/chat/list-slots-tool.ts'
import { proposeBookingTool } from '../../src/features/widget/chat/propose-booking-tool.ts'
import { readQuestion } from '../../src/features/widget/chat/question.ts'
import { createReferences } from '../../src/features/widget/chat/references.ts'
import { createToolbox } from '../../src/features/widget/chat/toolbox.ts'
import { confirmBooking } from '../../src/features/widget/confirm-booking.ts'
import { createWidgetKey } from '../../src/features/widget/create-widget-key.ts'
import { findOrCreateLead } from '../../src/features/widget/find-or-create-lead.ts'
import { handOffVisitor } from '../../src/features/widget/hand-off-visitor.ts'
import { holdSlot } from '../../src/features/widget/hold-slot.ts'
import { createKeyIndex } from '../../src/features/widget/key-index.ts'
import { createLimitCounts } from '../../src/features/widget/limit-counts.ts'
import { readAppearance } from '../../src/features/widget/read-appearance.ts'
import { createVisitorLimits } from '../../src/features/widget/visitor-limits.ts'
import { createWidgetKeys } from '../../src/features/widget/widget-keys.ts'
import type { WidgetKey } from '../../src/features/widget/widget-key.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { createKeyedMutex } from '../../src/kernel/keyed-mutex.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { Directory, Doctor, VisitSlot } from '../../src/ports/doctors.ts'
import type { Store } from '../../src/ports/store.ts'
import { createInProcessNotifications } from '../../src/providers/notifications/in-process.ts'
import { createStoreAudit } from '../../src/providers/store/audit.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createMemoryDocuments } from '../builders/memory-documents.ts'
import { testPrincipal } from '../harness/gateway.ts'
import { createTestClock, type TestClock } from '../harness/clock.ts'
import { failingStore } from '../harness/failing-store.ts'
import { fixedConfiguration } from '../harness/fixed-configuration.ts'
import { lateStore } from '../harness/late-store.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

/** The use cases of the widget with a real store, without HTTP: what happens at a limit, at an exact moment, and after a failure. */

const workspaceId = 'w'
const visitor = { workspaceId, widgetKey: 'key', clientAddress: '203.0.113.7' }
const contact = { name: 'Asha Rao', phone: '98450 98450' }
const log = createLog('silent')

let clock: TestClock
let store: Store
let directory: { doctors: Doctor[]; slots: VisitSlot[] }
/** The lead of each visit that was booked on the platform. */
let booked: Map<string, string>
let stack: AsyncDisposableStack
beforeEach(async () => {
  stack = new AsyncDisposableStack()
  const { path } = stack.use(await createTempDir())
  clock = createTestClock()
  store = lateStore(createSqliteStore({ dataDir: path, clock, retentionOf }))
  stack.defer(() => store.close())
  directory = { doctors: [], slots: [] }
  booked = new Map()
})
afterEach(() => stack.disposeAsync())

type BookingPorts = Parameters<typeof confirmBooking>[0] & Parameters<typeof holdSlot>[0]
const inMs = (ms: number): string => isoMoment(clock.now() + ms)

function slotIn(ms: number, id = `slot in ${ms}`): VisitSlot {
  const times = { startsAt: inMs(ms), localStartsAt: inMs(ms), endsAt: inMs(ms), localEndsAt: inMs(ms) }
  const slot: VisitSlot = { id, title: null, doctorId: null, state: 'FREE', ...times, timeZone: 'UTC', durationMinutes: 30, leadId: null }
  directory.slots.push(slot)
  return slot
}

const limits = () => createVisitorLimits(({ points, seconds }) => new RateLimiterMemory({ points, duration: seconds }))
const notUsed = () => Promise.reject(new Error('not used here'))

function ports(changes: Partial<BookingPorts> = {}): BookingPorts {
  return {
    clock,
    log,
    store,
    configuration: fixedConfiguration({ widget: { enabled: true, bookingEnabled: true, heldPercent: 100, heldPercentPerAddress: 100 } }),
    doctorDirectory: { read: async (): Promise<Directory> => directory, invalidate: () => undefined },
    doctorRecords: {
      doctors: notUsed,
      slots: async () => [],
      slotPage: notUsed,
      book: async (_access, { slotId, leadId }) => ({ booked: booked.set(slotId, leadId).has(slotId) }),
    },
    leadRecords: { byId: async () => null, byIds: notUsed, byPhone: async () => [], byPhones: notUsed, wasDeleted: notUsed },
    newLeads: { create: async () => ({ created: true }), withdraw: notUsed },
    visitorLimits: limits(),
    limitCounts: createLimitCounts(),
    holdMutex: createKeyedMutex(),
    ...changes,
  }
}
const hold = (slotId: string, own = ports()) => holdSlot(own, { ...visitor, slotId })
const confirm = (bookingId: string, own = ports()) => confirmBooking(own, { ...visitor, ...contact, bookingId })

test('a time can be held until it begins, and two weeks ahead', async () => {
  const times = [0, 1, bookableAheadMs, bookableAheadMs + 1].map((ms) => slotIn(ms).id)
  expect(freeSlots(directory, clock.now()).map(({ id }) => id)).toEqual(times.slice(1, 3))
  await expect(hold(times[0] ?? '')).rejects.toMatchObject({ reason: 'INVALID_INPUT' })
  await expect(hold(times[3] ?? '')).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  for (const id of times.slice(1, 3)) expect(await hold(id)).toMatchObject({ state: 'HELD', heldUntil: inMs(5 * 60_000) })
})

test('a time whose share cannot be counted is free at once', async () => {
  const { id } = slotIn(3_600_000)
  const failing = ports({ store: failingStore(store, (key) => key.startsWith('widget-held:')) })
  await expect(hold(id, failing)).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  expect(await hold(id)).toMatchObject({ state: 'HELD' })
  await expect(hold(id)).rejects.toMatchObject({ reason: 'SLOT_TAKEN' })
})

test('a hold ends to the millisecond, and nobody books a visit that begins', async () => {
  const [{ id: late }, { id: soon }, { id: begun }] = [slotIn(3_600_000), slotIn(60_000), slotIn(60_001)]
  const [held, short, almost] = [await hold(late), await hold(soon), await hold(begun)]
  clock.advance(60_000)
  await expect(confirm(short.id)).rejects.toMatchObject({ reason: 'INVALID_INPUT' })
  expect(await confirm(almost.id)).toMatchObject({ state: 'BOOKED' })
  clock.advance(4 * 60_000 - 1)
  const other = await hold(late, ports()).catch((error: unknown) => error)
  expect(other).toMatchObject({ reason: 'SLOT_TAKEN' })
  clock.advance(1)
  await expect(confirm(held.id)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  expect([...booked.keys()]).toEqual([begun])
})

test('a booking that fails halfway is as it was: it is free for others, and can be confirmed again', async () => {
  const { id } = slotIn(3_600_000)
  const failing = [
    ports({ doctorRecords: { ...ports().doctorRecords, book: () => Promise.reject(new AppError('PROVIDER_UNAVAILABLE')) } }),
    ports({ doctorRecords: { ...ports().doctorRecords, book: async () => ({ booked: false }) } }),
  ]
  const invalidated: unknown[] = []
  for (const own of failing) {
    const doctorDirectory = { ...own.doctorDirectory, invalidate: (...what: unknown[]) => void invalidated.push(what) }
    const held = await hold(id)
    await expect(confirm(held.id, { ...own, doctorDirectory })).rejects.toThrow(AppError)
    expect(await readBooking(store, workspaceId, held.id)).toMatchObject({ state: 'BEGUN', phoneHash: null, bookedIn: [] })
  }
  // After an outage nobody knows whether it was written; after an answer, this time is taken.
  expect(invalidated).toEqual([[workspaceId], [workspaceId, id]])
  const held = await hold(id)
  expect(await confirm(held.id)).toMatchObject({ state: 'BOOKED' })
  expect(await confirm(held.id)).toMatchObject({ state: 'BOOKED' })
  await expect(confirmBooking(ports(), { ...visitor, name: 'Other', phone: '98450 98451', bookingId: held.id })).rejects.toMatchObject({
    reason: 'WRONG_STATE',
  })
})

test('a booking that the day refuses gives the phone number its visit back', async () => {
  const { id } = slotIn(3_600_000)
  const own = ports()
  const held = await hold(id, own)
  const failing = { ...own, store: failingStore(store, (key) => key.startsWith('widget-booked:')) }
  for (let tries = 0; tries < 5; tries += 1) await expect(confirm(held.id, failing)).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  expect(await confirm(held.id, own)).toMatchObject({ state: 'BOOKED' })
})

test('a booking whose answer was lost is found on the platform, of this visitor and this time only', async () => {
  const [slot, other] = [slotIn(3_600_000), slotIn(7_200_000)]
  const own = ports()
  const held = await hold(slot.id, own)
  const during: (StoredBooking | null)[] = []
  const book = async () => {
    during.push(await readBooking(store, workspaceId, held.id))
    throw new AppError('DEADLINE_PASSED')
  }
  await expect(confirm(held.id, { ...own, doctorRecords: { ...own.doctorRecords, book } })).rejects.toMatchObject({
    reason: 'DEADLINE_PASSED',
  })
  const [stored] = during
  if (!stored) throw new Error('the booking was begun')
  // As if the process had died; its hold has ended, and somebody else holds the time.
  const stranger = await hold(slot.id)
  const withVisits = (slots: readonly VisitSlot[]) => ({ ...own, doctorRecords: { ...own.doctorRecords, slots: async () => slots } })
  for (const visits of [[], [{ ...slot }], [{ ...other, state: 'BOOKED' as const }]]) {
    await writeBooking(store, workspaceId, stored)
    await expect(confirm(held.id, withVisits(visits))).rejects.toMatchObject({ reason: 'SLOT_TAKEN' })
  }
  await writeBooking(store, workspaceId, stored)
  expect(await confirm(held.id, withVisits([{ ...slot, state: 'BOOKED' }]))).toMatchObject({ id: held.id, state: 'BOOKED' })
  expect(stranger.id).not.toBe(held.id)
})

test('the share of a limit counts as refused above it, not at it', () => {
  const counts = createLimitCounts()
  counts.note('held-per-key', { used: 4, allowed: 4 })
  expect([counts.refused('held-per-key'), counts.readHighestPercent('held-per-key')]).toEqual([0, 100])
  counts.note('held-per-key', { used: 5, allowed: 4 })
  counts.note('held-per-key', { used: 1, allowed: 4 })
  expect([counts.refused('held-per-key'), counts.readHighestPercent('held-per-key')]).toEqual([1, 100])
  expect([counts.readHighestPercent('held-per-key'), counts.refused('booked-per-key')]).toEqual([0, 0])
})

test('a lead gets the first of five ids that is free', async () => {
  const tried: string[] = []
  const create =
    (free: number) =>
    async (_: unknown, { id }: { readonly id: string }) => ({ created: tried.push(id) === free })
  const from = (free: number) =>
    findOrCreateLead({ ...ports(), newLeads: { create: create(free), withdraw: notUsed } }, workspaceId, {
      name: 'Asha',
      phoneNumber: '+919845098450',
    })
  expect((await from(5)).id).toBe(tried[4])
  expect(new Set(tried).size).toBe(5)
  tried.length = 0
  await expect(from(6)).rejects.toMatchObject({ reason: 'NOT_CONFIGURED' })
  expect(tried).toHaveLength(5)
})

test('a visitor is handed off without a note if the workspace has none, but not if the platform is away', async () => {
  const handOff = (reason: 'NOT_CONFIGURED' | 'PROVIDER_UNAVAILABLE') =>
    handOffVisitor(
      { ...ports(), leadNotes: { write: () => Promise.reject(new AppError(reason)) } },
      {
        workspaceId,
        name: null,
        phoneNumber: '+919845098450',
        note: '',
        reference: 'r',
      },
    )
  await expect(handOff('NOT_CONFIGURED')).resolves.toBeUndefined()
  await expect(handOff('PROVIDER_UNAVAILABLE')).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
})

test('the page learns that there is no assistant, but an outage is an error; a model that cannot be loaded yet is there', async () => {
  const { configuration } = ports()
  const withModel = (languageModelOf: Parameters<typeof readAppearance>[0]['languageModelOf']) =>
    readAppearance({ configuration, languageModelOf, log }, workspaceId)
  const failing = (reason: 'NOT_CONFIGURED' | 'STORE_UNAVAILABLE') => withModel(() => Promise.reject(new AppError(reason)))
  expect(await failing('NOT_CONFIGURED')).toMatchObject({ widget: { enabled: true, chatEnabled: false } })
  await expect(failing('STORE_UNAVAILABLE')).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  const prepare = () => Promise.reject(new Error('no module'))
  const model = { prepare, structured: notUsed, converse: fail }
  expect(await withModel(async () => model)).toMatchObject({ widget: { chatEnabled: true } })
})

function fail(): never {
  throw new Error('not used here')
}

const keyOf = (key: string, more: Partial<WidgetKey> = {}): WidgetKey => ({
  key,
  workspaceId,
  origins: ['https://hospital.example'],
  createdAt: inMs(0),
  validUntil: null,
  ...more,
})

test('a workspace has at most fifty keys', async () => {
  const documents = createMemoryDocuments()
  const notifications = createInProcessNotifications({ log })
  using widgetKeys = createWidgetKeys({ documents, notifications, clock })
  const all = Array.from({ length: 49 }, (_, index) => keyOf(`k${index}`))
  await widgetKeys.change(workspaceId, () => ({ keys: all, result: null }))
  const own = {
    widgetKeys,
    clock,
    configuration: fixedConfiguration({ theme: { brand: { hospitalName: 'Sunrise' } } }),
    audit: createStoreAudit({ store, clock }),
  }
  const actor = { clientAddress: '203.0.113.7', principal: testPrincipal({ workspaceId }) }
  const create = () => createWidgetKey(own, actor, { origins: ['https://hospital.example'] })
  const created = await create()
  expect(await widgetKeys.find(created.key)).toMatchObject({ workspaceId, origins: ['https://hospital.example'] })
  await expect(create()).rejects.toMatchObject({ reason: 'WRONG_STATE' })
  expect(await own.audit.read(workspaceId, { limit: 5 })).toMatchObject([{ action: 'widgetKey.created' }])
  await notifications.close()
})

test('a key is valid until its end, and a change that others always overtake ends', async () => {
  const documents = createMemoryDocuments()
  const notifications = createInProcessNotifications({ log })
  using widgetKeys = createWidgetKeys({ documents, notifications, clock })
  const keys = [keyOf('rotated', { validUntil: inMs(1_000), createdAt: inMs(-1) }), keyOf('new')]
  await widgetKeys.change(workspaceId, () => ({ keys, result: null }))
  const found = async () => [await widgetKeys.find('rotated'), await widgetKeys.hasOrigin('https://hospital.example')].map(Boolean)
  clock.advance(999)
  expect(await found()).toEqual([true, true])
  expect((await widgetKeys.list(workspaceId)).map(({ key }) => key)).toEqual(['new', 'rotated'])
  clock.advance(1)
  expect(await found()).toEqual([false, true])
  expect((await widgetKeys.list(workspaceId)).map(({ key }) => key)).toEqual(['new'])
  let tries = 0
  const overtaken = { ...documents, replace: async () => (tries += 1) < 0 }
  using others = createWidgetKeys({ documents: overtaken, notifications, clock })
  await expect(others.change(workspaceId, () => ({ keys: [], result: null }))).rejects.toMatchObject({ reason: 'OVERLOADED' })
  expect(tries).toBe(30)
  await notifications.close()
})

test('the index of keys is read again after ten seconds, an unknown key after one, and the last one counts in an outage', async () => {
  let reads = 0
  let isAway = false
  const index = createKeyIndex({
    clock,
    read: async () => {
      reads += 1
      if (isAway) throw new AppError('STORE_UNAVAILABLE')
      return [keyOf(`read ${reads}`)]
    },
  })
  const keyIn = async () => [...(await index.current()).keys.keys()][0]
  expect(await keyIn()).toBe('read 1')
  clock.advance(999)
  await index.notOlderThan(1_000)
  expect(reads).toBe(1)
  clock.advance(1)
  expect([...(await index.notOlderThan(1_000)).keys.keys()]).toEqual(['read 2'])
  clock.advance(9_999)
  expect([await keyIn(), reads]).toEqual(['read 2', 2])
  clock.advance(1)
  expect([await keyIn(), reads]).toEqual(['read 2', 3])
  expect(await waitFor(async () => (await keyIn()) === 'read 3' && 'read 3')).toBe('read 3')
  isAway = true
  index.invalidate()
  expect([await keyIn(), await keyIn(), reads]).toEqual(['read 3', 'read 3', 4])
  const empty = createKeyIndex({ clock, read: () => Promise.reject(new AppError('STORE_UNAVAILABLE')) })
  for (const _ of [1, 2]) await expect(empty.current()).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
})

const asked = (text: string, id = 'q'): VisitorConversation['messages'][number] => ({ role: 'user', id, text })

/** A conversation of which the tools see and change this state. */
function contextOf(messages: VisitorConversation['messages'], own = ports()) {
  let conversation: VisitorConversation = { ...emptyConversation, messages }
  let notes = 0
  const context: AssistantContext = {
    ...visitor,
    ports: { ...own, leadNotes: { write: async () => void (notes += 1) } },
    conversationId: 'c',
    profile: { hospitalName: null, timeZone: 'UTC', country: 'IN', bookingEnabled: true },
    doctors: createReferences('D', []),
    slots: createReferences('S', []),
    conversation: () => conversation,
    change: async (change) => void (conversation = { ...conversation, ...change }),
  }
  return { context, conversation: () => conversation, notes: () => notes }
}

test('a conversation is handed off with three numbers, each of at least seven figures that the visitor wrote', async () => {
  const numbers = ['9845098450', '9845098451', '9845098452', '9845098453']
  const { context, conversation, notes } = contextOf([asked(`${numbers.join(', ')} or 2345678 or 100`)])
  const handOff = async (phone: string, inContext = context) =>
    (await handOffTool.run(inContext, { name: null, phone, reason: 'Asks for a call' })).output['handedOff']
  for (const phone of numbers.slice(0, 3)) expect(await handOff(phone)).toBe(true)
  expect([await handOff(numbers[0] ?? ''), await handOff(numbers[3] ?? ''), await handOff('9845098459')]).toEqual([true, false, false])
  expect([notes(), conversation().handedOff.length]).toEqual([3, 3])
  const german = contextOf([asked('call 2345678 please')])
  const inGermany: AssistantContext = { ...german.context, profile: { ...german.context.profile, country: 'DE' } }
  expect([await handOff('2345678', inGermany), await handOff('234567', inGermany)]).toEqual([true, false])
  const refused = contextOf([asked('9845098450')], ports({ leadRecords: { ...ports().leadRecords, byPhone: notUsed } }))
  expect([await handOff('9845098450', refused.context), refused.conversation().handedOff]).toEqual([false, []])
})

test('free times are listed from the chosen day on, and a time that is held is shown again until the hold ends', async () => {
  const day = 86_400_000
  const [today, tomorrow] = [slotIn(3_600_000), slotIn(day)]
  const { context, conversation } = contextOf([])
  const list = async (from: string | null) => (await listSlotsTool.run(context, { doctor: null, from })).card
  expect(await list(tomorrow.localStartsAt.slice(0, 10))).toMatchObject({ slots: [{ id: tomorrow.id }] })
  expect(await list(null)).toMatchObject({ slots: [{ id: today.id }, { id: tomorrow.id }] })
  expect(await list('2100-01-01')).toBeNull()
  const propose = async () => (await proposeBookingTool.run(context, { slot: 'S1' })).card
  const first = await propose()
  clock.advance(5 * 60_000 - 1)
  expect(await propose()).toEqual(first)
  clock.advance(1)
  const second = await propose()
  expect(second).not.toEqual(first)
  expect(conversation().held).toHaveLength(1)
  expect((await proposeBookingTool.run(context, { slot: 'S9' })).output).toMatchObject({ held: false })
})

test('the model learns why a time is not held; an outage ends the reply', async () => {
  const { id } = slotIn(3_600_000)
  const propose = async (own: BookingPorts) => {
    const { context } = contextOf([], own)
    context.slots.show(id)
    return (await proposeBookingTool.run(context, { slot: 'S1' })).output
  }
  await hold(id)
  expect(await propose(ports())).toMatchObject({ held: false, why: 'That time is no longer free: list the times again.' })
  const away = ports({ store: failingStore(store, (key) => key.startsWith('widget-booking:')) })
  await expect(propose(away)).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  clock.advance(3_600_000)
  expect(await propose(ports())).toMatchObject({ why: 'That time can no longer be held: list the times again.' })
})

test('the tools answer twelve calls of a reply, then ask for the answer', async () => {
  const { context, conversation } = contextOf([])
  slotIn(3_600_000)
  const toolbox = createToolbox(context)
  const outputs: unknown[] = []
  for (let call = 1; call <= 13; call += 1)
    outputs.push(await toolbox.tools['listSlots']?.run({ doctor: null, from: null }, { id: `call ${call}` }))
  expect(outputs[11]).toMatchObject({ slots: [{ ref: 'S1' }] })
  expect(outputs[12]).toEqual({ why: 'There were many look-ups already: answer the visitor now.' })
  expect([toolbox.cardOf('call 12')?.kind, toolbox.cardOf('call 13')]).toEqual(['SLOTS', null])
  expect(conversation().slots).toEqual(['slot in 3600000'])
})

const uuid = '3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64'

test('a message has at most 2,000 characters in all its parts', () => {
  const question = (...texts: readonly string[]) => ({
    id: uuid,
    message: { id: 'q', role: 'user', parts: texts.map((text) => ({ type: 'text', text })) },
  })
  expect(readQuestion(question('a'.repeat(1_000), 'b'.repeat(999)))).toMatchObject({ conversationId: uuid, id: 'q' })
  expect(() => readQuestion(question('a'.repeat(1_000), 'b'.repeat(1_000)))).toThrow('message.parts: must have at most 2000 characters')
  expect(() => readQuestion(question(' \n'))).toThrow('message.parts.0.text: must not be empty')
})

test('the model gets 24,000 characters of history and the newest message in any case; the staff 8,000 of the note', () => {
  const empty = JSON.stringify(asked('')).length
  const history = (...lengths: readonly number[]) =>
    historyOf({ ...emptyConversation, messages: lengths.map((length) => asked('a'.repeat(length))) })
  expect(history(12_000 - empty, 12_000 - empty)).toHaveLength(2)
  expect(history(12_001 - empty, 12_000 - empty)).toHaveLength(1)
  expect(history(30_000)).toHaveLength(1)
  const [head = '', , line = ''] = noteOf({ ...emptyConversation, messages: [asked('x')] }, 'why').split(/\n(?=\n|Visitor)/)
  expect(line).toBe('Visitor: x')
  const lines = (last: number) => [...Array.from({ length: 12 }, () => 600), 300, last].map((length) => asked('a'.repeat(length)))
  const left = 8_000 - head.length - 12 * 610 - 310
  const note = (last: number) => noteOf({ ...emptyConversation, messages: lines(last).toReversed() }, 'why').split('Visitor: ').length - 1
  expect([note(left - 10), note(left - 9)]).toEqual([14, 13])
})

test('the reply to the first message of a conversation is found, and only a complete one', () => {
  const reply = (complete: boolean) => ({ role: 'assistant' as const, id: 'r', complete, parts: [] })
  const conversation = (complete: boolean) => ({ ...emptyConversation, messages: [asked('Hello'), reply(complete)] })
  expect(replyTo(conversation(true), 'q')).toEqual(reply(true))
  expect([replyTo(conversation(false), 'q'), replyTo(conversation(true), 'r'), replyTo(emptyConversation, 'q')]).toEqual([null, null, null])
})

test('a request is admitted only when both of its limits have answered', async () => {
  const limits = createVisitorLimits(({ name }) => {
    const limiter = new RateLimiterMemory({ points: 5, duration: 60 })
    const consume = limiter.consume.bind(limiter)
    limiter.consume = async (key) => {
      await new Promise((resolve) => void setImmediate(resolve))
      if (name === failing) throw new AppError('STORE_UNAVAILABLE')
      return consume(key)
    }
    return limiter
  })
  let failing = ''
  const request = { clientAddress: '203.0.113.5', key: 'k' }
  await expect(limits.request(request)).resolves.toBeUndefined()
  for (const name of ['widget-address', 'widget-key']) {
    failing = name
    await expect(limits.request(request)).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  }
})
