import { lateStore } from '../harness/late-store.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { queueRecord, requeue, settleQueued, takeQueued } from '../../src/features/calls/record-queue.ts'
import { AppError } from '../../src/kernel/errors.ts'
import type { Store } from '../../src/ports/store.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createTestClock, type TestClock } from '../harness/clock.ts'
import { createTempDir } from '../harness/temp-dir.ts'

const key = { workspaceId: 'w1', ucid: 'one' }

let clock: TestClock
let store: Store
let stack: AsyncDisposableStack
beforeEach(async () => {
  stack = new AsyncDisposableStack()
  const { path } = stack.use(await createTempDir())
  clock = createTestClock()
  store = lateStore(createSqliteStore({ dataDir: path, clock }))
  stack.defer(() => store.close())
  await queueRecord({ store, clock }, key)
  clock.advance(1_000)
})
afterEach(() => stack.disposeAsync())

const take = (of = store) => takeQueued({ store: of, clock }, 'w1', 10)
/** Fails to add to this list. */
const failsToAdd = (list: string): Store => ({
  ...store,
  sortedAdd: async (name, member, score) => {
    if (name.startsWith(list)) throw new AppError('STORE_UNAVAILABLE')
    return store.sortedAdd(name, member, score)
  },
})

test('an entry that cannot be noted as taken stays in the queue', async () => {
  await expect(take(failsToAdd('call-records-taken:'))).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  expect(await take()).toEqual(['one'])
})

test('an entry that cannot be put back comes back when the next one takes', async () => {
  await take()
  const ports = { store: failsToAdd('call-records-queued:'), clock }
  await expect(requeue(ports, 'w1', { ucids: ['one'], delayMs: 0 })).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  expect(await take()).toEqual(['one'])
})

test('an entry that was taken and not settled comes back, even if the first try to bring it back fails', async () => {
  await take()
  await expect(take(failsToAdd('call-records-queued:'))).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  expect(await take()).toEqual(['one'])
  await settleQueued({ store }, 'w1', ['one'])
  expect(await take()).toEqual([])
})

test('an entry that is put back is due after its delay, in its own workspace', async () => {
  await queueRecord({ store, clock }, { workspaceId: 'w2', ucid: 'two' })
  await requeue({ store, clock }, 'w1', { ucids: await take(), delayMs: 5_000 })
  clock.advance(4_999)
  expect(await take()).toEqual([])
  clock.advance(1)
  expect(await take()).toEqual(['one'])
})
