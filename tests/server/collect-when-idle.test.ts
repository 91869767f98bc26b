import { expect, test } from 'vitest'
import { collectWhenIdle } from '../../src/kernel/collect-when-idle.ts'
import { waitFor } from '../harness/wait-for.ts'

const heapMb = (): number => process.memoryUsage().heapTotal / 1_048_576

/** The size of the heap when it holds a million objects that nothing refers to any more. */
function heapWithGarbage(): number {
  const objects = Array.from({ length: 1_000_000 }, (_, index) => ({ index }))
  return objects.length > 0 ? heapMb() : 0
}

/** Leaves the event loop no idle time, but runs its timers. */
async function work(forMs: number): Promise<void> {
  const until = performance.now() + forMs
  while (performance.now() < until) {
    const pieceEnds = performance.now() + 10
    while (performance.now() < pieceEnds);
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test('the memory of garbage goes back to the system when the thread has little to do, and not before', async () => {
  const before = heapMb()
  const grown = heapWithGarbage()
  const half = before + (grown - before) / 2
  expect(grown - before).toBeGreaterThan(20)
  using _ = collectWhenIdle({ everyMs: 50 })
  await work(300)
  expect(heapMb()).toBeGreaterThan(half)
  await waitFor(() => heapMb() < half)
})
