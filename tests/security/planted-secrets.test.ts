import { expect, test } from 'vitest'
import { searchPlantedSecrets } from '../harness/planted-secrets.ts'

test('no secret, and nothing about a person, gets into the log, metrics, traces, dead letters or errors', async () => {
  const { found, ...counts } = await searchPlantedSecrets({ answers: ['refuses with 200', 'fails with 500'], runs: 1, misplace: 4 })
  expect(found).toEqual([])
  // The search proves nothing if the upstreams were not asked, or if nothing was logged.
  expect(counts.shown).toBeGreaterThanOrEqual(40)
  expect(counts.finds).toBe(true)
  expect(counts.hostile).toBeGreaterThan(50)
  expect(counts.errors).toBeGreaterThan(50)
  expect(counts.deadLetters).toBeGreaterThan(0)
  expect(counts.spans).toBeGreaterThan(0)
  expect(counts.endings).toBe(6)
  expect(counts.ways).toBe(4)
  expect(counts.lines).toBeGreaterThan(100)
})
