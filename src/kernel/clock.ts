/** Time as the service sees it. Tests move it; nothing else reads `Date.now()`. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A moment as ISO 8601 in UTC, the form in which every moment leaves this service. */
export function isoMoment(epochMs: number): string {
  return new Date(epochMs).toISOString()
}
