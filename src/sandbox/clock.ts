/** The current time of the stand-ins. Tests can set it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A moment as ISO 8601 in UTC, as the third parties write it. */
export function isoMoment(epochMs: number): string {
  return new Date(epochMs).toISOString()
}
