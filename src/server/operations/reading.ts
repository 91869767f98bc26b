import { createSingleFlight } from '../../kernel/single-flight.ts'

/**
 * What several metrics show: one reading for all that are collected at the same time, and one report if it fails. Null: it failed. A metric has no
 * sample then, because 0 would be a value.
 */
export function createReading<Value>(read: () => Promise<Value>, onFailure: (error: unknown) => void): () => Promise<Value | null> {
  const readings = createSingleFlight<Value | null>()
  return () =>
    readings.run('', () =>
      read().catch((error: unknown) => {
        onFailure(error)
        return null
      }),
    )
}
