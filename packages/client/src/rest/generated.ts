// Made from the OpenAPI document by `npm run codegen`.
/** Figures of the calls of one agent. */
export interface AgentCallCounts {
  /** ID of the agent record (UUID). Null for calls that no agent had. */
  readonly agentId: string | null
  /** Display name of the agent record. Null for calls that no agent had. */
  readonly agentName: string | null
  /** Figures of this agent's calls today. */
  readonly counts: CallCounts
}

/** Calls of one agent that ring or are in progress. */
export interface AgentCallsNow {
  /** ID of the agent record (UUID). Null for calls that no agent has yet. */
  readonly agentId: string | null
  /** Display name of the agent record. Null for calls that no agent has yet. */
  readonly agentName: string | null
  /** Number of calls that ring. */
  readonly ringing: number
  /** Number of calls that were answered and are in progress. */
  readonly onCall: number
}

/** What a member signs in with. */
export interface AgentLoginBody {
  /** Identifies the member on the platform, for example `agent1@demo.example`. An e-mail address. 1 to 254 characters. */
  readonly email: string
  /** The member's password on the platform. It is sent to the platform and not stored. 1 to 1,024 characters. */
  readonly password: string
  /** The subdomain of the workspace. Can be left out if the host of the Origin header names the workspace, or if the service serves only one. Letters, digits and inner hyphens. 1 to 63 characters. */
  readonly workspace?: string | null
}

/** The result of ending an agent session. */
export interface AgentLogout {
  /** True if this request ended a session. False if there was none. */
  readonly released: boolean
  /** True if the agent was also signed out at the telephony provider. */
  readonly providerSignedOut: boolean
}

export interface AgentLogoutBody {
  /** The session's `lockedAt`. If it differs from the live session's, that session stays. */
  readonly lockedAt?: string | null
}

/** What a manager did to an agent. */
export interface AgentNotice {
  /** Send it to `confirmAgentNotices` when the agent has seen the notice. */
  readonly id: string
  /** When it was done. */
  readonly at: string
  /** What was done. */
  readonly kind: AgentNoticeKind
  /** ID of the workspace member who did it (UUID). */
  readonly managerId: string
  /** What that member was called then. */
  readonly managerName: string
  /** Why, as the manager wrote it. Null if they wrote nothing. */
  readonly message: string | null
  /** The state that the agent was given. Null unless the kind is STATE_CHANGED. */
  readonly state: AgentStateChoice | null
  /** The not-ready reason that the agent was given. Null in other states. */
  readonly reason: string | null
  /** ID of the entry of the worklist (UUID). Null if the notice is about nobody of the worklist. */
  readonly worklistEntryId: string | null
}

/**
 * What a manager did to an agent.
 * `STATE_CHANGED`: Made the agent ready or not ready.
 * `SESSION_ENDED`: Ended the agent's session, also at the telephony provider: sign in again.
 * `PERSON_ASSIGNED`: Assigned a person of the worklist to the agent.
 * `PERSON_UNASSIGNED`: Took the assignment away: the person belongs to another agent, or to nobody.
 * `CLAIM_ENDED`: Ended the agent's claim of a person, called the person instead, or closed the entry.
 */
export type AgentNoticeKind = 'STATE_CHANGED' | 'SESSION_ENDED' | 'PERSON_ASSIGNED' | 'PERSON_UNASSIGNED' | 'CLAIM_ENDED'

/** What an agent is doing at the telephony provider. */
export interface AgentPresence {
  /** The `providerAgentId`. */
  readonly id: string
  /** ID of the agent record (UUID). Null if no record has this provider ID. */
  readonly agentId: string | null
  /** The agent's ID at the telephony provider. */
  readonly providerAgentId: string
  /** Whether the agent is signed in, ready or busy. */
  readonly state: AgentState
  /** The not-ready reason, such as `Lunch`. Null in other states. */
  readonly reason: string | null
  /** When the agent entered this state. */
  readonly since: string
}

/** A person who handles calls, from the platform's agent record. It contains no secrets. */
export interface AgentProfile {
  /** Unique ID of the record (UUID). */
  readonly id: string
  /** Display name on the platform. */
  readonly name: string
  /** The agent's ID at the telephony provider. Null if the agent has none. */
  readonly providerAgentId: string | null
  /** The provider's campaign that the agent works in. Null if the agent has none. */
  readonly campaignName: string | null
}

/** The one session of an agent. As long as it lives, the agent cannot sign in a second time. */
export interface AgentSession {
  /** The agent's `agentId`: an agent has one session. */
  readonly id: string
  /** ID of the agent record (UUID). */
  readonly agentId: string
  /** ID of the workspace member who is signed in (UUID). */
  readonly memberId: string
  /** The IP address from which the agent signed in. */
  readonly ip: string
  /** When the agent signed in. */
  readonly lockedAt: string
  /** When the session ends if no heartbeat arrives. */
  readonly expiresAt: string
  /** Seconds that a client should wait between two heartbeats. */
  readonly heartbeatIntervalSeconds: number
}

/** A started agent session, with what the agent's device needs to work. */
export interface AgentSessionStart {
  /** The session that was started. */
  readonly session: AgentSession
  /** The agent record. */
  readonly agent: AgentProfile
  /** Credentials for the browser phone. Null if the agent record or the telephony settings lack a part of them. */
  readonly sip: SipCredentials | null
  /** The result of the sign-in at the telephony provider. */
  readonly telephony: TelephonySignIn
}

/** Everything that a client needs after a sign-in. */
export interface AgentSignIn {
  /** The access token and the refresh token of this sign-in. */
  readonly tokens: SessionTokens
  /** The member's application role. Null if the member's platform role is mapped to none: no field of this service can be used then. */
  readonly role: ApplicationRole | null
  /** The account that signed in. */
  readonly user: SignedInUser
  /** ID of the workspace member (UUID). */
  readonly memberId: string
  /** The workspace that the tokens are valid for. */
  readonly workspace: SignedInWorkspace
  /** The agent session that this sign-in took. Null for a member without an agent record. */
  readonly session: AgentSession | null
  /** The agent record. Null for a member who handles no calls. */
  readonly agent: AgentProfile | null
  /** Credentials for the browser phone. Null if the agent record or the telephony settings lack a part of them. */
  readonly sip: SipCredentials | null
  /** The result of the sign-in at the telephony provider. Null for a member without an agent record. */
  readonly telephony: TelephonySignIn | null
  /** What the client should show about the setup of the workspace. */
  readonly setup: SetupSummary
}

/**
 * What an agent is doing at the telephony provider.
 * `SIGNED_OUT`: Not signed in at the provider.
 * `NOT_READY`: Signed in, and gets no calls.
 * `READY`: Waits for the next call.
 * `ON_CALL`: A call rings or is in progress.
 * `WRAP_UP`: Works on the call that ended, until the disposition is sent.
 */
export type AgentState = 'SIGNED_OUT' | 'NOT_READY' | 'READY' | 'ON_CALL' | 'WRAP_UP'

/**
 * The states that an agent can choose.
 * `READY`: Wants to get calls.
 * `NOT_READY`: Wants to get no calls, for example during a break.
 */
export type AgentStateChoice = 'READY' | 'NOT_READY'

/** The state that an agent chooses. */
export interface AgentStateInput {
  /** Whether the agent wants to get calls. */
  readonly state: AgentStateChoice
  /** Required for NOT_READY: one of `callSettings { notReadyReasons }`. At most 100 characters. */
  readonly reason?: string | null
}

/** What an agent did on one day. */
export interface AgentTimeline {
  /** The agent and the day. */
  readonly id: string
  /** ID of the agent record (UUID). */
  readonly agentId: string
  /** Display name of the agent record. Null if there is no such record any more. */
  readonly agentName: string | null
  /** The day, for example `2026-11-21`. */
  readonly date: string
  /** Time zone of the clinic: an IANA name. */
  readonly timeZone: string
  /** The states as the provider reported them, the earliest first; at most about 1,000 a day. Empty for days more than a month ago. Counts as 200 rows. */
  readonly states: readonly TimelineState[]
  /** The calls that began on that day, the earliest first. Empty for days more than a month ago: `historyCalls` has them. Counts as 100 rows. */
  readonly calls: readonly TimelineCall[]
}

/**
 * A threshold that was reached. It is raised once, and cleared once when it has not been reached for a minute; if it is reached again within this
 * minute, the alert goes on.
 */
export interface Alert {
  /** Identifies it, also in the webhook that reports it. */
  readonly id: string
  /** Which threshold was reached. */
  readonly kind: AlertKind
  /** The agent (UUID), party or provider that it is about. Null if it is about the whole workspace. */
  readonly subjectId: string | null
  /** The name of the same, when the alert was raised. Null if it is about the whole workspace. */
  readonly subjectName: string | null
  /** The value when it was raised: calls for MISSED_CALLS_WAITING, else minutes. */
  readonly value: number
  /** The threshold in the configuration when it was raised, in the same unit. */
  readonly threshold: number
  /** When it was raised. */
  readonly raisedAt: string
  /** When it was over. Null while it lasts. */
  readonly clearedAt: string | null
  /** When a manager first said that they have seen it. Null if nobody has. */
  readonly acknowledgedAt: string | null
  /** The name of this manager at that time. Null if nobody has, or if the name is not known. */
  readonly acknowledgedBy: string | null
}

/**
 * The threshold of the `alerts` configuration that an alert is about.
 * `MISSED_CALLS_WAITING`: So many missed calls wait for a callback: `waitingMissedCalls`.
 * `LONGEST_WAIT`: A missed call has waited for so long: `longestWaitMinutes`.
 * `WRAP_UP`: An agent's wrap-up takes so long: `wrapUpMinutes`.
 * `NO_AGENT_READY`: No agent has been ready for so long while the clinic was open: `noAgentReadyMinutes`.
 * `PROVIDER_FAILING`: A provider or the platform has failed for so long: `providerFailingMinutes`.
 * `WEBHOOKS_SILENT`: No webhook of the telephony provider has come for so long while the clinic was open: `webhooksSilentMinutes`.
 */
export type AlertKind = 'MISSED_CALLS_WAITING' | 'LONGEST_WAIT' | 'WRAP_UP' | 'NO_AGENT_READY' | 'PROVIDER_FAILING' | 'WEBHOOKS_SILENT'

export interface AlertMessage {
  /** What has happened. `alert.test`: a connection test; ignore it. */
  readonly type: 'alert.raised' | 'alert.cleared' | 'alert.test'
  /** When it happened. */
  readonly timestamp: string
  /** The alert; null in a test. */
  readonly data: {
    /** ID of the workspace (UUID). */
    readonly workspaceId: string
    /** ID of the alert; the same when it is raised and when it is cleared. */
    readonly id: string
    /** Which threshold was reached. */
    readonly kind: 'MISSED_CALLS_WAITING' | 'LONGEST_WAIT' | 'WRAP_UP' | 'NO_AGENT_READY' | 'PROVIDER_FAILING' | 'WEBHOOKS_SILENT'
    /** The agent, party or provider that it is about; null if it is about the workspace. */
    readonly subjectId: string | null
    /** The value when it was raised: calls for `MISSED_CALLS_WAITING`, else minutes. */
    readonly value: number
    /** The threshold of the configuration. */
    readonly threshold: number
    /** When it was raised. */
    readonly raisedAt: string
    /** When it was over; null while it lasts. */
    readonly clearedAt: string | null
  } | null
}

/** Which recording to analyse, and how long to wait. */
export interface AnalyzeRecordingBody {
  /** ID of the call's record (UUID), or its UCID. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 100 characters. */
  readonly callId: string
  /**
   * Address of another recording than the call's own. Only for managers. While another recording of the call is being analysed, this one follows
   * it: until then, that one's stage and result are shown. After six others it is refused (OVERLOADED): ask again. An address that begins with `http://` or `https://`. At most 4,000 characters.
   */
  readonly recordingUrl?: string | null
  /** True analyses again even if a result is stored. Only for managers. Default: false. */
  readonly force?: boolean | null
  /** Seconds to wait for the result. Default: 25. 0 to 25. */
  readonly waitSeconds?: number | null
}

/**
 * What a member may do in this service. It follows from the member's role on the platform and from the agent record.
 * `USER`: A member with a user role on the platform and without an agent record.
 * `AGENT`: A member with a user role on the platform and with an agent record. May take and make calls.
 * `MANAGER`: A member with a manager role on the platform, or who may change all settings there. May also configure the service and see all agents and calls.
 */
export type ApplicationRole = 'USER' | 'AGENT' | 'MANAGER'

/** The person behind an entry of the audit log. */
export interface AuditLogActor {
  /** The `id` of the entry. */
  readonly id: string
  /** ID of the account on the platform (UUID). */
  readonly userId: string
  /** ID of the workspace member (UUID). Null if it is not known. */
  readonly memberId: string | null
  /** What the member was called at that time. Null if the name could not be read then, and in entries of earlier versions. */
  readonly name: string | null
  /** The IP address of the request. Null if it is not known. */
  readonly ip: string | null
}

/** One fact about an entry of the audit log. */
export interface AuditLogDetail {
  /** What the fact is about, for example `reason`. */
  readonly name: string
  /** The fact as text. Null if it has no value. */
  readonly value: string | null
}

/** One thing that a person did in this service. */
export interface AuditLogEntry {
  /** Unique ID of this entry. */
  readonly id: string
  /** When it happened. */
  readonly at: string
  /** `area.verb` in the past tense, for example `session.released`. */
  readonly action: string
  /** The person who did it. */
  readonly actor: AuditLogActor
  /** What kind of thing was changed or read, for example `agent`. Null if the action has no target. */
  readonly targetKind: string | null
  /** ID of the thing that was changed or read. Null if the action has no target. */
  readonly targetId: string | null
  /**
   * What the target was called at that time: the name of a member or agent. Of a call or a person of the worklist only `number ending in 4321`. Null
   * if the name could not be read then, if the target has no name besides its ID, and in entries of earlier versions.
   */
  readonly targetName: string | null
  /** ID of the lead that the target is about (UUID): the log has no names of patients. Null if there is none or it is not known. */
  readonly leadId: string | null
  /** Further facts, such as the reason. Secret values are never among them. */
  readonly details: readonly AuditLogDetail[]
}

/** A page of audit log entries. */
export interface AuditLogEntryPage {
  /** The entries of the page, newest first. */
  readonly entries: readonly AuditLogEntry[]
  /** Send it as `after` to get the next page. Null on the last page. */
  readonly nextCursor: string | null
}

export interface BookVisitBody {
  /** ID of the lead's record (UUID): who will come. A UUID of version 1 to 5. */
  readonly leadId: string
}

/**
 * What a telephony provider can do for an agent.
 * `AGENT_STATE`: `setAgentState`.
 * `DIAL`: `dial`, by the provider that agents sign in to.
 * `HOLD`: `controlCall` with HOLD and UNHOLD.
 * `MUTE`: `controlCall` with MUTE and UNMUTE.
 * `CONFERENCE`: `controlCall` with CONFERENCE and KICK, and `startTransfer` to a phone number.
 * `CONFERENCE_WITH_AGENT`: `startTransfer` to another agent.
 * `CONFERENCE_WITH_QUEUE`: `startTransfer` to a queue.
 * `HANG_UP`: `controlCall` with HANG_UP.
 * `PAUSE_RECORDING`: `controlCall` with PAUSE_RECORDING and RESUME_RECORDING.
 * `DISPOSITION`: The provider stores the dispositions of `submitDisposition`.
 */
export type CallCapability = 'AGENT_STATE' | 'DIAL' | 'HOLD' | 'MUTE' | 'CONFERENCE' | 'CONFERENCE_WITH_AGENT' | 'CONFERENCE_WITH_QUEUE' | 'HANG_UP' | 'PAUSE_RECORDING' | 'DISPOSITION'

/**
 * What can be done with a current call.
 * `HOLD`: Put the customer on hold.
 * `UNHOLD`: Take the customer off hold.
 * `MUTE`: Switch the agent's microphone off.
 * `UNMUTE`: Switch the agent's microphone on.
 * `CONFERENCE`: Add another person by `phoneNumber`.
 * `KICK`: Remove the person with `phoneNumber` from the call.
 * `HANG_UP`: End the call.
 * `PAUSE_RECORDING`: Stop recording for now, for example while card numbers are spoken.
 * `RESUME_RECORDING`: Record again after a pause.
 */
export type CallControlAction = 'HOLD' | 'UNHOLD' | 'MUTE' | 'UNMUTE' | 'CONFERENCE' | 'KICK' | 'HANG_UP' | 'PAUSE_RECORDING' | 'RESUME_RECORDING'

/** The settings of a call that `controlCall` changes. */
export interface CallControls {
  /** The UCID of the call. */
  readonly id: string
  /** True if the customer is on hold. */
  readonly held: boolean
  /** True if the customer cannot hear the agent. */
  readonly muted: boolean
  /** True if the provider records nothing at the moment. */
  readonly recordingPaused: boolean
  /** Phone numbers of people who were added to the call, in E.164. */
  readonly parties: readonly string[]
}

/** Figures of a group of calls. */
export interface CallCounts {
  /** Which day and which group of calls it is about. */
  readonly id: string
  /** Number of calls, including those in progress. */
  readonly calls: number
  /** Number of inbound calls. */
  readonly offered: number
  /** Number of calls in both directions that somebody answered. */
  readonly answered: number
  /** Number of inbound calls that somebody answered. */
  readonly answeredInbound: number
  /** Number of inbound calls that were answered within `serviceLevelSeconds`. */
  readonly answeredInTime: number
  /** The part of `answeredInbound` and `missed` that was answered in time: 0 to 1. Null if there is no such call. */
  readonly serviceLevel: number | null
  /** Number of inbound calls that ended without an answer. */
  readonly missed: number
  /** Number of outbound calls that ended without an answer. */
  readonly unreached: number
  /** Mean of talk and wrap-up in seconds, over answered calls that have ended and whose duration was reported. Null if there is no such call. */
  readonly averageHandlingSeconds: number | null
  /** Mean talk time in seconds, over answered calls that have ended and whose duration was reported. Null if there is no such call. */
  readonly averageTalkSeconds: number | null
  /** Mean time in seconds from the end of a call until its agent was free, over calls for which both are known. Null if there is no such call. */
  readonly averageWrapUpSeconds: number | null
}

/**
 * Who called whom.
 * `INBOUND`: A customer called the hospital.
 * `OUTBOUND`: An agent called a customer.
 */
export type CallDirection = 'INBOUND' | 'OUTBOUND'

/** What a language model says about a call before it is answered. */
export interface CallEnrichment {
  /** The `id` of the screen pop. */
  readonly id: string
  /** True if the other fields have content. If false, `reason` says why. */
  readonly available: boolean
  /** Why there is no enrichment, as text for the agent. Null if there is one. */
  readonly reason: string | null
  /** Who the caller is, in two sentences. Null if `available` is false. */
  readonly whoIsThis: string | null
  /** Why the person probably calls. Null if `available` is false. */
  readonly likelyReason: string | null
  /** A first sentence for the agent to say. Null if `available` is false. */
  readonly suggestedOpening: string | null
}

/** A screen pop: what is known about a phone number or a call. */
export interface CallLookup {
  /** The UCID of the call, or the phone number if only a number was looked up. */
  readonly id: string
  /** E.164, for example `+919876543210`. Null if the number has no such form, or is withheld. */
  readonly phoneNumber: string | null
  /** The number as the provider reports it, or the digits that were looked up if they have no such form. Null if the caller withheld it. */
  readonly dialledNumber: string | null
  /** The call that was looked up, or the agent's current call. Null if only a number was looked up. */
  readonly call: LiveCall | null
  /** How many leads have the phone number. */
  readonly match: LeadMatch
  /** The lead of the call, or the only lead with the phone number. Null if there is none or more than one. */
  readonly lead: LeadSummary | null
  /** All leads with the phone number, at most 10. */
  readonly candidates: readonly LeadSummary[]
  /** The last calls with the lead or the phone number, newest first, at most 10; not the call itself while it goes on. */
  readonly lastCalls: readonly CallSummary[]
  /** What is still to do for the lead: tasks and scheduled callbacks, the next one first. */
  readonly openItems: readonly OpenItem[]
  /** The lead's next booked visit. Null if there is none. */
  readonly nextVisit: NextVisit | null
  /** What the signed-in member typed about the call and has not sent with a disposition yet. Null if there is nothing, or if only a number was looked up. */
  readonly draftNotes: CallNotes | null
  /** Parts that could not be read, for example because the member lacks the rights. */
  readonly unavailable: readonly CallLookupPart[]
  /** What a language model says about the call. The first request takes some seconds: request it apart from the other fields. */
  readonly enrichment?: CallEnrichment
}

