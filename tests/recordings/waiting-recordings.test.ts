import { lateStore } from '../harness/late-store.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { budgetProblem, reserveUse, readDailyBudget } from '../../src/features/recordings/automatic/daily-budget.ts'
import {
  addWaiting,
  giveUp,
  maxTries,
  putBack,
  readWaiting,
  removeTaken,
  takeWaiting,
  type TakenRecording,
} from '../../src/features/recordings/automatic/waiting-recordings.ts'
import { readRecordingQueue } from '../../src/features/recordings/automatic/read-queue.ts'
import { findRecordingUrl } from '../../src/features/recordings/find-recording-url.ts'
import { createRecordings } from '../../src/features/recordings/recordings.ts'
import { retryWhileStoreIsAway } from '../../src/features/recordings/retry-while-store-is-away.ts'
import { readStoredAnalyses } from '../../src/features/recordings/stored-analyses.ts'
import { acquireRun, errorOf, progressTopic, readRun, readRunFailure } from '../../src/features/recordings/run-lease.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createInProcessNotifications } from '../../src/providers/notifications/in-process.ts'
import type { PlatformCall } from '../../src/ports/call-records.ts'
import type { Store } from '../../src/ports/store.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createCallsDesk } from '../harness/calls-desk.ts'
import { createTestClock, type TestClock } from '../harness/clock.ts'
import { failingStore } from '../harness/failing-store.ts'
import { fixedConfiguration } from '../harness/fixed-configuration.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

const workspaceId = 'w1'
const hour = 3_600_000
const log = createLog('silent')
const keyOf = (callId: string) => ({ workspaceId, callId })

let clock: TestClock
let store: Store
let stack: AsyncDisposableStack
beforeEach(async () => {
  stack = new AsyncDisposableStack()
  const { path } = stack.use(await createTempDir())
  clock = createTestClock()
  store = lateStore(createSqliteStore({ dataDir: path, clock, retentionOf }))
  stack.defer(() => store.close())
})
afterEach(() => stack.disposeAsync())

const ports = () => ({ store, clock, log })
const add = (callId: string, endedAt = clock.now(), id = workspaceId) =>
  addWaiting(ports(), { workspaceId: id, callId }, { ucid: `ucid-${callId}`, agentId: null, endedAt, seconds: 60 })
const take = (): Promise<TakenRecording | null> => takeWaiting(ports(), workspaceId, async () => async () => async () => {})
const stateOf = async (callId: string) => (await readWaiting(ports(), workspaceId, [callId]))[0]

test('the newest is taken first, each once; another workspace has its own', async () => {
  await add('old', clock.now() - hour)
  await add('new')
  await add('new')
  await add('other', clock.now() + hour, 'w2')
  const taken = [await take(), await take(), await take()]
  expect(taken.map((one) => one?.key.callId)).toEqual(['new', 'old', undefined])
  for (const one of taken) if (one) await removeTaken(ports(), one.key)
  expect(await stateOf('new')).toBeNull()
})

test('takers at the same time never take one twice', async () => {
  for (let index = 0; index < 20; index += 1) await add(`c${index}`, clock.now() - index)
  const taken: string[] = []
  const taker = async (): Promise<void> => {
    for (let tries = 0; tries < 400 && taken.length < 20; tries += 1) {
      const one = await take()
      if (one) taken.push(one.key.callId)
    }
  }
  await Promise.all(Array.from({ length: 5 }, () => taker()))
  expect(taken.toSorted()).toEqual(Array.from({ length: 20 }, (_, index) => `c${index}`).toSorted())
})

test('what a dead process has taken comes back, but not what is still being analysed, and not for ever', async () => {
  await add('c1')
  const notifications = createInProcessNotifications({ log })
  for (let tries = 1; tries <= maxTries; tries += 1) {
    expect((await take())?.recording.tries).toBe(tries)
    expect(await take()).toBeNull()
    {
      await using run = await acquireRun({ store, notifications, log }, keyOf('c1'), '2025-01-15T09:00:00.000Z')
      expect(run).not.toBeNull()
      // The lease renews itself by the real clock.
      clock.advance(10_000)
    }
    clock.advance(61_000)
  }
  expect(await take()).toBeNull()
  expect(await stateOf('c1')).toMatchObject({ state: 'FAILED', reason: `The service ended during each of ${maxTries} tries` })
  await notifications.close()
})

