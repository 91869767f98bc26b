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