export interface CallLookupBody {
  /**
   * A valid phone number in any common notation. Without a country code it belongs to the workspace's default country. Another number, such as an
   * extension, only if it is in the worklist or was on the phone in the last 30 days. One line. 1 to 40 characters.
   */
  readonly phoneNumber?: string | null
  /** The provider's ID of a call. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 100 characters. */
  readonly ucid?: string | null
}

/**
 * The parts of a screen pop that the platform may refuse.
 * `LEADS`: `candidates` and `lead`.
 * `CALLS`: `lastCalls`.
 * `TASKS`: `openItems`, except scheduled callbacks.
 * `VISITS`: `nextVisit`.
 * `PLATFORM`: All of these: the platform does not answer. `match` says nothing then. Ask again after some seconds.
 */
export type CallLookupPart = 'LEADS' | 'CALLS' | 'TASKS' | 'VISITS' | 'PLATFORM'

/** What a member typed about a call, before it is sent with a disposition. */
export interface CallNotes {
  /** The `ucid`. */
  readonly id: string
  /** The provider's ID of the call. */
  readonly ucid: string
  /** The whole text. */
  readonly notes: string
  /** The outcome that the member has chosen. Null if there is none. */
  readonly disposition: string | null
  /** When to call back, as the member has chosen. Null if that is not chosen. */
  readonly callBackAt: string | null
  /** When it was saved. */
  readonly savedAt: string
}

/**
 * How far a call is.
 * `RINGING`: The phone rings and nobody has answered yet.
 * `ANSWERED`: The two parties are connected.
 * `COMPLETED`: The call was answered and has ended.
 * `MISSED`: The call ended without an answer.
 */
export type CallPhase = 'RINGING' | 'ANSWERED' | 'COMPLETED' | 'MISSED'

/** What an agent may choose for calls. The same for all agents of the workspace. */
export interface CallSettings {
  /** Always the same: a workspace has one. */
  readonly id: string
  /** The outcome codes that `submitDisposition` accepts. Empty if nobody has listed them: then the provider decides. */
  readonly dispositions: readonly string[]
  /** The reasons that go with NOT_READY. Empty if nobody has listed them: then the provider decides. */
  readonly notReadyReasons: readonly string[]
  /** After how many seconds the provider ends a wrap-up without an outcome, as the configuration has it. Null if it does not, or nobody has entered it. */
  readonly wrapUpSeconds: number | null
  /** What the telephony provider can do, so that a frontend shows only buttons that work. Empty if no provider is configured. */
  readonly capabilities: readonly CallCapability[]
}

/** Calls that ring or are in progress. */
export interface CallsNow {
  /** Always the same: a workspace has one. */
  readonly id: string
  /** Number of calls that ring. */
  readonly ringing: number
  /** Number of calls that were answered and are in progress. */
  readonly onCall: number
  /** Number of inbound calls that ring: customers who wait for an answer. */
  readonly waiting: number
  /** When the customer who waits longest called. Null if nobody waits, or if the provider does not report it. */
  readonly longestWaitSince: string | null
  /** The same numbers for each agent. */
  readonly byAgent: readonly AgentCallsNow[]
  /** The same numbers for each campaign. */
  readonly byCampaign: readonly CampaignCallsNow[]
  /** The calls themselves, the longest first. */
  readonly calls: readonly SupervisedCall[]
}

/** Figures of the calls that started on the clinic's current day. */
export interface CallsToday {
  /** The `date`. */
  readonly id: string
  /** The day as `YYYY-MM-DD`, for example `2026-11-21`. */
  readonly date: string
  /** Time zone of the clinic: an IANA name, `visits.timeZone` of the `platform` configuration. */
  readonly timeZone: string
  /** False if the service lost its counts and still reads earlier calls of the day from the platform. */
  readonly complete: boolean
  /** The waiting time in seconds that counts as in time: `telephony.serviceLevelSeconds` of the configuration. */
  readonly serviceLevelSeconds: number
  /** Figures of all calls. */
  readonly total: CallCounts
  /** Figures for each agent. */
  readonly byAgent: readonly AgentCallCounts[]
  /** Figures for each campaign of the provider. */
  readonly byCampaign: readonly CampaignCallCounts[]
  /** Figures for each outcome code. */
  readonly byDisposition: readonly DispositionCallCounts[]
  /** Figures for each hour of the clinic's day in which a call started. */
  readonly byHour: readonly HourCallCounts[]
}

/** A past call, from the platform's call record. */
export interface CallSummary {
  /** Unique ID of the call's record (UUID). */
  readonly id: string
  /** The provider's ID of the call. Null if it is not recorded. */
  readonly ucid: string | null
  /** Who called whom. Null if it is not recorded, or if the workspace's own list has another word for it. */
  readonly direction: CallDirection | null
  /** How far the call came, a value of the workspace's own list, such as `COMPLETED`. Null if it is not recorded. */
  readonly status: string | null
  /** When the call started to ring. Null if it is not recorded. */
  readonly startedAt: string | null
  /** When somebody hung up. Null if the call is in progress or the end is not recorded. */
  readonly endedAt: string | null
  /** Length in seconds. Null if it is not recorded. */
  readonly durationSeconds: number | null
  /** The outcome code that the agent chose. Null if there is none. */
  readonly disposition: string | null
  /** What the agent wrote about the call. Null if there is nothing. */
  readonly notes: string | null
  /** ID of the agent record (UUID). Null if no agent had the call. */
  readonly agentId: string | null
  /** True if there is audio that can be played or analysed. */
  readonly hasRecording: boolean
}

/** A transfer of a call to a third party. */
export interface CallTransfer {
  /** The UCID of the call. */
  readonly id: string
  /** How far the transfer is. */
  readonly status: CallTransferStatus
  /** What kind of third party it is. */
  readonly target: CallTransferTarget
  /** The third party: a number in E.164, an agent's ID at the telephony provider, or the name of a queue. Null if the provider does not report it. */
  readonly to: string | null
  /** When the transfer was started. Null for one in the provider's own user interface. */
  readonly startedAt: string | null
  /** When the agent left or the third party was removed. Null while the transfer is under way, and if it is not known. */
  readonly endedAt: string | null
}

/**
 * How far a transfer is.
 * `DIALLING`: The provider was asked to call the third party and has not confirmed it. After an error the third party may ring: go on or cancel.
 * `IN_PROGRESS`: The provider calls the third party or has connected them. It does not report which: the agent hears it.
 * `COMPLETED`: The agent has left. The customer and the third party stay connected.
 * `CANCELLED`: The third party was removed from the call.
 * `CALL_ENDED`: The call ended before the agent left, for example because the customer hung up.
 */
export type CallTransferStatus = 'DIALLING' | 'IN_PROGRESS' | 'COMPLETED' | 'CANCELLED' | 'CALL_ENDED'

/**
 * What kind of third party a call is transferred to.
 * `NUMBER`: A phone number.
 * `AGENT`: Another agent.
 * `QUEUE`: A queue of the telephony provider.
 * `OTHER`: The provider reports a transfer, but not to whom.
 */
export type CallTransferTarget = 'NUMBER' | 'AGENT' | 'QUEUE' | 'OTHER'

/** Figures of the calls of one campaign. */
export interface CampaignCallCounts {
  /** The provider's campaign. Null for calls whose campaign is not known. */
  readonly campaignName: string | null
  /** Figures of this campaign's calls today. */
  readonly counts: CallCounts
}

/** Calls of one campaign that ring or are in progress. */
export interface CampaignCallsNow {
  /** The provider's campaign. Null for calls whose campaign is not known. */
  readonly campaignName: string | null
  /** Number of calls that ring. */
  readonly ringing: number
  /** Number of calls that were answered and are in progress. */
  readonly onCall: number
}

export interface ChangeAgentStateBody {
  /** Why, for the agent to read. Stored in the audit log as it is: write no patient's name. Not empty. 1 to 500 characters. */
  readonly message?: string | null
  /** Whether the agent wants to get calls. */
  readonly state: AgentStateChoice
  /** Required for NOT_READY: one of `callSettings { notReadyReasons }`. At most 100 characters. */
  readonly reason?: string | null
}

/**
 * How a version of a section came about.
 * `SEEDED`: The service made it from the environment or the defaults when the section was first used.
 * `SAVED`: A manager saved changes.
 * `RESET`: A manager restored the defaults.
 * `RESTORED`: A manager restored an earlier version.
 * `EDITED_BY_HAND`: Somebody edited the stored document outside this service.
 */
export type ConfigurationAction = 'SEEDED' | 'SAVED' | 'RESET' | 'RESTORED' | 'EDITED_BY_HAND'

/** One step of a configuration test. */
export interface ConfigurationCheck {
  /** A stable name, for example `telephony.access`. */
  readonly name: string
  /** True if the step passed, or if it could not be checked (`unchecked`). */
  readonly ok: boolean
  /** True if the service cannot find it out. `found` says what is not known. */
  readonly unchecked: boolean
  /** What the service did, as text for the manager. */
  readonly tried: string
  /** What the other system answered, as text for the manager. */
  readonly found: string
  /** What the manager can do about a failure. Null if there is nothing to do. */
  readonly advice: string | null
}

/** A member who changed the configuration. */
export interface ConfigurationEditor {
  /** The `memberId`. */
  readonly id: string
  /** ID of the workspace member (UUID). */
  readonly memberId: string
  /** First and last name. */
  readonly name: string
}

/** One version of a section. It never contains values. */
export interface ConfigurationRevision {
  /** Section and version, for example `THEME:3`. */
  readonly id: string
  /** Counts up from 1 with every change of the section. */
  readonly version: number
  /** When this version was stored. */
  readonly changedAt: string
  /** Who changed it. Null if the service itself did, or somebody who edited the stored document. */
  readonly changedBy: ConfigurationEditor | null
  /** How this version came about. */
  readonly action: ConfigurationAction
  /** Paths of the fields that changed, with dots, such as `brand.hospitalName`. */
  readonly fields: readonly string[]
}

/**
 * A part of the workspace's configuration that is read and saved as one document.
 * `TELEPHONY`: Telephony providers, values for agents without their own, dispositions and SIP.
 * `AI`: The language model. Its keys and addresses come only from the environment.
 * `WIDGET`: The public chat widget.
 * `THEME`: Brand, colours and fonts.
 * `PLATFORM`: The platform's API key, the mapping of its roles, and the names of its objects and fields.
 * `ALERTS`: Thresholds of alerts, opening hours, and the web address that receives alerts.
 */
export type ConfigurationSection = 'TELEPHONY' | 'AI' | 'WIDGET' | 'THEME' | 'PLATFORM' | 'ALERTS'

/** The result of testing a section. */
export interface ConfigurationTest {
  /** Which section was tested. */
  readonly section: ConfigurationSection
  /** True if every check passed. */
  readonly ok: boolean
  /** When the test ended. */
  readonly testedAt: string
  /** The single steps of the test, in the order in which they ran. */
  readonly checks: readonly ConfigurationCheck[]
}

export interface ConfirmAgentNoticesBody {
  /** Each is the `id` of a notice that the agent has seen, as `agentNotices` gave it. A UUID of version 1 to 5. At most 100 entries. */
  readonly ids: readonly string[]
}

/** A current call, and what to do with it. */
export interface ControlCallBody {
  /** What to do with the call. */
  readonly action: CallControlAction
  /** Whom to add or remove: a valid phone number. Required for CONFERENCE and KICK. One line. 1 to 40 characters. */
  readonly phoneNumber?: string | null
}

export interface CorrectScorecardBody {
  /** Whether the agent followed it. Null withdraws your verdict or another manager's, and the language model's counts again. */
  readonly verdict?: RecordingVerdict | null
  /** Why. Agents see it on their scorecard. Do not name patients: it is stored longer than the call's analysis. Not empty. 1 to 500 characters. */
  readonly reason: string
  /** The `version` of the scorecard that you saw. 1 to 1,000,000. */
  readonly version: number
}

/** A member who was removed from the workspace. */
export interface DeactivatedTeamMember {
  /** ID of the former workspace member (UUID). */
  readonly memberId: string
  /** True if an agent session was ended. */
  readonly sessionEnded: boolean
}

/** An event that a consumer could not process. Of its content, which is stored, only what it is about is shown. */
export interface DeadLetter {
  /** Identifies it for `replayDeadLetter`. */
  readonly id: string
  /** What kind of event it is, for example `call.completed`. */
  readonly topic: string
  /** ID of the event. Null if the message has none that can be read. */
  readonly eventId: string | null
  /** What the event is about: the UCID of a call or the ID of an agent. Null if it is not known. */
  readonly key: string | null
  /** The lead that the event is about (UUID). Null if the event does not name it. */
  readonly leadId: string | null
  /** The customer's number in E.164, or as it was dialled if it has no such form. Null if the event does not contain it: most have the lead's ID only. */
  readonly phoneNumber: string | null
  /** When it happened, or when the call began. Null if the event does not say it. */
  readonly occurredAt: string | null
  /** Name of the consumer that could not process the event. */
  readonly receiver: string
  /** Why no further try can help. */
  readonly reason: DeadLetterReason
  /** For RECORD_REFUSED the platform's codes, such as `BAD_USER_INPUT / INVALID_ARGS_DATA`; for OTHER the reason. Otherwise null. */
  readonly detail: string | null
  /** When the consumer stopped trying. */
  readonly deadAt: string
}

/** A page of dead letters. */
export interface DeadLetterPage {
  /** The entries of the page, newest first. */
  readonly deadLetters: readonly DeadLetter[]
  /** Send it as `after` to get the next page. Null on the last page. */
  readonly nextCursor: string | null
}

/**
 * Why an event became a dead letter.
 * `NOT_JSON`: The message is not JSON.
 * `WRONG_SCHEMA`: The content does not fit the schema of the event.
 * `UNKNOWN_VERSION`: The consumer does not know this version of the event.
 * `UNKNOWN_LEAD`: The platform has no lead with the ID in the event.
 * `MODEL_REFUSED`: The language model refused the question, or twice gave an answer without a meaning.
 * `RECORD_REFUSED`: The platform refuses this call record.
 * `NOT_CONFIGURED`: No model or API key was configured, or the credit was used up, for three days.
 * `NOT_DELIVERED`: Every try failed for a week (an alert: for a day), or the consumer no longer exists.
 * `OTHER`: A reason that only an earlier version of the service had.
 */
export type DeadLetterReason = 'NOT_JSON' | 'WRONG_SCHEMA' | 'UNKNOWN_VERSION' | 'UNKNOWN_LEAD' | 'MODEL_REFUSED' | 'RECORD_REFUSED' | 'NOT_CONFIGURED' | 'NOT_DELIVERED' | 'OTHER'

/** The result of replaying dead letters. */
export interface DeadLetterReplay {
  /** Number of events that were sent to their consumers again. */
  readonly replayed: number
  /** True if the workspace has further dead letters. */
  readonly remaining: boolean
}

/** The call that was started. */
export interface DialReceipt {
  /** The provider's ID of the new call. */
  readonly ucid: string
  /** ID of the call's record on the platform (UUID). */
  readonly callId: string
  /** The customer's number in E.164, or its digits if it has no such form. */
  readonly phoneNumber: string
  /** The provider that makes the call. */
  readonly provider: TelephonyProvider
}

/**
 * Which provider makes an outbound call.
 * `AUTO`: The telephony provider if the agent is signed in there, otherwise the second provider.
 * `TELEPHONY`: The provider at which agents sign in.
 * `OUTBOUND`: The second provider, which calls the agent's phone first.
 */
export type DialVia = 'AUTO' | 'TELEPHONY' | 'OUTBOUND'

/** A doctor of the hospital. */
export interface DirectoryDoctor {
  /** Unique ID of the doctor's record (UUID). */
  readonly id: string
  /** Full name with title, for example `Dr. Nandini Rao`. */
  readonly name: string
  /** Medical field, for example `Cardiology`. Null if it is not recorded. */
  readonly speciality: string | null
  /** Name of the place where the doctor works. Null if it is not recorded. */
  readonly clinic: string | null
  /** Names of the spoken languages in English, such as `Kannada`. Empty if none is recorded. */
  readonly languages: readonly string[]
  /** Price of a visit in the workspace's currency. Null if it is not recorded. */
  readonly fee: number | null
  /** True if patients may be sent to this doctor. */
  readonly active: boolean
}

/** A period in which a doctor can see one patient. */
export interface DirectorySlot {
  /** Unique ID of the slot's record (UUID). */
  readonly id: string
  /** ID of the doctor's record (UUID). Null if the slot belongs to no doctor. */
  readonly doctorId: string | null
  /** Label of the slot on the platform. Null if it has none. */
  readonly title: string | null
  /** Start of the visit in UTC. */
  readonly startsAt: string
  /** End of the visit in UTC. */
  readonly endsAt: string
  /** Start in the clinic's time zone with its offset, for example `2026-11-23T10:00:00+05:30`. */
  readonly localStartsAt: string
  /** End in the clinic's time zone with its offset, for example `2026-11-23T10:30:00+05:30`. */
  readonly localEndsAt: string
  /** Time zone of the clinic: an IANA name, for example `Asia/Kolkata`. */
  readonly timeZone: string
  /** Length in minutes. */
  readonly durationMinutes: number
  /** Whether the slot can be booked. */
  readonly state: DirectorySlotState
  /** ID of the lead that booked the slot (UUID). Null if nobody did. */
  readonly leadId: string | null
}

/**
 * Whether a visit slot can be booked.
 * `FREE`: It can be booked.
 * `HELD`: It is reserved or blocked and cannot be booked.
 * `BOOKED`: A lead has booked it.
 * `PAST`: It has already started.
 */
export type DirectorySlotState = 'FREE' | 'HELD' | 'BOOKED' | 'PAST'

/** Figures of the calls with one outcome code. */
export interface DispositionCallCounts {
  /** The outcome code that agents chose. Null for calls without one. */
  readonly disposition: string | null
  /** Figures of today's calls with this outcome code. */
  readonly counts: CallCounts
}

/** How many calls have an outcome code. */
export interface DispositionCount {
  /** The outcome code. */
  readonly disposition: string
  /** Number of calls. */
  readonly calls: number
}

/**
 * What the telephony provider did with a disposition.
 * `QUEUED`: Accepted during the call. The provider saves it when the call ends.
 * `SAVED`: Stored with the call.
 * `ALREADY_DISPOSED`: The call already had a disposition at the provider, which may keep it. Here the one of the receipt counts.
 */
export type DispositionOutcome = 'QUEUED' | 'SAVED' | 'ALREADY_DISPOSED'

/** The recorded outcome of a call. */
export interface DispositionReceipt {
  /** The provider's ID of the call. */
  readonly ucid: string
  /** The outcome code that counts. */
  readonly disposition: string
  /** What the telephony provider did with it. */
  readonly outcome: DispositionOutcome
  /** ID of the `call.completed` event. */
  readonly eventId: string
  /** ID of the `call.completed` event that this one corrects. Null for the first outcome of the call. */
  readonly supersedes: string | null
}

/** Doctors and their visit slots. */
export interface DoctorDirectory {
  /** Follows from the filter: the same question has the same ID. */
  readonly id: string
  /** Time zone of the clinic: an IANA name, for example `Asia/Kolkata`. */
  readonly timeZone: string
  /** The matching doctors, sorted by name, at most 600. Counts as 100 rows. */
  readonly doctors: readonly DirectoryDoctor[]
  /** Slots of the returned doctors, sorted by start. Without a filter on doctors also slots that belong to no doctor. Costs 1 for each row of `first`. */
  readonly slots: readonly DirectorySlot[]
}

/** A login token of the platform, and the workspace that it is for. */
export interface ExchangeLoginTokenBody {
  /** A short-lived token that the platform issues, for example after single sign-on. 1 to 8,192 characters. */
  readonly loginToken: string
  /** The subdomain of the workspace. Can be left out if the host of the Origin header names the workspace, or if the service serves only one. Letters, digits and inner hyphens. 1 to 63 characters. */
  readonly workspace?: string | null
}

export interface FinishWorklistEntryBody {
  /** How it ended. */
  readonly outcome: WorklistOutcome
}

/** The free visit slots of one doctor. */
export interface FreeSlots {
  /** The `doctorId`. */
  readonly id: string
  /** ID of the doctor's record (UUID). */
  readonly doctorId: string
  /** Full name with title, for example `Dr. Nandini Rao`. */
  readonly doctorName: string
  /** Medical field, for example `Cardiology`. Null if it is not recorded. */
  readonly speciality: string | null
  /** Number of free slots in the rest of the clinic's current day. */
  readonly today: number
  /** Number of all known free slots, about two weeks ahead. */
  readonly total: number
  /** Start of the earliest free slot. Null if there is none. */
  readonly nextStartsAt: string | null
}

