import { expect, test } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { createAnswerQueue } from '../../src/server/graphql/stitching/answer-queue.ts'

const body = (text: string): Uint8Array => new TextEncoder().encode(text)

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
