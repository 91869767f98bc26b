import { type Shares, unlimited } from '../../kernel/fair-queue.ts'
import type { LoopReading } from '../../kernel/loop-watch.ts'

/** How much one member and one workspace may have under way while the event loop is late. */
export type Crowding = {
  /** No limits if the loop is not late. */
  readonly shares: Shares
  /** True if there are limits. */
  readonly isCrowded: boolean
  /** More than `burst` begin between two checks: limits begin, before it is known whether these make the loop late. */
  begin(): void
  /** Ten times a second: adapts the limits. */
  check(reading: LoopReading, work: Work): void
}

/** `held`: refusals that are held back; their clients come again. */
type Work = { readonly underWay: number; readonly waiting: number; readonly held: number }

/** Below it the loop has time left. */
const busyShare = 0.5
/** Limits begin at so much of the delay at which requests are refused: others wait for what is under way several times during a request. */
const crowdedShare = 0.03
/** So many begin between two checks without limits: what has begun cannot be taken back. */
export const burst = 8
const mostPerMember = 64
const [leastPerWorkspace, membersPerWorkspace] = [32, 8]
/** So many of one member go on: a long one, such as the wait for an analysis, must not stop the next ones of an honest client. */
const modest = 4
/** A page that opens asks for so much at once: it goes on, one after the other. */
const several = 16
/** With fewer, something else makes the loop late, or one request alone does. */
const fewUnderWay = 4
/** If one of each member makes the loop late, those who have more wait for so many checks. */
const [firstPause, longestPause] = [4, 10]
/** Checks without anything that waits until there are no limits. */
const calmChecks = 10

/**
 * A member whose client sends hundreds of requests at once makes all others wait. So while the loop is late, each has only so many under way: half as many
 * after each check that finds it late, one more after each other in which requests wait. If one is too much, who has more than `several` pauses, each time for
 * longer. Nobody who has less notices. `maxDelayMs`: of an overload; 0: there are no limits.
 */
export function createCrowding(maxDelayMs: number): Crowding {
  let shares = unlimited
  let [checksWithoutWait, pause, pauseLeft] = [0, 0, 0]
  const set = (perMember: number): void => {
    shares = { perMember, perWorkspace: Math.max(leastPerWorkspace, membersPerWorkspace * perMember), modest, several }
  }
  const lower = (): void => {
    set(Math.floor(shares.perMember / 2))
    if (shares.perMember === 0) pauseLeft = pause = Math.min(longestPause, Math.max(firstPause, 2 * pause))
  }
  const raise = (): void => {
    if (shares.perMember > 1) pause = 0
    set(Math.min(mostPerMember, shares.perMember + 1))
  }
  return {
    get shares() {
      return shares
    },
    get isCrowded() {
      return shares !== unlimited
    },
    begin() {
      if (maxDelayMs > 0 && shares === unlimited) set(burst)
    },
    check({ delayMs, utilization }, { underWay, waiting, held }) {
      const isLate = maxDelayMs > 0 && underWay + waiting > fewUnderWay && utilization > busyShare && delayMs > maxDelayMs * crowdedShare
      checksWithoutWait = waiting + held > 0 || isLate ? 0 : checksWithoutWait + 1
      if (shares === unlimited) {
        if (isLate) set(burst / 2)
      } else if (checksWithoutWait >= calmChecks) shares = unlimited
      else if (pauseLeft > 0) pauseLeft -= 1
      else if (isLate && shares.perMember > 0) lower()
      else if (waiting > 0) raise()
    },
  }
}