export interface GiveBackWorklistEntryBody {
  /** Why, for the agent whose claim a manager ends. Stored in the audit log as it is: write no patient's name. Not empty. 1 to 500 characters. */
  readonly message?: string | null
}

export interface HeartbeatBody {
  /**
   * The session's `lockedAt`. It distinguishes two devices of one member: if it differs, the session is not renewed. After a take-over it is
   * required, except with the access token that took over.
   */
  readonly lockedAt?: string | null
}

/** Figures of the calls that began in a range of days. */
export interface History {
  /** What was asked: the range, the grouping and the filters. */
  readonly id: string
  /** The first day, for example `2026-11-01`. */
  readonly from: string
  /** The last day, for example `2026-11-30`. */
  readonly to: string
  /** Time zone of the clinic: an IANA name, `visits.timeZone` of the `platform` configuration. Days are counted in the zone of their time. */
  readonly timeZone: string
  /**
   * The waiting time in seconds that counts as in time: `telephony.serviceLevelSeconds` of the configuration. When it changes, the figures of all days
   * change, also of those that are over: the service stores how many calls waited for how long.
   */
  readonly serviceLevelSeconds: number
  /**
   * Days of the range whose calls were not all counted: those from before the service began to count, or lost its store, until it has read them from the
   * platform. It needs the workspace's API key for that, and takes some minutes for 10,000 calls. The earliest comes first, for example `2026-11-01`.
   */
  readonly incompleteDays: readonly string[]
  /** In the order of day, hour, agent and campaign. Groups without calls have no row. Counts as 100 rows. */
  readonly rows: readonly HistoryRow[]
}

/** A call as the platform has it. */
export interface HistoryCall {
  /** ID of the call's record (UUID). */
  readonly id: string
  /** The provider's ID of the call. Null if the record has none. */
  readonly ucid: string | null
  /** Who called whom. Null if the record does not say it. */
  readonly direction: CallDirection | null
  /** How far the call is, or how it ended, in the words of the workspace, for example `COMPLETED`. Null if the record does not say it. */
  readonly status: string | null
  /** When the call began to ring. Null if it is not known. */
  readonly startedAt: string | null
  /** When the call was answered. Null if it was not. */
  readonly answeredAt: string | null
  /** When the call ended. Null if it is not known. */
  readonly endedAt: string | null
  /** Talk time in seconds. Null if it is not known. */
  readonly durationSeconds: number | null
  /** The customer's number, in E.164 if it is valid, else its digits. Null if it is withheld or not known. */
  readonly phoneNumber: string | null
  /** The number of the clinic that was called or shown. Null if it is not known. */
  readonly did: string | null
  /** The provider's campaign. Null if it is not known. */
  readonly campaignName: string | null
  /** The outcome code. Null if there is none. */
  readonly disposition: string | null
  /**
   * What the provider wrote because nobody gave an outcome in time. Null if there is an outcome, if the provider wrote
   * nothing, and a week after the call. The agent of the call or a manager can still give one (`submitDisposition`).
   */
  readonly automaticDisposition: string | null
  /** The agent's notes. Null if there are none. */
  readonly notes: string | null
  /** Whether the call has a recording. */
  readonly hasRecording: boolean
  /** ID of the agent record (UUID). Null if no agent had the call. */
  readonly agentId: string | null
  /** Display name of the agent record. Null if no agent had the call, or if there is no such record any more. */
  readonly agentName: string | null
  /** ID of the lead that the call is about (UUID). Null if it is not known. */
  readonly leadId: string | null
}

/**
 * What makes a row of the history.
 * `TOTAL`: One row for everything.
 * `DAY`: One row for each day.
 * `HOUR`: One row for each hour of the clinic's day, over all days. When the clock is set back, the hour that occurs twice is one.
 * `DAY_AND_HOUR`: One row for each hour of each day.
 * `CAMPAIGN`: One row for each campaign.
 * `AGENT`: One row for each agent.
 * `DAY_AND_CAMPAIGN`: One row for each day and campaign.
 * `DAY_AND_AGENT`: One row for each day and agent.
 * `AGENT_AND_CAMPAIGN`: One row for each agent and campaign.
 * `HOUR_AND_CAMPAIGN`: One row for each hour of the clinic's day and campaign.
 * `HOUR_AND_AGENT`: One row for each hour of the clinic's day and agent.
 */
export type HistoryGrouping = 'TOTAL' | 'DAY' | 'HOUR' | 'DAY_AND_HOUR' | 'CAMPAIGN' | 'AGENT' | 'DAY_AND_CAMPAIGN' | 'DAY_AND_AGENT' | 'AGENT_AND_CAMPAIGN' | 'HOUR_AND_CAMPAIGN' | 'HOUR_AND_AGENT'

/** Figures of one group of calls. */
export interface HistoryRow {
  /** The day, for example `2026-11-21`. Null if days are not a part of the grouping. */
  readonly date: string | null
  /** The hour of the clinic's day: 0 to 23. Null if hours are not a part of the grouping. */
  readonly hour: number | null
  /** ID of the agent record (UUID), or the ID at the provider if there is no record. Null for calls that no agent had, and if agents are not a part of the grouping. */
  readonly agentId: string | null
  /** Display name of the agent record, or the name that it had then. Null if `agentId` is. */
  readonly agentName: string | null
  /** The provider's campaign. Null for calls whose campaign is not known, and if campaigns are not a part of the grouping. */
  readonly campaignName: string | null
  /** Number of calls, including those in progress. */
  readonly calls: number
  /** Number of inbound calls. */
  readonly offered: number
  /** Number of calls in both directions that somebody answered. */
  readonly answered: number
  /** Number of inbound calls that somebody answered. */
  readonly answeredInbound: number
  /** Number of inbound calls that ended without an answer. */
  readonly missed: number
  /** Number of outbound calls that ended without an answer. */
  readonly unreached: number
  /** Number of inbound calls that were answered within `serviceLevelSeconds`. */
  readonly answeredInTime: number
  /** The part of `answeredInbound` and `missed` that was answered in time: 0 to 1. Null if there is no such call. */
  readonly serviceLevel: number | null
  /** The part of `answeredInbound` and `missed` that was answered: 0 to 1. Null if there is no such call. */
  readonly answerRate: number | null
  /** Mean time in seconds from the start to the answer of inbound calls. Null if none was answered. */
  readonly averageWaitSeconds: number | null
  /** Number of answered calls that have ended and whose duration was reported: talk and handling time are theirs. */
  readonly timed: number
  /** Talk time in seconds. */
  readonly talkSeconds: number
  /** Mean talk time in seconds. Null if there is no such call. */
  readonly averageTalkSeconds: number | null
  /** Number of calls whose wrap-up is known: from the end of a call until its agent was free. */
  readonly wrapUps: number
  /** Time of the wrap-ups in seconds. */
  readonly wrapUpSeconds: number
  /** Mean time of a wrap-up in seconds. Null if there is none. */
  readonly averageWrapUpSeconds: number | null
  /** Talk and wrap-up time in seconds. */
  readonly handlingSeconds: number
  /** Mean of talk and wrap-up in seconds. Null if there is no such call. */
  readonly averageHandlingSeconds: number | null
  /** Number of missed calls after which somebody talked to the caller, within 30 days and in either direction. */
  readonly returned: number
  /** Mean time in seconds from the end of a missed call until somebody talked to the caller. Null if there is no such call. */
  readonly averageReturnSeconds: number | null
  /** Number of calls with each outcome code, the most frequent first. */
  readonly dispositions: readonly DispositionCount[]
  /** Number of answered calls that ended without an outcome. Calls that an earlier version counted are left out. */
  readonly withoutOutcome: number
}

/** Figures of the calls that started in one hour. */
export interface HourCallCounts {
  /** Hour of the clinic's day: 0 to 23. */
  readonly hour: number
  /** Figures of the calls that started in this hour. */
  readonly counts: CallCounts
}

/** What the language model concluded from a lead's activity. */
export interface LeadInsight {
  /** ID of the lead (UUID). */
  readonly id: string
  /** Two or three sentences about the lead, for an agent to read before a call. */
  readonly summary: string
  /** What to do next. Null if the stored value is none of the allowed actions. */
  readonly suggestedAction: SuggestedAction | null
  /** When the insight was written. Null if the record does not say. */
  readonly writtenAt: string | null
  /** Why this action is suggested, in one sentence. Null if somebody else changed the record's insight since. */
  readonly reason: string | null
  /** When the customer wants to be called back. Null if no time after the call was named, or if somebody else changed the record's insight since. */
  readonly callBackAt: string | null
  /** The provider's name of the language model. Null if somebody else changed the record's insight since. */
  readonly model: string | null
  /** ID of the `call.completed` event that caused the insight. Null if somebody else changed the record's insight since. */
  readonly eventId: string | null
}

/**
 * How many leads have a phone number.
 * `NONE`: No lead has the phone number.
 * `ONE`: Exactly one lead has it.
 * `MANY`: Two or more leads have it.
 */
export type LeadMatch = 'NONE' | 'ONE' | 'MANY'

/**
 * Which number of a lead matched a phone number.
 * `PRIMARY_PHONE`: The lead's first number.
 * `ADDITIONAL_PHONE`: One of the lead's further numbers.
 */
export type LeadMatchedBy = 'PRIMARY_PHONE' | 'ADDITIONAL_PHONE'

export interface LeadSummariesBody {
  /** IDs of leads (UUIDs), such as `leadId` of a call. A UUID of version 1 to 5. At most 200 entries. */
  readonly ids: readonly string[]
}

/** A lead of the platform, with the fields that a screen pop shows. */
export interface LeadSummary {
  /** Unique ID of the lead's record (UUID). */
  readonly id: string
  /** Full name. `Lead` if the record has none. */
  readonly name: string
  /** A value of the workspace's own list, such as `NEW`. Null if it is not recorded. */
  readonly status: string | null
  /** Where the lead came from, a value of the workspace's own list. Null if it is not recorded. */
  readonly source: string | null
  /** The primary number, in E.164 if it is a valid number. Null if it is not recorded. */
  readonly phoneNumber: string | null
  /** Address for e-mail. Null if it is not recorded. */
  readonly email: string | null
  /** What the language model concluded from the lead's activity. Null if nothing was concluded yet. */
  readonly insight: LeadInsight | null
  /** Which number of the lead matched. Null if the lead was not found by a number. */
  readonly matchedBy: LeadMatchedBy | null
}

/** An agent session as managers see it. */
export interface LiveAgentSession {
  /** The agent's `agentId`: an agent has one session. */
  readonly id: string
  /** ID of the agent record (UUID). */
  readonly agentId: string
  /** Display name of the agent record. */
  readonly agentName: string
  /** ID of the workspace member who is signed in (UUID). */
  readonly memberId: string
  /** The IP address from which the agent signed in. */
  readonly ip: string
  /** When the agent signed in. */
  readonly lockedAt: string
  /** When the last heartbeat arrived. Null before the first one. */
  readonly lastHeartbeatAt: string | null
  /** When the session ends if no heartbeat arrives. */
  readonly expiresAt: string
}

/** A call as the telephony provider reports it. */
export interface LiveCall {
  /** The `ucid`. */
  readonly id: string
  /** The provider's ID of the call: text, never a number. */
  readonly ucid: string
  /** How far the call is. */
  readonly phase: CallPhase
  /** Who called whom. */
  readonly direction: CallDirection
  /** The customer's number in E.164. Null if it has no such form, is withheld or not known. */
  readonly phoneNumber: string | null
  /** The customer's number as the provider reports it, also one that has no E.164 form, such as an extension. Null if it is withheld or not known. */
  readonly dialledNumber: string | null
  /** The hospital's number: dialled by the customer, or shown to the customer. Null if it is not known. */
  readonly did: string | null
  /** The provider's campaign of the call. Null if it is not known. */
  readonly campaignName: string | null
  /** ID of the agent record (UUID). Null if no agent has the call or the agent has no record. */
  readonly agentId: string | null
  /** The agent's ID at the telephony provider. Null if no agent has the call. */
  readonly providerAgentId: string | null
  /** ID of the lead that the call is about (UUID). Null if it is not known. */
  readonly leadId: string | null
  /** When the call started to ring. Null if it is not known. */
  readonly startedAt: string | null
  /** When the parties were connected. Null if nobody has answered. */
  readonly answeredAt: string | null
  /** When somebody hung up. Null if the call is in progress. */
  readonly endedAt: string | null
  /** Seconds from the answer to the end. Null if the call is in progress or was not answered. */
  readonly talkSeconds: number | null
  /** The outcome code that the agent chose. Null if there is none yet. */
  readonly disposition: string | null
  /** The provider that has the call. Null if it is not known. */
  readonly provider: TelephonyProvider | null
  /** What `controlCall` can do with this call: empty if the call has ended, or if its provider has no controls. */
  readonly actions: readonly CallControlAction[]
  /** What `controlCall` has set. */
  readonly controls: CallControls
  /** The transfer of the call: under way, or the last one. Null if there is none. */
  readonly transfer: CallTransfer | null
}

/** The subscription to the live events of the telephony provider. */
export interface LiveEvents {
  /** Always the same: a workspace has one subscription. */
  readonly id: string
  /** Whether the provider was asked to send its events, and with what result. */
  readonly status: LiveEventsStatus
  /** When the present subscription was last made or renewed. Null if there is none. */
  readonly subscribedAt: string | null
  /** When the last live event came. Null if none came in the last 30 days. */
  readonly lastEventAt: string | null
  /** What is wrong and what a manager can do, as text. Null if nothing is wrong. */
  readonly problem: string | null
  /** When the service tries again after a failure. Null if there was no failure. */
  readonly nextTryAt: string | null
}

/**
 * Whether the provider was asked to send its live events.
 * `SUBSCRIBED`: The provider accepted the present address.
 * `PENDING`: The service subscribes in the next seconds.
 * `FAILED`: The last attempt failed. The service tries again by itself, at least every ten minutes.
 * `NOT_CONFIGURED`: There is no telephony provider, or its settings are not complete.
 * `NOT_SUPPORTED`: The provider has no live events.
 * `NO_PUBLIC_ADDRESS`: The setting PUBLIC_URL is missing, so the provider cannot reach this service.
 */
export type LiveEventsStatus = 'SUBSCRIBED' | 'PENDING' | 'FAILED' | 'NOT_CONFIGURED' | 'NOT_SUPPORTED' | 'NO_PUBLIC_ADDRESS'

/** An inbound call that nobody answered. */
export interface MissedCall {
  /** The `ucid`. */
  readonly id: string
  /** The provider's ID of the call. */
  readonly ucid: string
  /** The customer's number in E.164. Null if it has no such form, or is withheld. */
  readonly phoneNumber: string | null
  /** The customer's number as the provider reports it, also one that has no E.164 form, such as an extension. Null if it is withheld or not known. */
  readonly dialledNumber: string | null
  /** The hospital's number that the customer dialled. Null if it is not known. */
  readonly did: string | null
  /** The provider's campaign of the call. Null if it is not known. */
  readonly campaignName: string | null
  /** ID of the lead with this phone number (UUID). Null if it is not known. */
  readonly leadId: string | null
  /** When the customer called. */
  readonly at: string
  /** When a later call reached the customer: we called back, or the customer called again and was answered. Null if none did. */
  readonly calledBackAt: string | null
  /** The provider's ID of the call that reached the customer. Null if none did. */
  readonly calledBackUcid: string | null
  /** When an agent finished it in the worklist without such a call. Null if nobody did. */
  readonly doneAt: string | null
  /** ID of the person's entry in the worklist (UUID), to claim or assign them. Null if the number is withheld: then there is no entry. */
  readonly worklistEntryId: string | null
}

/** Missed calls whose caller waits for a callback. */
export interface MissedWaiting {
  /** Always the same: a workspace has one. */
  readonly id: string
  /** Number of callers that wait. */
  readonly count: number
  /** When the caller who waits longest called. Null if nobody waits. */
  readonly oldestAt: string | null
  /** The newest 20 of these calls. */
  readonly calls: readonly MissedCall[]
}

/** A member to create. */
export interface NewTeamMember {
  /** The address that the member signs in with. Nothing is sent to it. An e-mail address. 1 to 254 characters. */
  readonly email: string
  /** Given name. One line. 1 to 100 characters. */
  readonly firstName: string
  /** Family name. One line. 1 to 100 characters. */
  readonly lastName: string
  /** What the member may do. */
  readonly role: TeamRole
  /** Makes the member an agent. Leave it out for a member who handles no calls. */
  readonly agent?: TeamAgentInput | null
}

/** A new webhook address, shown only once. */
export interface NewWebhookKey {
  /** Which telephony provider sends to the address. */
  readonly provider: TelephonyProvider
  /** The path with the key. Append it to the public address of this service, and enter the result at the provider. Keep it secret. */
  readonly path: string
  /** When this key was made. */
  readonly createdAt: string
  /** Until when the address before it stays valid. Null if there was none. */
  readonly formerValidUntil: string | null
}

/** A widget key to create. */
export interface NewWidgetKey {
  /** Origins of the pages that show the widget, such as `https://www.hospital.example`, without a path. An address that begins with `http://` or `https://`. At most 300 characters. 1 to 20 entries. */
  readonly origins: readonly string[]
}

/** A visit that a lead has booked. */
export interface NextVisit {
  /** The `slotId`. */
  readonly id: string
  /** ID of the visit slot's record (UUID). */
  readonly slotId: string
  /** Label of the slot on the platform. Null if it has none. */
  readonly title: string | null
  /** ID of the doctor's record (UUID). Null if the slot belongs to no doctor. */
  readonly doctorId: string | null
  /** Start of the visit in UTC. */
  readonly startsAt: string
  /** End of the visit in UTC. Null if it is not recorded. */
  readonly endsAt: string | null
  /** Start in the clinic's time zone with its offset, for example `2026-11-23T10:00:00+05:30`. */
  readonly localStartsAt: string
}

/** Something that is still to do for a lead. */
export interface OpenItem {
  /** ID of the platform's task (UUID). That of a callback is written some seconds after the disposition. */
  readonly id: string
  /** Whether it is a task or a scheduled callback. */
  readonly kind: OpenItemKind
  /** What is to do, as text for the agent. */
  readonly title: string
  /** When it should be done. Null if there is no date. */
  readonly dueAt: string | null
}

/**
 * What kind of thing is to do for a lead.
 * `TASK`: A task of the platform.
 * `CALL_BACK`: A callback that an agent scheduled with a disposition.
 */
export type OpenItemKind = 'TASK' | 'CALL_BACK'

/** An error (RFC 9457). The additional members are those that GraphQL errors have in `extensions`. */
export interface Problem {
  readonly type: string
  /** A short text that is the same for all errors with this reason. */
  readonly title: string
  /** The status of the answer. */
  readonly status: number
  /** What is wrong, and what is allowed or what to do. */
  readonly detail: string
  /** The kind of error. It decides the status. */
  readonly code: 'UNAUTHENTICATED' | 'FORBIDDEN' | 'BAD_USER_INPUT' | 'NOT_FOUND' | 'CONFLICT' | 'RATE_LIMITED' | 'NOT_CONFIGURED' | 'UPSTREAM_FAILED' | 'UPSTREAM_UNAVAILABLE' | 'TIMEOUT' | 'INTERNAL_SERVER_ERROR'
  /** A more precise kind than `code`. New ones may be added. */
  readonly reason: string
  /** True if the same request may succeed later. */
  readonly retryable: boolean
  /** Also in the log and in the header `x-request-id`. */
  readonly requestId: string
  /** Facts about the error. Which ones there are depends on the reason; further ones may be added. */
  readonly data?: {
    /** With INVALID_INPUT: the invalid fields of the input. */
    readonly fields?: readonly {
      /** The field as the request has it; parts of objects and lists follow a dot. */
      readonly path: string
      /** What is allowed. */
      readonly message: string
      /** The allowed values, if there are only a few. */
      readonly allowed?: readonly string[]
    }[]
    /** Seconds to wait before the next request, as in the header `Retry-After`. */
    readonly retryAfterSeconds?: number
    /** With SESSION_LOCKED: the IP address from which the agent is signed in. */
    readonly ip?: string
    /** With SESSION_LOCKED and SESSION_TAKEN_OVER: when that session was started. */
    readonly lockedAt?: string
    /** With SESSION_LOCKED: whether the session is your own, so that you can take it over. */
    readonly own?: boolean
    /** With ALREADY_CLAIMED: who has claimed the person. */
    readonly claimedBy?: {
      /** ID of the agent record (UUID). */
      readonly agentId: string
      /** The agent's name. */
      readonly name: string
    }
    /** With ALREADY_CLAIMED: when the claim ends. */
    readonly until?: string
  }
}

/** What was created on the platform, or will be. */
export interface Provisioning {
  /** True if the plan was carried out. False if it was only returned. */
  readonly applied: boolean
  /** True if nothing is missing any more. Items that differ or failed need a person. */
  readonly complete: boolean
  /** Everything that the service needs on the platform, in the order of creation. */
  readonly items: readonly ProvisioningItem[]
}

