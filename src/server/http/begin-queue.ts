/** Where requests wait for a round of the event loop. */
export type BeginQueue = {
  /** Requests that wait. */
  readonly length: number
  /** How long the first of them has waited, milliseconds; 0 if none waits. */
  waitMs(): number
  /** Calls `begin` now, or in a later round of the event loop if this round has begun enough. */
  add(begin: () => void): void
}

/** For the requests of one round. A single one can take longer. */
const roundMs = 5
/** From the queue in one round: what they do goes on when they have begun, so that their time cannot be measured here. */
const fromQueue = 14

/**
 * Beginning a request costs processor time. If hundreds arrive at once, they begin in several rounds of the event loop, so that what arrives behind them,
 * a refusal, a heartbeat or a health check, does not wait for all of them.
 */
export function createBeginQueue(): BeginQueue {
  const waiting: { readonly begin: () => void; readonly since: number }[] = []
  let roundEndsAt: number | null = null
  const startRound = (now: number): number => {
    setImmediate(endRound)
    return now + roundMs
  }
  function endRound(): void {
    roundEndsAt = null
    if (waiting.length === 0) return
    roundEndsAt = startRound(performance.now())
    for (const { begin } of waiting.splice(0, fromQueue)) begin()
  }
  return {
    get length() {
      return waiting.length
    },
    waitMs: () => (waiting[0] ? performance.now() - waiting[0].since : 0),
    add(begin) {
      const now = performance.now()
      roundEndsAt ??= startRound(now)
      if (waiting.length === 0 && now < roundEndsAt) begin()
      else waiting.push({ begin, since: now })
    },
  }
}
