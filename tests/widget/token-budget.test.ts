import { lateStore } from '../harness/late-store.ts'
import { expect, test } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { reserveTokens } from '../../src/features/widget/token-budget.ts'
import { createTestClock } from '../harness/clock.ts'
import { fixedConfiguration } from '../harness/fixed-configuration.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

async function openBudget(dailyTokenBudget: number) {
  await using starting = new AsyncDisposableStack()
  const { path } = starting.use(await createTempDir())
  const clock = createTestClock('2025-01-15T23:00:00.000Z')
  const store = lateStore(createSqliteStore({ dataDir: path, clock, retentionOf }))
  starting.defer(() => store.close())
  const running = starting.move()
  const ports = { configuration: fixedConfiguration({ widget: { dailyTokenBudget } }), store, clock }
  let visitors = 0
  const takeFrom = (clientAddress: string, tokens: number) => reserveTokens(ports, { workspaceId: 'one', clientAddress }, tokens)
  return {
    /** For another visitor each time. */
    take: (workspaceId: string, tokens: number) =>
      reserveTokens(ports, { workspaceId, clientAddress: `198.51.100.${(visitors += 1)}` }, tokens),
    takeFrom,
    clock,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

test("concurrent reservations never exceed the day's budget, and the next day has a new one", async () => {
  await using desk = await openBudget(1_000)
  const { take, clock } = desk
  const taken = await Promise.allSettled(Array.from({ length: 50 }, () => take('one', 100)))
  expect(taken.filter(({ status }) => status === 'fulfilled').length).toBe(10)
  const [refused] = taken.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused).toBeInstanceOf(AppError)
  expect(refused).toMatchObject({ reason: 'TOO_MANY_TRIES', data: { retryAfterSeconds: 3_600 } })
  await take('other', 1_000)
  clock.advance(3_600_000)
  await take('one', 1_000)
})

test('a refused reservation takes nothing', async () => {
  await using desk = await openBudget(1_000)
  const { take } = desk
  await take('one', 600)
  for (let tries = 0; tries < 3; tries += 1) await expect(take('one', 401)).rejects.toThrow('used up')
  await take('one', 400)
  await expect(take('one', 1)).rejects.toThrow('used up')
})

test('unused tokens are returned, additional ones count', async () => {
  await using desk = await openBudget(1_000)
  const { take } = desk
  const used = await take('one', 1_000)
  await used(599.5)
  const usedMore = await take('one', 400)
  await usedMore(700)
  await expect(take('one', 1)).rejects.toThrow('used up')
})

test('tokens returned after midnight go to the day of their reservation', async () => {
  await using desk = await openBudget(1_000)
  const { take, clock } = desk
  const used = await take('one', 1_000)
  clock.advance(3_600_000)
  await used(0)
  await take('one', 1_000)
  await expect(take('one', 1)).rejects.toThrow('used up')
})

test('a budget of 0 allows nothing', async () => {
  await using desk = await openBudget(0)
  await expect(desk.take('one', 1)).rejects.toThrow('used up')
})

test('one address uses a fifth of the budget, and the rest is for others', async () => {
  await using desk = await openBudget(10_000)
  const { take, takeFrom } = desk
  const taken = await Promise.allSettled(Array.from({ length: 30 }, () => takeFrom('203.0.113.7', 100)))
  expect(taken.filter(({ status }) => status === 'fulfilled').length).toBe(20)
  await expect(takeFrom('203.0.113.7', 100)).rejects.toThrow('Your network')
  for (let index = 0; index < 80; index += 1) await take('one', 100)
  await expect(take('one', 100)).rejects.toThrow('used up')
})

test('one address is all IPv6 addresses of a network, and may always send a few messages', async () => {
  await using desk = await openBudget(1_000)
  for (const end of ['1', '2', '3']) await desk.takeFrom(`2001:db8::${end}`, 200)
  await expect(desk.takeFrom('2001:db8::4', 200)).rejects.toThrow('Your network')
  // Also if the day's budget would just have been enough.
  await desk.take('one', 200)
  await expect(desk.takeFrom('2001:db8::4', 200)).rejects.toThrow('Your network')
})