/** An object, field or role that the service needs on the platform. */
export interface ProvisioningItem {
  /** Whether it is an object, a field or a role. */
  readonly kind: ProvisioningKind
  /** The platform's name, for example `lead.aiSummary`. */
  readonly name: string
  /** Whether the platform has it. */
  readonly state: ProvisioningState
  /** Why it could not be created, or how it differs. Null if neither is the case. */
  readonly detail: string | null
}

/**
 * What kind of thing the service needs on the platform.
 * `OBJECT`: A table of records, such as leads.
 * `FIELD`: A column of an object.
 * `ROLE`: A set of rights for members or API keys.
 */
export type ProvisioningKind = 'OBJECT' | 'FIELD' | 'ROLE'

/**
 * Whether the platform has what the service needs.
 * `EXISTS`: The platform has it, as the service needs it.
 * `DIFFERS`: The platform has it, but of another kind. Change it by hand, or choose another name in the configuration.
 * `MISSING`: The platform does not have it yet.
 * `CREATED`: This request created it.
 * `FAILED`: The platform refused to create it. `detail` says why.
 */
export type ProvisioningState = 'EXISTS' | 'DIFFERS' | 'MISSING' | 'CREATED' | 'FAILED'

/** A webhook that a telephony provider sent, without its content. */
export interface ReceivedWebhook {
  /** Identifies it for `replayWebhook`. */
  readonly id: string
  /** Who sent it. */
  readonly provider: TelephonyProvider
  /** When it came. For a failed webhook that was accepted at first: when its processing was given up. */
  readonly receivedAt: string
  /** What became of it. */
  readonly verdict: WebhookVerdict
  /** What it reported. Null if it was not read. */
  readonly about: WebhookContent | null
  /** The provider's ID of the call. Null if it names none, or was not read. */
  readonly ucid: string | null
  /** Why it was refused or failed: the reason of an error, such as `TOKEN_REFUSED`, or `NOT_DELIVERED` if no try of a week succeeded. Otherwise null. */
  readonly reason: string | null
  /** The same as a sentence. Null if there is nothing more to say. */
  readonly detail: string | null
  /** Milliseconds until the answer. Null for what was not answered: replays, and webhooks that were not read. */
  readonly durationMs: number | null
  /** ID of the failed webhook that a manager sent again, if this entry is such a replay. Otherwise null. */
  readonly replayOf: string | null
  /** When a manager sent this failed webhook again. Otherwise null. */
  readonly replayedAt: string | null
  /** Whether `replayWebhook` can process it again: it failed after it was read, and was not replayed yet. */
  readonly canReplay: boolean
}

/** What was said in a call, by whom, and what it means. Times in the recording are seconds from its start. */
export interface RecordingAnalysis {
  /** The `callId`. */
  readonly id: string
  /** ID of the call's record (UUID). */
  readonly callId: string
  /** Spoken language as the speech provider detected it, such as `en` or `hi`. Null if it is not known. */
  readonly language: string | null
  /** Length of the recording in seconds. */
  readonly duration: number
  /** A few sentences about the call. Null if `missing` names SUMMARY. */
  readonly summary: string | null
  /** Who wrote the summary. Null if there is none. */
  readonly summaryFrom: RecordingSummarySource | null
  /** What the parties talked about. Empty if `missing` names TOPICS. */
  readonly topics: readonly RecordingTopic[]
  /** How the parties felt. Null if `missing` names SENTIMENT. */
  readonly sentiment: RecordingSentiment | null
  /** The voices in the recording. */
  readonly speakers: readonly RecordingSpeaker[]
  /** Seconds in which nobody spoke, added up. */
  readonly silenceSeconds: number
  /** Length of the longest pause in seconds. */
  readonly longestSilenceSeconds: number
  /** The transcript, in the order in which people spoke. Counts as 100 rows. */
  readonly utterances: readonly RecordingUtterance[]
  /** What the language model concluded. Null if `missing` names INSIGHTS. */
  readonly insights: RecordingInsights | null
  /** The parts that could not be made, and why. */
  readonly missing: readonly RecordingMissingPart[]
  /** Which models were used. */
  readonly model: RecordingModels
  /** How much of the language model was used. */
  readonly tokens: RecordingTokens
  /** SHA-256 of the recording's address, as base64url. */
  readonly sourceHash: string
  /** When the analysis was complete. */
  readonly analyzedAt: string
  /** When the stored analysis is deleted. */
  readonly expiresAt: string
}

/** Whether a call followed one of the workspace's phrases and rules. */
export interface RecordingCompliance {
  /** The key of the criterion, as in scorecards. */
  readonly key: string
  /** The rule, in the words of the configuration. */
  readonly rule: string
  /** Whether the agent followed it. */
  readonly verdict: RecordingVerdict
  /** Why, in one sentence. */
  readonly reason: string
  /** IDs of the utterances that show it. */
  readonly evidence: readonly string[]
}

/** A feeling and its strength. */
export interface RecordingFeeling {
  /** The `callId` of the analysis. */
  readonly id: string
  /** Whether it is good, bad or neither. */
  readonly sentiment: RecordingFeelingName
  /** From -1 (very negative) to 1 (very positive). */
  readonly score: number
}

/**
 * Whether a feeling is good, bad or neither.
 * `POSITIVE`: Friendly, satisfied or happy.
 * `NEUTRAL`: Neither good nor bad.
 * `NEGATIVE`: Angry, worried or disappointed.
 */
export type RecordingFeelingName = 'POSITIVE' | 'NEUTRAL' | 'NEGATIVE'

/** The feeling in one part of a call. */
export interface RecordingFeelingSpan {
  /** Where the part begins: seconds from the start of the recording. */
  readonly start: number
  /** Where the part ends: seconds from the start of the recording. */
  readonly end: number
  /** Whether the feeling is good, bad or neither. */
  readonly sentiment: RecordingFeelingName
  /** From -1 (very negative) to 1 (very positive). */
  readonly score: number
}

/** What the language model concluded from a call. Every statement cites utterances. Statements without a valid citation are removed. */
export interface RecordingInsights {
  /** The `callId` of the analysis. */
  readonly id: string
  /** What the call achieved. Null if the model gave none with a valid citation. */
  readonly outcome: RecordingOutcome | null
  /** What the agent did well. */
  readonly wentWell: readonly RecordingStatement[]
  /** What the agent can do better. */
  readonly toImprove: readonly RecordingStatement[]
  /** The workspace's rules, and whether the agent followed them. */
  readonly compliance: readonly RecordingCompliance[]
  /** How satisfied the customer seems. Null if the model gave no score with a valid citation. */
  readonly satisfaction: RecordingSatisfaction | null
  /** Number of statements that were removed because their citation was not valid. */
  readonly dropped: number
}

/** A part of an analysis that could not be made. */
export interface RecordingMissingPart {
  /** Which field of the analysis is affected. */
  readonly part: RecordingPart
  /** The cause, as text for the manager. */
  readonly why: string
}

/** Which models an analysis used. */
export interface RecordingModels {
  /** The `callId` of the analysis. */
  readonly id: string
  /** The speech provider's name of the model that made the transcript. */
  readonly speech: string
  /** The provider's name of the language model. Null if none was used. */
  readonly language: string | null
}

/** What a call achieved. */
export interface RecordingOutcome {
  /** The `callId` of the analysis. */
  readonly id: string
  /** The result as one value of a closed list. */
  readonly code: RecordingOutcomeCode
  /** The result in one sentence. */
  readonly text: string
  /** IDs of the utterances that show it. */
  readonly evidence: readonly string[]
}

/**
 * The results that a call can have.
 * `APPOINTMENT_BOOKED`: The customer booked a visit.
 * `APPOINTMENT_MOVED`: The customer moved a visit to another time.
 * `APPOINTMENT_CANCELLED`: The customer cancelled a visit.
 * `INFORMATION_GIVEN`: The agent answered a question.
 * `CALLBACK_SCHEDULED`: The agent agreed to call the customer again.
 * `COMPLAINT_TAKEN`: The agent recorded a complaint.
 * `PAYMENT_ARRANGED`: The parties agreed on a payment.
 * `WRONG_NUMBER`: The caller wanted to reach somebody else.
 * `NOT_RESOLVED`: The call ended without a result.
 * `OTHER`: Something that is not in this list. `text` describes it.
 */
export type RecordingOutcomeCode = 'APPOINTMENT_BOOKED' | 'APPOINTMENT_MOVED' | 'APPOINTMENT_CANCELLED' | 'INFORMATION_GIVEN' | 'CALLBACK_SCHEDULED' | 'COMPLAINT_TAKEN' | 'PAYMENT_ARRANGED' | 'WRONG_NUMBER' | 'NOT_RESOLVED' | 'OTHER'

/**
 * The parts of an analysis that can be missing.
 * `SUMMARY`: The field `summary`.
 * `TOPICS`: The field `topics`.
 * `SENTIMENT`: The field `sentiment`.
 * `SPEAKERS`: The roles in `speakers`.
 * `INSIGHTS`: The field `insights`.
 */
export type RecordingPart = 'SUMMARY' | 'TOPICS' | 'SENTIMENT' | 'SPEAKERS' | 'INSIGHTS'

/**
 * Who a voice belongs to.
 * `AGENT`: The person who works for the hospital.
 * `CUSTOMER`: The person who called or was called.
 * `UNKNOWN`: It could not be decided.
 */
export type RecordingRole = 'AGENT' | 'CUSTOMER' | 'UNKNOWN'

/**
 * How the role of a voice was found.
 * `CHANNEL`: Each party has an audio channel of its own.
 * `MODEL`: The language model decided it, with utterances as evidence.
 */
export type RecordingRoleSource = 'CHANNEL' | 'MODEL'

/** How satisfied a customer seems. */
export interface RecordingSatisfaction {
  /** The `callId` of the analysis. */
  readonly id: string
  /** From 1 (not at all) to 5 (fully). */
  readonly score: number
  /** Why, in one sentence. */
  readonly reason: string
  /** IDs of the utterances that show it. */
  readonly evidence: readonly string[]
}

/** How the parties felt during a call. */
export interface RecordingSentiment {
  /** The `callId` of the analysis. */
  readonly id: string
  /** The mean over the whole call. */
  readonly average: RecordingFeeling
  /** The parts of the call, in the order of their start. */
  readonly timeline: readonly RecordingFeelingSpan[]
}

/** One voice in a recording. */
export interface RecordingSpeaker {
  /** Number of the voice. Utterances refer to it. */
  readonly speaker: number
  /** Who the voice belongs to. */
  readonly role: RecordingRole
  /** How the role was found. Null for UNKNOWN. */
  readonly namedBy: RecordingRoleSource | null
  /** IDs of utterances from which the role follows. Empty if the role follows from the audio channel. */
  readonly evidence: readonly string[]
  /** Seconds in which this voice spoke, added up. */
  readonly talkSeconds: number
  /** Part of all speech that this voice has: 0 to 1. */
  readonly talkShare: number
  /** Length in seconds of the longest time in which only this voice spoke. */
  readonly longestMonologueSeconds: number
  /** How often this voice interrupted another one. */
  readonly interruptions: number
}

/**
 * The steps of an analysis, in their order.
 * `STARTED`: The analysis was requested.
 * `FETCHED`: The recording was downloaded and contains audio.
 * `TRANSCRIBED`: The speech was converted to text.
 * `ANALYSED`: The result is complete.
 * `FAILED`: The analysis ended without a result.
 */
export type RecordingStage = 'STARTED' | 'FETCHED' | 'TRANSCRIBED' | 'ANALYSED' | 'FAILED'

/**
 * How far the analysis of a recording is.
 * `NOT_REQUESTED`: Nobody asked for an analysis, and the recording is not queued.
 * `WAITING`: The recording is queued.
 * `RUNNING`: The analysis is in progress.
 * `DONE`: The analysis can be read.
 * `FAILED`: There is no analysis, and no further try without a click.
 * `OVER_BUDGET`: The recording is queued, but does not fit into what is left of the day's budget.
 */
export type RecordingState = 'NOT_REQUESTED' | 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED' | 'OVER_BUDGET'

/** A statement about a call. */
export interface RecordingStatement {
  /** One sentence for the manager. */
  readonly text: string
  /** IDs of the utterances that show it. */
  readonly evidence: readonly string[]
}

/** How far the analysis of a recording is. A workspace can have recordings analysed without a click, the newest first, within a daily budget. */
export interface RecordingStatus {
  /** The `callId`. */
  readonly id: string
  /** ID of the call's record (UUID). */
  readonly callId: string
  /** Whether it waits, is in progress, or how it ended. */
  readonly state: RecordingState
  /** Why it waits or failed, as text for people. Null if there is nothing to explain. */
  readonly reason: string | null
  /** Tries without a click that have begun. */
  readonly tries: number
  /** When it is tried again at the earliest. Null: as soon as possible, or never. */
  readonly retryAt: string | null
}

/**
 * Who wrote the summary of a recording.
 * `SPEECH`: The speech provider.
 * `MODEL`: The language model.
 */
export type RecordingSummarySource = 'SPEECH' | 'MODEL'

/** How many tokens of the language model an analysis used. */
export interface RecordingTokens {
  /** The `callId` of the analysis. */
  readonly id: string
  /** Tokens that were sent to the model. */
  readonly input: number
  /** Tokens that the model wrote. */
  readonly output: number
}

/** A subject that the parties talked about. */
export interface RecordingTopic {
  /** The subject in a few words. */
  readonly topic: string
  /** How sure the speech provider is: 0 to 1. */
  readonly confidence: number
}

/** An analysis that is in progress. Do not send the request again: read the result later. */
export interface RecordingUnderWay {
  /** The `callId`. */
  readonly id: string
  /** ID of the call's record (UUID). */
  readonly callId: string
  /** The last step that is done. */
  readonly stage: RecordingStage
  /** When the analysis was started. Null if it is not known. */
  readonly startedAt: string | null
  /** The REST path at which the result will be. */
  readonly lookAt: string
  /** Seconds to wait before the next request. */
  readonly retryAfterSeconds: number
}

/** Something that one person said without a pause. */
export interface RecordingUtterance {
  /** Unique in the workspace: ID of the call, and the utterance in it. Statements cite it as evidence. */
  readonly id: string
  /** Number of the voice, as in `speakers`. */
  readonly speaker: number
  /** Who the voice belongs to. */
  readonly role: RecordingRole
  /** Where it begins: seconds from the start of the recording. */
  readonly start: number
  /** Where it ends: seconds from the start of the recording. */
  readonly end: number
  /** The spoken words. */
  readonly text: string
}

/**
 * Whether an agent followed a rule.
 * `MET`: The agent followed the rule.
 * `BROKEN`: The agent did not follow the rule.
 * `NOT_APPLICABLE`: The rule does not concern this call.
 */
export type RecordingVerdict = 'MET' | 'BROKEN' | 'NOT_APPLICABLE'

export interface RefreshTokensBody {
  /** The refresh token of the last sign-in or renewal. 1 to 8,192 characters. */
  readonly refreshToken: string
}

export interface ReleaseAgentSessionBody {
  /** Why the session is ended, for the agent to read. Stored in the audit log as it is: write no patient's name. Not empty. 1 to 500 characters. */
  readonly reason: string
}

export interface RotateWebhookKeyBody {
  /** Which provider gets a new address. */
  readonly provider: TelephonyProvider
}

export interface SaveCallNotesBody {
  /** The whole text. At most 8,000 characters. */
  readonly notes: string
  /** The outcome that is chosen. Nobody gets it before `submitDisposition`. At most 100 characters. */
  readonly disposition?: string | null
  /** The moment that is chosen for a callback. */
  readonly callBackAt?: string | null
}

export interface ScheduleWorklistEntryBody {
  /** In the future, at most 365 days ahead. */
  readonly dueAt: string
}

/** How a call was judged by the workspace's criteria (`ai.recordings.complianceRules`), as they were at the analysis. */
export interface Scorecard {
  /** The `callId`. */
  readonly id: string
  /** ID of the call's record (UUID). */
  readonly callId: string
  /** ID of the agent record (UUID). Null if no agent had the call. */
  readonly agentId: string | null
  /** When the call began, or when it was analysed if that is not known. */
  readonly at: string
  /** When the language model judged the call. */
  readonly analyzedAt: string
  /** Another number after each change. Send it with a correction. */
  readonly version: number
  /** The weight of the criteria that are met, in percent of those that concern the call, by the language model's verdicts. Null if none does. */
  readonly modelScore: number | null
  /** The same with the managers' corrections. */
  readonly score: number | null
  /** The criteria, in the order of the configuration. */
  readonly criteria: readonly ScorecardCriterion[]
}

/** How often managers and the language model came to the same verdict. */
export interface ScorecardAgreement {
  /** Always the same: a workspace has one. */
  readonly id: string
  /** Number of scorecards with a correction in the range. */
  readonly scorecards: number
  /** False if there are more than 5,000: only the newest are counted. Choose a shorter range. */
  readonly complete: boolean
  /** All criteria together. */
  readonly total: ScorecardAgreementCounts
  /** Each criterion that has a correction, by its key. */
  readonly criteria: readonly ScorecardCriterionAgreement[]
}

/** Verdicts of managers compared with those of the language model. */
export interface ScorecardAgreementCounts {
  /** Number of managers' verdicts where the model had one too. */
  readonly reviewed: number
  /** How many of these are the same. */
  readonly agreed: number
  /** `agreed` divided by `reviewed`: 0 to 1. Null if nothing was reviewed. */
  readonly agreement: number | null
  /** The manager said BROKEN, the model did not. */
  readonly overlooked: number
  /** The model said BROKEN, the manager did not. */
  readonly falseAlarms: number
  /** Managers' verdicts where the model had none. */
  readonly withoutModel: number
}

/** A manager's verdict on a criterion. */
export interface ScorecardCorrection {
  /** Whether the agent followed the criterion. */
  readonly verdict: RecordingVerdict
  /** Why, in the manager's words. */
  readonly reason: string
  /** When it was stored. */
  readonly at: string
  /** Who gave it. */
  readonly by: ScorecardReviewer
}

/** One criterion of a scorecard. */
export interface ScorecardCriterion {
  /** Identifies the criterion, also in other scorecards. */
  readonly key: string
  /** Short name for people. */
  readonly name: string
  /** What the agent must say or do, for example `Greet the caller.` */
  readonly question: string
  /** How much it counts beside the others: 1 to 100. */
  readonly weight: number
  /** The language model's verdict, which a correction leaves as it is. Null if it gave none with a valid citation. */
  readonly model: ScorecardModelVerdict | null
  /** A manager's verdict. Null if there is none. */
  readonly correction: ScorecardCorrection | null
  /** The verdict that counts: the manager's, else the language model's. Null if there is neither. */
  readonly verdict: RecordingVerdict | null
}

/** The agreement on one criterion. */
export interface ScorecardCriterionAgreement {
  /** Identifies the criterion, as in scorecards. */
  readonly key: string
  /** Its name, as it was last. */
  readonly name: string
  /** The figures. */
  readonly counts: ScorecardAgreementCounts
}

/** The language model's verdict on a criterion. */
export interface ScorecardModelVerdict {
  /** Whether the agent followed the criterion. */
  readonly verdict: RecordingVerdict
  /** Why, in one sentence. Null after the end of the analysis. */
  readonly reason: string | null
  /** IDs of the utterances that show it. Empty for NOT_APPLICABLE, and after the end of the analysis. */
  readonly evidence: readonly string[]
}

/** A manager who corrected a scorecard. */
export interface ScorecardReviewer {
  /** ID of the user on the platform (UUID). */
  readonly userId: string
  /** ID of the workspace member (UUID). */
  readonly memberId: string
  /** What the member was called then. */
  readonly name: string
}

/** A token and its expiry. */
export interface SessionToken {
  /** The token as text. Keep it secret. */
  readonly token: string
  /** From this moment on the token is refused. */
  readonly expiresAt: string
}

/** The two tokens of a signed-in member, both issued by the platform. */
export interface SessionTokens {
  /** Send it as `Authorization: Bearer` with every request. */
  readonly accessToken: SessionToken
  /** Send it to `refreshTokens` before the access token expires. It can be used once. */
  readonly refreshToken: SessionToken
}

/** The answer of an operation that issues tokens. */
export interface SessionTokensAnswer {
  /** The new access token and refresh token. */
  readonly tokens: SessionTokens
}

/** The progress of the setup wizard. */
export interface SetupState {
  /** Always the same: a workspace has one. */
  readonly id: string
  /** All steps, in the order in which the wizard shows them. */
  readonly steps: readonly SetupStep[]
  /** True if a manager chose not to see the wizard any more. */
  readonly dismissed: boolean
  /** True if the wizard is not dismissed and has a step that is not marked as done (`complete`) and is found open (`detected` is false). A step that cannot be checked at the moment is not open. */
  readonly wizardRequired: boolean
}

