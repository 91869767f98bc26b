/**
 * The second telephony provider: it rings an agent's phone, then the customer, without an agent session. Phone numbers are E.164, times
 * ISO 8601 in UTC. Errors of all methods: PROVIDER_UNAVAILABLE (with `data.retryAfterSeconds` if the provider limits the rate),
 * DEADLINE_PASSED, PROVIDER_ANSWER_INVALID, PROVIDER_REFUSED.
 */
export interface OutboundTelephony {
  /**
   * Starts a call. Not repeatable: a second request makes a second call.
   * Errors: INVALID_INPUT (a number that the provider does not accept).
   */
  dial(request: OutboundDial): Promise<{ readonly callId: string; readonly startedAt: string | null }>

  /**
   * The recording's bytes as a stream. Repeatable. The request carries the account's credentials, so it goes only to the provider's own
   * hosts. `range` is a Range header. Errors: NOT_FOUND (it does not exist, or not yet), INVALID_INPUT (a URL of another host).
   */
  recording(request: { readonly url: string; readonly range?: string; readonly signal?: AbortSignal }): Promise<RecordingStream>
}

/** The longest time for dialling, and for the first byte of a recording. */
export const outboundDeadlineMs = 10_000

export type OutboundDial = {
  /** This phone rings first. */
  readonly agentPhoneNumber: string
  readonly phoneNumber: string
  readonly recorded: boolean
  /** Where the provider reports the course of the call; https outside a sandbox. Null: no reports. */
  readonly statusWebhookUrl: string | null
  /** The provider's reports repeat it; at most 128 characters. */
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
