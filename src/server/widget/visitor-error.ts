import { AppError, type ErrorReason } from '../../kernel/errors.ts'

/** Errors about the visitor's own request; their messages are our own. */
const shownUnchanged: ReadonlySet<ErrorReason> = new Set<ErrorReason>([
  'WIDGET_KEY_REFUSED',
  'ORIGIN_REFUSED',
  'INVALID_INPUT',
  'NOT_FOUND',
  'SLOT_TAKEN',
  'WRONG_STATE',
  'TOO_MANY_TRIES',
  'ASSISTANT_MISSING',
])
/** The usual text of these is for staff. */
const shownShort: ReadonlySet<ErrorReason> = new Set<ErrorReason>(['STORE_UNAVAILABLE', 'DEADLINE_PASSED', 'UNKNOWN'])

/** The error for a visitor: without the hospital's platform, its key or this service's setup. */
export function visitorError(error: AppError): AppError {
  if (shownUnchanged.has(error.reason)) return error
  if (shownShort.has(error.reason)) {
    const { reason, title, data } = error
    return new AppError(reason, { detail: `${title}; try again in a minute`, cause: error, ...(data && { data }) })
  }
  const reason = error.reason === 'OVERLOADED' ? 'OVERLOADED' : 'PROVIDER_UNAVAILABLE'
  const data = { retryAfterSeconds: error.data?.retryAfterSeconds ?? 30 }
  return new AppError(reason, { detail: 'The hospital cannot be reached at the moment; try again later', data, cause: error })
}