test('what is put back comes when it is due; a try that does not count is not counted', async () => {
  await add('c1')
  const first = await take()
  if (!first) throw new Error('nothing taken')
  await putBack(ports(), first, { reason: 'later', delayMs: 60_000, isCounted: true })
  expect(await stateOf('c1')).toMatchObject({ state: 'WAITING', tries: 1, reason: 'later', retryAt: clock.now() + 60_000 })
  expect(await take()).toBeNull()
  clock.advance(60_001)
  const second = await take()
  if (!second) throw new Error('nothing taken')
  await putBack(ports(), second, { reason: null, delayMs: 0, isCounted: false })
  expect(await stateOf('c1')).toMatchObject({ tries: 1 })
  expect((await take())?.recording.tries).toBe(2)
  await giveUp(ports(), keyOf('c1'), 'broken')
  expect(await take()).toBeNull()
  await add('c1')
  expect(await stateOf('c1')).toMatchObject({ state: 'FAILED', reason: 'broken' })
})

test('a queue has a bound, and nothing waits for more than three days', async () => {
  for (let index = 0; index < 2_003; index += 1) await add(`c${index}`, clock.now() - index * 1_000)
  for (const callId of ['c2000', 'c2002']) expect(await stateOf(callId)).toMatchObject({ state: 'FAILED' })
  expect(await stateOf('c1999')).toMatchObject({ state: 'WAITING' })
  expect(await readRecordingQueue(ports())).toEqual({ waiting: 2_000, later: 0, isFull: true })
  await giveUp(ports(), keyOf('c0'), 'broken')
  expect(await readRecordingQueue(ports())).toEqual({ waiting: 1_999, later: 0, isFull: false })
  clock.advance(73 * hour)
  expect(await take()).toBeNull()
  expect(await stateOf('c1')).toMatchObject({ state: 'FAILED', reason: 'It was not analysed within 3 days' })
  expect(await store.sortedRange(`recordings-waiting:${workspaceId}`, { limit: 10 })).toEqual([])
})

test('what was reserved goes back if the recording cannot be taken, or is given up because the store is away', async () => {
  await using desk = await createCallsDesk()
  const configuration = fixedConfiguration({ ai: { recordings: { automatic: { enabled: true } } } })
  const budget = { configuration, store, clock }
  const used = async () => (await readDailyBudget(budget, workspaceId)).used
  const nowhere = () => Promise.reject(new Error('not used here'))
  const automatic = (disturbed: Store) =>
    createRecordings({
      ...desk.callPorts,
      clock,
      configuration,
      store: disturbed,
      principals: { resolve: nowhere, known: () => null, learn: nowhere, forget: nowhere, follow: () => new DisposableStack() },
      doctorDirectory: { read: nowhere, invalidate: () => {} },
      recordingSource: { inspect: nowhere, open: nowhere },
      transcriptIndex: { put: nowhere, find: nowhere, purge: nowhere, isFilled: nowhere, markFilled: nowhere, close: nowhere },
      speech: () => ({ isPrivate: false, transcribe: nowhere }),
      close: async () => {},
    })
  await add('c1')
  {
    await using cannotTake = automatic({ ...store, sortedAdd: () => Promise.reject(new AppError('STORE_UNAVAILABLE')) })
    await expect(cannotTake.begin()).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  }
  expect(await used()).toEqual({ seconds: 0, tokens: 0 })
  {
    await using cannotRead = automatic(failingStore(store, (key) => key.startsWith('call:')))
    await cannotRead.begin()
  }
  expect(await stateOf('c1')).toMatchObject({ tries: 1 })
  expect(await used()).toEqual({ seconds: 0, tokens: 0 })
})

