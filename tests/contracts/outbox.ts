import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Outbox, OutboxEvent } from '../../src/ports/outbox.ts'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createTestClock } from '../harness/clock.ts'
import { waitFor } from '../harness/wait-for.ts'

/** The contract of every outbox. Receivers have random names, because suites may share a server. */
export function outboxContract(create: (clock: Clock) => Promise<{ readonly outbox: Outbox } & AsyncDisposable>): void {
  let subject: Awaited<ReturnType<typeof create>>
  let outbox: Outbox
  beforeAll(async () => {
    subject = await create(systemClock)
    outbox = subject.outbox
  })
  afterAll(() => subject[Symbol.asyncDispose]())

  const event = (receiver: string, changes: Partial<OutboxEvent> = {}): OutboxEvent => ({
    id: newId(),
    topic: 'call.completed',
    key: newId(),
    body: '{"text":"ünïcode 🩺"}',
    receivers: [receiver],
    ...changes,
  })
  const claim = (receiver: string, { limit = 100, leaseMs = 60_000 } = {}) => outbox.claim({ receiver, limit, leaseMs })
  const claimedOnce = async (receiver: string) => {
    const [delivery] = await waitFor(async () => {
      const deliveries = await claim(receiver)
      return deliveries.length > 0 && deliveries
    })
    if (!delivery) throw new Error('nothing was claimed')
    return delivery
  }

  describe('events', () => {
    test('are claimed once, as they were added, until they are settled', async () => {
      const receiver = newId()
      const added = event(receiver)
      expect(await outbox.add(added)).toBe(true)
      expect(await outbox.add(added)).toBe(false)
      const deliveries = await claim(receiver)
      expect(deliveries).toEqual([
        expect.objectContaining({
          receiver,
          eventId: added.id,
          topic: added.topic,
          key: added.key,
          body: added.body,
          tries: 0,
          parked: false,
        }),
      ])
      expect(await claim(receiver)).toEqual([])
      for (const delivery of [...deliveries, ...deliveries]) await outbox.settle(delivery)
      await outbox.add(added)
      expect(await claim(receiver)).toEqual([])
      expect((await outbox.depth()).receivers[receiver] ?? { events: 0 }).toMatchObject({ events: 0 })
    })

    test('of one key are claimed one after the other, in order; other keys at the same time', async () => {
      const receiver = newId()
      const [first, second, other] = [event(receiver, { key: 'a' }), event(receiver, { key: 'a' }), event(receiver, { key: 'b' })]
      for (const one of [first, second, other]) await outbox.add(one)
      const claimed = await claim(receiver)
      expect(claimed.map(({ eventId }) => eventId).toSorted()).toEqual([first.id, other.id].toSorted())
      const head = claimed.find(({ eventId }) => eventId === first.id)
      if (head) await outbox.settle(head)
      expect((await claim(receiver)).map(({ eventId }) => eventId)).toEqual([second.id])
    })

    test('stay leased while their delivery renews them, and not after they were postponed', async () => {
      const receiver = newId()
      await outbox.add(event(receiver))
      const [delivery] = await claim(receiver, { leaseMs: 0 })
      if (!delivery) throw new Error('nothing was claimed')
      await outbox.renew({ deliveries: [delivery], leaseMs: 60_000 })
      expect(await claim(receiver)).toEqual([])
      await outbox.postpone(delivery, { delayMs: 0, parked: false })
      await outbox.renew({ deliveries: [delivery], leaseMs: 60_000 })
      const again = await claimedOnce(receiver)
      expect(again).toMatchObject({ eventId: delivery.eventId, tries: 1 })
      await outbox.settle(again)
      await outbox.renew({ deliveries: [delivery, again], leaseMs: 60_000 })
      expect(await claim(receiver)).toEqual([])
    })

    test('are claimed again after a postponement, with their tries counted, and after the lease has expired', async () => {
      const receiver = newId()
      await outbox.add(event(receiver))
      const delivery = await claimedOnce(receiver)
      await outbox.postpone(delivery, { delayMs: 60_000, parked: false })
      expect(await claim(receiver)).toEqual([])
      await outbox.postpone(delivery, { delayMs: 0, parked: false })
      const again = await waitFor(async () => (await claim(receiver, { leaseMs: 0 }))[0])
      expect(again.tries).toBeGreaterThan(0)
      expect((await claimedOnce(receiver)).eventId).toBe(delivery.eventId)
    })

    test('do not inherit the tries of the event before them', async () => {
      const receiver = newId()
      const [first, second] = [event(receiver, { key: 'a' }), event(receiver, { key: 'a' })]
      for (const one of [first, second]) await outbox.add(one)
      for (let tries = 0; tries < 3; tries += 1) await outbox.postpone(await claimedOnce(receiver), { delayMs: 0, parked: false })
      const head = await claimedOnce(receiver)
      expect(head).toMatchObject({ eventId: first.id, tries: 3 })
      await outbox.settle(head)
      expect(await claimedOnce(receiver)).toMatchObject({ eventId: second.id, tries: 0 })
    })

    test('are not delayed by a delivery that outlived its lease and fails after another one has settled the event', async () => {
      const receiver = newId()
      const [first, second] = [event(receiver, { key: 'a' }), event(receiver, { key: 'a' })]
      for (const one of [first, second]) await outbox.add(one)
      const [late] = await claim(receiver, { leaseMs: 0 })
      if (!late) throw new Error('nothing was claimed')
      await outbox.settle(await claimedOnce(receiver))
      await outbox.postpone(late, { delayMs: 60_000, parked: true })
      expect(await claimedOnce(receiver)).toMatchObject({ eventId: second.id, tries: 0, parked: false })
      expect((await outbox.depth()).receivers[receiver]).toMatchObject({ events: 1, parked: 0 })
      await outbox.postpone(late, { delayMs: 0, parked: false })
      expect(await claim(receiver)).toEqual([])
    })

    test('that were parked are as old as they were before', async () => {
      const receiver = newId()
      await outbox.add(event(receiver))
      const addedAt = Date.now()
      await outbox.postpone(await claimedOnce(receiver), { delayMs: 0, parked: true })
      await waitFor(() => Date.now() - addedAt > 200)
      const parked = await claimedOnce(receiver)
      expect(parked).toMatchObject({ parked: true, tries: 1 })
      await outbox.postpone(parked, { delayMs: 0, parked: false })
      const waiting = (await outbox.depth()).receivers[receiver]
      expect(waiting).toMatchObject({ events: 1, parked: 0 })
      expect(waiting?.oldestAgeMs).toBeGreaterThan(200)
      expect((await claimedOnce(receiver)).addedAt).toBeLessThanOrEqual(addedAt)
    })

    test('are rejected if the outbox is full; parked events are counted separately and take no room', async () => {
      const receiver = newId()
      const bound = { maxEvents: 1, maxAgeMs: null }
      await outbox.add(event(receiver, { bound }))
      const refused = event(receiver, { bound })
      await expect(outbox.add(refused)).rejects.toMatchObject({ reason: 'OVERLOADED', data: { retryAfterSeconds: 5 } })
      const delivery = await claimedOnce(receiver)
      await outbox.postpone(delivery, { delayMs: 60_000, parked: true })
      expect((await outbox.depth()).receivers[receiver]).toMatchObject({ events: 0, parked: 1, oldestAgeMs: 0 })
      await outbox.add(refused)
      expect((await claim(receiver)).map(({ eventId }) => eventId)).toEqual([refused.id])
    })

    test('are rejected if the oldest event has waited too long', async () => {
      const receiver = newId()
      await outbox.add(event(receiver))
      await expect(outbox.add(event(receiver, { bound: { maxEvents: 10, maxAgeMs: 0 } }))).rejects.toMatchObject({ reason: 'OVERLOADED' })
    })
  })

  test('an event that no receiver takes is a dead letter after eight days, and that one is deleted after thirty', async () => {
    const day = 86_400_000
    const clock = createTestClock(new Date().toISOString())
    await using moved = await create(clock)
    const [receiver, present, workspaceId] = [newId(), newId(), newId()]
    await moved.outbox.add(event(receiver, { body: JSON.stringify({ workspaceId }), receivers: [receiver, present] }))
    // Another receiver goes on.
    const later = async (ms: number) => {
      clock.advance(ms)
      await moved.outbox.claim({ receiver: newId(), limit: 1, leaseMs: 1 })
      return moved.outbox.deadLetters.list({ workspaceIds: [workspaceId], limit: 10, before: null })
    }
    expect(await later(7 * day)).toEqual([])
    expect((await moved.outbox.depth()).receivers[receiver]).toMatchObject({ events: 1 })
    clock.advance(1.1 * day)
    // Not even to a receiver that asks for the first time.
    expect(await moved.outbox.claim({ receiver: present, limit: 1, leaseMs: 1 })).toEqual([])
    const all = await later(0)
    const deadLetter = all.find((one) => one.receiver === receiver)
    expect(deadLetter).toMatchObject({ receiver, reason: 'NOT_DELIVERED', workspaceId })
    expect((await moved.outbox.depth()).receivers[receiver]).toMatchObject({ events: 0 })
    expect(await moved.outbox.claim({ receiver, limit: 1, leaseMs: 1 })).toEqual([])
    expect(await later(29 * day)).toEqual(all)
    expect(await later(1.1 * day)).toEqual([])
    expect((await moved.outbox.depth()).deadLetters).toBe(0)
  })

  describe('dead letters', () => {
    test('of one millisecond are all listed, page by page, and counted', async () => {
      const workspaceId = newId()
      const { deadLetters: before } = await outbox.depth()
      const deadAt = Date.now()
      const base = { topic: 't', receiver: 'r', eventId: null, workspaceId, key: null, reason: 'NOT_JSON', deadAt, value: '', headers: {} }
      await Promise.all(Array.from({ length: 450 }, () => outbox.deadLetters.add({ ...base, id: newId() })))
      const found = new Set<string>()
      for (let last: { id: string; deadAt: number } | null = null, pages = 0; pages < 10; pages += 1) {
        const page = await outbox.deadLetters.list({ workspaceIds: [workspaceId], limit: 100, before: last })
        for (const { id } of page) found.add(id)
        last = page.at(-1) ?? null
        if (page.length < 100) break
      }
      expect(found.size).toBe(450)
      expect((await outbox.depth()).deadLetters - before).toBeGreaterThanOrEqual(450)
    })

    test('are listed newest first, page by page, for their workspace only, and each is removed once', async () => {
      const [receiver, workspaceId] = [newId(), newId()]
      for (let index = 0; index < 5; index += 1) {
        await outbox.add(event(receiver))
        await outbox.moveToDeadLetters(await claimedOnce(receiver), { reason: 'UNKNOWN_LEAD', workspaceId })
      }
      const own = async (limit: number, before: { id: string; deadAt: number } | null = null) =>
        await outbox.deadLetters.list({ workspaceIds: [workspaceId], limit, before })
      const all = await own(100)
      expect(all).toHaveLength(5)
      const first = await own(2)
      const rest = await own(100, first.at(-1) ?? null)
      expect([...first, ...rest].map(({ id }) => id)).toEqual(all.map(({ id }) => id))
      expect(all.map(({ deadAt }) => deadAt)).toEqual(all.map(({ deadAt }) => deadAt).toSorted((a, b) => b - a))
      const [deadLetter] = all
      expect(Buffer.from(deadLetter?.value ?? '', 'base64').toString()).toBe('{"text":"ünïcode 🩺"}')
      expect(await outbox.deadLetters.list({ workspaceIds: [newId()], limit: 100, before: null })).not.toContainEqual(deadLetter)
      if (!deadLetter) return
      await outbox.deadLetters.add(deadLetter)
      expect(await own(100)).toHaveLength(5)
      expect(await outbox.deadLetters.read(deadLetter.id)).toEqual(deadLetter)
      expect([await outbox.deadLetters.remove(deadLetter.id), await outbox.deadLetters.remove(deadLetter.id)]).toEqual([true, false])
      expect(await outbox.deadLetters.read(deadLetter.id)).toBeNull()
    })
  })
}