/** One step of the setup wizard. */
export interface SetupStep {
  /** The name of the step. */
  readonly id: string
  /** What the step is for. */
  readonly step: SetupStepName
  /** True if the step is marked as done. */
  readonly complete: boolean
  /** When the step was marked as done. Null if it is open. */
  readonly completedAt: string | null
  /** ID of the workspace member who marked the step as done (UUID). Null if it is open. */
  readonly completedBy: string | null
  /** Whether the service itself finds the step done, independent of the mark. Null if it cannot find out at the moment. */
  readonly detected: boolean | null
  /** What the service found, as text for the manager. */
  readonly found: string
}

export interface SetupStepBody {
  /** True marks the step as complete, false as open. */
  readonly complete: boolean
}

/**
 * The steps of the setup wizard.
 * `PLATFORM`: Connect the platform: API key, objects and roles.
 * `BRAND`: Enter the hospital's name, logo and colours.
 * `TEAM`: Add members and make some of them agents.
 * `TELEPHONY`: Connect the telephony provider.
 * `AI`: Choose the language model.
 * `WIDGET`: Make a key for the chat widget.
 */
export type SetupStepName = 'PLATFORM' | 'BRAND' | 'TEAM' | 'TELEPHONY' | 'AI' | 'WIDGET'

/** What a client should show about the setup of the workspace. */
export interface SetupSummary {
  /** True for a manager if the setup wizard is not dismissed and has a step that is not marked as done and is found open within a second. Always false for other roles. */
  readonly wizardRequired: boolean
}

/** An account on the platform. */
export interface SignedInUser {
  /** ID of the account (UUID). One account can be a member of several workspaces. */
  readonly id: string
  /** The e-mail address that signs in. */
  readonly email: string
  /** Given name. May be empty. */
  readonly firstName: string
  /** Family name. May be empty. */
  readonly lastName: string
}

/** A workspace of the platform. */
export interface SignedInWorkspace {
  /** Unique ID on the platform (UUID). */
  readonly id: string
  /** The first part of the workspace's host name, for example `demo`. */
  readonly subdomain: string
}

/** What a browser phone registers with. */
export interface SipCredentials {
  /** SIP address: `sip:username@domain`. */
  readonly uri: string
  /** The agent's SIP extension. */
  readonly username: string
  /** The password of the SIP extension. Keep it secret. */
  readonly password: string
  /** Host name of the SIP server. */
  readonly domain: string
  /** Port of the SIP server for WebSocket connections. */
  readonly wsPort: number
  /**
   * Address of the WebSocket connection: `wss://domain:wsPort` and the configured path, if there is one. It begins with `ws://` if the domain is `localhost`
   * or a loopback address.
   */
  readonly wsUrl: string
}

/** The outcome of a call. */
export interface SubmitDispositionBody {
  /** The outcome code: one of `callSettings { dispositions }`. At most 100 characters. */
  readonly disposition: string
  /** What the agent wants to write about the call. Left out: the notes, and what was saved while typing, stay; an empty text removes them. At most 8,000 characters. */
  readonly notes?: string | null
  /** ID of the lead that the call was about (UUID), if the client knows it. Left out in a correction: the lead stays. A UUID of version 1 to 5. */
  readonly leadId?: string | null
  /**
   * Schedules a callback for this moment: in the future, at most 365 days ahead. One that was scheduled before may be sent again when it is past. If the
   * caller withheld the number, it needs a lead with a number (`leadId`).
   */
  readonly callBackAt?: string | null
  /** For a correction: the `eventId` of the receipt that the client has seen last. If the outcome was corrected since, it fails with CONFLICT. A UUID of version 1 to 5. */
  readonly supersedes?: string | null
  /** The agent's state after the call. Left out: the agent stays in wrap-up. */
  readonly next?: AgentStateInput | null
  /**
   * The frontend sent it, because the wrap-up ends. It can be corrected for ten minutes after the call, also after the wrap-up. It corrects no other outcome
   * itself without `supersedes`: it fails with CONFLICT then.
   */
  readonly automatic?: boolean | null
}

/**
 * The actions that can be suggested for a lead.
 * `CALL_BACK`: Call the lead again.
 * `BOOK_VISIT`: Book a visit with a doctor.
 * `SEND_INFORMATION`: Send information that the lead requested.
 * `FOLLOW_UP_PAYMENT`: Ask about an open payment.
 * `ESCALATE_TO_MANAGER`: Let a manager take over.
 * `CLOSE_LEAD`: Close the lead, because nothing more will come of it.
 * `NO_ACTION`: Do nothing for now.
 */
export type SuggestedAction = 'CALL_BACK' | 'BOOK_VISIT' | 'SEND_INFORMATION' | 'FOLLOW_UP_PAYMENT' | 'ESCALATE_TO_MANAGER' | 'CLOSE_LEAD' | 'NO_ACTION'

/** An agent with a live session. */
export interface SupervisedAgent {
  /** The same as `agentId`: an agent has one session. */
  readonly id: string
  /** ID of the agent record (UUID). */
  readonly agentId: string
  /** Display name of the agent record. */
  readonly agentName: string
  /** The agent's ID at the telephony provider. */
  readonly providerAgentId: string
  /** ID of the workspace member who is signed in (UUID). */
  readonly memberId: string
  /** When the agent session was started. */
  readonly signedInAt: string
  /** What the agent is doing. Null if the provider has reported nothing since the sign-in. */
  readonly state: AgentState | null
  /** The not-ready reason, such as `Lunch`. Null in other states. */
  readonly reason: string | null
  /** When the agent entered the state. Null if the state is not known. */
  readonly since: string | null
}

/** A call that rings or is in progress. */
export interface SupervisedCall {
  /** The `ucid`. */
  readonly id: string
  /** The provider's ID of the call. */
  readonly ucid: string
  /** How far the call is. */
  readonly phase: CallPhase
  /** Who called whom. */
  readonly direction: CallDirection
  /** The customer's number in E.164. Null if it has no such form, is withheld or not known. */
  readonly phoneNumber: string | null
  /** The customer's number as the provider reports it, also one that has no E.164 form, such as an extension. Null if it is withheld or not known. */
  readonly dialledNumber: string | null
  /** The provider's campaign of the call. Null if it is not known. */
  readonly campaignName: string | null
  /** ID of the agent record (UUID). Null if no agent has the call yet. */
  readonly agentId: string | null
  /** Display name of the agent record. Null if no agent has the call yet. */
  readonly agentName: string | null
  /** ID of the lead that the call is about (UUID). Null if it is not known. */
  readonly leadId: string | null
  /** When the call was answered, or started to ring if nobody has answered yet. Null if it is not known. */
  readonly since: string | null
}

/** The overview of a workspace at one moment. */
export interface Supervision {
  /** Always the same: a workspace has one overview. */
  readonly id: string
  /** The moment that the figures describe. */
  readonly at: string
  /** Agents with a live session, the longest session first. */
  readonly agents: readonly SupervisedAgent[]
  /** Calls that ring or are in progress. */
  readonly callsNow: CallsNow
  /** Figures of the clinic's current day. */
  readonly today: CallsToday
  /** Missed calls whose caller waits for a callback. */
  readonly missedWaiting: MissedWaiting
  /** Active doctors with free slots from now on, sorted by name. */
  readonly freeSlots: readonly FreeSlots[]
  /** Leads of unknown callers that the service created in the current hour. */
  readonly unknownCallers: UnknownCallers
}

/** A member's agent record. It contains no secrets. */
export interface TeamAgent {
  /** Unique ID of the record (UUID). */
  readonly id: string
  /** Display name on the platform. */
  readonly name: string
  /** Extension of the browser phone. Null if the agent has none. */
  readonly sipExtension: string | null
  /** The agent's ID at the telephony provider. Null if the agent has none. */
  readonly providerAgentId: string | null
  /** The provider's campaign that the agent works in. Null if the agent has none. */
  readonly campaignName: string | null
}

/** What an agent works with. The two passwords are encrypted and stored in this service; nobody can read them, and the platform never gets them. */
export interface TeamAgentInput {
  /** Extension of the browser phone. Two agents cannot have the same one. Letters, digits, or any of `. + - _`. 1 to 64 characters. */
  readonly sipExtension?: string | null
  /** Password of the browser phone's extension. Without control characters. 1 to 200 characters. */
  readonly sipPassword?: string | null
  /** The agent's ID at the telephony provider. One line. 1 to 100 characters. */
  readonly providerAgentId?: string | null
  /** Password for signing the agent in at the telephony provider. Without control characters. 1 to 200 characters. */
  readonly providerAgentPassword?: string | null
  /** The provider's campaign that the agent works in. One line. 1 to 100 characters. */
  readonly campaignName?: string | null
}

/** A member of the workspace as managers see it. */
export interface TeamMember {
  /** ID of the workspace member (UUID). */
  readonly id: string
  /** ID of the account on the platform (UUID). */
  readonly userId: string
  /** The address that the member signs in with. */
  readonly email: string
  /** Given name. May be empty. */
  readonly firstName: string
  /** Family name. May be empty. */
  readonly lastName: string
  /** What the member may do. Null if the member's platform role is mapped to none. */
  readonly role: TeamRole | null
  /** Label of the member's role on the platform. Null if the member has no role there. */
  readonly platformRole: string | null
  /** ID of the agent record (UUID). Null if the member handles no calls. */
  readonly agentId: string | null
  /** The agent record without its secrets. Null if the member handles no calls. */
  readonly agent: TeamAgent | null
  /** The live agent session. Null if the agent is not signed in. */
  readonly session: LiveAgentSession | null
  /** True if `temporaryPassword` can still be read. */
  readonly hasTemporaryPassword: boolean
  /** When the member joined the workspace. Null if it is not known. */
  readonly createdAt: string | null
}

/** The answer of an operation that creates or changes a member. */
export interface TeamMemberAnswer {
  /** The member with all current values. */
  readonly member: TeamMember
}

/** Changes of a member. Fields that are left out stay unchanged. */
export interface TeamMemberChange {
  /** New given name. One line. 1 to 100 characters. */
  readonly firstName?: string | null
  /** New family name. One line. 1 to 100 characters. */
  readonly lastName?: string | null
  /** What the member may do from now on. */
  readonly role?: TeamRole | null
  /** Makes the member an agent, or changes the existing agent record. */
  readonly agent?: TeamAgentInput | null
}

/** A page of members of the workspace. */
export interface TeamMemberPage {
  /** The entries of the page, newest first. */
  readonly members: readonly TeamMember[]
  /** Send it as `after` to get the next page. Null on the last page. */
  readonly nextCursor: string | null
  /** Number of members on all pages, after `search` is applied. */
  readonly totalCount: number
  /**
   * Since when the public invite link of the workspace is open, if the creation of a member opened it and could not close it, for example after
   * a crash. The next request of a manager closes it. Null if it is not left open.
   */
  readonly inviteLinkLeftOpenSince: string | null
}

/**
 * The two kinds of platform roles that this service distinguishes. A member with either may also be an agent.
 * `MANAGER`: May configure the service and see all agents and calls.
 * `USER`: May use the service without configuring it.
 */
export type TeamRole = 'MANAGER' | 'USER'

/**
 * The providers of phone calls. The names are those of the configuration, of events and of webhook addresses.
 * `ozonetel`: Ozonetel: agents sign in there, and it brings inbound calls.
 * `exotel`: Exotel: outbound calls, which ring the agent's phone first.
 */
export type TelephonyProvider = 'ozonetel' | 'exotel'

/** The result of signing an agent in at the telephony provider. */
export interface TelephonySignIn {
  /** True if the agent can take calls of the provider now. */
  readonly signedIn: boolean
  /** Why the agent is not signed in, as text for the agent. Null if the sign-in worked. */
  readonly reason: string | null
}

/** The password that a new member uses for the first sign-in. */
export interface TemporaryPassword {
  /** ID of the workspace member (UUID). */
  readonly id: string
  /** The password as text. Give it to the member over a safe channel. */
  readonly password: string
  /** When it was generated. */
  readonly createdAt: string
  /** From this moment on it cannot be read here any more. */
  readonly expiresAt: string
  /** When the member first signed in with it. Null if nobody has. */
  readonly usedAt: string | null
}

/** A part of a text, counted in UTF-16 code units, as JavaScript counts. */
export interface TextRange {
  /** Where it begins. */
  readonly from: number
  /** Where it ends: the first unit that is not part of it. */
  readonly to: number
}

/** A call of an agent, as the history counted it. */
export interface TimelineCall {
  /** The provider's ID of the call. */
  readonly ucid: string
  /** How far the call is, or how it ended. */
  readonly phase: CallPhase
  /** Who called whom. */
  readonly direction: CallDirection
  /** The provider's campaign of the call. Null if it is not known. */
  readonly campaignName: string | null
  /** When the call began to ring. */
  readonly startedAt: string
  /** When it was answered. Null if it was not. */
  readonly answeredAt: string | null
  /** Talk time in seconds. Null while the call goes on, and if nobody reported it. */
  readonly talkSeconds: number | null
  /** Time in seconds from the end of the call until the agent was free. Null if it is not known. */
  readonly wrapUpSeconds: number | null
  /** The outcome code. Null if there is none. */
  readonly disposition: string | null
  /**
   * What the provider wrote because nobody gave an outcome in time. Null if there is an outcome, if the provider wrote
   * nothing, and in what an earlier version counted. The agent of the call or a manager can still give one (`submitDisposition`).
   */
  readonly automaticDisposition: string | null
}

/** A time in which an agent was in one state. */
export interface TimelineState {
  /** What the agent did. */
  readonly state: AgentState
  /** The not-ready reason, such as `Lunch`. Null in other states. */
  readonly reason: string | null
  /** When the agent entered the state, or the start of the day. */
  readonly from: string
  /** When the agent left the state, or the end of the day. Null for the state that the agent is in now. */
  readonly to: string | null
}

/** An analysed call that a search found. */
export interface TranscriptMatch {
  /** The `callId`. */
  readonly id: string
  /** ID of the call's record (UUID). `recordingAnalysis` has the whole analysis. */
  readonly callId: string
  /** ID of the agent record (UUID). Null if no agent had the call. */
  readonly agentId: string | null
  /** When the call began, or when it was analysed if that is not known. */
  readonly at: string
  /** The outcome code that the agent chose. Null if none is known. */
  readonly disposition: string | null
  /** What the call achieved, as the language model judged it. Null if it gave no valid judgement. */
  readonly outcome: RecordingOutcomeCode | null
  /** The mean feeling of the call. Null if the speech provider gave none. */
  readonly sentiment: RecordingFeelingName | null
  /** Number of utterances that have a word or phrase of the search. 0 if the search had no text. */
  readonly matches: number
  /** The first of these utterances, at most 5. */
  readonly snippets: readonly TranscriptSnippet[]
  /** When the recording was analysed. */
  readonly analyzedAt: string
  /** When the analysis is deleted; from then on the call is not found. */
  readonly expiresAt: string
}

/** An utterance that a search found, or the part of it with the first match. Personal data is masked, as for the language model. */
export interface TranscriptSnippet {
  /** ID of the utterance, as in the analysis. */
  readonly id: string
  /** Number of the voice. */
  readonly speaker: number
  /** Who the voice belongs to. */
  readonly role: RecordingRole
  /** Where the utterance begins: seconds from the start of the recording. Play from here. */
  readonly start: number
  /** Where the utterance ends: seconds from the start of the recording. */
  readonly end: number
  /** The spoken words, at most 300 characters. */
  readonly text: string
  /** Where the words and phrases of the search are in `text`, in their order. */
  readonly highlights: readonly TextRange[]
}

/** Leads that the service creates for callers whose number no lead has, counted from the full hour (UTC). */
export interface UnknownCallers {
  /** Always the same: a workspace has one. */
  readonly id: string
  /** Whether the workspace wants these leads: `telephony.newLeads.enabled`. */
  readonly enabled: boolean
  /** Number of leads created. */
  readonly createdThisHour: number
  /** The most leads that an hour may bring: `telephony.newLeads.maxPerHour`. */
  readonly maxPerHour: number
  /** Number of calls of unknown callers that got no lead, because the limit was reached. 0 in a normal hour. */
  readonly leftOutThisHour: number
}

/** The member that an access token belongs to. */
export interface Viewer {
  /** The `memberId`. */
  readonly id: string
  /** What the member may do in this service. */
  readonly role: ApplicationRole
  /** The account behind the access token. */
  readonly user: SignedInUser
  /** ID of the workspace member (UUID). */
  readonly memberId: string
  /** The workspace that the access token is valid for. */
  readonly workspace: SignedInWorkspace
  /** The agent's live session, on whatever device it was started. Null if there is none. */
  readonly session: AgentSession | null
  /** The agent record. Null for a member who handles no calls. */
  readonly agent: AgentProfile | null
  /**
   * True if the member has the temporary password of `createTeamMember`, which a manager can read: until this service sees a sign-in with another password,
   * or the password expires. The member changes it on the platform. False also while the service cannot look it up.
   */
  readonly hasTemporaryPassword: boolean
}

/** A visit slot that was booked. */
export interface VisitBooking {
  /** The `slotId`. */
  readonly id: string
  /** ID of the visit slot's record (UUID). */
  readonly slotId: string
  /** ID of the lead who has it (UUID). */
  readonly leadId: string
}

/**
 * What a webhook reported.
 * `CALL_EVENT`: A call rings, is answered or ends.
 * `CALL_RECORD`: The provider's record of a call that has ended.
 * `AGENT_EVENT`: An agent changed state.
 */
export type WebhookContent = 'CALL_EVENT' | 'CALL_RECORD' | 'AGENT_EVENT'

/** The key in a provider's webhook address, without the key itself. */
export interface WebhookKey {
  /** The `provider`: each has one key. */
  readonly id: string
  /** Which telephony provider sends to the address. */
  readonly provider: TelephonyProvider
  /** When the current key was made. */
  readonly createdAt: string
}

/** The result of replaying failed webhooks. */
export interface WebhookReplay {
  /** Number of webhooks that are processed again. */
  readonly replayed: number
  /** Number of webhooks that failed again. They can be replayed later. */
  readonly failed: number
  /** True if the workspace has further failed webhooks. */
  readonly remaining: boolean
}

/** The webhooks of one provider, counted over the last 24 hours and the present one. */
export interface WebhookStatus {
  /** The `provider`. */
  readonly id: string
  /** Who sends the webhooks. */
  readonly provider: TelephonyProvider
  /** When the last one came, whatever became of it. */
  readonly lastReceivedAt: string
  /** When the last one came that was not refused and did not fail. Null if there was none in 30 days. */
  readonly lastHandledAt: string | null
  /** Number of webhooks that were accepted. */
  readonly accepted: number
  /** Number of repetitions. */
  readonly duplicates: number
  /** Number of webhooks that reported nothing of use. */
  readonly ignored: number
  /** Number of webhooks that were refused. */
  readonly refused: number
  /** Number of webhooks that failed. */
  readonly failed: number
  /** How many of all these are counted but not listed, because too many came within an hour. */
  readonly notListed: number
}

/**
 * What became of a webhook.
 * `ACCEPTED`: It is stored and is processed.
 * `DUPLICATE`: It repeats one of the last 8 days, and changes nothing.
 * `IGNORED`: It is of the provider's account, but reports nothing that the service uses.
 * `REFUSED`: Its address, form or key is wrong, or the provider is not configured; `reason` says which. Correct that: refused webhooks are not stored.
 * `FAILED`: The service could not store or process it.
 */
export type WebhookVerdict = 'ACCEPTED' | 'DUPLICATE' | 'IGNORED' | 'REFUSED' | 'FAILED'

/** A public identifier of the workspace's widget. It is valid only on pages of its origins. */
export interface WidgetKey {
  /** The same as `key`. */
  readonly id: string
  /** The value that a page sends as `x-widget-key`. */
  readonly key: string
  /** Origins on which it is valid, in the form that browsers send. */
  readonly origins: readonly string[]
  /** When a manager created it. */
  readonly createdAt: string
  /** Until when it is valid. Null if it is valid until it is rotated or deleted. */
  readonly validUntil: string | null
}

/** The agent who should call a person back. */
export interface WorklistAssignee {
  /** The `id` of the entry. */
  readonly id: string
  /** ID of the agent's record (UUID). Null if the member has none. */
  readonly agentId: string | null
  /** ID of the workspace member (UUID). */
  readonly memberId: string
  /** Name of the agent. Null if it is not known. */
  readonly name: string | null
}

