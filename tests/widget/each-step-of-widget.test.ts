import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { answerVisitor } from '../../src/features/widget/answer-visitor.ts'
import { confirmBooking } from '../../src/features/widget/confirm-booking.ts'
import { createWidgetKey } from '../../src/features/widget/create-widget-key.ts'
import { deleteWidgetKey } from '../../src/features/widget/delete-widget-key.ts'
import { handOffVisitor } from '../../src/features/widget/hand-off-visitor.ts'
import { holdSlot } from '../../src/features/widget/hold-slot.ts'
import { readAppearance } from '../../src/features/widget/read-appearance.ts'
import { readAvailability } from '../../src/features/widget/read-availability.ts'
import { releaseSlot } from '../../src/features/widget/release-slot.ts'
import { rotateWidgetKey } from '../../src/features/widget/rotate-widget-key.ts'
import type { WidgetPorts } from '../../src/features/widget/widget-ports.ts'
import { newId } from '../../src/kernel/ids.ts'
import { AppError, type ErrorReason } from '../../src/kernel/errors.ts'
import { failEachStep, type Outcomes } from '../harness/each-step.ts'
import { fixedConfiguration } from '../harness/fixed-configuration.ts'
import { createWiredDesk, type WiredDesk } from '../harness/wired-desk.ts'

/** Every step of these use cases fails once. A failure that is in no list fails the use case with the same error. */

let desk: WiredDesk
let manager: Actor
let ports: WidgetPorts
const allowed = { take: async () => {}, giveBack: async () => {} }
beforeAll(async () => {
  desk = await createWiredDesk()
  manager = await desk.signIn('manager@demo.example')
  const configuration = fixedConfiguration({
    widget: { enabled: true, bookingEnabled: true },
    theme: { brand: { hospitalName: 'Sunrise' } },
    platform: await desk.ports.configuration.read(desk.workspaceId, 'platform'),
  })
  // Limits of visitors are another matter; so are the heights of the shares.
  const visitorLimits = { ...desk.widget.visitorLimits, hold: async () => {}, booking: allowed }
  ports = { ...desk.widget, ...desk.steps.around({ configuration }), visitorLimits }
})
afterAll(() => desk[Symbol.asyncDispose]())

const outcomes = <Subject>(
  prepare: () => Promise<Subject>,
  run: (subject: Subject) => Promise<unknown>,
  reason?: ErrorReason | 'unexpected',
): Promise<Outcomes> => failEachStep(desk.steps, { prepare, run, ...(reason && { reason }) })
let visitors = 0
const visitor = () => {
  visitors += 1
  return { workspaceId: desk.workspaceId, widgetKey: `key ${visitors}`, clientAddress: `203.0.113.${visitors % 250}` }
}
const freeSlot = async () => {
  desk.clock.advance(1_000)
  // What failed runs hold is free again after ten minutes.
  if ((await readAvailability(ports, desk.workspaceId)).slots.length === 0) desk.clock.advance(600_000)
  const { slots } = await readAvailability(ports, desk.workspaceId)
  const slot = slots[visitors % slots.length]
  if (!slot) throw new Error('the sandbox has free slots')
  return { ...visitor(), slotId: slot.id }
}
const held = async () => {
  const input = await freeSlot()
  const { id: bookingId } = await holdSlot(ports, input)
  return { ...input, bookingId, name: 'Asha Rao', phone: `+9198115${String(10_000 + visitors)}` }
}

test('a slot that is held, and released', async () => {
  expect(await outcomes(freeSlot, (input) => holdSlot(ports, input))).toEqual({})
  expect(await outcomes(held, (input) => releaseSlot(ports, input))).toEqual({})
})

test('a booking that is confirmed', async () => {
  expect(await outcomes(held, (input) => confirmBooking(ports, input))).toEqual({
    tolerated: ['store.compareAndDelete widget-confirming:*:*'],
  })
})

test('a visitor who is handed off to a human', async () => {
  const handOff = async () => ({
    ...visitor(),
    name: 'Asha',
    phone: `+9198115${10_000 + visitors}`,
    note: 'Wants a visit',
    reference: newId(),
  })
  const run = ({ workspaceId, phone, name, note, reference }: Awaited<ReturnType<typeof handOff>>) =>
    handOffVisitor(ports, { workspaceId, name, phoneNumber: phone, note, reference })
  expect(await outcomes(handOff, run)).toEqual({})
})

