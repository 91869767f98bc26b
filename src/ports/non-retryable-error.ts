/** Why an event can never be worked, in words for a manager; it holds no text of the event. */
export type PoisonReason = 'NOT_JSON' | 'WRONG_SCHEMA' | 'UNKNOWN_VERSION' | 'UNKNOWN_LEAD' | 'MODEL_REFUSED' | 'NOT_CONFIGURED'

/** Thrown by a consumer for an event that no further try can help: it becomes a dead letter. Every other fault is a passing one. */
export class NonRetryableError extends Error {
  readonly reason: PoisonReason

  constructor(reason: PoisonReason, options: { readonly detail?: string; readonly cause?: unknown } = {}) {
    super(options.detail ?? reason, { cause: options.cause })
    this.name = 'NonRetryableError'
    this.reason = reason
  }
}