/** A scheduled callback. It is a task on the platform, and follows what is changed there. */
export interface WorklistCallback {
  /** The `taskId`. */
  readonly id: string
  /** The provider's ID of the call with whose disposition it was scheduled. */
  readonly ucid: string
  /** When to call. */
  readonly at: string
  /** ID of the task on the platform (UUID). The task is written there some seconds after the disposition. */
  readonly taskId: string
}

/** An agent's right to call a person that nobody else may call meanwhile. */
export interface WorklistClaim {
  /** The `id` of the entry. */
  readonly id: string
  /** ID of the agent's record (UUID). */
  readonly agentId: string
  /** Who has the person, to show to others. */
  readonly agentName: string
  /** When the agent claimed the person, or renewed the claim. */
  readonly claimedAt: string
  /** When it ends by itself. Null while the agent's call to the person is in progress: the claim holds as long. */
  readonly until: string | null
  /** The provider's ID of the call that the agent made with it. Null before that. */
  readonly ucid: string | null
}

/** How an entry of the worklist ended. */
export interface WorklistClosing {
  /** The `id` of the entry. */
  readonly id: string
  /** When it was closed. */
  readonly at: string
  /** How it ended. Null if its tasks were completed on the platform, or the missed call was answered after all. */
  readonly outcome: WorklistOutcome | null
  /** The provider's ID of the call that reached the person. Null if none did. */
  readonly ucid: string | null
  /** ID of the record of the agent who reached the person or closed the entry (UUID). Null if it is not known. */
  readonly agentId: string | null
}

/** A person to call back. There is one entry per phone number. */
export interface WorklistEntry {
  /** ID of the entry (UUID). The same person gets the same ID again. */
  readonly id: string
  /** The person's number in E.164, or the digits of a number that has no such form. `dial` it: that claims the entry. */
  readonly phoneNumber: string
  /** ID of the person's lead (UUID). Null if it is not known. */
  readonly leadId: string | null
  /** Whether somebody may call the person now. */
  readonly status: WorklistStatus
  /** When to call: as a manager set it, else the first missed call or callback. */
  readonly dueAt: string
  /** How many calls of the person nobody answered, at most 200. */
  readonly missedCount: number
  /** When the person called in vain for the first time. Null if there is no missed call. */
  readonly firstMissedAt: string | null
  /** When the person called in vain for the last time. Null if there is no missed call. */
  readonly lastMissedAt: string | null
  /** The scheduled callbacks, the first due first, at most 10. Empty if there are only missed calls. */
  readonly callbacks: readonly WorklistCallback[]
  /** How many outbound calls did not reach the person since, at most 50. */
  readonly tries: number
  /** When the last of them ended. Null if there was none. */
  readonly lastTriedAt: string | null
  /** Who calls the person back now. Null if nobody does. */
  readonly claim: WorklistClaim | null
  /** Who should call the person back. Null if nobody is named. */
  readonly assignee: WorklistAssignee | null
  /** How it ended. Null while it is open. */
  readonly closed: WorklistClosing | null
}

/**
 * How an entry of the worklist ended.
 * `REACHED`: Somebody talked to the person.
 * `NOT_NEEDED`: The person need not be called any more.
 * `WRONG_NUMBER`: The number belongs to somebody else.
 * `GAVE_UP`: The person could not be reached.
 */
export type WorklistOutcome = 'REACHED' | 'NOT_NEEDED' | 'WRONG_NUMBER' | 'GAVE_UP'

/**
 * Whether somebody may call a person now.
 * `OPEN`: Anybody may claim the person.
 * `CLAIMED`: An agent has the person.
 * `CLOSED`: Nothing is left to do.
 */
export type WorklistStatus = 'OPEN' | 'CLAIMED' | 'CLOSED'

