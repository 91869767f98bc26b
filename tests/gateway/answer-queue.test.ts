import { expect, test } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { createAnswerQueue } from '../../src/server/graphql/stitching/answer-queue.ts'

const body = (text: string): Uint8Array => new TextEncoder().encode(text)

test('a queue may be exactly full', async () => {
  const queue = createAnswerQueue(3)
  expect([queue.add(body('one')), queue.add(body('1'))]).toEqual([true, false])
  const answers = queue.read()
  expect((await answers.next()).value).toEqual(body('one'))
  expect(queue.add(body('two'))).toBe(true)
  queue.end()
  expect([(await answers.next()).value, (await answers.next()).done]).toEqual([body('two'), true])
})

test('a reader that is too slow gets the answers before the overflow and then the error, never a later answer', async () => {
  const queue = createAnswerQueue(4)
  expect([queue.add(body('one')), queue.add(body('two'))]).toEqual([true, false])
  queue.fail(new AppError('OVERLOADED'))
  const answers = queue.read()
  expect((await answers.next()).value).toEqual(body('one'))
  // The worker has not stopped yet.
  expect(queue.add(body('3'))).toBe(false)
  await expect(answers.next()).rejects.toMatchObject({ reason: 'OVERLOADED' })
})
