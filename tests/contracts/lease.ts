import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, test } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { acquireLease, withLease } from '../../src/ports/lease.ts'
import type { Store } from '../../src/ports/store.ts'
import { waitFor } from '../harness/wait-for.ts'

/** Two instances of the service on the same stored data, with real time. */
export type StoresUnderTest = { readonly store: Store; readonly other: Store }

/** Long enough that a process that was not scheduled for a moment does not lose it. */
const ttlMs = 2_000
const newKey = (): string => `lease-contract:${crypto.randomUUID()}`
const away = (): Promise<never> => Promise.reject(new AppError('STORE_UNAVAILABLE'))

type Disturbance = { before?: (method: string) => boolean; after?: (method: string) => boolean | Promise<boolean> }

/** The store of a process that a test disturbs: `before` may fail a call, `after` may delay or lose the answer of one that was made. */
function disturbed(store: Store, { before, after }: Disturbance): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function') return method
      return async (...args: unknown[]): Promise<unknown> => {
        if (before?.(String(name))) return away()
        const answer: unknown = await Reflect.apply(method, target, args)
        return (await after?.(String(name))) ? away() : answer
      }
    },
  })
}

/** The contract of the lease on every store. */
export function leaseContract(create: () => Promise<StoresUnderTest & AsyncDisposable>): void {
  let subject: Awaited<ReturnType<typeof create>>
  beforeAll(async () => {
    subject = await create()
  })
  afterAll(() => subject[Symbol.asyncDispose]())

  test.concurrent('one of many holds it; the next one gets it after the release', async ({ expect }) => {
    const key = newKey()
    const attempts = await Promise.all(
      Array.from({ length: 20 }, (_, index) => acquireLease(index % 2 ? subject.store : subject.other, key, { ttlMs })),
    )
    const held = attempts.filter((lease) => lease !== null)
    expect(held).toHaveLength(1)
    const waiting = acquireLease(subject.other, key, { ttlMs, waitMs: 5_000 })
    await held[0]?.[Symbol.asyncDispose]()
    await using next = await waiting
    expect(next).not.toBeNull()
  })

  test.concurrent('is renewed for as long as the work takes, however often it would have expired', async ({ expect }) => {
    const key = newKey()
    await using lease = await acquireLease(subject.store, key, { ttlMs })
    expect(await acquireLease(subject.other, key, { ttlMs, waitMs: 4 * ttlMs })).toBeNull()
    expect(lease?.lost.aborted).toBe(false)
  })

  test.concurrent('waiting rejects with the reason of its signal', async ({ expect }) => {
    const key = newKey()
    await using held = await acquireLease(subject.store, key, { ttlMs })
    expect(held).not.toBeNull()
    const waiting = acquireLease(subject.other, key, { ttlMs, waitMs: 60_000, signal: AbortSignal.abort(new AppError('DEADLINE_PASSED')) })
    await expect(waiting).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  })

  test.concurrent('the lease of a dead owner is free after its time', async ({ expect }) => {
    const key = newKey()
    let isDead = false
    const lease = await acquireLease(disturbed(subject.store, { before: () => isDead }), key, { ttlMs })
    isDead = true
    await using next = await acquireLease(subject.other, key, { ttlMs, waitMs: 20 * ttlMs })
    expect(next).not.toBeNull()
    await lease?.[Symbol.asyncDispose]()
  })

  test.concurrent('an owner that cannot renew knows that it lost the lease before another one gets it', async ({ expect }) => {
    const key = newKey()
    let isAway = false
    const lease = await acquireLease(disturbed(subject.store, { before: () => isAway }), key, { ttlMs })
    isAway = true
    let wasLostFirst: boolean | undefined
    await using next = await acquireLease(subject.other, key, { ttlMs, waitMs: 20 * ttlMs }).then((acquired) => {
      wasLostFirst = lease?.lost.aborted
      return acquired
    })
    expect(next).not.toBeNull()
    expect(wasLostFirst).toBe(true)
    isAway = false
    await lease?.[Symbol.asyncDispose]()
    expect(await acquireLease(subject.store, key, { ttlMs })).toBeNull()
  })

  test.concurrent('the time in which the first answer was under way counts: the owner knows at once that the lease has expired', async ({
    expect,
  }) => {
    const key = newKey()
    let isAway = false
    const written = Promise.withResolvers<void>()
    const afterDelay = async (method: string): Promise<boolean> => {
      if (method !== 'setIfAbsent') return false
      written.resolve()
      return delay(ttlMs + 100, false)
    }
    const acquiring = acquireLease(disturbed(subject.store, { before: () => isAway, after: afterDelay }), key, { ttlMs })
    await written.promise
    await using next = await acquireLease(subject.other, key, { ttlMs, waitMs: 20 * ttlMs })
    expect(next).not.toBeNull()
    const lease = await acquiring
    isAway = true
    await delay(ttlMs / 3)
    expect(lease?.lost.aborted).toBe(true)
    await lease?.[Symbol.asyncDispose]()
  })

  test.concurrent('a lost answer to the first write does not lose the lease', async ({ expect }) => {
    const key = newKey()
    const losesAnswer = disturbed(subject.store, { after: (method) => method === 'setIfAbsent' })
    await using lease = await acquireLease(losesAnswer, key, { ttlMs })
    expect(lease).not.toBeNull()
    expect(await acquireLease(subject.other, key, { ttlMs })).toBeNull()
  })

  test.concurrent('a lost answer to a change does not lose the lease: the next renewal finds its own token', async ({ expect }) => {
    const key = newKey()
    let loses = false
    await using lease = await acquireLease(disturbed(subject.store, { after: (method) => loses && method === 'compareAndSet' }), key, {
      ttlMs,
    })
    loses = true
    await expect(lease?.update('second')).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
    loses = false
    expect(await lease?.update('third')).toBe(true)
    expect(lease?.lost.aborted).toBe(false)
    expect(await acquireLease(subject.other, key, { ttlMs, waitMs: 2 * ttlMs })).toBeNull()
  })

  test.concurrent('a lost answer to the last change does not hold the lease after its release', async ({ expect }) => {
    const key = newKey()
    let loses = false
    const losesAnswer = disturbed(subject.store, { after: (method) => loses && method === 'compareAndSet' })
    const lease = await acquireLease(losesAnswer, key, { ttlMs: 60_000 })
    loses = true
    await expect(lease?.update('last')).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
    await lease?.[Symbol.asyncDispose]()
    await using next = await acquireLease(subject.other, key, { ttlMs })
    expect(next).not.toBeNull()
  })

  test.concurrent('reports an unavailable store, and leaves no lease behind', async ({ expect }) => {
    const key = newKey()
    await expect(acquireLease(disturbed(subject.store, { before: () => true }), key, { ttlMs })).rejects.toMatchObject({
      reason: 'STORE_UNAVAILABLE',
    })
    await using lease = await acquireLease(subject.other, key, { ttlMs })
    expect(lease).not.toBeNull()
  })

  test.concurrent('a failed release does not turn finished work into an error: the lease expires', async ({ expect }) => {
    const key = newKey()
    const cannotRelease = disturbed(subject.store, { before: (method) => method === 'compareAndDelete' })
    expect(await withLease(cannotRelease, key, { ttlMs, step: async () => 'done' })).toBe('done')
    await using next = await acquireLease(subject.other, key, { ttlMs, waitMs: 20 * ttlMs })
    expect(next).not.toBeNull()
  })

  test.concurrent('the error of the work comes through, and the lease is released', async ({ expect }) => {
    const key = newKey()
    const failing = withLease(subject.store, key, { ttlMs, step: () => Promise.reject(new AppError('NOT_FOUND')) })
    await expect(failing).rejects.toMatchObject({ reason: 'NOT_FOUND' })
    await using next = await acquireLease(subject.other, key, { ttlMs })
    expect(next).not.toBeNull()
  })

  test.concurrent('work is refused while another owner holds the lease', async ({ expect }) => {
    const key = newKey()
    await using held = await acquireLease(subject.store, key, { ttlMs })
    expect(held).not.toBeNull()
    let hasRun = false
    const step = async (): Promise<void> => void (hasRun = true)
    await expect(withLease(subject.other, key, { ttlMs, step })).rejects.toMatchObject({ reason: 'OVERLOADED' })
    expect(hasRun).toBe(false)
  })

  test.concurrent('is taken over if the value of its owner allows it; the former owner notices it and cannot release the new lease', async ({
    expect,
  }) => {
    const key = newKey()
    const former = await acquireLease(subject.store, key, { ttlMs, value: 'message-1' })
    expect(await acquireLease(subject.other, key, { ttlMs, takesOver: (value) => value === 'message-2' })).toBeNull()
    await using next = await acquireLease(subject.other, key, { ttlMs, value: 'message-1', takesOver: (value) => value === 'message-1' })
    expect(next).not.toBeNull()
    await waitFor(() => former?.lost.aborted === true)
    expect(await former?.update('still mine')).toBe(false)
    await former?.[Symbol.asyncDispose]()
    expect(await acquireLease(subject.store, key, { ttlMs })).toBeNull()
  })

  test.concurrent('is taken over also if it was released and acquired again in between', async ({ expect }) => {
    const key = newKey()
    const former = await acquireLease(subject.store, key, { ttlMs, value: 'message-1' })
    let next: Awaited<ReturnType<typeof acquireLease>> = null
    // Between the first write and the look at the holder, the former owner leaves; before the second write, another one comes.
    const racing = racingStore(subject.store, {
      beforeFirstGet: async () => former?.[Symbol.asyncDispose](),
      afterFirstGet: async () => void (next = await acquireLease(subject.other, key, { ttlMs, value: 'message-1' })),
    })
    await using last = await acquireLease(racing, key, { ttlMs, value: 'message-1', takesOver: (value) => value === 'message-1' })
    expect(next).not.toBeNull()
    expect(last).not.toBeNull()
  })
}

type Race = { readonly beforeFirstGet: () => Promise<unknown>; readonly afterFirstGet: () => Promise<unknown> }

function racingStore(store: Store, { beforeFirstGet, afterFirstGet }: Race): Store {
  let isFirst = true
  return new Proxy(store, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (name !== 'get' || !isFirst) return method
      isFirst = false
      return async (key: string): Promise<string | null> => {
        await beforeFirstGet()
        const value = await store.get(key)
        await afterFirstGet()
        return value
      }
    },
  })
}
