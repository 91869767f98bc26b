/**
 * Durations in seconds, counted by bucket: plain numbers, because each request adds some. `counts[i]` is how many were at most
 * `bucketSeconds[i]` and longer than the bucket before; the last one counts those that were longer still.
 */
export type Durations = { readonly counts: number[]; sum: number }

/** Those that OpenTelemetry advises for HTTP, and the deadline of a request. */
export const bucketSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30] as const

export function newDurations(): Durations {
  return { counts: Array.from({ length: bucketSeconds.length + 1 }, () => 0), sum: 0 }
}

export function addDuration(durations: Durations, seconds: number): void {
  let bucket = 0
  while (seconds > (bucketSeconds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1
  durations.counts[bucket] = (durations.counts[bucket] ?? 0) + 1
  durations.sum += seconds
}
