let factor = 1

/**
 * How many times longer than usual this process waits for other parties: for their answers, for their silence to count, for a lease. Only for
 * tests, whose machine may be busy: what expires by itself (leases, locks, permissions to repeat) does not grow, and must outlive these waits.
 */
export function scaleDeadlines(times: number): void {
  factor = times
}

/** A wait of this process for another party, in milliseconds. */
export function scaled(ms: number): number {
  return ms * factor
}

/** Aborts with a TimeoutError after this wait. */
export function deadlineSignal(ms: number): AbortSignal {
  return AbortSignal.timeout(scaled(ms))
}