test('reservations at the same time never exceed the budget of the day in the time zone of the clinic; the rest goes back', async () => {
  const configuration = fixedConfiguration({
    ai: { recordings: { automatic: { enabled: true, dailyMinutes: 10, dailyTokens: 1_000 } } },
    platform: { visits: { timeZone: 'Asia/Kolkata' } },
  })
  const budget = { configuration, store, clock }
  const need = { seconds: 120, tokens: 100 }
  const reserved = await Promise.all(Array.from({ length: 20 }, () => reserveUse(budget, workspaceId, need)))
  const granted = reserved.filter((settle) => settle !== null)
  expect(granted.length).toBeLessThanOrEqual(5)
  expect((await readDailyBudget(budget, workspaceId)).used).toEqual({ seconds: 120 * granted.length, tokens: 100 * granted.length })
  await granted[0]?.({ seconds: 30, tokens: 150 })
  // Settled again after an error further on: what goes back is not counted twice.
  await granted[0]?.({ seconds: 0, tokens: 0 })
  expect((await readDailyBudget(budget, workspaceId)).used.seconds).toBe(120 * granted.length - 90)
  expect(await reserveUse(budget, workspaceId, { seconds: 1, tokens: 1_001 })).toBeNull()
  // 09:00 UTC is 14:30 in India: the day ends in nine and a half hours.
  const before = await readDailyBudget(budget, workspaceId)
  expect(before.day.to - clock.now()).toBe(9.5 * hour)
  clock.advance(9.5 * hour)
  expect((await readDailyBudget(budget, workspaceId)).used).toEqual({ seconds: 0, tokens: 0 })
  expect((await readDailyBudget(budget, 'w2')).used).toEqual({ seconds: 0, tokens: 0 })
})

test('what fits exactly into the day is reserved, and not a second or token more', async () => {
  const configuration = fixedConfiguration({ ai: { recordings: { automatic: { enabled: true, dailyMinutes: 10, dailyTokens: 1_000 } } } })
  const budget = { configuration, store, clock }
  const problem = async (need: { seconds: number; tokens: number }) => budgetProblem(await readDailyBudget(budget, workspaceId), need)
  const settle = await reserveUse(budget, workspaceId, { seconds: 480, tokens: 900 })
  expect(await problem({ seconds: 120, tokens: 100 })).toBeNull()
  expect(await problem({ seconds: 121, tokens: 100 })).toBe('The daily budget of 10 minutes has less than 3 left')
  expect(await problem({ seconds: 120, tokens: 101 })).toBe('The daily budget of 1000 tokens has less than about 101 left')
  for (const need of [
    { seconds: 121, tokens: 0 },
    { seconds: 0, tokens: 101 },
  ])
    expect(await reserveUse(budget, workspaceId, need)).toBeNull()
  expect(await reserveUse(budget, workspaceId, { seconds: 120, tokens: 100 })).not.toBeNull()
  await settle?.({ seconds: 0, tokens: 0 })
  expect((await readDailyBudget(budget, workspaceId)).used).toEqual({ seconds: 120, tokens: 100 })
})

test('a recording whose queueing failed halfway is queued by the repetition', async () => {
  const halfway = { ...ports(), store: failingStore(store, (key) => key.startsWith('recordings-waiting:')) }
  const recording = { ucid: 'ucid-c1', agentId: null, endedAt: clock.now(), seconds: 60 }
  await expect(addWaiting(halfway, keyOf('c1'), recording)).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  expect(await take()).toBeNull()
  await add('c1')
  expect((await take())?.key.callId).toBe('c1')
  // It was tried: the repetition of an old report does not queue it again.
  await add('c1')
  expect(await take()).toBeNull()
})

test('looks behind two hundred recordings for which nothing could be reserved', async () => {
  for (let index = 0; index < 200; index += 1) await add(`c${index}`, clock.now() + index)
  await add('last', clock.now() - hour)
  const only =
    async () =>
    async ({ ucid }: { readonly ucid: string }) =>
      ucid === 'ucid-last' ? async () => {} : null
  expect((await takeWaiting(ports(), workspaceId, only))?.key.callId).toBe('last')
  expect(await takeWaiting(ports(), workspaceId, only)).toBeNull()
  expect(await stateOf('c0')).toMatchObject({ state: 'WAITING', tries: 0 })
})

test('an empty queue is only read', async () => {
  const readOnly = { ...ports(), store: failingStore(store, (key) => key.startsWith('recordings-taking:')) }
  const taking = () => takeWaiting(readOnly, workspaceId, async () => null)
  expect(await taking()).toBeNull()
  await add('c1')
  await expect(taking()).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
})

