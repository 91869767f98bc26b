/** The current time. Tests can set it, so no other code calls `Date.now()`. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A time as ISO 8601 in UTC: the format of every time that this service returns. */
export function isoMoment(epochMs: number): string {
  return new Date(epochMs).toISOString()
}
