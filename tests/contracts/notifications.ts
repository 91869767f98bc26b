import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Notification, Notifications } from '../../src/ports/notifications.ts'
import { waitFor } from '../harness/wait-for.ts'

/** `other`: the notifications of another instance, or the same object if there is one process only. */
export type NotificationsUnderTest = AsyncDisposable & { readonly notifications: Notifications; readonly other: Notifications }

/** The contract of all notifications. */
export function notificationsContract(create: () => Promise<NotificationsUnderTest>): void {
  let subject: NotificationsUnderTest
  let notifications: Notifications
  beforeAll(async () => {
    subject = await create()
    notifications = subject.notifications
  })
  afterAll(() => subject[Symbol.asyncDispose]())
  const newTopic = (): string => `topic-${crypto.randomUUID()}`
  const notification = (topic: string, payload = '{}'): Notification => ({ topic, workspaceId: 'w1', payload })
  const receivedBy = (end: Notifications, topic: string) => {
    const received: Notification[] = []
    const subscription = end.subscribe(topic, (one) => received.push(one))
    return { received, subscription }
  }

  test('reach every subscriber of their topic on every instance unchanged, and no other topic', async () => {
    const topic = newTopic()
    const ends = [receivedBy(notifications, topic), receivedBy(notifications, topic), receivedBy(subject.other, topic)]
    const stranger = receivedBy(subject.other, newTopic())
    const sent = { topic, workspaceId: 'ünïcode', payload: JSON.stringify({ text: 'a "b"\n🩺' }) }
    await notifications.publish(sent)
    await waitFor(() => ends.every(({ received }) => received.length > 0))
    expect(ends.map(({ received }) => received)).toEqual([[sent], [sent], [sent]])
    expect(stranger.received).toEqual([])
  })

  test('for an audience reach those who follow one of its ids, once each, and those who follow everything', async () => {
    const topic = newTopic()
    const follow = (end: Notifications, audience?: readonly string[]): string[] => {
      const received: string[] = []
      end.subscribe(topic, ({ payload }) => received.push(payload), audience)
      return received
    }
    const [both, one, other, everything] = [
      follow(notifications, ['a', 'b']),
      follow(subject.other, ['a']),
      follow(notifications, ['c']),
      follow(subject.other),
    ]
    await notifications.publish({ ...notification(topic, 'first'), audience: ['a', 'b'] })
    await notifications.publish({ ...notification(topic, 'nobody'), audience: [] })
    await notifications.publish(notification(topic, 'everybody'))
    await waitFor(() => everything.length >= 3)
    expect({ both, one, other, everything }).toEqual({
      both: ['first', 'everybody'],
      one: ['first', 'everybody'],
      other: ['everybody'],
      everything: ['first', 'nobody', 'everybody'],
    })
  })

  test('for an audience do not reach a subscription that was disposed of', async () => {
    const topic = newTopic()
    const received: string[] = []
    const [gone, staying] = [1, 2].map((number) =>
      notifications.subscribe(topic, ({ payload }) => received.push(`${number} ${payload}`), ['a']),
    )
    gone?.[Symbol.dispose]()
    await notifications.publish({ ...notification(topic, 'one'), audience: ['a'] })
    await waitFor(() => received.length > 0)
    expect(received).toEqual(['2 one'])
    staying?.[Symbol.dispose]()
  })

  test('arrive once each, in the order of their publisher', async () => {
    const topic = newTopic()
    const [own, far] = [receivedBy(notifications, topic), receivedBy(subject.other, topic)]
    const numbers = Array.from({ length: 1_000 }, (_, n) => String(n))
    await Promise.all(numbers.map((n) => notifications.publish(notification(topic, n))))
    await waitFor(() => far.received.length >= numbers.length)
    expect(own.received.map(({ payload }) => payload)).toEqual(numbers)
    expect(far.received.map(({ payload }) => payload)).toEqual(numbers)
  })

  test('are sent in both directions', async () => {
    const topic = newTopic()
    const { received } = receivedBy(notifications, topic)
    await subject.other.publish(notification(topic, 'from the other'))
    await waitFor(() => received.length > 0)
    expect(received).toEqual([notification(topic, 'from the other')])
  })

  test('do not arrive after the subscription is disposed of', async () => {
    const topic = newTopic()
    const [staying, leaving] = [receivedBy(subject.other, topic), receivedBy(subject.other, topic)]
    await notifications.publish(notification(topic, 'one'))
    await waitFor(() => leaving.received.length === 1)
    leaving.subscription[Symbol.dispose]()
    leaving.subscription[Symbol.dispose]()
    await notifications.publish(notification(topic, 'two'))
    await waitFor(() => staying.received.length === 2)
    expect(leaving.received).toEqual([notification(topic, 'one')])
  })

  test('are delivered outside of the publisher, and one listener that throws does not affect the others', async () => {
    const topic = newTopic()
    subject.other.subscribe(topic, () => {
      throw new Error('this listener fails')
    })
    const { received } = receivedBy(subject.other, topic)
    const publishing = subject.other.publish(notification(topic))
    expect(received).toEqual([])
    await publishing
    expect(received).toHaveLength(1)
  })

  describe('limits', () => {
    test('rejects a payload that is too long', async () => {
      await expect(notifications.publish(notification(newTopic(), 'x'.repeat(65_537)))).rejects.toThrow(RangeError)
    })
  })
}