test('a run reports its stages and its failure although the store is away', async () => {
  let isAway = false
  const disturbed = failingStore(store, () => isAway)
  const notifications = createInProcessNotifications({ log })
  const reported: string[] = []
  using _ = notifications.subscribe(progressTopic, ({ payload }) => void reported.push(payload))
  {
    await using run = await acquireRun({ store: disturbed, notifications, log }, keyOf('c1'), '2025-01-15T09:00:00.000Z')
    await run?.reach('FETCHED')
    expect(await readRun(store, keyOf('c1'))).toMatchObject({ stage: 'FETCHED' })
    isAway = true
    await run?.reach('TRANSCRIBED')
    await run?.fail(new AppError('PROVIDER_UNAVAILABLE'))
    isAway = false
    await run?.fail(new AppError('OVERLOADED', { detail: 'busy', data: { retryAfterSeconds: 5 } }))
  }
  const stages = ['FETCHED', 'TRANSCRIBED', 'FAILED', 'FAILED'].map((stage) => JSON.stringify({ callId: 'c1', stage }))
  await waitFor(() => reported.length === 4)
  expect(reported).toEqual(stages)
  const failure = await readRunFailure(store, keyOf('c1'))
  expect(failure && errorOf(failure)).toMatchObject({ reason: 'OVERLOADED', message: 'busy', data: { retryAfterSeconds: 5 } })
  expect(await readRun(store, keyOf('c1'))).toBeNull()
  await notifications.close()
})

test('a step is repeated while the store is away, so many times, and after no other error', async () => {
  let tries = 0
  const failing = (reason: 'STORE_UNAVAILABLE' | 'OVERLOADED', times = 99) =>
    retryWhileStoreIsAway(
      async () => {
        tries += 1
        if (tries <= times) throw new AppError(reason)
        return tries
      },
      { tries: 2 },
    )
  expect(await failing('STORE_UNAVAILABLE', 1)).toBe(2)
  tries = 0
  await expect(failing('STORE_UNAVAILABLE')).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  expect(tries).toBe(2)
  await expect(failing('OVERLOADED')).rejects.toMatchObject({ reason: 'OVERLOADED' })
  expect(tries).toBe(3)
})

test('a recording may arrive for half an hour; the provider is asked for a fortnight, and its outage is no error', async () => {
  let asked = 0
  const own = {
    store,
    clock,
    configuration: fixedConfiguration(),
    outboundTelephonyOf: async () => null,
    telephonyOf: async () => {
      asked += 1
      throw new AppError('PROVIDER_UNAVAILABLE')
    },
  }
  const at = (ms: number): string => new Date(clock.now() - ms).toISOString()
  const nothing = {
    name: null,
    direction: null,
    status: null,
    answeredAt: null,
    durationSeconds: null,
    wrapUpSeconds: null,
    phoneNumber: null,
    did: null,
  }
  const more = { campaignName: null, disposition: null, notes: null, recordingUrl: null, agentId: null, leadId: null }
  const unknownCall: PlatformCall = { id: 'c', ucid: 'u', startedAt: null, endedAt: null, ...nothing, ...more }
  const find = (call: Partial<PlatformCall>) => findRecordingUrl(own, workspaceId, { ...unknownCall, ...call })
  const minute = 60_000
  for (const [endedMs, detail] of [
    [30 * minute - 1, 'The recording is not available yet'],
    [30 * minute, 'This call has no recording'],
  ] as const) {
    await expect(find({ startedAt: at(hour), endedAt: at(endedMs) })).rejects.toMatchObject({ reason: 'NOT_FOUND', message: detail })
  }
  expect(asked).toBe(2)
  const fortnight = 14 * 24 * hour
  for (const startedMs of [fortnight, fortnight + 1])
    await expect(find({ startedAt: at(startedMs) })).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  expect(asked).toBe(3)
  expect(await find({ startedAt: at(fortnight + 1), recordingUrl: 'https://provider.example/1.mp3' })).toBe(
    'https://provider.example/1.mp3',
  )
})

test('nothing is asked for no analyses', async () => {
  const away = failingStore(store, () => true)
  const nothing: Store = { ...away, getMany: () => Promise.reject(new AppError('STORE_UNAVAILABLE')) }
  expect(await readStoredAnalyses(nothing, workspaceId, [])).toEqual([])
})
