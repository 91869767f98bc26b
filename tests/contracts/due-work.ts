import { array, assert, asyncProperty, boolean, constant, constantFrom, oneof, record } from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { DeadLetter } from '../../src/ports/dead-letters.ts'
import { dueIndex, DueList, type DueItem } from '../../src/ports/due/due-list.ts'
import { createDueWork, type DueResult, type DueTask, dueLease, dueTopic, eachAlone } from '../../src/ports/due/due-work.ts'
import { NonRetryableError } from '../../src/ports/non-retryable-error.ts'
import type { Store } from '../../src/ports/store.ts'
import { createTestClock, type TestClock } from '../harness/clock.ts'

/** Two instances' stores on the same data. */
export type StoresUnderTest = AsyncDisposable & { readonly store: Store; readonly other: Store }

const hour = 3_600_000
const leaseMs = 15_000

/** The contract of due work on every store. Names of lists are random, because the suite shares its data. */
export function dueWorkContract(create: () => Promise<StoresUnderTest>): void {
  let subject: StoresUnderTest
  let clock: TestClock
  let list: DueList
  let deadLetters: DeadLetter[]
  let started: AsyncDisposable[]
  /** The keys of the dead letters that came to the bus. */
  let replayed: (string | null)[]
  beforeAll(async () => void (subject = await create()))
  afterAll(() => subject[Symbol.asyncDispose]())
  beforeEach(() => {
    clock = createTestClock(new Date().toISOString())
    list = newList()
    deadLetters = []
    started = []
    replayed = []
    return async () => {
      for (const one of started) await one[Symbol.asyncDispose]()
    }
  })

  /** One whose release failed would last for real seconds. */
  const endLease = async (): Promise<void> => {
    await using _ = await dueLease.acquire(subject, { workspaceId: 'w1', name: list.name }, { takesOver: () => true })
  }
  const newList = (more: { readonly batch?: number } = {}): DueList =>
    new DueList({
      name: `due-${crypto.randomUUID()}`,
      about: 'nothing',
      what: 'a test',
      retry: { firstMs: 1_000, longestMs: 60_000 },
      giveUpAfterMs: hour,
      batch: 10,
      ...more,
    })
  const item = (id: string, workspaceId = 'w1'): DueItem => ({ workspaceId, id })
  const add = (id: string, inMs = 0, store = subject.store): Promise<void> => list.add({ store }, item(id), clock.now() + inMs)
  const instance = (run: DueTask['run'], { store = subject.store, giveUp }: Partial<Pick<DueTask, 'giveUp'>> & { store?: Store } = {}) => {
    const bus = {
      deadLetters: {
        add: async (deadLetter: DeadLetter) => void deadLetters.push(deadLetter),
        list: async () => deadLetters,
        read: async () => null,
        remove: async () => false,
      },
    }
    const task = { list, run, ...(giveUp && { giveUp }) }
    const work = createDueWork({ store, clock, log: createLog('silent'), bus }, [task])
    started.push(work)
    return {
      begin: () => work.begin(),
      figures: () => work.figures(),
      replay: (deadLetter: DeadLetter) =>
        work.replayedBy({ replay: async ({ key }: DeadLetter) => void replayed.push(key) }).replay(deadLetter),
      /** Until nothing is due at this moment. */
      round: async (): Promise<void> => void (await (await work.begin()).ended()),
      [Symbol.asyncDispose]: () => work[Symbol.asyncDispose](),
    }
  }
  /** Does each item by itself, and notes which were done. */
  const doing = (done: string[], result: (id: string) => DueResult = () => 'DONE'): DueTask['run'] => {
    return eachAlone(4, async ({ id }) => {
      done.push(id)
      return result(id)
    })
  }

  test('an item is done when it is due, once, also after a restart', async () => {
    const done: string[] = []
    await add('later', 5_000)
    await add('now')
    await instance(doing(done)).round()
    expect(done).toEqual(['now'])
    clock.advance(4_999)
    await instance(doing(done), { store: subject.other }).round()
    expect(done).toEqual(['now'])
    clock.advance(1)
    const again = instance(doing(done), { store: subject.other })
    await again.round()
    await again.round()
    expect(done).toEqual(['now', 'later'])
  })

  test('adding an item again moves it, earlier and later; removing it forgets it', async () => {
    const done: string[] = []
    const work = instance(doing(done))
    await add('earlier', hour)
    await add('earlier', 10)
    await add('later', 10)
    await add('later', 20)
    await add('gone', 10)
    await list.remove({ store: subject.store }, item('gone'))
    clock.advance(10)
    await work.round()
    expect(done).toEqual(['earlier'])
    clock.advance(10)
    await work.round()
    expect(done).toEqual(['earlier', 'later'])
  })

  test('what is due first comes first', async () => {
    list = newList({ batch: 2 })
    const done: string[] = []
    for (const [index, id] of ['a', 'b', 'c'].entries()) await add(id, index - 10)
    await instance((items) => {
      done.push(...items.map(({ id }) => id))
      return Promise.resolve(items.map(() => 'DONE' as const))
    }).round()
    expect(done).toEqual(['a', 'b'])
  })

  test('an item that fails delays no other, is tried ever more rarely, and becomes a dead letter that can be done again', async () => {
    const tried: number[] = []
    const done: string[] = []
    const begunAt = clock.now()
    let isMended = false
    const givenUp: DueItem[] = []
    const work = instance(
      doing(done, (id) => {
        if (id !== 'bad' || isMended) return 'DONE'
        tried.push(clock.now() - begunAt)
        return { error: new Error('refused') }
      }),
      { giveUp: async (given) => void givenUp.push(given) },
    )
    await add('bad')
    for (let second = 0; second <= hour / 1_000 + 60; second += 1) {
      if (second % 600 === 0) await add(`good ${second}`)
      await work.round()
      clock.advance(1_000)
    }
    expect(done.filter((id) => id !== 'bad')).toEqual([0, 600, 1_200, 1_800, 2_400, 3_000, 3_600].map((second) => `good ${second}`))
    expect(tried.slice(0, 8).map((ms) => ms / 1_000)).toEqual([0, 1, 2, 4, 8, 16, 32, 64])
    expect(tried.length).toBeLessThan(70)
    expect(deadLetters).toEqual([
      expect.objectContaining({
        topic: dueTopic,
        receiver: list.name,
        workspaceId: 'w1',
        key: 'bad',
        reason: 'NOT_DELIVERED: Error: refused',
      }),
    ])
    expect(givenUp).toEqual([item('bad')])
    isMended = true
    const [deadLetter] = deadLetters
    if (!deadLetter) throw new Error('one was given up')
    await work.replay({ ...deadLetter, topic: 'call.completed' })
    expect(replayed).toEqual(['bad'])
    await work.replay(deadLetter)
    expect(replayed).toEqual(['bad'])
    await work.round()
    expect(done.at(-1)).toBe('bad')
    expect(deadLetters).toHaveLength(1)
  })

  test('an error that no try can mend makes a dead letter at once; one of the configuration waits longest; one of the store does not count', async () => {
    const reasons: Record<string, unknown> = {
      hopeless: new NonRetryableError('RECORD_REFUSED', { detail: 'RECORD_REFUSED: X' }),
      unconfigured: new AppError('NOT_CONFIGURED'),
      store: new AppError('STORE_UNAVAILABLE'),
    }
    const done: string[] = []
    const work = instance(doing(done, (id) => ({ error: reasons[id] })))
    for (const id of Object.keys(reasons)) await add(id)
    await work.round()
    expect(deadLetters.map(({ key, reason }) => [key, reason])).toEqual([['hopeless', 'RECORD_REFUSED: X']])
    clock.advance(59_999)
    await work.round()
    expect(done.filter((id) => id === 'unconfigured')).toHaveLength(1)
    clock.advance(2 * hour)
    done.length = 0
    await work.round()
    expect(done.toSorted()).toEqual(['store', 'unconfigured'])
    expect(deadLetters.map(({ key }) => key)).toEqual(['hopeless', 'unconfigured'])
  })

  test('an item that cannot be given up is tried again', async () => {
    let tries = 0
    const work = instance(
      doing([], () => ({ error: new NonRetryableError('WRONG_SCHEMA') })),
      {
        giveUp: async () => {
          tries += 1
          if (tries === 1) throw new AppError('STORE_UNAVAILABLE')
        },
      },
    )
    await add('one')
    await work.round()
    expect(deadLetters).toEqual([])
    clock.advance(1_000)
    await work.round()
    expect([tries, deadLetters.length]).toEqual([2, 1])
  })

  test('an item may say when it comes again, and an error of all is that of each', async () => {
    const done: string[] = []
    let all: 'FAILS' | 'GOES' = 'GOES'
    const work = instance((items, signal) =>
      all === 'FAILS' ? Promise.reject(new Error('all')) : doing(done, () => ({ again: clock.now() + 5_000 }))(items, signal),
    )
    await add('one')
    await work.round()
    clock.advance(4_999)
    await work.round()
    expect(done).toEqual(['one'])
    clock.advance(1)
    all = 'FAILS'
    await work.round()
    all = 'GOES'
    clock.advance(1_000)
    await work.round()
    expect(done).toEqual(['one', 'one'])
  })

  test('an item that is added again while it is being done is done again', async () => {
    const done: string[] = []
    const work = instance(async (items) => {
      done.push(...items.map(({ id }) => id))
      if (done.length === 1) await add('one', 1_000)
      return items.map(() => 'DONE')
    })
    await add('one')
    await work.round()
    clock.advance(1_000)
    await work.round()
    await work.round()
    expect(done).toEqual(['one', 'one'])
  })

  test('a list whose former items cannot be read keeps back neither the others nor the work', async () => {
    const [done, broughtOver]: [string[], string[]] = [[], []]
    const bus = { deadLetters: { add: async () => {}, list: async () => [], read: async () => null, remove: async () => false } }
    const unreadable = { list: newList(), run: doing([]), carryOver: () => Promise.reject(new SyntaxError('not JSON')) }
    const readable = { list, run: doing(done), carryOver: async () => void broughtOver.push('read') }
    const work = createDueWork({ store: subject.store, clock, log: createLog('silent'), bus }, [unreadable, readable])
    started.push(work)
    await add('one')
    await (await work.begin()).ended()
    expect([broughtOver, done]).toEqual([['read'], ['one']])
  })

  test('two instances never do the items of a workspace at the same time', async () => {
    let [running, most, done] = [0, 0, 0]
    const run: DueTask['run'] = async (items) => {
      running += 1
      most = Math.max(most, running)
      await new Promise(setImmediate)
      running -= 1
      done += items.length
      return items.map(() => 'DONE')
    }
    const instances = [instance(run), instance(run, { store: subject.other })]
    for (let n = 0; n < 60; n += 1) await add(`item ${n}`)
    for (let round = 0; round < 30; round += 1) await Promise.all(instances.map((one) => one.round()))
    expect([most, done]).toEqual([1, 60])
  })

  test('a slow workspace delays no other one', async () => {
    const done: string[] = []
    const slow = Promise.withResolvers<void>()
    const work = instance(async (items) => {
      if (items[0]?.workspaceId === 'slow') await slow.promise
      done.push(...items.map(({ workspaceId }) => workspaceId))
      return items.map(() => 'DONE')
    })
    await list.add(subject, item('one', 'slow'), clock.now())
    await list.add(subject, item('two', 'quick'), clock.now())
    const begun = await work.begin()
    await expect.poll(() => done).toEqual(['quick'])
    await list.add(subject, item('three', 'quick'), clock.now())
    await work.round()
    expect(done).toEqual(['quick', 'quick'])
    slow.resolve()
    await begun.ended()
    expect(done).toEqual(['quick', 'quick', 'slow'])
  })

  test('the work of a process that dies is done by another one when its lease is over, wherever it died', async () => {
    for (let dies = 1; dies < 30; dies += 1) {
      list = newList()
      const done: string[] = []
      await add('one')
      await add('two')
      const { store, commands } = dying(subject.store, dies)
      await instance(doing(done), { store })
        .round()
        .catch(() => undefined)
      const isOver = commands() < dies
      await endLease()
      clock.advance(leaseMs)
      const other = instance(doing(done), { store: subject.other })
      await other.round()
      expect({ dies, done: [...new Set(done)].toSorted() }).toEqual({ dies, done: ['one', 'two'] })
      clock.advance(leaseMs)
      done.length = 0
      await other.round()
      expect({ dies, done }).toEqual({ dies, done: [] })
      if (isOver) return
    }
    throw new Error('A round has more commands than expected')
  })

  test('an item that is added while a process notes that it is done, and dies, is found', async () => {
    const done: string[] = []
    await add('one')
    let isDead = false
    const store = guarded(subject.store, () => isDead)
    const sortedMove: Store['sortedMove'] = async (...move) => {
      const isLast = move[0] === dueIndex.keyText(null)
      // Later than the time for which the process has claimed the list.
      if (isLast) await add('late', 20_000, subject.other)
      const isMoved = await store.sortedMove(...move)
      isDead = isLast
      return isMoved
    }
    const dies = new Proxy(store, { get: (target, name): unknown => (name === 'sortedMove' ? sortedMove : Reflect.get(target, name)) })
    await instance(doing(done), { store: dies })
      .round()
      .catch(() => undefined)
    await endLease()
    clock.advance(20_000)
    await instance(doing(done), { store: subject.other }).round()
    expect(done).toEqual(['one', 'late'])
  })

  test('an item that fails and is removed is forgotten, also while it is tried: it begins anew when it is added again', async () => {
    const when = { tries: async (): Promise<void> => {} }
    const work = instance(async (items) => {
      if (items.some(({ id }) => id === 'bad')) await when.tries()
      return items.map(({ id }) => (id === 'bad' ? { error: new Error('no') } : { again: clock.now() + 1 }))
    })
    const remove = () => list.remove({ store: subject.store }, item('bad'))
    await add('other')
    for (const removedWhile of ['WAITING', 'TRIED'] as const) {
      await add('bad')
      when.tries = removedWhile === 'TRIED' ? remove : async () => {}
      await work.round()
      if (removedWhile === 'WAITING') await remove()
      clock.advance(2 * hour)
      await work.round()
      expect({ removedWhile, ...(await work.figures())[list.name] }).toMatchObject({ removedWhile, failing: 0 })
      when.tries = async () => {}
      await add('bad')
      await work.round()
      expect({ removedWhile, deadLetters }).toEqual({ removedWhile, deadLetters: [] })
      await remove()
    }
  })

  test('whatever is added is done, over any sequence of steps on two instances whose store fails at times', async () => {
    const ids = constantFrom('a', 'b', 'c', 'd')
    const step = oneof(
      record({ kind: constant('add' as const), id: ids, inMs: constantFrom(0, 1, 700, 20_000), on: boolean() }),
      record({ kind: constant('remove' as const), id: ids, on: boolean() }),
      record({ kind: constant('rounds' as const), failsAt: constantFrom(0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), fails: boolean() }),
      record({ kind: constant('wait' as const), ms: constantFrom(1, 700, 15_000, 60_000) }),
    )
    await assert(
      asyncProperty(array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
        list = newList({ batch: 2 })
        /** What was added and neither done nor removed since. */
        const wanted = new Set<string>()
        let fails = false
        const run = eachAlone(2, async ({ id }) => {
          if (fails) throw new Error('fails')
          wanted.delete(id)
          return 'DONE'
        })
        const stores = [subject.store, subject.other] as const
        for (const one of steps) {
          if (one.kind === 'add') {
            wanted.add(one.id)
            await add(one.id, one.inMs, stores[one.on ? 0 : 1])
          } else if (one.kind === 'remove') {
            wanted.delete(one.id)
            await list.remove({ store: stores[one.on ? 0 : 1] }, item(one.id))
          } else if (one.kind === 'wait') clock.advance(one.ms)
          else {
            fails = one.fails
            const shaky = one.failsAt === 0 ? stores[0] : failingOnce(stores[0], one.failsAt)
            await Promise.allSettled([instance(run, { store: shaky }).round(), instance(run, { store: stores[1] }).round()])
            fails = false
          }
        }
        await endLease()
        for (let round = 0; round < 12 && wanted.size > 0; round += 1) {
          clock.advance(61_000)
          await instance(run).round()
        }
        expect([...wanted]).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  test('what waits and what fails is counted, with the age of the oldest', async () => {
    const work = instance(doing([], (id) => (id === 'bad' ? { error: new Error('no') } : 'DONE')))
    await add('bad')
    await work.round()
    clock.advance(500)
    await add('waits', -5_000)
    await list.add(subject, item('later', 'w2'), clock.now() + hour)
    const figures = (await work.figures())[list.name]
    expect(figures).toMatchObject({ due: 1, failing: 1 })
    expect(figures?.oldestMs).toBeCloseTo(5_000, -1)
    clock.advance(30_000)
    expect(Math.round(((await work.figures())[list.name]?.oldestMs ?? 0) / 100)).toBe(350)
    expect(await list.workspaces(subject)).toEqual(expect.arrayContaining(['w1', 'w2']))
  })

  test('without due items, a look costs one command, however many workspaces there are', async () => {
    for (let n = 0; n < 50; n += 1) await list.add(subject, item('one', `w${n}`), clock.now() + hour)
    const { store, commands } = dying(subject.store, Number.POSITIVE_INFINITY)
    const work = instance(doing([]), { store })
    await work.round()
    expect(commands()).toBe(1)
  })

  describe('what is stopped', () => {
    test('waits for what is being done, and leaves what has not begun', async () => {
      const [begun, running] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const done: string[] = []
      const work = instance(
        eachAlone(1, async ({ id }) => {
          begun.resolve()
          await running.promise
          done.push(id)
          return 'DONE'
        }),
      )
      await add('one', -1)
      await add('two')
      await work.begin()
      await begun.promise
      const stopped = work[Symbol.asyncDispose]()
      running.resolve()
      await stopped
      expect(done).toEqual(['one'])
      await instance(doing(done)).round()
      expect(done).toEqual(['one', 'two'])
    })
  })
}

/** Every command from this one on fails: the process is dead. */
function dying(store: Store, at: number): { readonly store: Store; readonly commands: () => number } {
  let commands = 0
  return { store: guarded(store, () => (commands += 1) >= at), commands: () => commands }
}

/** One command fails. */
function failingOnce(store: Store, at: number): Store {
  let commands = 0
  return guarded(store, () => (commands += 1) === at)
}

function guarded(store: Store, fails: () => boolean): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function') return method
      return async (...args: unknown[]): Promise<unknown> => {
        if (fails()) throw new AppError('STORE_UNAVAILABLE')
        return Reflect.apply(method, target, args)
      }
    },
  })
}
