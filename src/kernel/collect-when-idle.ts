import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Timers alone take 1 to 4 % of a thread's time. Of a thread that works more, the pause would delay requests. */
const idleUtilization = 0.05
/** Memory that has grown by less is not worth the pause. */
const leastGrowth = 1.2
/** A collection pauses the thread for 2 ms per MB that is in use: 1.5 s at most. */
const largestHeapBytes = 768 * 1_048_576

/**
 * Gives the memory of garbage back to the system when the thread that calls it has nothing to do. V8 collects only while a program allocates, so what a
 * start or a time of load leaves would stay for hours. A collection of the service's own 50 MB takes 0.1 s (docs/benchmarks.md).
 */
export function collectWhenIdle({ everyMs = 20_000, largestBytes = largestHeapBytes } = {}): Disposable {
  let before: EventLoopUtilization = performance.eventLoopUtilization()
  let collectedBytes = 0
  const check = (): void => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    if (utilization > idleUtilization || heldBytes() < collectedBytes * leastGrowth) return
    // What is in use may be garbage for the most part: only a collection shows it.
    if (process.memoryUsage().heapUsed > largestBytes) return
    collect()
    collectedBytes = heldBytes()
  }
  const timer = setInterval(check, everyMs).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

function heldBytes(): number {
  const { heapTotal, external } = process.memoryUsage()
  return heapTotal + external
}

/** Only this flavor makes the heap's young part small again and returns its pages. V8 has the function in contexts made after the flag is set. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext("gc({ type: 'major', flavor: 'last-resort' })")
}
