import type { BeginQueue } from './begin-queue.ts'
import type { Log } from '../../kernel/log.ts'
import type { LoopReading } from '../../kernel/loop-watch.ts'

/** Decides which requests get an answer if more arrive than a thread can answer. */
export type Admission = {
  /** Requests that may be under way; null if there is no overload. */
  readonly limit: number | null
  /** The share of requests that were let in lately; 1 if there is no overload. */
  readonly admittedRatio: number
  /** Refused since the start. */
  readonly refused: number
  /** Counts a request. True if there is no overload. One begins if requests have waited for long in `queue`. */
  isCalm(queue?: Pick<BeginQueue, 'length' | 'waitMs'>): boolean
  /** In an overload: false if the request must be refused, unless it is one that never is. `isModest`: its owner has few requests in all. */
  admits(isModest?: boolean): boolean
  /** In an overload: false if this network has sent more of those that are never refused than a real client does. */
  admitsVital(network: string): boolean
  /** In an overload: a request begins, or has its answer. */
  begin(): void
  end(): void
  /** Counts a refusal. */
  refuse(): void
  /** Every tenth of a second: adapts the limit to the event loop. `underWay`: requests without an answer, streams left out. */
  check(underWay: number, reading: LoopReading): void
}

export type AdmissionRules = {
  /** 0 never refuses. */
  readonly maxDelayMs: number
  /** Whether so many requests can be an overload: `arrived` since the last check. */
  readonly isLoad: (counts: { readonly arrived: number; readonly underWay: number }) => boolean
  readonly onBegan: (figures: { readonly delayMs: number; readonly limit: number }) => void
  readonly onOver: () => void
}

/** Requests between two checks: with fewer, a slow event loop is no overload. */
const fewRequests = 10
/** No overload begins with so few under way, and no modest owner is refused: they wait for each other only. */
const fewUnderWay = 32
/** Below it the loop has time left. */
const busyShare = 0.8
/** So many may always be under way, so that the loop has work to do, whatever else makes it late. */
const leastLimit = 10
const [steepestCut, steepestRise] = [0.1, 1.15]
/** So many times the wanted delay is an overload at once. */
const veryLate = 4
/** So many times the wanted delay may requests wait in the queue: they delay each other, but nothing else. */
const queuePatience = 4
/** Checks without a request too many until the overload is over. */
const calmChecks = 10
/** Between two checks, from one network: thousands of agents or a provider's webhooks are far below it. */
const mostVital = 100

/**
 * The event loop's delay is what every request waits for, so it decides. While it is too long, only so many requests may be under way; the limit
 * moves with the ratio of the wanted delay to the delay. A refusal costs the least if it comes before anything is done.
 */
export function createAdmission({ maxDelayMs, isLoad, onBegan, onOver }: AdmissionRules): Admission {
  let limit: number | null = null
  let [admittedRatio, underWay, requests, slowChecks, refused, refusedBefore, checksWithRoom] = [1, 0, 0, 0, 0, 0, 0]
  const vital = createNetworkLimit()
  const start = (delayMs: number, underWay: number): void => {
    limit = lowered(underWay, maxDelayMs / delayMs)
    checksWithRoom = 0
    onBegan({ delayMs: Math.round(delayMs), limit })
  }
  const adapt = ({ delayMs, utilization }: LoopReading): void => {
    const isBusy = utilization > busyShare && isLoad({ arrived: requests, underWay })
    const isSlow = isBusy && delayMs > maxDelayMs
    slowChecks = isSlow ? slowChecks + 1 : 0
    // About half a second counts.
    if (requests > 0) admittedRatio += 0.2 * (1 - (refused - refusedBefore) / requests - admittedRatio)
    ;[requests, refusedBefore] = [0, refused]
    checksWithRoom += 1
    if (limit === null) {
      if (underWay > fewUnderWay && (slowChecks > 1 || (isSlow && delayMs > veryLate * maxDelayMs))) start(delayMs, underWay)
    } else if (!isSlow && checksWithRoom > calmChecks) {
      ;[limit, admittedRatio] = [null, 1]
      onOver()
    } else {
      limit = nextLimit({ limit, underWay, isSlow, ratio: isBusy ? maxDelayMs / Math.max(delayMs, 1) : steepestRise })
    }
  }

  return {
    get limit() {
      return limit
    },
    get admittedRatio() {
      return admittedRatio
    },
    get refused() {
      return refused
    },
    isCalm(queue) {
      requests += 1
      const delayMs = limit === null && queue ? queueDelay(queue) : 0
      if (maxDelayMs > 0 && delayMs > maxDelayMs) start(delayMs, (underWay += queue?.length ?? 0))
      return limit === null
    },
    admits(isModest = false) {
      const hasRoom = limit === null || underWay < (isModest ? Math.max(limit, fewUnderWay) : limit)
      if (!hasRoom) checksWithRoom = 0
      return hasRoom
    },
    admitsVital: (network) => vital.admits(network),
    begin: () => void (underWay += 1),
    end: () => void (underWay -= 1),
    refuse: () => void (refused += 1),
    check(counted, reading) {
      if (maxDelayMs === 0) return
      underWay = counted
      vital.clear()
      adapt(reading)
    },
  }
}

/** For the requests of the HTTP server. */
export function createHttpAdmission(maxDelayMs: number, log: Log): Admission {
  return createAdmission({
    maxDelayMs,
    isLoad: ({ arrived }) => arrived >= fewRequests,
    onBegan: (figures) => log.warn(figures, 'http.overload-began'),
    onOver: () => log.info('http.overload-over'),
  })
}

/** The delay of the event loop that counts as much as the wait of the first request in the queue. */
export function queueDelay(queue: Pick<BeginQueue, 'length' | 'waitMs'>): number {
  return queue.length > fewUnderWay ? queue.waitMs() / queuePatience : 0
}

/** It is cleared so often that its size needs no other bound. */
function createNetworkLimit() {
  const counts = new Map<string, number>()
  return {
    admits(network: string): boolean {
      const count = (counts.get(network) ?? 0) + 1
      counts.set(network, count)
      return count <= mostVital
    },
    clear: () => counts.clear(),
  }
}

type Course = { readonly limit: number; readonly underWay: number; readonly isSlow: boolean; readonly ratio: number }

function nextLimit({ limit, underWay, isSlow, ratio }: Course): number {
  if (!isSlow) return raised(limit, ratio)
  // While more are under way than may be, the last cut has not yet had its effect.
  return underWay > limit ? limit : lowered(limit, ratio)
}

/** What makes the loop late while it is not busy is not the requests. */
function raised(limit: number, ratio: number): number {
  return Math.ceil(limit * Math.min(steepestRise, Math.max(1, ratio)))
}

function lowered(limit: number, ratio: number): number {
  return Math.max(leastLimit, Math.ceil(limit * Math.max(steepestCut, Math.min(1, ratio))))
}
