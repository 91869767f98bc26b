import { lateStore } from '../harness/late-store.ts'
import { buildSchema, isEnumType } from 'graphql'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readWebhookTarget, replaceWebhookKey } from '../../src/features/calls/webhook-store/webhook-keys.ts'
import { AppError } from '../../src/kernel/errors.ts'
import type { Store } from '../../src/ports/store.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { telephonyProviders } from '../../src/providers/telephony/registry.ts'
import { readContract } from '../../src/server/graphql/local-schema.ts'
import { createTestClock, type TestClock } from '../harness/clock.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

const day = 86_400_000
const target = { workspaceId: 'w1', provider: 'ozonetel' }

let stack: AsyncDisposableStack
let clock: TestClock
let store: Store
beforeEach(async () => {
  stack = new AsyncDisposableStack()
  clock = createTestClock()
  store = lateStore(createSqliteStore({ dataDir: stack.use(await createTempDir()).path, clock, retentionOf }))
  stack.defer(() => store.close())
})
afterEach(() => stack.disposeAsync())

const rotate = async (by = store): Promise<string> => (await replaceWebhookKey({ store: by, clock }, target)).path.split('/').at(-1) ?? ''
const isValid = async (key: string, provider = target.provider) => (await readWebhookTarget({ store }, provider, key)) !== null

test('the schema names the registered providers', () => {
  const type = buildSchema(readContract()).getType('TelephonyProvider')
  const named = isEnumType(type) ? type.getValues().map(({ name }) => name) : []
  expect(named).toEqual(telephonyProviders.map(({ id }) => id))
})

test('a key is valid for its provider only, and for a day after it was replaced', async () => {
  const former = await rotate()
  expect([await isValid(former), await isValid(former, 'exotel')]).toEqual([true, false])
  const current = await rotate()
  clock.advance(day - 1)
  expect([await isValid(former), await isValid(current)]).toEqual([true, true])
  clock.advance(1)
  expect([await isValid(former), await isValid(current)]).toEqual([false, true])
})

test('of rotations at the same time one key stays', async () => {
  const keys = [await rotate(), ...(await Promise.all([rotate(), rotate(), rotate()]))]
  clock.advance(day)
  const valid = await Promise.all(keys.map((key) => isValid(key)))
  expect(valid.filter(Boolean)).toHaveLength(1)
})

test.each([1, 2, 3])(
  'a key that was to be replaced does not stay valid if write %i of the rotation fails and it is repeated',
  async (last) => {
    const former = await rotate()
    let writes = 0
    const write = <Result>(make: () => Promise<Result>): Promise<Result> => {
      writes += 1
      return writes === last ? Promise.reject(new AppError('STORE_UNAVAILABLE')) : make()
    }
    const failing: Store = {
      ...store,
      set: (...args) => write(() => store.set(...args)),
      setIfAbsent: (...args) => write(() => store.setIfAbsent(...args)),
      compareAndSet: (...args) => write(() => store.compareAndSet(...args)),
    }
    await expect(rotate(failing)).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
    const current = await rotate()
    clock.advance(day)
    expect([await isValid(former), await isValid(current)]).toEqual([false, true])
  },
)
