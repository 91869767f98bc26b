import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Log } from '../../kernel/log.ts'

/** What the event loop did since the last check: its usual delay, and its share of time at work. */
export type LoopReading = { readonly delayMs: number; readonly utilization: number }

/** Decides which requests get an answer if more arrive than the process can answer. */
export type Admission = Disposable & {
  /** The share of requests that are let in; 1 if there is no overload. */
  readonly share: number
  /** Refused since the start. */
  readonly refused: number
  /** Counts a request. True if there is no overload. */
  isCalm(): boolean
  /** In an overload: false if the request must be refused, unless it is one that never is. */
  admits(): boolean
  /** Counts a refusal. */
  refuse(): void
  /** Every tenth of a second: adapts the share to the event loop. */
  check(reading?: LoopReading): void
}

/** Requests between two checks: with fewer, a slow event loop is no overload. */
const fewRequests = 10
/** Below it the loop has time left, and its delay has other causes: another process takes the processor. */
const busyShare = 0.8
const leastShare = 0.02
const [steepestCut, steepestRise] = [0.3, 1.15]
const resolutionMs = 10

/**
 * The event loop's delay is what every request waits for, so it decides. A request costs the least if it is refused before anything is done for
 * it; the share of those that are let in moves with the ratio of the wanted delay to the delay. `maxDelayMs`: 0 never refuses.
 */
export function createAdmission(maxDelayMs: number, log: Log): Admission {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  if (maxDelayMs > 0) delays.enable()
  let before: EventLoopUtilization = performance.eventLoopUtilization()
  let [share, credit, requests, slowChecks, refused] = [1, 0, 0, 0, 0]

  const read = (): LoopReading => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    const delayMs = delays.count === 0 ? 0 : delays.percentile(50) / 1e6 - resolutionMs
    delays.reset()
    return { delayMs, utilization }
  }
  const adapt = ({ delayMs, utilization }: LoopReading): void => {
    const isSlow = delayMs > maxDelayMs && utilization > busyShare && requests >= fewRequests
    slowChecks = isSlow ? slowChecks + 1 : 0
    requests = 0
    // A single slow check can be one long step of work.
    if (share === 1 && slowChecks < 2) return
    const ratio = maxDelayMs / Math.max(delayMs, 1)
    const step = isSlow ? Math.max(steepestCut, ratio) : Math.min(steepestRise, Math.max(1, ratio))
    const next = Math.min(1, Math.max(leastShare, share * step))
    if (share === 1 && next < 1) log.warn({ delayMs: Math.round(delayMs) }, 'http.overload-began')
    if (share < 1 && next === 1) log.info('http.overload-over')
    share = next
  }

  return {
    get share() {
      return share
    },
    get refused() {
      return refused
    },
    isCalm() {
      requests += 1
      return share === 1
    },
    admits() {
      credit += share
      if (credit < 1) return false
      credit -= 1
      return true
    },
    refuse: () => void (refused += 1),
    check(reading) {
      if (maxDelayMs > 0) adapt(reading ?? read())
    },
    [Symbol.dispose]: () => void delays.disable(),
  }
}
