import { expect, test } from 'vitest'
import { tryCrossings } from '../harness/crossings/try-crossings.ts'

test('no operation shows or changes anything of another workspace, whatever ids and headers name it', async () => {
  const { operations, leaks, changes, statuses, unreached, seenFromInside } = await tryCrossings({ rounds: 1, seed: 1, alternately: true })
  expect({ leaks, changes }).toEqual({ leaks: [], changes: [] })
  expect(operations).toBeGreaterThan(150)
  // The attempts reach the operations: most are not refused for their form.
  expect(statuses['200']).toBeGreaterThan(25)
  expect((statuses['404'] ?? 0) + (statuses['NOT_FOUND'] ?? 0)).toBeGreaterThan(25)
  expect((statuses['400'] ?? 0) + (statuses['BAD_USER_INPUT'] ?? 0)).toBeLessThan(50)
  expect((statuses['401'] ?? 0) + (statuses['UNAUTHENTICATED'] ?? 0)).toBeLessThan(15)
  // One try each: some of them is refused for its form.
  expect(unreached.length).toBeLessThan(45)
  expect(unreached.filter((operation) => /^(visitor: (GET|DELETE)|subscription|POST .hooks)/.test(operation))).toEqual([])
  // The same search finds something in what the other workspace's own manager reads.
  expect(seenFromInside).toBeGreaterThan(10)
})
