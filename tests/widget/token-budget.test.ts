import { expect, test } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createTokenBudget } from '../../src/features/widget/token-budget.ts'
import { createTestClock } from '../harness/clock.ts'
import { createTempDir } from '../harness/temp-dir.ts'

async function openBudget(dailyTokenBudget: number) {
  await using starting = new AsyncDisposableStack()
  const { path } = starting.use(await createTempDir())
  const clock = createTestClock('2025-01-15T23:00:00.000Z')
  const store = createSqliteStore({ dataDir: path, clock })
  starting.defer(() => store.close())
  const running = starting.move()
  const budget = createTokenBudget({ budgetOf: async () => dailyTokenBudget, store, clock })
  return { budget, clock, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

test('many at once never take more than the day has, and the next day begins anew', async () => {
  await using desk = await openBudget(1_000)
  const { budget, clock } = desk
  const taken = await Promise.allSettled(Array.from({ length: 50 }, () => budget.take('one', 100)))
  expect(taken.filter(({ status }) => status === 'fulfilled').length).toBe(10)
  const [refused] = taken.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused).toBeInstanceOf(AppError)
  expect(refused).toMatchObject({ reason: 'TOO_MANY_TRIES', data: { retryAfterSeconds: 3_600 } })
  await budget.take('other', 1_000)
  clock.advance(3_600_000)
  await budget.take('one', 1_000)
})

test('what was not used is given back, what was used beyond counts', async () => {
  await using desk = await openBudget(1_000)
  const { budget } = desk
  const used = await budget.take('one', 1_000)
  await used(599.5)
  const usedMore = await budget.take('one', 400)
  await usedMore(700)
  await expect(budget.take('one', 1)).rejects.toThrow('all that it may today')
})

test('what is given back after midnight is of the day that it was taken from', async () => {
  await using desk = await openBudget(1_000)
  const { budget, clock } = desk
  const used = await budget.take('one', 1_000)
  clock.advance(3_600_000)
  await used(0)
  await budget.take('one', 1_000)
  await expect(budget.take('one', 1)).rejects.toThrow('all that it may today')
})

test('a budget of nothing lets nobody ask', async () => {
  await using desk = await openBudget(0)
  await expect(desk.budget.take('one', 1)).rejects.toThrow('all that it may today')
})
