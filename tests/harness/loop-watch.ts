import { PerformanceObserver } from 'node:perf_hooks'

/** How long the event loop of this process was held. Reading starts a new measurement. */
export type LoopWatch = Disposable & { read(): LoopHold }

/**
 * `wallMs`: the longest time between two rounds of the loop. `cpuMs`: the most processor time in one, which a busy machine does not change. `ownMs`: the
 * most in one without collections of garbage, which may fall in any round. `collections`: the number of those, and the longest by the clock.
 */
export type LoopHold = {
  readonly wallMs: number
  readonly cpuMs: number
  readonly ownMs: number
  readonly collections: { readonly count: number; readonly longestMs: number }
}

type Round = { readonly from: number; readonly to: number; readonly cpuMs: number }
type Collection = { readonly at: number; readonly ms: number }

/** Shorter rounds are not compared with collections of garbage. */
const leastRoundMs = 5

export function watchLoop(): LoopWatch {
  let longest = { wallMs: 0, cpuMs: 0 }
  let rounds: Round[] = []
  let collections: Collection[] = []
  let measuredAt = performance.now()
  let used = process.threadCpuUsage()
  const add = (entries: readonly PerformanceEntry[]): void =>
    entries.forEach(({ startTime, duration }) => collections.push({ at: startTime, ms: duration }))
  const observer = new PerformanceObserver((list) => add(list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  const measure = (): void => {
    const now = performance.now()
    const { user, system } = process.threadCpuUsage(used)
    const cpuMs = (user + system) / 1_000
    longest = { wallMs: Math.max(longest.wallMs, now - measuredAt - 1), cpuMs: Math.max(longest.cpuMs, cpuMs) }
    if (cpuMs >= leastRoundMs) rounds.push({ from: measuredAt, to: now, cpuMs })
    measuredAt = now
    used = process.threadCpuUsage()
  }
  const timer = setInterval(measure, 1)
  return {
    read() {
      measure()
      add(observer.takeRecords())
      const ownMs = Math.max(Math.min(longest.cpuMs, leastRoundMs), ...rounds.map((round) => ownWork(round, collections)))
      const read = {
        ...longest,
        ownMs,
        collections: { count: collections.length, longestMs: Math.max(0, ...collections.map(({ ms }) => ms)) },
      }
      longest = { wallMs: 0, cpuMs: 0 }
      rounds = []
      collections = []
      return read
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      observer.disconnect()
    },
  }
}

/** Collections are measured by the clock: on a busy machine they had the same part of the processor time as of the round. */
function ownWork({ from, to, cpuMs }: Round, collections: readonly Collection[]): number {
  const collected = collections.filter(({ at }) => at >= from && at < to).reduce((sum, { ms }) => sum + ms, 0)
  return cpuMs * (1 - Math.min(collected / (to - from), 1))
}
