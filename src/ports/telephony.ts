import type { CallUpdate } from './telephony-webhooks.ts'

/**
 * The telephony provider: agents who sign in, calls, dispositions. One instance serves the account of one workspace, as it is configured
 * at the time of use. Phone numbers are E.164, times ISO 8601 in UTC, a UCID is an opaque text.
 *
 * Every method resolves within `telephonyDeadlineMs` or throws. Errors of all methods: PROVIDER_UNAVAILABLE (not reached, overloaded,
 * internal error, rate limit with `data.retryAfterSeconds`), DEADLINE_PASSED, PROVIDER_ANSWER_INVALID, PROVIDER_REFUSED (the account's key
 * is wrong, or the provider gave an unknown reason). After a lost answer, a method that is "not repeatable" may have taken effect. A method
 * that the provider lacks (see `capabilities`) throws NOT_SUPPORTED.
 */
export interface Telephony {
  readonly capabilities: ReadonlySet<TelephonyCapability>

  /**
   * Signs an agent in with newly issued access, so that it does not expire during the day's first calls. Repeatable: an agent who is
   * already signed in stays signed in. The agent takes no calls until made READY.
   * Errors: SIGN_IN_REFUSED (the provider knows no such agent and password), WRONG_STATE (another agent uses the phone number).
   */
  signIn(agent: AgentSignIn): Promise<{ readonly alreadySignedIn: boolean }>

  /** Signs an agent out. Repeatable: nothing changes for an agent who is not signed in. Errors: SIGN_IN_REFUSED. */
  signOut(agent: AgentCredentials): Promise<{ readonly wasSignedIn: boolean }>

  /**
   * Makes an agent ready for calls or not. Repeatable. Errors: WRONG_STATE (not signed in, on a call, or still wrapping up),
   * INVALID_INPUT (`pauseReason` is unknown to the account).
   */
  setState(request: AgentStateRequest): Promise<void>

  /**
   * Rings the agent, then the number: E.164, or the digits of a caller who has no such number, for example of an extension. Not repeatable: a
   * second request makes a second call. Errors: WRONG_STATE (the agent is signed out or busy), INVALID_INPUT (the campaign is unknown, or the
   * provider does not dial such a number).
   */
  dial(request: DialRequest): Promise<{ readonly ucid: string }>

  /**
   * Acts on a live call. Repeatable except CONFERENCE. LEAVE removes the agent, and the other parties of a conference stay connected; without
   * a third party who answered, the call ends. Errors: NOT_FOUND (the call is not live), INVALID_INPUT (the number; for KICK and LEAVE also a
   * party that is not in the call), NOT_SUPPORTED (a kind of third party that the provider cannot add).
   */
  control(request: CallControl): Promise<void>

  /** Pauses or resumes the recording of a live call. Repeatable. Errors: NOT_FOUND (the call is not live). */
  pauseRecording(request: { readonly ucid: string; readonly paused: boolean }): Promise<void>

  /**
   * Records the outcome of a call: QUEUED during the call, SAVED after it, ALREADY_DISPOSED if it has one. Repeatable.
   * Errors: INVALID_INPUT (the disposition or the pause reason is unknown to the account), NOT_FOUND (the call is unknown), NOT_CONFIGURED (the agent is unknown).
   */
  recordDisposition(request: DispositionRequest): Promise<{ readonly outcome: 'QUEUED' | 'SAVED' | 'ALREADY_DISPOSED' }>

  /** Today's calls, in the provider's time zone, that rang and were not answered. Reads only. */
  missedCalls(): Promise<readonly MissedCall[]>

  /**
   * One page of the records of ended calls that began in this time, of the last 15 days (INVALID_INPUT); the same updates as the webhook at
   * the end of a call. Reads only: a provider allows an account few reports, and jobs leave some of them to people. If none is left now, PROVIDER_UNAVAILABLE with `data.retryAfterSeconds`.
   */
  callRecordPage(query: CallRecordQuery): Promise<CallRecordPage>

