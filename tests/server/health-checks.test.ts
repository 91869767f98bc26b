import { expect, test } from 'vitest'
import type { QueueDepth } from '../../src/ports/event-bus.ts'
import { outboxBound } from '../../src/ports/outbox.ts'
import { checkBus } from '../../src/server/operations/health-checks.ts'

const none: QueueDepth = { events: 0, oldestAgeMs: 0, parked: 0 }
const problemOf = async (receiver: Partial<QueueDepth>, deadLetters = 0) => {
  const depth = { ...none, ...receiver, receivers: { insights: { ...none, ...receiver } }, deadLetters }
  return (await checkBus({ depth: async () => depth })).problem
}

test('the event bus is degraded if the outbox is full, if events wait too long, and if there are dead letters', async () => {
  expect(await problemOf({})).toBeNull()
  expect(await problemOf({ events: 20, oldestAgeMs: 5 * 60_000 })).toBeNull()
  expect(await problemOf({ events: 0, oldestAgeMs: 6 * 60_000 })).toBeNull()
  expect(await problemOf({ events: outboxBound.maxEvents - 1 })).toBeNull()
  expect(await problemOf({ events: outboxBound.maxEvents })).toMatch(/outbox is full.*insights/)
  expect(await problemOf({ events: 1, oldestAgeMs: 6 * 60_000 })).toMatch(/more than five minutes.*insights/)
  expect(await problemOf({}, 3)).toMatch(/3 dead letters/)
})

test('events that wait for configuration do not degrade it', async () => {
  expect(await problemOf({ parked: 500 })).toBeNull()
})
