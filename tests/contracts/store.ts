import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Store, versionOf } from '../../src/ports/store.ts'
import { anyRetention } from '../harness/any-retention.ts'

/** A store under test. */
export type StoreUnderTest = {
  readonly store: Store
  /** The store of another instance on the same data, or the same store if only one process may own the data. */
  readonly other: Store
  /** Lets at least `ms` pass for expiry: sets the clock, or really waits. */
  readonly pass: (ms: number) => Promise<void>
  readonly now: () => number
}

/** The contract of every store. Key names are random, because suites may share a server. */
export function storeContract(create: () => Promise<StoreUnderTest & AsyncDisposable>): void {
  let subject: Awaited<ReturnType<typeof create>>
  let store: Store
  beforeAll(async () => {
    subject = await create()
    store = subject.store
  })
  afterAll(() => subject[Symbol.asyncDispose]())
  const newKey = (): string => `contract:${crypto.randomUUID()}`
  const ttlMs = 60_000

  describe('entries', () => {
    test('are returned exactly as they were set', async () => {
      const key = newKey()
      expect(await store.get(key)).toBeNull()
      for (const value of ['plain', '', '0', 'a\0b', 'ünïcode 🩺', '{"a":"b"}', 'x'.repeat(300_000)]) {
        await store.set(key, value)
        expect(await store.get(key)).toBe(value)
        expect(await subject.other.get(key)).toBe(value)
      }
    })

    test('are read many at once, in order, missing ones as null', async () => {
      const [one, two, three] = [newKey(), newKey(), newKey()]
      await store.set(one, '1')
      await store.set(three, '3', { ttlMs })
      expect(await store.getMany([three, two, one, three])).toEqual(['3', null, '1', '3'])
      expect(await store.getMany([])).toEqual([])
    })

    test('are listed by the family of their key', async () => {
      const family = `family-${crypto.randomUUID()}`
      const stored = Array.from({ length: 1_200 }, (_, n) => `${family}:w1:${n}`)
      await Promise.all(stored.map((key) => store.set(key, 'x')))
      await store.set(`${family}-other:w1:1`, 'x')
      await store.set(`${family}:w1:short`, 'x', { ttlMs: 1 })
      await subject.pass(5)
      const listed = new Set<string>()
      let after: string | null = null
      do {
        const page: Awaited<ReturnType<Store['keys']>> = await subject.other.keys(family, after)
        for (const key of page.keys) listed.add(key)
        after = page.next
      } while (after !== null)
      expect([...listed].toSorted()).toEqual(stored.toSorted())
    })

    test('have an expiry time', async () => {
      const key = newKey()
      expect(await store.entry(key)).toBeNull()
      const before = subject.now()
      await store.set(key, 'for a minute', { ttlMs })
      const entry = await store.entry(key)
      expect(entry?.value).toBe('for a minute')
      expect(entry?.expiresAt).toBeGreaterThan(before + ttlMs - 1_000)
      expect(entry?.expiresAt).toBeLessThanOrEqual(subject.now() + ttlMs)
    })

    test('are deleted, and only the first delete reports it', async () => {
      const key = newKey()
      await store.set(key, 'x')
      expect(await store.delete(key)).toBe(true)
      expect(await store.delete(key)).toBe(false)
      expect(await store.get(key)).toBeNull()
    })

    test('replaced without a lifetime live as long as their key may', async () => {
      const key = newKey()
      await store.set(key, 'short', { ttlMs: 40 })
      await store.set(key, 'long')
      await subject.pass(60)
      const entry = await store.entry(key)
      expect(entry?.value).toBe('long')
      expect(Math.abs((entry?.expiresAt ?? 0) - subject.now() - anyRetention())).toBeLessThan(10_000)
    })

    test('accept any lifetime: fractions and zero', async () => {
      const key = newKey()
      await store.set(key, 'fraction', { ttlMs: 60_000.4 })
      expect(await store.get(key)).toBe('fraction')
      for (const none of [0, -5, 0.2]) {
        await store.set(key, 'gone', { ttlMs: none })
        await subject.pass(20)
        expect(await store.get(key)).toBeNull()
      }
    })
  })

  test('no method sees an expired entry', async () => {
    const expired = async (): Promise<string> => {
      const key = newKey()
      await store.set(key, 'old', { ttlMs: 30 })
      return key
    }
    const keys = await Promise.all(Array.from({ length: 8 }, expired))
    const [read, many, entry, deleted, exchanged, removed, counter, locked] = keys
    await store.set(counter ?? '', '41', { ttlMs: 30 })
    await subject.pass(50)
    expect(await store.get(read ?? '')).toBeNull()
    expect(await store.getMany([many ?? ''])).toEqual([null])
    expect(await store.entry(entry ?? '')).toBeNull()
    expect(await store.delete(deleted ?? '')).toBe(false)
    expect(await store.compareAndSet(exchanged ?? '', { version: versionOf('old'), value: 'new', ttlMs })).toBe(false)
    expect(await store.get(exchanged ?? '')).toBeNull()
    expect(await store.compareAndDelete(removed ?? '', versionOf('old'))).toBe(false)
    expect(await store.increment(counter ?? '', 1, { ttlMs })).toBe(1)
    expect(await store.setIfAbsent(locked ?? '', 'mine', { ttlMs })).toBe(true)
    expect(await store.get(locked ?? '')).toBe('mine')
  })

  describe('setIfAbsent', () => {
    test('sets once and does not replace an entry', async () => {
      const key = newKey()
      expect(await store.setIfAbsent(key, 'first', { ttlMs })).toBe(true)
      expect(await store.setIfAbsent(key, 'second', { ttlMs })).toBe(false)
      expect(await store.get(key)).toBe('first')
    })

    test('lets exactly one of fifty at once win, over two instances', async () => {
      for (let round = 0; round < 5; round += 1) {
        const key = newKey()
        const tries = Array.from({ length: 50 }, (_, n) => (n % 2 ? store : subject.other).setIfAbsent(key, `holder ${n}`, { ttlMs }))
        const won = await Promise.all(tries)
        expect(won.filter(Boolean)).toHaveLength(1)
        expect(await store.get(key)).toBe(`holder ${won.indexOf(true)}`)
      }
    })

    test('applies the lifetime', async () => {
      const key = newKey()
      await store.setIfAbsent(key, 'lock', { ttlMs: 30 })
      await subject.pass(50)
      expect(await store.get(key)).toBeNull()
    })
  })

  describe('compareAndSet', () => {
    test('replaces only the expected value', async () => {
      const key = newKey()
      expect(await store.compareAndSet(key, { version: versionOf('a'), value: 'b', ttlMs })).toBe(false)
      expect(await store.get(key)).toBeNull()
      await store.set(key, 'a')
      expect(await store.compareAndSet(key, { version: versionOf('A'), value: 'b', ttlMs })).toBe(false)
      expect(await store.compareAndSet(key, { version: versionOf('a'), value: 'b', ttlMs })).toBe(true)
      expect(await store.get(key)).toBe('b')
    })

    test('takes any text for what it is: an empty one, one with a NUL, emoji, a long one', async () => {
      for (const value of ['', 'a\0b', 'ünïcode 🩺', 'x'.repeat(300_000)]) {
        const key = newKey()
        expect(await store.compareAndSet(key, { version: versionOf(value), value: 'after', ttlMs })).toBe(false)
        await store.set(key, value)
        expect(await store.compareAndSet(key, { version: versionOf(`${value}.`), value: 'after', ttlMs })).toBe(false)
        expect(await store.compareAndSet(key, { version: versionOf(value), value: 'after', ttlMs })).toBe(true)
        expect(await store.get(key)).toBe('after')
      }
    })

    test('renews with the same value', async () => {
      const key = newKey()
      await store.set(key, 'lock', { ttlMs: 1_500 })
      expect(await store.compareAndSet(key, { version: versionOf('lock'), value: 'lock', ttlMs })).toBe(true)
      await subject.pass(1_520)
      expect(await store.get(key)).toBe('lock')
    })

    test('loses none of fifty concurrent changes', async () => {
      const key = newKey()
      await store.set(key, '0')
      const addOne = async (from: Store): Promise<void> => {
        for (;;) {
          const seen = (await from.get(key)) ?? ''
          if (await from.compareAndSet(key, { version: versionOf(seen), value: String(Number(seen) + 1), ttlMs })) return
        }
      }
      await Promise.all(Array.from({ length: 50 }, (_, n) => addOne(n % 2 ? store : subject.other)))
      expect(await store.get(key)).toBe('50')
    })
  })

  describe('compareAndSet with an entry of a list', () => {
    const membersOf = async (list: string): Promise<string[]> =>
      (await subject.other.sortedRange(list, { limit: 100 })).map(({ member }) => member)

    test('adds it if the value is replaced, and only then', async () => {
      const [key, list] = [newKey(), newKey()]
      const add = (member: string) => ({ list, member, score: subject.now() })
      await store.set(key, 'a')
      expect(await store.compareAndSet(key, { version: versionOf('A'), value: 'b', ttlMs, add: add('lost') })).toBe(false)
      expect(await membersOf(list)).toEqual([])
      expect(await store.compareAndSet(key, { version: versionOf('a'), value: 'b', ttlMs, add: add('one') })).toBe(true)
      expect(await store.compareAndSet(key, { version: versionOf('b'), value: 'b', ttlMs, add: add('two') })).toBe(true)
      expect(await store.get(key)).toBe('b')
      expect((await membersOf(list)).toSorted()).toEqual(['one', 'two'])
    })

    test('adds one of fifty at once, over two instances', async () => {
      const [key, list] = [newKey(), newKey()]
      await store.set(key, 'a')
      const tries = Array.from({ length: 50 }, (_, n) => {
        const add = { list, member: `member ${n}`, score: subject.now() }
        return (n % 2 ? store : subject.other).compareAndSet(key, { version: versionOf('a'), value: `value ${n}`, ttlMs, add })
      })
      const won = await Promise.all(tries)
      expect(await membersOf(list)).toEqual([`member ${won.indexOf(true)}`])
    })
  })

  test('compareAndDelete deletes only the expected value, and only one of many callers succeeds', async () => {
    const key = newKey()
    await store.set(key, 'lock')
    expect(await store.compareAndDelete(key, versionOf('another lock'))).toBe(false)
    const won = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 ? store : subject.other).compareAndDelete(key, versionOf('lock'))),
    )
    expect(won.filter(Boolean)).toHaveLength(1)
    expect(await store.get(key)).toBeNull()
  })

  describe('increment', () => {
    test('counts up and down, and the counter can be read', async () => {
      const key = newKey()
      expect(await store.increment(key, 3, { ttlMs })).toBe(3)
      expect(await store.increment(key, -1, { ttlMs })).toBe(2)
      expect(await store.get(key)).toBe('2')
    })

    test('loses none of a hundred concurrent increments', async () => {
      const key = newKey()
      const counts = await Promise.all(Array.from({ length: 100 }, (_, n) => (n % 2 ? store : subject.other).increment(key, 1, { ttlMs })))
      expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1))
    })

    test('restarts when its first lifetime is over, after any number of increments', async () => {
      const key = newKey()
      await store.increment(key, 1, { ttlMs: 1_500 })
      await store.increment(key, 1, { ttlMs: 60_000 })
      const entry = await store.entry(key)
      expect((entry?.expiresAt ?? 0) - subject.now()).toBeLessThanOrEqual(1_500)
      await subject.pass(1_520)
      expect(await store.increment(key, 1, { ttlMs })).toBe(1)
    })
  })

  describe('sorted lists', () => {
    test('are read by score, then by member, in both directions, within bounds', async () => {
      const list = newKey()
      const members = { b: 2, a: 2, z: 1, late: 1_900_000_000_000, half: 2.5, past: -3 }
      await Promise.all(Object.entries(members).map(([member, score]) => store.sortedAdd(list, member, score)))
      const names = async (range: Parameters<Store['sortedRange']>[1]) => (await store.sortedRange(list, range)).map(({ member }) => member)
      expect(await store.sortedRange(list, { limit: 3 })).toEqual([
        { member: 'past', score: -3 },
        { member: 'z', score: 1 },
        { member: 'a', score: 2 },
      ])
      expect(await names({ limit: 100, reverse: true })).toEqual(['late', 'half', 'b', 'a', 'z', 'past'])
      expect(await names({ limit: 100, min: 2, max: 2.5 })).toEqual(['a', 'b', 'half'])
      expect(await names({ limit: 2, offset: 1, min: 1, max: 2.5, reverse: true })).toEqual(['b', 'a'])
      expect(await names({ limit: 100, offset: 6 })).toEqual([])
      expect(await names({ limit: 0 })).toEqual([])
      expect(await store.sortedRange(newKey(), { limit: 5 })).toEqual([])
      expect([await store.sortedCount(list), await store.sortedCount(newKey())]).toEqual([6, 0])
    })

    test('hold a member once: adding again moves it', async () => {
      const list = newKey()
      await store.sortedAdd(list, 'call', 1)
      await store.sortedAdd(list, 'call', 5)
      expect(await subject.other.sortedRange(list, { limit: 10 })).toEqual([{ member: 'call', score: 5 }])
    })

    test('return a removed member to one caller only', async () => {
      const list = newKey()
      await store.sortedAdd(list, 'call', 1)
      const took = await Promise.all(Array.from({ length: 50 }, (_, n) => (n % 2 ? store : subject.other).sortedRemove(list, 'call')))
      expect(took.filter(Boolean)).toHaveLength(1)
      expect(await store.sortedRange(list, { limit: 1 })).toEqual([])
    })

    test('are trimmed up to a score', async () => {
      const list = newKey()
      await Promise.all([1, 2, 3, 4].map((score) => store.sortedAdd(list, `m${score}`, score)))
      expect(await store.sortedTrim(list, 3)).toBe(3)
      expect(await store.sortedTrim(list, 3)).toBe(0)
      expect(await store.sortedRange(list, { limit: 10 })).toEqual([{ member: 'm4', score: 4 }])
    })

    test('can be added to only if that is earlier', async () => {
      const list = newKey()
      const score = 1_900_000_000_000.5
      await store.sortedAddLowest(list, 'call', score)
      await store.sortedAddLowest(list, 'call', score + 2)
      // Somebody who has read it before learns that it was added again.
      expect(await store.sortedMove(list, 'call', { from: score, to: null })).toBe(false)
      const [present] = await subject.other.sortedRange(list, { limit: 10 })
      expect(score - (present?.score ?? 0)).toBeCloseTo(0.001, 3)
      await subject.other.sortedAddLowest(list, 'call', 2)
      expect(await store.sortedRange(list, { limit: 10 })).toEqual([{ member: 'call', score: 2 }])
    })

    test('move a member, or remove it, only from the score that it was read with', async () => {
      const list = newKey()
      await store.sortedAdd(list, 'call', 1_900_000_000_000.5)
      expect(await store.sortedMove(list, 'call', { from: 2, to: null })).toBe(false)
      expect(await subject.other.sortedMove(list, 'call', { from: 1_900_000_000_000.5, to: 3 })).toBe(true)
      expect(await store.sortedRange(list, { limit: 10 })).toEqual([{ member: 'call', score: 3 }])
      const took = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? store : subject.other).sortedMove(list, 'call', { from: 3, to: null })),
      )
      expect(took.filter(Boolean)).toHaveLength(1)
      expect(await store.sortedMove(list, 'call', { from: 3, to: 4 })).toBe(false)
      expect(await store.sortedRange(list, { limit: 1 })).toEqual([])
    })

    test('are counted up to a score', async () => {
      const list = newKey()
      await Promise.all([1, 2, 3].map((score) => store.sortedAdd(list, `m${score}`, score)))
      expect([await store.sortedCount(list, 2), await store.sortedCount(list, 0), await store.sortedCount(list)]).toEqual([2, 0, 3])
    })

    test('are separate from entries and from each other', async () => {
      const [one, two] = [newKey(), newKey()]
      await store.sortedAdd(one, 'call', 1)
      await store.sortedAdd(two, 'call', 2)
      expect(await store.sortedRemove(one, 'call')).toBe(true)
      expect(await store.sortedRange(two, { limit: 1 })).toEqual([{ member: 'call', score: 2 }])
    })
  })
}
