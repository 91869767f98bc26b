import { AppError } from '../../kernel/errors.ts'
import type { OutboxBound } from '../../ports/outbox.ts'

const dayMs = 86_400_000

/** Longer than any topic retains its events (7 days), so that an id that comes again is known. */
export const idRetentionMs = 8 * dayMs
export const defaultBound = { maxEvents: 100_000, maxAgeMs: 3 * dayMs } satisfies OutboxBound

export function outboxFull(): AppError {
  return new AppError('OVERLOADED', { data: { retryAfterSeconds: 5 } })
}
