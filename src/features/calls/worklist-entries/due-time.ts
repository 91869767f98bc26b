import { type AppError, invalidInput } from '../../../kernel/errors.ts'

const mostAheadMs = 365 * 86_400_000
/** A client's clock may be behind ours. */
const toleranceMs = 5 * 60_000

/** Whether somebody can be due to be called at this moment. `at`: ISO 8601; `now`: epoch milliseconds. */
export function canBeDue(at: string, now: number): boolean {
  const aheadMs = Date.parse(at) - now
  return aheadMs >= -toleranceMs && aheadMs <= mostAheadMs
}

export function cannotBeDue(path: string): AppError {
  return invalidInput(path, 'must be in the future, at most 365 days ahead')
}
