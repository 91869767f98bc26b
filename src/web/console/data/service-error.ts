import { ServiceError } from '@call-center-sidecar/client'

/** What went wrong, behind an error of urql or of the client. Null for an error of the page itself. */
export function serviceErrorOf(error: unknown): ServiceError | null {
  if (error instanceof ServiceError) return error
  if (typeof error === 'object' && error !== null && 'networkError' in error) return serviceErrorOf(error.networkError)
  return null
}
