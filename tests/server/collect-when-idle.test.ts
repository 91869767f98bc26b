import { expect, test } from 'vitest'
import { collectWhenIdle } from '../../src/kernel/collect-when-idle.ts'
import { waitFor } from '../harness/wait-for.ts'

const heapMb = (): number => process.memoryUsage().heapTotal / 1_048_576

/** Fills the heap until it has grown by 40 MB, however much of it was free before. Afterwards nothing refers to the objects. */
function fillHeap(): number {
  const before = heapMb()
  const objects: object[] = []
  while (heapMb() < before + 40) for (let index = 0; index < 10_000; index += 1) objects.push({ index })
  return heapMb()
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
  const filled = fillHeap()
  using _ = collectWhenIdle({ everyMs: 50 })
  await work(300)
  expect(heapMb()).toBeGreaterThan(filled - 20)
  await waitFor(() => heapMb() < filled - 20)
})
