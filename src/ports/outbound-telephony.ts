import type { ReportedCallFacts } from './call-facts.ts'
import type { TelephonyCapability } from './telephony.ts'

/**
 * The second telephony provider: it rings an agent's phone, then the customer, without an agent session. Phone numbers are E.164, times
 * ISO 8601 in UTC. Errors of all methods: PROVIDER_UNAVAILABLE (with `data.retryAfterSeconds` if the provider limits the rate),
 * DEADLINE_PASSED, PROVIDER_ANSWER_INVALID, PROVIDER_REFUSED.
 */
export interface OutboundTelephony {
  /** Such a provider has no agents, so it cannot do everything that the telephony provider can. */
  readonly capabilities: ReadonlySet<TelephonyCapability>

  /**
   * Starts a call, which ends by itself after `maxOutboundCallMs`. Not repeatable: a second request makes a second call.
   * Errors: INVALID_INPUT (a number that the provider does not accept).
   */
  dial(request: OutboundDial): Promise<OutboundCall>

  /**
   * What the provider knows of a call that has ended; null while it goes on. Repeatable. Errors: NOT_FOUND (the provider does not know it).
   */
  endedCall(callId: string): Promise<ReportedCallFacts | null>

  /**
   * The recording's bytes as a stream. Repeatable. The request carries the account's credentials, so it goes only to the provider's own
   * hosts. `range` is a Range header. Errors: NOT_FOUND (it does not exist, or not yet), INVALID_INPUT (a URL of another host).
   */
  recording(request: { readonly url: string; readonly range?: string; readonly signal?: AbortSignal }): Promise<RecordingStream>
}

/** `callerId`: the number that the customer sees, as it is configured. */
export type OutboundCall = { readonly callId: string; readonly startedAt: string | null; readonly callerId: string }

/** The longest time that a call can take, from the request on. */
export const maxOutboundCallMs = 4 * 3_600_000

/** The longest time for dialling, and for the first byte of a recording. */
export const outboundDeadlineMs = 10_000

export type OutboundDial = {
  /** This phone rings first. */
  readonly agentPhoneNumber: string
  /** E.164, or the digits of a caller who has no such number. */
  readonly phoneNumber: string
  readonly recorded: boolean
  /** Where the provider reports the course of the call; https outside a sandbox. Null: no reports. */
  readonly statusWebhookUrl: string | null
  /** The id of the agent's record on the platform. The report of the call's end repeats it, as `agentRecordId`. */
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
