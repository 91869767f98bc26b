import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Notice, Notices } from '../../src/ports/notifications.ts'
import { waitFor } from '../harness/wait-for.ts'

/** `other` is another instance's end of the same notices, or the same one where a process is alone. */
export type NoticesUnderTest = AsyncDisposable & { readonly notices: Notices; readonly other: Notices }

/** What every kind of notices must do. */
export function noticesContract(create: () => Promise<NoticesUnderTest>): void {
  let subject: NoticesUnderTest
  let notices: Notices
  beforeAll(async () => {
    subject = await create()
    notices = subject.notices
  })
  afterAll(() => subject[Symbol.asyncDispose]())
  const newTopic = (): string => `topic-${crypto.randomUUID()}`
  const notice = (topic: string, payload = '{}'): Notice => ({ topic, workspaceId: 'w1', payload })
  const heardBy = (end: Notices, topic: string) => {
    const heard: Notice[] = []
    const subscription = end.subscribe(topic, (one) => heard.push(one))
    return { heard, subscription }
  }

  test('reach every subscriber of every instance as they were sent, and no other topic', async () => {
    const topic = newTopic()
    const ends = [heardBy(notices, topic), heardBy(notices, topic), heardBy(subject.other, topic)]
    const stranger = heardBy(subject.other, newTopic())
    const sent = { topic, workspaceId: 'ünïcode', payload: JSON.stringify({ text: 'a "b"\n🩺' }) }
    await notices.publish(sent)
    await waitFor(() => ends.every(({ heard }) => heard.length > 0))
    expect(ends.map(({ heard }) => heard)).toEqual([[sent], [sent], [sent]])
    expect(stranger.heard).toEqual([])
  })

  test('come once each and in the order of their publisher', async () => {
    const topic = newTopic()
    const [own, far] = [heardBy(notices, topic), heardBy(subject.other, topic)]
    const numbers = Array.from({ length: 1_000 }, (_, n) => String(n))
    await Promise.all(numbers.map((n) => notices.publish(notice(topic, n))))
    await waitFor(() => far.heard.length >= numbers.length)
    expect(own.heard.map(({ payload }) => payload)).toEqual(numbers)
    expect(far.heard.map(({ payload }) => payload)).toEqual(numbers)
  })

  test('go both ways', async () => {
    const topic = newTopic()
    const { heard } = heardBy(notices, topic)
    await subject.other.publish(notice(topic, 'from the other'))
    await waitFor(() => heard.length > 0)
    expect(heard).toEqual([notice(topic, 'from the other')])
  })

  test('are heard no more after the subscription is disposed of', async () => {
    const topic = newTopic()
    const [staying, leaving] = [heardBy(subject.other, topic), heardBy(subject.other, topic)]
    await notices.publish(notice(topic, 'one'))
    await waitFor(() => leaving.heard.length === 1)
    leaving.subscription[Symbol.dispose]()
    leaving.subscription[Symbol.dispose]()
    await notices.publish(notice(topic, 'two'))
    await waitFor(() => staying.heard.length === 2)
    expect(leaving.heard).toEqual([notice(topic, 'one')])
  })

  test('run outside of the publisher, and one listener that throws hurts nobody', async () => {
    const topic = newTopic()
    subject.other.subscribe(topic, () => {
      throw new Error('a fault of this listener')
    })
    const { heard } = heardBy(subject.other, topic)
    const publishing = subject.other.publish(notice(topic))
    expect(heard).toEqual([])
    await publishing
    expect(heard).toHaveLength(1)
  })

  describe('limits', () => {
    test('a notice that is too long is the publisher’s fault', async () => {
      await expect(notices.publish(notice(newTopic(), 'x'.repeat(65_537)))).rejects.toThrow(RangeError)
    })
  })
}
