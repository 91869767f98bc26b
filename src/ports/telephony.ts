/**
 * The telephony provider in the words of this service: agents who sign in, calls, dispositions. One instance serves one workspace's
 * account as it is configured at the moment of use. Phone numbers are E.164, moments ISO 8601 in UTC, a UCID is an opaque text.
 *
 * Every method answers within `telephonyDeadlineMs` or throws. Errors of all methods: PROVIDER_UNAVAILABLE (not reached, overloaded,
 * its own fault, its rate limit: `data.retryAfterSeconds`), DEADLINE_PASSED, PROVIDER_ANSWER_INVALID, PROVIDER_REFUSED (the account's
 * key is wrong, or it gave a reason that we do not know). After a lost answer a method marked "not repeatable" may have taken effect.
 * What a provider lacks (see `capabilities`) throws NOT_CONFIGURED.
 */
export interface Telephony {
  readonly capabilities: ReadonlySet<TelephonyCapability>

  /**
   * Signs an agent in at the provider with access that is fresh, so that the session outlasts the day's first calls. Repeatable: an
   * agent who is signed in already stays so. The agent takes no calls until made READY.
   * Errors: SIGN_IN_REFUSED (the provider knows no such agent and password), WRONG_STATE (another agent uses the phone number).
   */
  signIn(agent: AgentSignIn): Promise<{ readonly alreadySignedIn: boolean }>

  /** Signs an agent out. Repeatable: an agent who is not signed in is left so. Errors: SIGN_IN_REFUSED. */
  signOut(agent: AgentCredentials): Promise<{ readonly wasSignedIn: boolean }>

  /**
   * Makes an agent ready for calls or not. Repeatable. Errors: WRONG_STATE (not signed in, on a call, or still wrapping up),
   * INVALID_INPUT (`pauseReason` is none of the account's).
   */
  setState(request: AgentStateRequest): Promise<void>

  /**
   * Rings the agent, then the number. Not repeatable: a second request makes a second call. Errors: WRONG_STATE (the agent is signed
   * out or busy), INVALID_INPUT (the campaign is unknown).
   */
  dial(request: DialRequest): Promise<{ readonly ucid: string }>

  /** Acts on a call that goes on. Repeatable but for CONFERENCE. Errors: NOT_FOUND (no such call now), INVALID_INPUT (the number). */
  control(request: CallControl): Promise<void>

  /** Stops or resumes the recording of a call that goes on. Repeatable. Errors: NOT_FOUND. */
  pauseRecording(request: { readonly ucid: string; readonly paused: boolean }): Promise<void>

  /**
   * Records the outcome of a call: QUEUED while it goes on, SAVED after it, ALREADY_DISPOSED where it has one. Repeatable.
   * Errors: INVALID_INPUT (the disposition or the pause reason is none of the account's), NOT_FOUND (call or agent unknown).
   */
  recordDisposition(request: DispositionRequest): Promise<{ readonly outcome: 'QUEUED' | 'SAVED' | 'ALREADY_DISPOSED' }>

  /** Today's calls, by the provider's day, that rang and were not taken. Reads only. */
  missedCalls(): Promise<readonly MissedCall[]>

  /**
   * Records of ended calls, oldest first; reads only. The range lies in one day of the provider and in its last 15
   * (INVALID_INPUT); providers allow few such requests (two a minute), then PROVIDER_UNAVAILABLE.
   */
  callRecords(query: CallRecordQuery): Promise<readonly CallRecord[]>

  /** Has the provider tell calls and agents as they go to these addresses, for the whole account; they replace any before. Repeatable. */
  subscribe(urls: { readonly callEventsUrl: string; readonly agentEventsUrl: string }): Promise<void>
}

/** The longest that any method takes. */
export const telephonyDeadlineMs = 10_000

export type TelephonyCapability =
  | 'AGENT_SIGN_IN'
  | 'AGENT_STATE'
  | 'DIAL'
  | 'HOLD'
  | 'MUTE'
  | 'CONFERENCE'
  | 'HANG_UP'
  | 'PAUSE_RECORDING'
  | 'DISPOSITION'
  | 'MISSED_CALLS'
  | 'CALL_RECORDS'
  | 'CALLBACKS'

/** The agent's name and password at the provider. */
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
  /** Comes back with the provider's callbacks about this call. */
  readonly reference?: string
}

/** `agentPhoneNumber` is the one given at sign-in, `phoneName` the provider's name of that phone. */
export type CallControl = CallParties &
  (
    | { readonly action: 'HOLD' | 'UNHOLD' | 'MUTE' | 'UNMUTE' | 'HANG_UP' }
    | { readonly action: 'CONFERENCE' | 'KICK'; readonly phoneNumber: string }
  )

export type CallParties = {
  readonly ucid: string
  readonly did: string
  readonly customerNumber: string
  readonly agentPhoneNumber: string
  /** Where left out, the provider's usual name: the agent's phone number. */
  readonly phoneName?: string
}

export type DispositionRequest = {
  readonly ucid: string
  readonly did: string
  readonly agentId: string
  readonly disposition: string
  readonly notes?: string
  readonly callBackAt?: string
  /** What the agent does next; left out: stays in wrap-up. */
  readonly next?: { readonly state: 'READY' } | { readonly state: 'NOT_READY'; readonly pauseReason: string }
}

/** `phoneNumber` is null where the caller withheld it or it is no valid number. */
export type MissedCall = {
  readonly ucid: string
  readonly phoneNumber: string | null
  readonly did: string | null
  readonly agentId: string | null
  readonly at: string
}

export type CallRecordQuery = { readonly from: string; readonly to: string; readonly ucid?: string }

export type CallRecord = {
  readonly ucid: string
  readonly direction: 'INBOUND' | 'OUTBOUND'
  readonly answered: boolean
  readonly phoneNumber: string | null
  readonly did: string | null
  readonly campaignName: string | null
  readonly agentId: string | null
  readonly startedAt: string
  readonly answeredAt: string | null
  readonly endedAt: string | null
  /** From answer to end; 0 where nobody answered. */
  readonly talkSeconds: number
  /** The agent's; null where nobody gave one, whatever the provider writes then. */
  readonly disposition: string | null
  readonly notes: string | null
  readonly recordingUrl: string | null
}