test('a message that is answered', async () => {
  const message = async () => ({
    ...visitor(),
    question: { id: newId(), message: { id: newId(), role: 'user', parts: [{ type: 'text', text: 'Hello!' }] } },
    signal: new AbortController().signal,
  })
  expect(await outcomes(message, async (asked) => Array.fromAsync(await answerVisitor(ports, asked)))).toEqual({
    tolerated: [
      'store.compareAndDelete widget-reply:*:*:*',
      'store.compareAndSet widget-conversation:*:*:*',
      'store.increment widget-tokens:*:* (2)',
      'store.increment widget-tokens:*:*:* (2)',
    ],
  })
})

test('an assistant, notes or a lead that the workspace lacks', async () => {
  const asked = async () => ({
    ...visitor(),
    question: { id: newId(), message: { id: newId(), role: 'user', parts: [{ type: 'text', text: 'Hello!' }] } },
    signal: new AbortController().signal,
  })
  const answer = async (message: Awaited<ReturnType<typeof asked>>) => Array.fromAsync(await answerVisitor(ports, message))
  expect(await outcomes(asked, answer, 'NOT_CONFIGURED')).toEqual({ answered: ['languageModel.of: ASSISTANT_MISSING'] })
  const handOff = async () => ({
    ...visitor(),
    name: 'Asha',
    phoneNumber: `+9198115${20_000 + visitors}`,
    note: 'Visit',
    reference: newId(),
  })
  expect(await outcomes(handOff, (input) => handOffVisitor(ports, input), 'NOT_CONFIGURED')).toEqual({ tolerated: ['leadNotes.write'] })
})

test('a slot that somebody else has booked on the platform', async () => {
  const taken = {
    ...ports,
    ...desk.steps.around({ doctorRecords: { ...desk.ports.doctorRecords, book: async () => ({ booked: false }) } }),
  }
  const run = (input: Awaited<ReturnType<typeof held>>) =>
    confirmBooking(taken, input).catch((error: unknown) => {
      if (!(error instanceof AppError && error.reason === 'SLOT_TAKEN')) throw error
    })
  expect(await outcomes(held, run)).toEqual({
    tolerated: [
      'store.compareAndDelete widget-confirming:*:*',
      'store.compareAndDelete widget-hold:*:*',
      'store.increment widget-booked:*:*:* (3, 4)',
      'store.set widget-booking:*:* (2)',
      'store.sortedRemove widget-held:*:*',
      'store.sortedRemove widget-held:*:*:*',
      'store.sortedRemove widget-holds:*',
    ],
  })
})

test('the keys that requests use', async () => {
  const origin = 'https://index.example'
  const created = async () => {
    for (const one of await ports.widgetKeys.list(desk.workspaceId)) await deleteWidgetKey(ports, manager, one.key)
    const { key } = await createWidgetKey(ports, manager, { origins: [origin] })
    await ports.widgetKeys.find(key)
    ports.notifications.publish({ topic: 'widget.keys.changed', workspaceId: desk.workspaceId, payload: '' }).catch(() => undefined)
    return key
  }
  const find = async (key: string) => expect(await ports.widgetKeys.find(key)).toMatchObject({ origins: [origin] })
  expect(await outcomes(created, find)).toEqual({ tolerated: ['documents.read widget-keys'] })
  expect(await outcomes(created, async () => expect(await ports.widgetKeys.hasOrigin(origin)).toBe(true))).toEqual({
    tolerated: ['documents.read widget-keys'],
  })
})

test('a key that is created, rotated and deleted', async () => {
  const input = { origins: ['https://hospital.example'] }
  const key = async () => (await createWidgetKey(ports, manager, input)).key
  const none = async () => {
    for (const one of await ports.widgetKeys.list(desk.workspaceId)) await deleteWidgetKey(ports, manager, one.key)
  }
  expect(await outcomes(none, () => createWidgetKey(ports, manager, input))).toEqual({})
  expect(await outcomes(key, (own) => rotateWidgetKey(ports, manager, own))).toEqual({})
  expect(await outcomes(key, (own) => deleteWidgetKey(ports, manager, own))).toEqual({})
})

test('what a visitor sees first', async () => {
  const nothing = async (): Promise<void> => {}
  expect(await outcomes(nothing, () => readAppearance(ports, desk.workspaceId))).toEqual({ tolerated: ['languageModel.prepare'] })
  expect(await outcomes(nothing, () => readAvailability(ports, desk.workspaceId))).toEqual({})
})
