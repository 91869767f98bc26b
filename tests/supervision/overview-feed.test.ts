import { expect, onTestFinished, test, vi } from 'vitest'
import { callTopic } from '../../src/features/calls/state/update-call.ts'
import { agentNames } from '../../src/features/supervision/agent-names.ts'
import { createCallCounters } from '../../src/features/supervision/call-counters.ts'
import { callsNow, callsToday, type Overview } from '../../src/features/supervision/overview.ts'
import { createOverviewFeed } from '../../src/features/supervision/overview-feed.ts'
import { clinicDayAt } from '../../src/kernel/clinic-day.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createInProcessNotifications } from '../../src/providers/notifications/in-process.ts'

const names = agentNames([], [])
const day = clinicDayAt(Date.parse('2025-01-15T09:00:00.000Z'), 'Asia/Kolkata')

function overviewWith(createdThisHour: number): Overview {
  return {
    at: '2025-01-15T09:00:00.000Z',
    agents: [],
    callsNow: callsNow([], names),
    today: callsToday({ day, isComplete: true, counters: createCallCounters(day.timeZone), live: [] }, names, 20),
    missedWaiting: { count: 0, oldestAt: null, calls: [] },
    freeSlots: [],
    unknownCallers: { enabled: true, createdThisHour, maxPerHour: 100, leftOutThisHour: 0 },
  }
}

/** A feed with a subscriber. Each computation waits until the test settles it. */
function feedWithSubscriber() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const notifications = createInProcessNotifications({ log: createLog('silent') })
  const computations: PromiseWithResolvers<Overview>[] = []
  const feed = createOverviewFeed({ notifications }, () => {
    const computation = Promise.withResolvers<Overview>()
    computations.push(computation)
    return computation.promise
  })
  const listener = vi.fn<() => void>()
  const subscription = feed.subscribe('w', listener)
  onTestFinished(() => subscription[Symbol.dispose]())
  return {
    listener,
    computations,
    change: async () => {
      await notifications.publish({ topic: callTopic, workspaceId: 'w', payload: 'ucid' })
      await vi.advanceTimersByTimeAsync(1_000)
    },
    settle: async (index: number, createdThisHour: number) => {
      computations[index]?.resolve(overviewWith(createdThisHour))
      await vi.advanceTimersByTimeAsync(0)
    },
    latest: async () => (await feed.latest('w')).unknownCallers.createdThisHour,
  }
}

test('a subscriber who came while the store was away hears of the first change after it', async () => {
  const { computations, listener, change, settle, latest } = feedWithSubscriber()
  computations[0]?.reject(new AppError('STORE_UNAVAILABLE'))
  const shown = latest()
  await settle(0, 0)
  await settle(1, 1)
  expect(await shown).toBe(1)
  await change()
  await settle(2, 2)
  expect(listener).toHaveBeenCalledTimes(1)
  expect(await latest()).toBe(2)
})

test('an overview that took long does not replace one that was read later', async () => {
  const { computations, listener, change, settle, latest } = feedWithSubscriber()
  await settle(0, 0)
  await change()
  await change()
  await change()
  // The next one waits for it, and has all changes of that time.
  expect(computations).toHaveLength(2)
  await settle(1, 1)
  await settle(2, 2)
  expect([await latest(), computations.length]).toEqual([2, 3])
  expect(listener).toHaveBeenCalledTimes(2)
})
