import type { ErrorCode, ErrorReason } from './generated.ts'

/** One invalid field of the input. */
export interface FieldFault {
  /** Its place in the input as it was sent: `input.phoneNumber`. */
  readonly path: string
  readonly message: string
  /** The allowed values, if there are only a few. */
  readonly allowed?: readonly string[]
}

/** Facts about an error. Which ones depends on its reason: the documentation of the operation says it. */
export interface ErrorData {
  /** With BAD_USER_INPUT: each invalid field. */
  readonly fields?: readonly FieldFault[]
  /** With RATE_LIMITED: seconds to wait. */
  readonly retryAfterSeconds?: number
  readonly [name: string]: unknown
}

/** A code or reason that this version of the client does not know, for example one of the platform's. */
export type Other = string & Record<never, never>

export interface ServiceErrorFacts {
  readonly message: string
  readonly code: ErrorCode | 'NO_ANSWER' | Other
  readonly reason?: ErrorReason | Other | null
  readonly retryable?: boolean
  readonly data?: ErrorData | null
  readonly requestId?: string | null
  readonly path?: readonly (string | number)[]
  readonly cause?: unknown
}

/** Every failure of a request, of whatever handler. An abort by the caller's own signal stays an `AbortError`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  /** The kind of failure. NO_ANSWER: the service was not reached, or its answer was lost. After it, and after TIMEOUT, what was asked may have been done. */
  readonly code: ErrorCode | 'NO_ANSWER' | Other
  /** What exactly happened. Null for errors of the platform. */
  readonly reason: ErrorReason | Other | null
  /** True if the same request may succeed later. */
  readonly retryable: boolean
  readonly data: ErrorData | null
  /** Also in the service's log. */
  readonly requestId: string | null
  /** The field of the GraphQL answer that failed. Empty if the whole request did. */
  readonly path: readonly (string | number)[]
  /** All errors of a GraphQL answer, this one first. */
  errors: readonly ServiceError[] = [this]
  /** The data of a GraphQL answer that has data and errors. */
  partial: unknown = null

  constructor({ message, code, reason = null, retryable = false, data = null, requestId = null, path = [], cause }: ServiceErrorFacts) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.reason = reason
    this.retryable = retryable
    this.data = data
    this.requestId = requestId
    this.path = path
  }
}

/** Whether the token was refused, so that a renewed one may help. */
export function refusesToken(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'UNAUTHENTICATED' && error.reason !== 'SIGN_IN_REFUSED'
}
