import type { Clock } from '../../src/kernel/clock.ts'

/** A clock that stands still until it is moved. */
export type TestClock = Clock & { advance(ms: number): void }

export function createTestClock(startsAt = '2025-01-15T09:00:00.000Z'): TestClock {
  let now = Date.parse(startsAt)
  return {
    now: () => now,
    advance: (ms) => void (now += ms),
  }
}

/** A clock that goes on by itself, and can be moved forward. */
export function createRunningClock(startsAt = '2025-01-15T09:00:00.000Z'): TestClock {
  const moved = createTestClock(startsAt)
  const startedAt = performance.now()
  return { ...moved, now: () => moved.now() + Math.floor(performance.now() - startedAt) }
}
