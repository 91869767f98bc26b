import { AppError } from '../../kernel/errors.ts'

const dayMs = 86_400_000

/** Longer than any topic retains its events (7 days), so that an id that comes again is known. */
export const idRetentionMs = 8 * dayMs
/** Then an event becomes a dead letter, of any receiver. A receiver that exists gives it up a day earlier. */
export const eventRetentionMs = 8 * dayMs

export function outboxFull(): AppError {
  return new AppError('OVERLOADED', { data: { retryAfterSeconds: 5 } })
}