  /** The record of one ended call of the last 15 days; null if the provider has none (yet). Reads only; limited like `callRecordPage`. */
  callRecord(call: { readonly ucid: string; readonly startedAt: string }): Promise<CallUpdate | null>

  /** Has the provider send its live events to these URLs, for the whole account; they replace former ones. Repeatable. */
  subscribe(urls: { readonly callEventsUrl: string; readonly agentEventsUrl: string }): Promise<void>
}

/** The longest time that any method takes. */
export const telephonyDeadlineMs = 10_000

export type TelephonyCapability =
  | 'AGENT_SIGN_IN'
  | 'AGENT_STATE'
  | 'DIAL'
  | 'HOLD'
  | 'MUTE'
  | 'CONFERENCE'
  | 'CONFERENCE_WITH_AGENT'
  | 'CONFERENCE_WITH_QUEUE'
  | 'HANG_UP'
  | 'PAUSE_RECORDING'
  | 'DISPOSITION'
  | 'MISSED_CALLS'
  | 'CALL_RECORDS'
  | 'WEBHOOKS'

/** The agent's id and password at the provider. */
export type AgentCredentials = { readonly agentId: string; readonly password: string }

/** `phoneNumber`: the SIP extension or number that rings. */
export type AgentSignIn = AgentCredentials & { readonly phoneNumber: string }

export type AgentStateRequest =
  | { readonly agentId: string; readonly state: 'READY' }
  | { readonly agentId: string; readonly state: 'NOT_READY'; readonly pauseReason: string }

export type DialRequest = {
  readonly agentId: string
  readonly phoneNumber: string
  readonly campaignName: string
  /** The provider's webhooks about this call repeat it. */
  readonly reference?: string
}

/** `agentPhoneNumber`: the one of the sign-in. `phoneName`: the provider's name of that phone. */
export type CallControl = CallParties &
  (
    | { readonly action: 'HOLD' | 'UNHOLD' | 'MUTE' | 'UNMUTE' | 'HANG_UP' | 'LEAVE' }
    | ({ readonly action: 'CONFERENCE' | 'KICK' } & ThirdParty)
  )

/** Who joins a call: a number (E.164; capability CONFERENCE), an agent by their id at the provider, or a queue by its name there. */
export type ThirdParty = { readonly phoneNumber: string } | { readonly providerAgentId: string } | { readonly queue: string }

export type CallParties = {
  readonly ucid: string
  readonly did: string
  /** E.164, or the digits as dialled if it cannot be that. Null if the customer withheld it. */
  readonly customerNumber: string | null
  readonly agentPhoneNumber: string
  /** Default: the agent's phone number. */
  readonly phoneName?: string
}

export type DispositionRequest = {
  readonly ucid: string
  readonly did: string
  readonly agentId: string
  readonly disposition: string
  readonly notes?: string
  readonly callBackAt?: string
  /** The agent's next state. Default: stays in wrap-up. */
  readonly next?: { readonly state: 'READY' } | { readonly state: 'NOT_READY'; readonly pauseReason: string }
}

/** `phoneNumber` (E.164) and `dialledNumber` (as it is reported): see the facts of a call. Both null if the caller withheld the number. */
export type MissedCall = {
  readonly ucid: string
  readonly phoneNumber: string | null
  readonly dialledNumber?: string | null | undefined
  readonly did: string | null
  readonly agentId: string | null
  readonly at: string
}

/** `after`: the `next` of the page before; null for the first page. `forPerson`: a person waits for it, no job. */
export type CallRecordQuery = {
  readonly from: string
  readonly to: string
  readonly after: string | null
  readonly forPerson?: boolean
}

export type CallRecordPage = {
  readonly records: readonly CallUpdate[]
  /** How many records of the page cannot be read, for example because they have no start. */
  readonly unreadable: number
  /** Null after the last page. */
  readonly next: string | null
}
