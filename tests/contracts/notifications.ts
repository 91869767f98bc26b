import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Notification, Notifications } from '../../src/ports/notifications.ts'
import { waitFor } from '../harness/wait-for.ts'

/** `other` is another instance's end of the same notices, or the same one where a process is alone. */
export type NoticesUnderTest = AsyncDisposable & { readonly notifications: Notifications; readonly other: Notifications }

/** What every kind of notices must do. */
export function noticesContract(create: () => Promise<NoticesUnderTest>): void {
  let subject: NoticesUnderTest
  let notifications: Notifications
  beforeAll(async () => {
    subject = await create()
    notifications = subject.notifications
  })
  afterAll(() => subject[Symbol.asyncDispose]())
  const newTopic = (): string => `topic-${crypto.randomUUID()}`
  const notice = (topic: string, payload = '{}'): Notification => ({ topic, workspaceId: 'w1', payload })
  const receivedBy = (end: Notifications, topic: string) => {
    const heard: Notification[] = []
    const subscription = end.subscribe(topic, (one) => heard.push(one))
    return { heard, subscription }
  }

  test('reach every subscriber of every instance as they were sent, and no other topic', async () => {
    const topic = newTopic()
    const ends = [receivedBy(notifications, topic), receivedBy(notifications, topic), receivedBy(subject.other, topic)]
    const stranger = receivedBy(subject.other, newTopic())
    const sent = { topic, workspaceId: 'ünïcode', payload: JSON.stringify({ text: 'a "b"\n🩺' }) }
    await notifications.publish(sent)
    await waitFor(() => ends.every(({ heard }) => heard.length > 0))
    expect(ends.map(({ heard }) => heard)).toEqual([[sent], [sent], [sent]])
    expect(stranger.heard).toEqual([])
  })

  test('come once each and in the order of their publisher', async () => {
    const topic = newTopic()
    const [own, far] = [receivedBy(notifications, topic), receivedBy(subject.other, topic)]
    const numbers = Array.from({ length: 1_000 }, (_, n) => String(n))
    await Promise.all(numbers.map((n) => notifications.publish(notice(topic, n))))
    await waitFor(() => far.heard.length >= numbers.length)
    expect(own.heard.map(({ payload }) => payload)).toEqual(numbers)
    expect(far.heard.map(({ payload }) => payload)).toEqual(numbers)
  })

  test('go both ways', async () => {
    const topic = newTopic()
    const { heard } = receivedBy(notifications, topic)
    await subject.other.publish(notice(topic, 'from the other'))
    await waitFor(() => heard.length > 0)
    expect(heard).toEqual([notice(topic, 'from the other')])
  })

  test('are heard no more after the subscription is disposed of', async () => {
    const topic = newTopic()
    const [staying, leaving] = [receivedBy(subject.other, topic), receivedBy(subject.other, topic)]
    await notifications.publish(notice(topic, 'one'))
    await waitFor(() => leaving.heard.length === 1)
    leaving.subscription[Symbol.dispose]()
    leaving.subscription[Symbol.dispose]()
    await notifications.publish(notice(topic, 'two'))
    await waitFor(() => staying.heard.length === 2)
    expect(leaving.heard).toEqual([notice(topic, 'one')])
  })

  test('run outside of the publisher, and one listener that throws hurts nobody', async () => {
    const topic = newTopic()
    subject.other.subscribe(topic, () => {
      throw new Error('a fault of this listener')
    })
    const { heard } = receivedBy(subject.other, topic)
    const publishing = subject.other.publish(notice(topic))
    expect(heard).toEqual([])
    await publishing
    expect(heard).toHaveLength(1)
  })

  describe('limits', () => {
    test('a notice that is too long is the publisher’s fault', async () => {
      await expect(notifications.publish(notice(newTopic(), 'x'.repeat(65_537)))).rejects.toThrow(RangeError)
    })
  })
}
