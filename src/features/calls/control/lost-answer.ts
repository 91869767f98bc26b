import { AppError, type ErrorReason } from '../../../kernel/errors.ts'

/** After these, the provider has not done what it was asked. */
const refusals: ReadonlySet<ErrorReason> = new Set([
  'INVALID_INPUT',
  'NOT_CONFIGURED',
  'NOT_FOUND',
  'NOT_SUPPORTED',
  'PROVIDER_REFUSED',
  'WRONG_STATE',
])

/** Whether the provider certainly has not done what it was asked. */
export function isRefusal(error: unknown): boolean {
  return error instanceof AppError && refusals.has(error.reason)
}

/** Whether the provider knows no such party in the call now, or no such call. */
export function isGone(error: unknown): boolean {
  return error instanceof AppError && (error.reason === 'INVALID_INPUT' || error.reason === 'NOT_FOUND')
}
