import { expect, test } from 'vitest'
import type { QueueDepth } from '../../src/ports/event-bus.ts'
import { outboxBound } from '../../src/ports/outbox.ts'
import { pino } from 'pino'
import { reportUnreachable } from '../../src/server/operations/report-unreachable.ts'
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
  expect(await problemOf({}, 3)).toMatch(/Dead letters are stored .3./)
})

test('events that wait for configuration do not degrade it', async () => {
  expect(await problemOf({ parked: 500 })).toBeNull()
})

test('the start names a platform that does not answer, and does not wait for one that hangs', async () => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  await using failing = await reportUnreachable(log, 'https://crm.example.com', () => Promise.reject(new Error('away')))
  expect(failing).toBeDefined()
  expect(lines.join('')).toContain('platform.unreachable')
  expect(lines.join('')).toContain('"address":"https://crm.example.com"')
  lines.length = 0
  const hangs = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }))
  const hanging = await reportUnreachable(log, 'https://crm.example.com', hangs)
  await hanging[Symbol.asyncDispose]()
  const well = await reportUnreachable(log, 'https://crm.example.com', async () => undefined)
  await well[Symbol.asyncDispose]()
  expect(lines).toEqual([])
})
