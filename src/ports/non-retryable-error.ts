/** Why no further try can help, for a manager to read; it contains no text of the event. */
export const nonRetryableReasons = [
  'NOT_JSON',
  'WRONG_SCHEMA',
  'UNKNOWN_VERSION',
  'UNKNOWN_LEAD',
  'MODEL_REFUSED',
  'RECORD_REFUSED',
  'NOT_CONFIGURED',
  'NOT_DELIVERED',
] as const
export type NonRetryableReason = (typeof nonRetryableReasons)[number]

/** Thrown by a consumer if no further try can help: the event becomes a dead letter. After every other error the event is tried again. */
export class NonRetryableError extends Error {
  readonly reason: NonRetryableReason

  constructor(reason: NonRetryableReason, options: { readonly detail?: string; readonly cause?: unknown } = {}) {
    super(options.detail ?? reason, { cause: options.cause })
    this.name = 'NonRetryableError'
    this.reason = reason
  }
}
