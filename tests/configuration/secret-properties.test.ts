import { expect, test } from 'vitest'
import { createMemoryDocuments } from '../builders/memory-documents.ts'
import { runSecretRounds } from '../harness/secret-rounds.ts'

test('generated documents, whole and partial, never lose, show or overwrite a secret', async () => {
  const counts = await runSecretRounds({ store: createMemoryDocuments(), count: 1_500, seed: 20_250_115 })
  expect(counts.rounds).toBe(1_500)
  // The rounds prove nothing if nearly all are refused, or if no secret changes.
  expect(counts.accepted).toBeGreaterThan(300)
  expect(counts.unchanged).toBeGreaterThan(300)
  expect(counts.set).toBeGreaterThan(100)
  expect(counts.cleared).toBeGreaterThan(50)
})
