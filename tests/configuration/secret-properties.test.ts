import { expect, test } from 'vitest'
import { createMemoryDocuments } from '../builders/memory-documents.ts'
import { runSecretRounds } from '../harness/secret-rounds.ts'

test('generated documents, whole and partial, lose, show or overwrite no secret', async () => {
  const tally = await runSecretRounds({ store: createMemoryDocuments(), count: 1_500, seed: 20_250_115 })
  expect(tally.rounds).toBe(1_500)
  // The rounds say nothing where nearly all are refused, or where nothing happens to secrets.
  expect(tally.accepted).toBeGreaterThan(300)
  expect(tally.kept).toBeGreaterThan(300)
  expect(tally.set).toBeGreaterThan(100)
  expect(tally.cleared).toBeGreaterThan(50)
})
