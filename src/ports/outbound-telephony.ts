/**
 * The second telephony provider: it rings an agent's phone, then the customer, without an agent session. Phone numbers are E.164,
 * moments ISO 8601 in UTC. Errors of all methods: PROVIDER_UNAVAILABLE (with `data.retryAfterSeconds` where it has a rate limit),
 * DEADLINE_PASSED, PROVIDER_ANSWER_INVALID, PROVIDER_REFUSED.
 */
export interface OutboundTelephony {
  /**
   * Begins a call. Not repeatable: a second request makes a second call.
   * Errors: INVALID_INPUT (a number that the provider does not take).
   */
  dial(request: OutboundDial): Promise<{ readonly callId: string; readonly startedAt: string | null }>

  /**
   * The recording's bytes as a stream, asked for with the provider's own credentials; repeatable. They are sent to the provider's own
   * hosts alone. `range` is a Range header. Errors: NOT_FOUND (not there, or not yet), INVALID_INPUT (an address elsewhere).
   */
  recording(request: { readonly url: string; readonly range?: string; readonly signal?: AbortSignal }): Promise<RecordingStream>
}

/** The longest that dialling takes, and a recording until its first byte. */
export const outboundDeadlineMs = 10_000

export type OutboundDial = {
  /** Rung first. */
  readonly agentPhoneNumber: string
  readonly phoneNumber: string
  readonly recorded: boolean
  /** Where the provider tells how the call went; https outside a sandbox. */
  readonly statusCallbackUrl: string | null
  /** Comes back in the status; at most 128 characters. */
  readonly reference: string
}

export type RecordingStream = {
  /** 200, or 206 for a range. */
  readonly status: number
  readonly contentType: string
  readonly contentLength: number | null
  readonly contentRange: string | null
  readonly body: AsyncIterable<Uint8Array>
}