/** The REST operations by method and path. */
export interface RestOperations {
  /**
   * Sign in. An agent also takes the one agent session
   *
   * Signs a member in at the platform. If the member has an agent record, it also takes the agent's one session and signs the agent in at the
   * telephony provider. Fails with CONFLICT (`data.ip`, `data.lockedAt`) if the agent is already signed in anywhere. A wrong
   * password and an unknown e-mail address give the same error. Needs no token.
   */
  readonly 'POST /auth/login': {
    readonly body: AgentLoginBody
    readonly answer: AgentSignIn
  }
  /**
   * Exchange a login token for session tokens
   *
   * Exchanges a login token of the platform for an access token and a refresh token. Needs no token.
   */
  readonly 'POST /auth/tokens': {
    readonly body: ExchangeLoginTokenBody
    readonly answer: SessionTokensAnswer
  }
  /**
   * Renew the tokens. A refresh token can be used once
   *
   * Renews the tokens. A refresh token can be used once: store the new one. Requests with the same refresh token within 30 seconds get the same
   * answer. Fails with UNAUTHENTICATED (`data.endedBy`: SIGN_OUT, TAKE_OVER, MANAGER, REMOVAL) if the sign-in has ended. Needs no token.
   */
  readonly 'POST /auth/refresh': {
    readonly body: RefreshTokensBody
    readonly answer: SessionTokensAnswer
  }
  /**
   * The signed-in member
   *
   * The member that the access token belongs to. Requires the role USER.
   */
  readonly 'GET /auth/me': {
    readonly answer: Viewer
  }
  /**
   * Start your agent session with an access token, for example after single sign-on. Can take over your own one from another device
   *
   * Starts the agent session of the signed-in member, with the credentials for the browser phone. For agents who signed in without `agentLogin`:
   * by single sign-on, with a second factor, or at the platform. Fails with CONFLICT (`data.ip`, `data.lockedAt`, `data.own`) if the agent is
   * already signed in. `data.own` is true if it is the member's own session, which `takeOver` can take over. Requires the role AGENT.
   */
  readonly 'POST /auth/session': {
    readonly body?: {
      /**
       * True takes over the member's own session from another device. That device's streams end with SESSION_TAKEN_OVER, and the audit log records
       * it. From then on send the new session's `lockedAt` with heartbeat and logout. Another member's session is never taken over.
       */
      readonly takeOver?: boolean
      /**
       * Takes over only the session with this `lockedAt`: send the one that your device has if no person has asked for a take-over, for example to get the
       * phone's credentials in another tab. A session that another device has begun meanwhile stays.
       */
      readonly lockedAt?: string | null
    }
    readonly answer: AgentSessionStart
  }
  /**
   * Renew your agent session for another hour
   *
   * Renews the agent session of the signed-in member for another hour. Fails with NOT_FOUND if the session does not exist any more: sign in
   * again. Fails with CONFLICT (reason SESSION_TAKEN_OVER) if another device has taken the session over. Requires the role USER.
   */
  readonly 'POST /auth/heartbeat': {
    readonly body?: HeartbeatBody
    readonly answer: AgentSession
  }
  /**
   * Sign out: end your agent session, and refuse the tokens of this sign-in
   *
   * Signs the member out: ends the agent session, signs the agent out at the telephony provider, and refuses the access token and refresh token of this
   * sign-in here from now on, with all that came from their renewal. The session ends even if the provider is down. Sent again after a lost answer, it
   * fails with UNAUTHENTICATED (`data.endedBy` SIGN_OUT). Fails with CONFLICT (reason SESSION_TAKEN_OVER) if another tab has taken the session over: then
   * nothing ends. Requires the role USER.
   */
  readonly 'POST /auth/logout': {
    readonly body?: AgentLogoutBody
    readonly answer: AgentLogout
  }
  /**
   * The live agent sessions. Managers see all, other members only their own
   *
   * The live agent sessions of the workspace, the longest first. A manager gets all of them, everybody else only their own. Requires the role USER.
   */
  readonly 'GET /api/sessions': {
    readonly answer: readonly LiveAgentSession[]
  }
  /**
   * End another agent's session
   *
   * Ends another agent's session, for example after a laptop crashed, signs the agent out at the telephony provider and refuses the tokens of that
   * sign-in. The audit log records it with the reason, and the agent gets a notice at the next sign-in. Requires the role MANAGER.
   */
  readonly 'DELETE /api/sessions/{agentId}': {
    readonly path: {
      /** ID of the agent record (UUID). A UUID of version 1 to 5. */
      readonly agentId: string
    }
    readonly body: ReleaseAgentSessionBody
    readonly answer: AgentLogout
  }
  /**
   * The audit log: what people did in this service, newest first
   *
   * What people did in this service, newest first. Entries are stored for 365 days. With a filter a page may have fewer entries, although there
   * are further pages. Costs 100, and 1 for each row of `first`. Requires the role MANAGER.
   */
  readonly 'GET /api/audit': {
    readonly query?: {
      /** Number of entries on a page. 1 to 100. */
      readonly first?: number
      /** The cursor of an entry, such as `pageInfo.endCursor`: the page begins after it. In REST, the `Link` header has the next page. At most 2,000 characters. */
      readonly after?: string
      /** Only what this member did: ID of the workspace member (UUID). A UUID of version 1 to 5. */
      readonly memberId?: string
      /** Only what was done to this: `targetId` of an entry, such as the ID of an agent's record. One line. 1 to 200 characters. */
      readonly targetId?: string
      /** Only this `action`, or all actions of an area: `session` stands for `session.released` and every other `session.…`. One line. 1 to 100 characters. */
      readonly action?: string
      /** Only entries at or after this moment. */
      readonly from?: string
      /** Only entries before this moment. */
      readonly to?: string
    }
    readonly answer: AuditLogEntryPage
  }
  /**
   * Events that a consumer could not process, newest first
   *
   * Events and call records of the workspace that could not be processed, newest first. They are stored for 30 days. If the service serves only one
   * workspace, events that name no workspace are included. Costs 1, and 1 for each row of `first`. Requires the role MANAGER.
   */
  readonly 'GET /api/events/dead': {
    readonly query?: {
      /** Number of dead letters on a page. 1 to 100. */
      readonly first?: number
      /** The cursor of an entry, such as `pageInfo.endCursor`: the page begins after it. In REST, the `Link` header has the next page. At most 2,000 characters. */
      readonly after?: string
    }
    readonly answer: DeadLetterPage
  }
  /**
   * Send all dead letters to their consumers again
   *
   * Sends all dead letters of the workspace to their consumers again, the oldest first, at most 1,000 at once. Costs 1,000. Requires the role MANAGER.
   */
  readonly 'POST /api/events/dead/replay': {
    readonly answer: DeadLetterReplay
  }
  /**
   * Send one dead letter to its consumer again
   *
   * Sends one dead letter to its consumer again. The audit log records it. Fails with NOT_FOUND if the dead letter does not exist any more, for
   * example because it was replayed before. Requires the role MANAGER.
   */
  readonly 'POST /api/events/dead/{id}/replay': {
    readonly path: {
      /** Which one, as in `deadLetters`. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 100 characters. */
      readonly id: string
    }
    readonly answer: DeadLetterReplay
  }
  /**
   * The screen pop for a phone number or a call: lead, last calls, open items, and what a language model says. `?enrich=false` leaves the model out
   *
   * The screen pop: who is calling, and what to know before saying hello. Give exactly one of the two arguments. Fails with FORBIDDEN for
   * another agent's call. REST: `POST /api/calls/lookup`; `?enrich=false` leaves `enrichment` out. Costs 10. Requires the role USER.
   */
  readonly 'POST /api/calls/lookup': {
    readonly query?: {
      /** If false, the answer has no `enrichment`. */
      readonly enrich?: boolean
    }
    readonly body?: CallLookupBody
    readonly answer: CallLookup
  }
  /**
   * The current call, or the last screen pop, for example after a reload of the page
   *
   * The screen pop of the agent's current call, or of the last call or number that the member looked up. Use it after a reload of the page.
   * Null if there is none. Requires the role USER.
   */
  readonly 'GET /api/calls/current': {
    readonly query?: {
      /** If true, the answer also has `enrichment`. */
      readonly enrich?: boolean
    }
    readonly answer: CallLookup | null
  }
  /**
   * Leads by their IDs, for example to show the names of the people in the worklist
   *
   * Leads by their IDs, for example to show the names of the people in `worklist`, with one request to the platform and the member's own rights. A lead
   * that is gone, or that the member may not read, is left out; the order is not that of the IDs. Costs 100, and 2 for each of `ids`. Requires the role USER.
   */
  readonly 'POST /api/leads/summaries': {
    readonly body: LeadSummariesBody
    readonly answer: readonly LeadSummary[]
  }
  /**
   * The dispositions and not-ready reasons that an agent may choose, and what the telephony provider can do
   *
   * What an agent may choose: outcome codes, not-ready reasons, and what the telephony provider can do. Managers edit the lists in the `telephony`
   * configuration. Requires the role AGENT.
   */
  readonly 'GET /api/calls/settings': {
    readonly answer: CallSettings
  }
  /**
   * Inbound calls that nobody answered, and whether the caller was called back
   *
   * Inbound calls that nobody answered, newest first. They are stored for 30 days. Costs 10, and 1 for each row of `first`. Requires the role USER.
   */
  readonly 'GET /api/calls/missed': {
    readonly query?: {
      /** Number of calls on a page. 1 to 200. */
      readonly first?: number
      /** The cursor of an entry, such as `pageInfo.endCursor`: the page begins after it. In REST, the `Link` header has the next page. At most 2,000 characters. */
      readonly after?: string
      /** True returns only calls whose caller has not been called back. */
      readonly waitingOnly?: boolean
    }
    readonly answer: readonly MissedCall[]
  }
  /**
   * Call the agent, then a number. One call per idempotency key
   *
   * Calls the agent's phone, then the number. Fails with CONFLICT if the agent is on a call. If the person is in the worklist, this
   * claims them; it fails with CONFLICT (reason `ALREADY_CLAIMED`) if another agent has them. Requires the role AGENT.
   */
  readonly 'POST /api/calls/dial': {
    readonly body: {
      /**
       * The customer's number: a valid phone number in any common notation. Without a country code it belongs to the workspace's default country. Another
       * number, such as an extension, only if it is in the worklist or was on the phone in the last 30 days. One line. 1 to 40 characters.
       */
      readonly phoneNumber: string
      /** ID of the lead that the call is about (UUID), one that the member can read. Leave it out if there is none. A UUID of version 1 to 5. */
      readonly leadId?: string | null
      /** Which provider makes the call. */
      readonly via?: DialVia
      /** Number on which the second provider calls the agent. Default: the SIP extension of the agent record if that is a phone number. One line. 1 to 40 characters. */
      readonly agentPhoneNumber?: string | null
      /** A text that the client chooses. Requests with the same key make one call. A key is valid for a day. One line. 1 to 100 characters. */
      readonly idempotencyKey?: string | null
      /** True calls a person whom another agent has claimed in the worklist, and takes the claim over. Only for managers; it is audited, and that agent gets a notice. */
      readonly overrideClaim?: boolean
    }
    readonly answer: DialReceipt
  }
  /**
   * Hold, mute, add or remove a person, hang up, pause the recording
   *
   * Controls a current call of the signed-in agent. Fails with NOT_CONFIGURED (reason `NOT_SUPPORTED`) if the provider of the call cannot do this: see
   * `LiveCall.actions`. Requires the role AGENT.
   */
  readonly 'POST /api/calls/{ucid}/control': {
    readonly path: {
      /** The provider's ID of the call. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 100 characters. */
      readonly ucid: string
    }
    readonly body: ControlCallBody
    readonly answer: LiveCall
  }
  /**
   * Begin a warm transfer: hold the customer, call a third party into the call
   *
   * Begins a warm transfer: puts the customer on hold and calls a third party into the call. Take the customer off hold with `controlCall` to talk
   * with both, then complete or cancel the transfer. The same request again changes nothing while the transfer is under way. Fails with
   * CONFLICT if the call is not answered or another transfer is under way, and with reason NOT_SUPPORTED if the provider cannot add such a
   * third party. After reason DEADLINE_PASSED the third party may ring. Requires the role AGENT.
   */
  readonly 'POST /api/calls/{ucid}/transfer': {
    readonly path: {
      /** The provider's ID of the call. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 100 characters. */
      readonly ucid: string
    }
    readonly body: {
      /** The third party's number: a valid phone number in any common notation. Not the customer's and not the agent's own. One line. 1 to 40 characters. */
      readonly phoneNumber?: string | null
      /** ID of another agent at the telephony provider, if the provider can do that. Ozonetel cannot. One line. 1 to 100 characters. */
      readonly providerAgentId?: string | null
      /** Name of a queue at the telephony provider, if the provider can do that. Ozonetel cannot. One line. 1 to 100 characters. */
      readonly queue?: string | null
      /** Whether to put the customer on hold first. */
      readonly holdCustomer?: boolean
      /** A text that the client chooses. A late repetition with the same key calls nobody again, even after the transfer was cancelled. One line. 1 to 100 characters. */
      readonly idempotencyKey?: string | null
    }
    readonly answer: LiveCall
  }
  /**
   * Leave the call: the customer and the third party stay connected
   *
   * The agent leaves the call, and the customer and the third party stay connected. Do this when the third party has answered: the provider does not
   * report it, and a customer whose third party only rings would be alone. Publishes `call.transferred` once. The agent is in wrap-up then, and
   * submits the disposition as after any call. The same request again changes nothing. Requires the role AGENT.
   */
  readonly 'POST /api/calls/{ucid}/transfer/complete': {
    readonly path: {
      /** The provider's ID of the call. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 100 characters. */
      readonly ucid: string
    }
    readonly answer: LiveCall
  }
  /**
   * Drop the third party of a transfer, back to the customer
   *
   * Removes the third party from the call, whether they answered or not, and takes the customer off hold. The same request again changes nothing. Requires the role AGENT.
   */
  readonly 'POST /api/calls/{ucid}/transfer/cancel': {
    readonly path: {
      /** The provider's ID of the call. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 100 characters. */
      readonly ucid: string
    }
    readonly answer: LiveCall
  }
  /**
   * Record the outcome of a call, or correct it until the wrap-up ends
   *
   * Records the outcome of a call at the telephony provider and publishes `call.completed`, once, however often it is sent. The first one may come at any
   * time, from the agent of the call or a manager: what the provider writes when the time is over is no outcome. Another outcome for the same call
   * corrects it, until the agent's wrap-up ends and at most ten minutes after the call; then it fails with CONFLICT. Requires the role USER.
   */
  readonly 'POST /api/calls/{ucid}/disposition': {
    readonly path: {
      /** The provider's ID of the call: text, never a number. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 100 characters. */
      readonly ucid: string
    }
    readonly body: SubmitDispositionBody
    readonly answer: DispositionReceipt
  }
  /**
   * Save what you type about a call, until its disposition is sent
   *
   * Saves what the agent types about a call, and has chosen and not sent, so that a reload of the page, or another device, loses nothing: `draftNotes` of
   * `currentCall` has it. Send it while typing, some seconds apart; the last request counts, and one with nothing deletes it. A disposition with `notes` deletes it too: they are what counts.
   * When the wrap-up is over, the call's record gets the notes that no disposition has.
   * Only the member reads it, for 2 days. Fails with FORBIDDEN for another agent's call. Requires the role AGENT.
   */
  readonly 'PUT /api/calls/{ucid}/notes': {
    readonly path: {
      /** The provider's ID of the call. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 100 characters. */
      readonly ucid: string
    }
    readonly body: SaveCallNotesBody
    readonly answer: CallNotes
  }
  /**
   * Become ready or not ready for calls
   *
   * Makes the signed-in agent ready or not ready for calls. Requires the role AGENT.
   */
  readonly 'PUT /api/agents/me/state': {
    readonly body: AgentStateInput
    readonly answer: AgentPresence
  }
  /**
   * Make another agent ready or not ready for calls
   *
   * Makes another agent ready or not ready for calls. It is audited, and the agent gets a notice. If the provider refuses, nothing happens. Fails with
   * NOT_FOUND if the agent has no session, and with CONFLICT (reason `WRONG_STATE`) if the agent is on a call or the provider allows it not yet: `message`
   * says which. After reason `DEADLINE_PASSED` the agent may have the state, and gets the notice: send it again. Requires the role MANAGER.
   */
  readonly 'PUT /api/agents/{agentId}/state': {
    readonly path: {
      /** ID of the agent record (UUID). A UUID of version 1 to 5. */
      readonly agentId: string
    }
    readonly body: ChangeAgentStateBody
    readonly answer: AgentPresence
  }
  /**
   * What managers did to you and you have not confirmed yet, the oldest first
   *
   * What managers did to the signed-in agent and the agent has not confirmed yet, the oldest first: the newest 100 of the last 7 days. So an agent who was
   * offline sees it after the next sign-in. Counts as 100 rows. Requires the role AGENT.
   */
  readonly 'GET /api/agents/me/notices': {
    readonly answer: readonly AgentNotice[]
  }
  /**
   * Say that you have seen notices. Returns those that are left
   *
   * Says that the signed-in agent has seen these notices: they are deleted, and do not come again. Returns those that are left. Unknown IDs are ignored. Costs 1, and 1 for each of `ids`. Requires the role AGENT.
   */
  readonly 'POST /api/agents/me/notices/confirm': {
    readonly body: ConfirmAgentNoticesBody
    readonly answer: readonly AgentNotice[]
  }
  /**
   * People to call back: missed callers and scheduled callbacks, the first due first
   *
   * People to call back, the first due first: missed callers, one entry per number, and those with a scheduled callback. A caller with a
   * withheld number is only in `missedCalls`. Costs 10, and 1 for each row of `first`. Requires the role AGENT.
   */
  readonly 'GET /api/calls/worklist': {
    readonly query?: {
      /** Number of people on a page. 1 to 200. */
      readonly first?: number
      /** The cursor of an entry, such as `pageInfo.endCursor`: the page begins after it. In REST, the `Link` header has the next page. At most 2,000 characters. */
      readonly after?: string
      /** True also returns people who are due later. */
      readonly includeLater?: boolean
    }
    readonly answer: readonly WorklistEntry[]
  }
  /**
   * Assign a person to an agent, or back to all
   *
   * Assigns a person to an agent, or back to all. Others can still claim the person: an assignment says who should call, a claim who does. Agents who
   * get or lose the person get a notice. Requires the role MANAGER.
   */
  readonly 'PUT /api/calls/worklist/{id}/assignee': {
    readonly path: {
      /** Which person: the `id` that `worklist` gave. A UUID of version 1 to 5. */
      readonly id: string
    }
    readonly body?: {
      /** ID of the agent's record (UUID): an active agent of the workspace. Null assigns the person to nobody. A UUID of version 1 to 5. */
      readonly agentId?: string | null
      /**
       * True also ends the claim of another agent, so that the assigned agent, or anybody, can take the person at once. Fails with CONFLICT while that
       * agent's call to the person is in progress: then nothing changes.
       */
      readonly endClaim?: boolean
      /** Why, for the agents to read. Stored in the audit log as it is: write no patient's name. Not empty. 1 to 500 characters. */
      readonly message?: string | null
    }
    readonly answer: WorklistEntry
  }
  /**
   * Set when a person is due to be called
   *
   * Sets when a person is due to be called, also for their scheduled callbacks. A later missed call makes the person due at once, a later callback at its own
   * time. Managers can move any person. For others it fails with CONFLICT (reason `ALREADY_CLAIMED`) if another agent has the person, and with FORBIDDEN
   * (reason `ROLE_MISSING`) if the person is assigned to another agent. Requires the role AGENT.
   */
  readonly 'PUT /api/calls/worklist/{id}/due': {
    readonly path: {
      /** Which person: the `id` that `worklist` gave. A UUID of version 1 to 5. */
      readonly id: string
    }
    readonly body: ScheduleWorklistEntryBody
    readonly answer: WorklistEntry
  }
  /**
   * Claim a person, so that nobody else calls them meanwhile; again: renew the claim
   *
   * Claims a person of the worklist for the signed-in agent, for the `telephony.claimMinutes` of the configuration; again: renews the claim.
   * Fails with CONFLICT (reason `ALREADY_CLAIMED`) if another agent has the person: `data.claimedBy` says who, `data.until` until when. Requires the role AGENT.
   */
  readonly 'POST /api/calls/worklist/{id}/claim': {
    readonly path: {
      /** Which person: the `id` that `worklist` gave. A UUID of version 1 to 5. */
      readonly id: string
    }
    readonly answer: WorklistEntry
  }
  /**
   * End your claim before its time. A manager can end any
   *
   * Ends your claim before its time, so that others can call the person. A manager can end any claim: the agent gets a notice. Fails with CONFLICT while
   * the call is being made or in progress. Requires the role AGENT.
   */
  readonly 'DELETE /api/calls/worklist/{id}/claim': {
    readonly path: {
      /** Which person: the `id` that `worklist` gave. A UUID of version 1 to 5. */
      readonly id: string
    }
    readonly body?: GiveBackWorklistEntryBody
    readonly answer: WorklistEntry
  }
  /**
   * Close an entry without a call that reached the person
   *
   * Closes an entry with all its missed calls and callbacks, also later ones. Not needed after a call that reached the person: it closes the
   * entry by itself. A closed entry stays as it is. Requires the role AGENT.
   */
  readonly 'POST /api/calls/worklist/{id}/done': {
    readonly path: {
      /** Which person: the `id` that `worklist` gave. A UUID of version 1 to 5. */
      readonly id: string
    }
    readonly body: FinishWorklistEntryBody
    readonly answer: WorklistEntry
  }
  /**
   * When the keys in the webhook addresses were made
   *
   * When the keys in the providers' webhook addresses were made. It never returns the keys. Requires the role MANAGER.
   */
  readonly 'GET /api/calls/callback-keys': {
    readonly answer: readonly WebhookKey[]
  }
  /**
   * A new webhook address for a telephony provider, shown only once
   *
   * Makes a new webhook address for a telephony provider. The answer shows it only this once. The address before it stays valid for a day.
   * Enter it at the provider for reports of ended calls. Live events need no step: the service subscribes them to a new address too. Requires the role MANAGER.
   */
  readonly 'POST /api/calls/callback-keys': {
    readonly body: RotateWebhookKeyBody
    readonly answer: NewWebhookKey
  }
  /**
   * Whether the provider's live events are subscribed, and when the last one came
   *
   * Whether the telephony provider sends its live events (a call rings, is answered, ends; an agent changes state) to this service. The service
   * subscribes to them by itself. Requires the role MANAGER.
   */
  readonly 'GET /api/calls/live-events': {
    readonly answer: LiveEvents
  }
  /**
   * Webhooks of the last 7 days: when, from whom, and what became of them
   *
   * Webhooks that the telephony providers sent in the last 7 days, newest first. With a filter, a page may have fewer entries than asked for, or none,
   * although there are more: `pageInfo` says so. Webhooks with an unknown key belong to no workspace and are not listed. Costs 100, and 1 for each row of `first`. Requires the role MANAGER.
   */
  readonly 'GET /api/webhooks': {
    readonly query?: {
      /** Only webhooks of this provider. */
      readonly provider?: TelephonyProvider
      /** Only webhooks with this result. */
      readonly verdict?: WebhookVerdict
      /** Only webhooks about this call: the provider's ID. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 100 characters. */
      readonly ucid?: string
      /** Only webhooks that came at this moment or later. */
      readonly from?: string
      /** Only webhooks that came before this moment. */
      readonly to?: string
      /** Number of webhooks on a page. 1 to 200. */
      readonly first?: number
      /** The cursor of an entry, such as `pageInfo.endCursor`: the page begins after it. In REST, the `Link` header has the next page. At most 2,000 characters. */
      readonly after?: string
    }
    readonly answer: readonly ReceivedWebhook[]
  }
  /**
   * When each provider's last webhook came, and what became of those of the last day
   *
   * For each provider whose webhooks came in the last 30 days: when the last one came, and how many of the last day were accepted, refused and so
   * on. Requires the role MANAGER.
   */
  readonly 'GET /api/webhooks/status': {
    readonly answer: readonly WebhookStatus[]
  }
  /**
   * Process all failed webhooks again
   *
   * Processes all failed webhooks of the workspace again, the oldest first, at most 1,000 at once. One that fails does not stop the others. Costs 1,000. Requires the role MANAGER.
   */
  readonly 'POST /api/webhooks/replay': {
    readonly answer: WebhookReplay
  }
  /**
   * Process one failed webhook again
   *
   * Processes a failed webhook again. One that was replayed before is not processed once more. The audit log records it, and `webhookLog` gets an
   * entry with `replayOf`. Fails with NOT_FOUND if there is no such webhook, or if it cannot be replayed (`canReplay`). Requires the role MANAGER.
   */
  readonly 'POST /api/webhooks/{id}/replay': {
    readonly path: {
      /** Which one, as in `webhookLog`. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 100 characters. */
      readonly id: string
    }
    readonly answer: WebhookReplay
  }
  /**
   * Analyse a call's recording, or return the stored analysis
   *
   * Analyses a call's recording: transcript, speakers, summary and what a manager should know. The result is stored for 7 days, or as long as the
   * workspace sets (`ai.recordings.retentionDays`, at most 90). Requests for the same recording share one analysis. If it takes longer than the client waits, the answer is its progress. Costs 100. Requires the role AGENT.
   */
  readonly 'POST /api/recordings/analyze': {
    readonly headers?: {
      /** `respond-async` answers at once with 202 and `Location`, unless the result is there already. */
      readonly Prefer?: string
    }
    readonly body: AnalyzeRecordingBody
    readonly answer: RecordingAnalysis | RecordingUnderWay
  }
  /**
   * The analysis of a call's recording, or its progress
   *
   * The analysis of a call's recording, or its progress. It never starts an analysis. Fails with NOT_FOUND if the recording has no analysis. Costs 10. Requires the role AGENT.
   */
  readonly 'GET /api/recordings/{callId}/analysis': {
    readonly path: {
      /** ID of the call's record (UUID), or its UCID. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 100 characters. */
      readonly callId: string
    }
    readonly answer: RecordingAnalysis | RecordingUnderWay
  }
  /**
   * How far the analysis of a call's recording is, and why
   *
   * How far the analysis of a call's recording is, no matter who asked for it. Reading it starts no analysis. Fails with NOT_FOUND if there is no such call. Costs 10. Requires the role AGENT.
   */
  readonly 'GET /api/recordings/{callId}/status': {
    readonly path: {
      /** ID of the call's record (UUID), or its UCID. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 100 characters. */
      readonly callId: string
    }
    readonly answer: RecordingStatus
  }
  /**
   * Search words and phrases in stored transcripts, newest call first
   *
   * Searches the stored transcripts, newest call first. Managers find all calls of the workspace, agents their own. Case and accents do not matter.
   * A call is found from its analysis until that is deleted. What is masked for the language model can be neither found nor read here. A page may
   * have fewer entries than `first`, or none, although `hasNextPage` is true: read on. Fails with BAD_USER_INPUT if `text` has no letter or digit,
   * or more than 20 words. The searches of a member run one after another: fails with RATE_LIMITED if 10 are under way already, and with TIMEOUT if one
   * takes longer than 5 seconds in the index. Costs 700, and 1 for each row of `first`. Requires the role AGENT.
   */
  readonly 'GET /api/recordings/search': {
    readonly query?: {
      /**
       * Words, and "phrases" in double quotes, for example `refund "chest pain"`. A call has all of them; a phrase is within one utterance. Left out or
       * empty: every call that the other arguments choose, without snippets. At most 300 characters.
       */
      readonly text?: string
      /** ID of the agent record (UUID) whose calls to search. Agents find only their own calls, whatever they send. A UUID of version 1 to 5. */
      readonly agentId?: string
      /** What the call achieved, as the language model judged it. */
      readonly outcome?: RecordingOutcomeCode
      /** The outcome code that the agent chose, exactly as it is written. One line. 1 to 200 characters. */
      readonly disposition?: string
      /** The mean feeling of the whole call. */
      readonly sentiment?: RecordingFeelingName
      /** The language model's verdict on `criterion`, or on any criterion if that is left out. */
      readonly verdict?: RecordingVerdict
      /** The key of a criterion, for example `greeting`. Without `verdict`: calls that have any verdict on it. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 40 characters. */
      readonly criterion?: string
      /** Calls that began at this moment or later. If the start is not known, the analysis counts. */
      readonly from?: string
      /** Calls that began at this moment or earlier. */
      readonly to?: string
      /** Number of calls on a page. 1 to 50. */
      readonly first?: number
      /** The cursor of an entry, such as `pageInfo.endCursor`: the page begins after it. In REST, the `Link` header has the next page. At most 2,000 characters. */
      readonly after?: string
    }
    readonly answer: readonly TranscriptMatch[]
  }
  /**
   * Scorecards of the workspace, newest call first
   *
   * The workspace's scorecards, newest call first. A scorecard ends with its analysis; one with a correction is stored for 365 days from the last
   * change. A page may have fewer entries than `first`, or none, although `hasNextPage` is true: read on. REST: `GET /api/scorecards`; as a table:
   * `GET /api/scorecards.csv`. Costs 500, and 10 for each row of `first`. Requires the role MANAGER.
   */
  readonly 'GET /api/scorecards': {
    readonly query?: {
      /** Calls that began at this moment or later. If the start is not known, the analysis counts. */
      readonly from?: string
      /** Calls that began at this moment or earlier. */
      readonly to?: string
      /** ID of the agent record (UUID) whose calls to list. A UUID of version 1 to 5. */
      readonly agentId?: string
      /** True: only scorecards with a correction, also those whose analysis has ended. False: those whose analysis is stored. */
      readonly correctedOnly?: boolean
      /** Number of scorecards on a page. 1 to 100. */
      readonly first?: number
      /** The cursor of an entry, such as `pageInfo.endCursor`: the page begins after it. In REST, the `Link` header has the next page. At most 2,000 characters. */
      readonly after?: string
    }
    readonly answer: readonly Scorecard[]
  }
  /**
   * How often managers and the language model came to the same verdict
   *
   * How often managers and the language model came to the same verdict, in all and for each criterion. It counts the corrections: a manager's verdict
   * that is the same as the model's confirms it. Costs 2,000. Requires the role MANAGER.
   */
  readonly 'GET /api/scorecards/agreement': {
    readonly query?: {
      /** Calls that began at this moment or later. */
      readonly from?: string
      /** Calls that began at this moment or earlier. */
      readonly to?: string
      /** ID of the agent record (UUID) whose calls to count. A UUID of version 1 to 5. */
      readonly agentId?: string
    }
    readonly answer: ScorecardAgreement
  }
  /**
   * The scorecard of a call
   *
   * The scorecard of a call: the language model's verdict on each of the workspace's criteria, and beside it the managers' corrections. Agents may
   * read those of their own calls. Fails with NOT_FOUND if the recording was not analysed, or the analysis has ended and nobody corrected it. Costs 10. Requires the role AGENT.
   */
  readonly 'GET /api/scorecards/{callId}': {
    readonly path: {
      /** ID of the call's record (UUID), or its UCID. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 100 characters. */
      readonly callId: string
    }
    readonly answer: Scorecard
  }
  /**
   * A manager's verdict on a criterion of a call, beside the language model's; null withdraws it
   *
   * Stores your own verdict on a criterion beside the language model's, the same or another one, or withdraws it. It counts for the score from then on.
   * The audit log records it with the reason. Fails with CONFLICT (reason CHANGED_MEANWHILE, `data.version`) if somebody else changed the scorecard
   * since you read it: read it again. Requires the role MANAGER.
   */
  readonly 'PUT /api/scorecards/{callId}/corrections/{criterion}': {
    readonly path: {
      /** ID of the call's record (UUID), or its UCID. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 100 characters. */
      readonly callId: string
      /** The `key` of the criterion, for example `greeting`. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 40 characters. */
      readonly criterion: string
    }
    readonly body: CorrectScorecardBody
    readonly answer: Scorecard
  }
  /**
   * Doctors and their visit slots, filtered by speciality, clinic, language, words and dates
   *
   * The hospital's doctors and their visit slots, read with the rights of the signed-in member. A field that the workspace's data model lacks is
   * null or empty. Costs 100. Requires the role USER.
   */
  readonly 'GET /api/doctors': {
    readonly query?: {
      /** Number of slots on a page. With a filter on the state it may have fewer, although there are further pages. 1 to 1,000. */
      readonly first?: number
      /** The cursor of an entry, such as `pageInfo.endCursor`: the page begins after it. In REST, the `Link` header has the next page. At most 2,000 characters. */
      readonly after?: string
      /** A part of the speciality, for example `cardio`. At most 200 characters. */
      readonly speciality?: string
      /** A part of the clinic's name. At most 200 characters. */
      readonly clinic?: string
      /** A language that the doctor speaks, as a whole word, for example `Kannada`. At most 200 characters. */
      readonly language?: string
      /** Words separated by spaces. Each of them must occur in the doctor's name, speciality or clinic. At most 200 characters. */
      readonly search?: string
      /** Only the doctor with this ID. A UUID of version 1 to 5. */
      readonly doctorId?: string
      /** True also returns doctors who are not active, with their slots. Default: false. */
      readonly inactive?: boolean
      /** Only slots that start at or after this moment. Default: now. */
      readonly from?: string
      /** Only slots that start before this moment. After `from`, at most 92 days. Default: 14 days after `from`. */
      readonly to?: string
      /** Only slots in this state. */
      readonly state?: DirectorySlotState
    }
    readonly answer: DoctorDirectory
  }
  /**
   * Book a free visit slot for a lead
   *
   * Books a free visit slot for a lead, with the rights of the signed-in member on the platform. Of many who want it, one gets it; the same booking again
   * changes nothing. A visitor who only holds the slot loses it. Fails with CONFLICT (reason `SLOT_TAKEN`) if the slot is not free or has begun, and with
   * NOT_FOUND if there is no such lead. Requires the role USER.
   */
  readonly 'POST /api/doctors/slots/{slotId}/book': {
    readonly path: {
      /** ID of the visit slot's record (UUID): `slots` of `doctorDirectory`. A UUID of version 1 to 5. */
      readonly slotId: string
    }
    readonly body: BookVisitBody
    readonly answer: VisitBooking
  }
  /**
   * A section of the configuration with masked secrets. Every member can read `theme`, only managers the others
   *
   * One section of the workspace's configuration with its current values. Managers can read every section, other members only THEME. Requires the role USER.
   */
  readonly 'GET /api/config/{section}': {
    readonly path: {
      /** The section to read. */
      readonly section: 'telephony' | 'ai' | 'widget' | 'theme' | 'platform' | 'alerts'
    }
    readonly answer: Readonly<Record<string, unknown>>
  }
  /**
   * Change a section. Fields that are left out and masked secrets stay unchanged
   *
   * Merges a document into a section. Fields that are left out stay unchanged, null clears a field, and `_meta` is ignored. A secret that is
   * sent as `***masked***` stays unchanged. If an address or account changes to which a secret is sent, the secret must be entered again.
   * The change applies at once on every instance; operations that already run finish with the old values. BAD_USER_INPUT names every invalid
   * field, and nothing is stored. REST: `PUT /api/config/{section}` with `If-Match`. Requires the role MANAGER.
   */
  readonly 'PUT /api/config/{section}': {
    readonly path: {
      /** The section to change. */
      readonly section: 'telephony' | 'ai' | 'widget' | 'theme' | 'platform' | 'alerts'
    }
    readonly headers?: {
      /** The version that the client has read. CONFLICT (`data.version`, `data.changes`) if the section has a newer one. Null skips this check. 0 to 2,147,483,647. */
      readonly "If-Match"?: number
    }
    readonly body: Readonly<Record<string, unknown>>
    readonly answer: Readonly<Record<string, unknown>>
  }
  /**
   * Restore the defaults of a section and the values of the environment
   *
   * Restores the defaults of a section. Values of the environment override them if they belong to this workspace. Requires the role MANAGER.
   */
  readonly 'POST /api/config/{section}/reset': {
    readonly path: {
      /** Which section gets its defaults back. */
      readonly section: 'telephony' | 'ai' | 'widget' | 'theme' | 'platform' | 'alerts'
    }
    readonly headers?: {
      /** The version that the client has read. CONFLICT if the section has a newer one. Null skips this check. 0 to 2,147,483,647. */
      readonly "If-Match"?: number
    }
    readonly answer: Readonly<Record<string, unknown>>
  }
  /**
   * The last 50 versions of a section, newest first
   *
   * The last 50 versions of a section, newest first. Counts as 50 rows. Requires the role MANAGER.
   */
  readonly 'GET /api/config/{section}/history': {
    readonly path: {
      /** The section whose versions are listed. */
      readonly section: 'telephony' | 'ai' | 'widget' | 'theme' | 'platform' | 'alerts'
    }
    readonly answer: readonly ConfigurationRevision[]
  }
  /**
   * A section as an earlier version had it, with masked secrets
   *
   * A section as an earlier version had it, secrets masked: to compare it with another version before `restoreConfiguration`. Fails with NOT_FOUND if the
   * version is no longer stored. Requires the role MANAGER.
   */
  readonly 'GET /api/config/{section}/history/{version}': {
    readonly path: {
      /** The section to read. */
      readonly section: 'telephony' | 'ai' | 'widget' | 'theme' | 'platform' | 'alerts'
      /** A version of `configurationHistory`. 0 to 2,147,483,647. */
      readonly version: number
    }
    readonly answer: Readonly<Record<string, unknown>>
  }
  /**
   * Restore an earlier version of a section
   *
   * Stores the values of an earlier version as a new version. Requires the role MANAGER.
   */
  readonly 'POST /api/config/{section}/history/{version}/restore': {
    readonly path: {
      /** The section to change. */
      readonly section: 'telephony' | 'ai' | 'widget' | 'theme' | 'platform' | 'alerts'
      /** A version of `configurationHistory`. 0 to 2,147,483,647. */
      readonly version: number
    }
    readonly headers?: {
      /** The version that the client has read. CONFLICT if the section has a newer one. Null skips this check. 0 to 2,147,483,647. */
      readonly "If-Match"?: number
    }
    readonly answer: Readonly<Record<string, unknown>>
  }
  /**
   * The JSON Schema of a section, to build a form from
   *
   * The JSON Schema of a section, from which a client can build a form. Requires the role MANAGER.
   */
  readonly 'GET /api/config/{section}/schema': {
    readonly path: {
      /** The section that the schema describes. */
      readonly section: 'telephony' | 'ai' | 'widget' | 'theme' | 'platform' | 'alerts'
    }
    readonly answer: unknown
  }
  /**
   * Test a section as it is stored, or with the changes in the body
   *
   * Tests a section against the real systems, for example with a sign-in at the telephony provider. Stores only the result of the test. Costs 100. Requires the role MANAGER.
   */
  readonly 'POST /api/config/{section}/test': {
    readonly path: {
      /** Which section to check. */
      readonly section: 'telephony' | 'ai' | 'widget' | 'theme' | 'platform' | 'alerts'
    }
    readonly body?: Readonly<Record<string, unknown>>
    readonly answer: ConfigurationTest
  }
  /**
   * The keys of the workspace's chat widget and the sites on which they are valid, newest first
   *
   * The keys of the workspace's chat widget, newest first. They are public. Requires the role MANAGER.
   */
  readonly 'GET /api/config/widget/keys': {
    readonly answer: readonly WidgetKey[]
  }
  /**
   * Create a widget key for the pages of some origins
   *
   * Creates a key for the widget on pages of some origins. The key begins with the hospital's name; fails with NOT_CONFIGURED if the name is
   * not set. Requires the role MANAGER.
   */
  readonly 'POST /api/config/widget/keys': {
    readonly body: NewWidgetKey
    readonly answer: WidgetKey
  }
  /**
   * Create a new key for the same origins. The key before it stays valid for a day
   *
   * Creates a new key for the same origins. The key before it stays valid for a day. Fails with CONFLICT if it was rotated already. Requires the role MANAGER.
   */
  readonly 'POST /api/config/widget/keys/{key}/rotate': {
    readonly path: {
      /** The key to replace. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 100 characters. */
      readonly key: string
    }
    readonly answer: WidgetKey
  }
  /**
   * Delete a widget key at once
   *
   * Deletes a key. The widget stops working at once on pages that use it. Returns the deleted key. Requires the role MANAGER.
   */
  readonly 'DELETE /api/config/widget/keys/{key}': {
    readonly path: {
      /** Which key becomes invalid. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 100 characters. */
      readonly key: string
    }
    readonly answer: WidgetKey
  }
  /**
   * The progress of the setup wizard
   *
   * The progress of the setup wizard. Requires the role MANAGER.
   */
  readonly 'GET /api/config/setup-state': {
    readonly answer: SetupState
  }
  /**
   * Mark a step of the setup wizard as complete or as open
   *
   * Marks a step of the wizard as complete or as open. Requires the role MANAGER.
   */
  readonly 'PUT /api/config/setup-state/steps/{step}': {
    readonly path: {
      /** Which step to mark. */
      readonly step: 'platform' | 'brand' | 'team' | 'telephony' | 'ai' | 'widget'
    }
    readonly body: SetupStepBody
    readonly answer: SetupState
  }
  /**
   * Dismiss the setup wizard
   *
   * Changes the progress of the setup wizard: completes or reopens a step, dismisses the wizard, or starts it again.
   * REST: `POST /api/config/setup-state/dismiss`, `POST /api/config/setup-state/reset`. Requires the role MANAGER.
   */
  readonly 'POST /api/config/setup-state/dismiss': {
    readonly answer: SetupState
  }
  /**
   * Start the setup wizard again
   *
   * Changes the progress of the setup wizard: completes or reopens a step, dismisses the wizard, or starts it again.
   * REST: `POST /api/config/setup-state/dismiss`, `POST /api/config/setup-state/reset`. Requires the role MANAGER.
   */
  readonly 'POST /api/config/setup-state/reset': {
    readonly answer: SetupState
  }
  /**
   * Create the objects, fields and roles that the platform lacks. If `apply` is false, only return the plan
   *
   * Creates the objects, fields and roles that this service needs and the workspace does not have. The `platform` configuration decides their
   * names. It uses the rights of the signed-in member and changes nothing that exists. It takes at most 20 seconds; if `complete` is false, run
   * it again. Costs 1,000. Requires the role MANAGER.
   */
  readonly 'POST /api/setup/provision': {
    readonly body?: {
      /** False only returns the plan and creates nothing. */
      readonly apply?: boolean
    }
    readonly answer: Provisioning
  }
  /**
   * The members of the workspace, newest first
   *
   * The members of the workspace, newest first. Costs 100, and 1 for each row of `first`. Requires the role MANAGER.
   */
  readonly 'GET /api/team/members': {
    readonly query?: {
      /** Number of members on a page. 1 to 100. */
      readonly first?: number
      /** The cursor of an entry, such as `pageInfo.endCursor`: the page begins after it. In REST, the `Link` header has the next page. At most 2,000 characters. */
      readonly after?: string
      /** Words separated by spaces. Each of them must occur in the name or the e-mail address. At most 200 characters. */
      readonly search?: string
    }
    readonly answer: TeamMemberPage
  }
  /**
   * Create a member without sending an e-mail
   *
   * Creates a member without sending an e-mail: account, temporary password, role, name and, if requested, an agent record. A second request
   * with the same e-mail address completes a creation that was interrupted. Fails with CONFLICT if the address belongs to a member already, or
   * has an account outside this workspace. Requires the role MANAGER.
   */
  readonly 'POST /api/team/members': {
    readonly body: NewTeamMember
    readonly answer: TeamMemberAnswer
  }
  /**
   * Change a member's name, role or agent record. Fields that are left out stay unchanged
   *
   * Changes a member's name, role or agent record. A new role applies at once. Requires the role MANAGER.
   */
  readonly 'PUT /api/team/members/{id}': {
    readonly path: {
      /** ID of the workspace member (UUID). A UUID of version 1 to 5. */
      readonly id: string
    }
    readonly body: TeamMemberChange
    readonly answer: TeamMemberAnswer
  }
  /**
   * Remove a member from the workspace and end their agent session at once
   *
   * Removes a member from the workspace and ends the member's agent session at once, also at the telephony provider. Fails with CONFLICT for
   * oneself and for the last manager. Requires the role MANAGER.
   */
  readonly 'DELETE /api/team/members/{id}': {
    readonly path: {
      /** ID of the workspace member (UUID). A UUID of version 1 to 5. */
      readonly id: string
    }
    readonly answer: DeactivatedTeamMember
  }
  /**
   * The temporary password of a new member. The audit log records every request
   *
   * The temporary password of a member who was created here. The audit log records every request. Fails with NOT_FOUND if there is none;
   * `data.why` is NEVER_STORED, EXPIRED or CHANGED. Requires the role MANAGER.
   */
  readonly 'GET /api/team/members/{id}/temporary-password': {
    readonly path: {
      /** ID of the workspace member (UUID). A UUID of version 1 to 5. */
      readonly id: string
    }
    readonly answer: TemporaryPassword
  }
  /**
   * Signed-in agents, current calls, figures of today, callers who wait for a callback, free visit slots
   *
   * What a manager watches: signed-in agents, calls in progress, and the figures of today. The service counts from the events of calls and
   * agents, so a request does not read from the platform. Costs 50. Requires the role MANAGER.
   */
  readonly 'GET /api/supervisor/overview': {
    readonly answer: Supervision
  }
  /**
   * Alerts of the last 30 days, newest first
   *
   * Alerts of the workspace, newest first: thresholds of the `alerts` configuration that were reached in the last 30 days, or, with `activeOnly`, at any
   * time. Costs 1, and 1 for each row of `first`. Requires the role MANAGER.
   */
  readonly 'GET /api/alerts': {
    readonly query?: {
      /** True returns only alerts that are not over. */
      readonly activeOnly?: boolean
      /** Number of alerts on a page. 1 to 200. */
      readonly first?: number
      /** The cursor of an entry, such as `pageInfo.endCursor`: the page begins after it. In REST, the `Link` header has the next page. At most 2,000 characters. */
      readonly after?: string
    }
    readonly answer: readonly Alert[]
  }
  /**
   * Say that you have seen an alert
   *
   * Says that a manager has seen an alert. It stays active until its cause is gone. The first one who says so is named, and the audit log records it; a
   * second time changes nothing. Fails with NOT_FOUND if the alert does not exist any more. Requires the role MANAGER.
   */
  readonly 'POST /api/alerts/{id}/acknowledge': {
    readonly path: {
      /** Which one, as in `alerts`. Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. 1 to 100 characters. */
      readonly id: string
    }
    readonly answer: Alert
  }
  /**
   * Figures of past days: by day, hour, campaign, agent
   *
   * Figures of the calls of past days, and of today up to some seconds ago. Managers see the whole workspace, agents only their own calls. The service
   * counts from the events of calls and stores sums for each day and hour for 400 days; late facts (an outcome corrected the next day, a missed call
   * returned two days later) still reach their day for a month. After a loss, it reads the calls again from the platform's records. Errors:
   * INVALID_INPUT (no such day, more than 366 days, more than 10,000 rows), NOT_YOURS (an agent asks for another agent). REST:
   * `GET /api/history`. Costs 1, and 3 for each day from `from` to `to`. Requires the role AGENT.
   */
  readonly 'GET /api/history': {
    readonly query: {
      /** The first day in the clinic's time zone, for example `2026-11-01`. One line. */
      readonly from: string
      /** The last day, at most 366 days in all, for example `2026-11-30`. One line. */
      readonly to: string
      /** What makes a row. */
      readonly groupBy?: HistoryGrouping
      /** Only calls of this agent: ID of the agent record (UUID). Agents get their own calls without it. One line. 1 to 100 characters. */
      readonly agentId?: string
      /** Only calls of this campaign of the provider. One line. 1 to 200 characters. */
      readonly campaignName?: string
    }
    readonly answer: History
  }
  /**
   * The states and calls of an agent on one day
   *
   * What an agent did on one day of the last month: states, as the provider reported them, and calls. Managers see every agent, agents only
   * themselves. Errors: INVALID_INPUT (no such day), NOT_YOURS. Costs 50. Requires the role AGENT.
   */
  readonly 'GET /api/history/agents/{agentId}/{date}': {
    readonly path: {
      /** ID of the agent record (UUID). A UUID of version 1 to 5. */
      readonly agentId: string
      /** The day in the clinic's time zone, for example `2026-11-21`. One line. */
      readonly date: string
    }
    readonly answer: AgentTimeline
  }
  /**
   * Call records of the platform, newest first
   *
   * Call records of the platform, the newest first, with the rights that the member has there. Managers get all of them, agents only their own.
   * Errors: INVALID_INPUT, NOT_YOURS, those of the platform. REST: `GET /api/history/calls`; as a file, all pages at once, for managers:
   * `GET /api/history/calls.csv`. Costs 100, and 1 for each row of `first`. Requires the role AGENT.
   */
  readonly 'GET /api/history/calls': {
    readonly query: {
      /** The first day in the clinic's time zone, for example `2026-11-01`. One line. */
      readonly from: string
      /** The last day, at most 366 days in all, for example `2026-11-30`. One line. */
      readonly to: string
      /** Number of calls on a page. 1 to 200. */
      readonly first?: number
      /** The cursor of an entry, such as `pageInfo.endCursor`: the page begins after it. In REST, the `Link` header has the next page. At most 2,000 characters. */
      readonly after?: string
      /** Only calls of this agent: ID of the agent record (UUID). A UUID of version 1 to 5. */
      readonly agentId?: string
      /** Only calls of this campaign of the provider. One line. 1 to 200 characters. */
      readonly campaignName?: string
      /** Only calls in this direction. */
      readonly direction?: CallDirection
      /** Only calls that are or ended so. */
      readonly status?: CallPhase
      /** Only calls with this outcome code. One line. 1 to 200 characters. */
      readonly disposition?: string
      /** Only calls with this number, in any common notation, or with these digits if they are no valid number, such as an extension. One line. 1 to 40 characters. */
      readonly phoneNumber?: string
    }
    readonly answer: readonly HistoryCall[]
  }
  /**
   * The audio of a call's recording, whole or in part
   *
   * Streams the recording with the type that the provider gave it (`application/octet-stream` if that is no audio). The path needs the token, so fetch it in the page instead of naming it in an `<audio>` tag. Requires the role USER.
   */
  readonly 'GET /api/recordings/{callId}/audio': {
    readonly path: {
      /** ID of the call's record (UUID), or its UCID. */
      readonly callId: string
    }
    readonly headers?: {
      /** One range of bytes. Several ranges and other units are ignored. */
      readonly Range?: string
    }
    readonly answer: Response
  }
  /**
   * Scorecards as a CSV file, a row for each criterion
   *
   * The list of `GET /api/scorecards` as a whole, as RFC 4180 with a line of names, in UTF-8 with a byte order mark; times are in UTC. A text that a spreadsheet would compute begins with an apostrophe. If reading fails later, the connection is closed before the end of the file. Each export is in the audit log. Requires the role MANAGER.
   */
  readonly 'GET /api/scorecards.csv': {
    readonly query?: {
      /** Calls that began at this moment or later. */
      readonly from?: string
      /** Calls that began at this moment or earlier. */
      readonly to?: string
      /** Only calls of this agent: ID of the agent record. */
      readonly agentId?: string
      /** Only scorecards with a correction, also those whose analysis has ended. */
      readonly correctedOnly?: boolean
    }
    readonly answer: Response
  }
  /**
   * Call records as a CSV file, newest first, streamed row by row
   *
   * All calls of a range that match, as RFC 4180 with a line of names, in UTF-8 with a byte order mark. Times are those of the clinic, with the offset. A text that a spreadsheet would compute begins with an apostrophe. If reading fails after the first page, the connection is closed before the end of the file. Each export is in the audit log. Requires the role MANAGER.
   */
  readonly 'GET /api/history/calls.csv': {
    readonly query: {
      /** The first day, in the clinic's time zone. */
      readonly from: string
      /** The last day, at most 366 days in all. */
      readonly to: string
      /** Only calls of this agent: ID of the agent record. */
      readonly agentId?: string
      /** Only calls of this campaign of the provider. */
      readonly campaignName?: string
      /** Only calls in this direction. */
      readonly direction?: 'INBOUND' | 'OUTBOUND'
      /** Only calls that are or ended so. */
      readonly status?: 'RINGING' | 'ANSWERED' | 'COMPLETED' | 'MISSED'
      /** Only calls with this outcome code. */
      readonly disposition?: string
      /** Only calls with this number, or with these digits if they are no valid number. */
      readonly phoneNumber?: string
    }
    readonly answer: Response
  }
  /**
   * What a page needs to show the widget: texts, what it can do, and the theme
   *
   * For pages of the origins of the key in `x-widget-key`. The `Origin` header decides. Needs no token.
   */
  readonly 'GET /api/widget/config': {
    readonly answer: {
      readonly widget: {
        /** Whether the widget works on the sites that embed it */
        readonly enabled: boolean
        /** What a visitor reads first */
        readonly greeting: string
        /** Shown in the empty message field */
        readonly placeholder: string
        /** The corner of the page */
        readonly position: 'LEFT' | 'RIGHT'
        /** Whether visitors may book a visit */
        readonly bookingEnabled: boolean
        /** Whether visitors can chat, because a language model is configured */
        readonly chatEnabled: boolean
      }
      /** Theme */
      readonly theme: {
        /** Brand */
        readonly brand: {
          /** The name that staff and visitors see */
          readonly hospitalName: string | null
          /** Address of the logo */
          readonly logoUrl: string | null
        }
        /** Colours */
        readonly colors: {
          /** Buttons and links */
          readonly primary: string
          /** Highlights */
          readonly accent: string
          /** Background */
          readonly background: string
          /** Text */
          readonly text: string
        }
        /** Fonts */
        readonly fonts: {
          /** Headings */
          readonly heading: string
          /** Body text */
          readonly body: string
        }
      }
    }
  }
  /**
   * The doctors to whom patients may be sent
   *
   * For pages of the origins of the key in `x-widget-key`. The `Origin` header decides. Needs no token.
   */
  readonly 'GET /api/widget/doctors': {
    readonly answer: {
      readonly doctors: readonly {
        readonly id: string
        readonly name: string
        readonly speciality: string | null
        readonly clinic: string | null
        readonly languages: readonly string[]
        /** Price of a visit in the workspace's currency. */
        readonly fee: number | null
      }[]
    }
  }
  /**
   * Free times of the next 14 days that nobody holds, the earliest first
   *
   * For pages of the origins of the key in `x-widget-key`. The `Origin` header decides. Needs no token.
   */
  readonly 'GET /api/widget/slots': {
    readonly query?: {
      /** Only times of this doctor. */
      readonly doctorId?: string
      /** Only times at or after this moment. */
      readonly from?: string
      /** Only times before this moment. */
      readonly to?: string
    }
    readonly answer: {
      readonly timeZone: string
      readonly slots: readonly {
        readonly id: string
        readonly doctorId: string | null
        readonly startsAt: string
        readonly endsAt: string
        /** Start in the clinic's time zone with its offset. */
        readonly localStartsAt: string
        readonly durationMinutes: number
      }[]
    }
  }
  /**
   * Send a message. The reply streams as chunks of the AI SDK's UI messages. The same message again streams the same reply
   *
   * For pages of the origins of the key in `x-widget-key`. The `Origin` header decides. Needs no token.
   */
  readonly 'POST /api/widget/chat': {
    readonly body: {
      readonly id: string
      readonly message: {
        readonly id: string
        readonly role: 'user'
        /** Not blank, and at most 2000 characters of text in all. */
        readonly parts: readonly {
          readonly type: 'text'
          readonly text: string
        }[]
      }
    }
    readonly answer: Response
  }
  /**
   * The messages of a conversation, for a page that was reloaded. They are stored for a day
   *
   * For pages of the origins of the key in `x-widget-key`. The `Origin` header decides. Needs no token.
   */
  readonly 'GET /api/widget/chat/{id}': {
    readonly path: {
      /** The ID as an earlier answer gave it. */
      readonly id: string
    }
    readonly answer: {
      readonly messages: readonly Readonly<Record<string, unknown>>[]
    }
  }
  /**
   * First hold a free time for five minutes with `slotId`, then book it with `bookingId`, `name` and `phone`
   *
   * For pages of the origins of the key in `x-widget-key`. The `Origin` header decides. Needs no token.
   */
  readonly 'POST /api/widget/bookings': {
    readonly body: {
      /** The `id` of a free time. */
      readonly slotId: string
    } | {
      /** The `id` of the held booking. */
      readonly bookingId: string
      /** The patient's name: not blank. */
      readonly name: string
      /** The patient's phone number: a valid one. From abroad it begins with + and the country code. */
      readonly phone: string
    }
    readonly answer: {
      readonly booking: {
        readonly id: string
        readonly slot: {
          readonly id: string
          readonly doctorId: string | null
          readonly startsAt: string
          readonly endsAt: string
          /** Start in the clinic's time zone with its offset. */
          readonly localStartsAt: string
          readonly durationMinutes: number
        }
        readonly doctor: {
          readonly id: string
          readonly name: string
          readonly speciality: string | null
          readonly clinic: string | null
          readonly languages: readonly string[]
          /** Price of a visit in the workspace's currency. */
          readonly fee: number | null
        } | null
        readonly state: 'BOOKED'
      }
    } | {
      readonly booking: {
        readonly id: string
        readonly slot: {
          readonly id: string
          readonly doctorId: string | null
          readonly startsAt: string
          readonly endsAt: string
          /** Start in the clinic's time zone with its offset. */
          readonly localStartsAt: string
          readonly durationMinutes: number
        }
        readonly doctor: {
          readonly id: string
          readonly name: string
          readonly speciality: string | null
          readonly clinic: string | null
          readonly languages: readonly string[]
          /** Price of a visit in the workspace's currency. */
          readonly fee: number | null
        } | null
        readonly state: 'HELD'
        readonly heldUntil: string
      }
    }
  }
  /**
   * Release a held time
   *
   * For pages of the origins of the key in `x-widget-key`. The `Origin` header decides. Needs no token.
   */
  readonly 'DELETE /api/widget/bookings/{id}': {
    readonly path: {
      /** The ID as an earlier answer gave it. */
      readonly id: string
    }
    readonly answer: null
  }
}
