import { AppError, type ErrorReason } from '../../kernel/errors.ts'

/** What a visitor is told in our own words; all of it is about what the visitor asked. */
const toldAsTheyAre: ReadonlySet<ErrorReason> = new Set<ErrorReason>([
  'WIDGET_KEY_REFUSED',
  'ORIGIN_REFUSED',
  'INVALID_INPUT',
  'NOT_FOUND',
  'SLOT_TAKEN',
  'WRONG_STATE',
  'TOO_MANY_TRIES',
  'ASSISTANT_MISSING',
  'STORE_UNAVAILABLE',
  'DEADLINE_PASSED',
  'UNKNOWN',
])

/** The error as a visitor may see it: nothing of the hospital's platform, its key, or how this service is set up. */
export function visitorError(error: AppError): AppError {
  if (toldAsTheyAre.has(error.reason)) return error
  const reason = error.reason === 'OVERLOADED' ? 'OVERLOADED' : 'PROVIDER_UNAVAILABLE'
  const data = { retryAfterSeconds: error.data?.retryAfterSeconds ?? 30 }
  return new AppError(reason, { detail: 'The hospital cannot be reached at the moment; try again later', data, cause: error })
}
