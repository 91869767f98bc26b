import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { z } from 'zod'

const { href } = new URL('../../src/kernel/collect-when-idle.ts', import.meta.url)
/**
 * In a process of its own, because V8 collects by itself in a heap with the garbage of other tests. It fills the heap with 40 MB that nothing refers to afterwards,
 * leaves the event loop no idle time, but runs its timers, and then does nothing until the heap is small again.
 */
const filling = `
import { collectWhenIdle } from ${JSON.stringify(href)}
const heapMb = () => process.memoryUsage().heapTotal / 1_048_576
function fillHeap() {
  const before = heapMb()
  const objects = []
  while (heapMb() < before + 40) for (let index = 0; index < 10_000; index += 1) objects.push({ index })
  return heapMb()
}
const filled = fillHeap()
`
const script = `${filling}
collectWhenIdle({ everyMs: 50 })
const until = performance.now() + 300
while (performance.now() < until) {
  const pieceEnds = performance.now() + 10
  while (performance.now() < pieceEnds);
  await new Promise((resolve) => setImmediate(resolve))
}
const worked = heapMb()
while (heapMb() > filled - 20) await new Promise((resolve) => setTimeout(resolve, 20))
console.log(JSON.stringify({ filled, worked, rested: heapMb() }))
`
const heapSchema = z.object({ filled: z.number(), worked: z.number(), rested: z.number() })

/** It works a seventh of the time, as a service that answers 200 requests a second does, and then does nothing until the heap is small again. */
const lightlyLoadedScript = `${filling}
collectWhenIdle({ everyMs: 1_000 })
const until = performance.now() + 2_500
while (performance.now() < until) {
  const pieceEnds = performance.now() + 10
  while (performance.now() < pieceEnds);
  await new Promise((resolve) => setTimeout(resolve, 60))
}
const worked = heapMb()
while (heapMb() > filled - 20) await new Promise((resolve) => setTimeout(resolve, 20))
console.log(JSON.stringify({ filled, worked, rested: heapMb() }))
`

/** It does nothing for several checks, first with a limit below what is in use, then with the usual one until the heap is small again. */
const limitedScript = `${filling}
{
  using limited = collectWhenIdle({ everyMs: 50, largestBytes: 10 * 1_048_576 })
  await new Promise((resolve) => setTimeout(resolve, 400))
}
const worked = heapMb()
collectWhenIdle({ everyMs: 50 })
while (heapMb() > filled - 20) await new Promise((resolve) => setTimeout(resolve, 20))
console.log(JSON.stringify({ filled, worked, rested: heapMb() }))
`

test.each([
  ['when the thread has nothing to do, and not before', script],
  ['when nothing waits for the pause: not of a thread that works a seventh of the time', lightlyLoadedScript],
  ['unless so much is in use that the pause would be long', limitedScript],
])('the memory of garbage goes back to the system %s', async (_when, run) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', run], { timeout: 60_000 })
  const { filled, worked, rested } = heapSchema.parse(JSON.parse(stdout))
  expect(worked).toBeGreaterThan(filled - 20)
  expect(rested).toBeLessThan(filled - 20)
})
