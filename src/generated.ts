import type { DocumentValues } from './features/configuration/document-values.ts';
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { RaisedAlert } from './features/alerts/alert.ts';
import type { OpenDirectory } from './features/doctors/open-directory.ts';
import type { DetectedStep } from './features/setup/detected-step.ts';
import type { LookedUpCall } from './features/calls/screen-pop/look-up-call.ts';
import type { PlatformCall, ShownLead } from './ports/call-records.ts';
import type { ListedCall } from './features/history/list-history-calls.ts';
import type { KnownCall } from './features/calls/state/call-facts.ts';
import type { Enrichment } from './features/calls/screen-pop/enrich-call.ts';
import type { RecordingAnalysis as StoredAnalysis } from './features/recordings/recording-analysis.ts';
import type { Check } from './features/configuration/connection-test.ts';
import type { DetectedSetup } from './features/setup/detected-setup.ts';
import type { RequestContext } from './access/request-context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null | undefined;
export type ResolverFn<TResult, TParent, TContext, TArgs> = (source: TParent, args: TArgs, context: TContext) => Promise<TResult> | TResult
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
export type EnumResolverSignature<T, AllowedValues = any> = { [key in keyof T]?: AllowedValues };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /**
   * The fields of a section as one JSON object; `configurationSchema` describes them. A secret is `***masked***` if it is set and null if it is
   * not. `_meta` is read-only: `version` (the ETag of REST), `changedAt`, and for managers also `changedBy` and `secrets`, which has a fingerprint
   * of each secret that is set.
   */
  ConfigurationDocument: { input: DocumentValues; output: DocumentValues; }
  /**
   * A place in a list, as a text that only the service reads. It stays valid while entries are added and removed, even if its own entry is removed.
   * Lists are connections as Relay specifies them: https://relay.dev/graphql/connections.htm. They are read forwards.
   */
  ConnectionCursor: { input: string; output: string; }
  /** A moment in time: ISO 8601 in UTC with milliseconds, for example `2026-03-01T09:30:00.000Z`. */
  DateTime: { input: string; output: string; }
  /** A JSON Schema (draft 2020-12). `secret` marks fields that are only shown masked. `destination` marks fields that decide where secrets are sent. */
  SectionSchema: { input: DocumentValues; output: DocumentValues; }
};

/** Figures of the calls of one agent. */
export type AgentCallCounts = {
  readonly __typename?: 'AgentCallCounts';
  /** ID of the agent record (UUID). Null for calls that no agent had. */
  readonly agentId: Maybe<Scalars['ID']['output']>;
  /** Display name of the agent record. Null for calls that no agent had. */
  readonly agentName: Maybe<Scalars['String']['output']>;
  /** Figures of this agent's calls today. */
  readonly counts: CallCounts;
};

/** Calls of one agent that ring or are in progress. */
export type AgentCallsNow = {
  readonly __typename?: 'AgentCallsNow';
  /** ID of the agent record (UUID). Null for calls that no agent has yet. */
  readonly agentId: Maybe<Scalars['ID']['output']>;
  /** Display name of the agent record. Null for calls that no agent has yet. */
  readonly agentName: Maybe<Scalars['String']['output']>;
  /** Number of calls that were answered and are in progress. */
  readonly onCall: Scalars['Int']['output'];
  /** Number of calls that ring. */
  readonly ringing: Scalars['Int']['output'];
};

/** What a member signs in with. */
export type AgentLoginInput = {
  /** Identifies the member on the platform, for example `agent1@demo.example`. */
  readonly email: Scalars['String']['input'];
  /** The member's password on the platform. It is sent to the platform and not stored. */
  readonly password: Scalars['String']['input'];
  /** The subdomain of the workspace. Can be left out if the host of the Origin header names the workspace, or if the service serves only one. */
  readonly workspace?: InputMaybe<Scalars['String']['input']>;
};

/** The result of ending an agent session. */
export type AgentLogout = {
  readonly __typename?: 'AgentLogout';
  /** True if the agent was also signed out at the telephony provider. */
  readonly providerSignedOut: Scalars['Boolean']['output'];
  /** True if this request ended a session. False if there was none. */
  readonly released: Scalars['Boolean']['output'];
};

/** What a manager did to an agent. */
export type AgentNotice = {
  readonly __typename?: 'AgentNotice';
  /** When it was done. */
  readonly at: Scalars['DateTime']['output'];
  /** Send it to `confirmAgentNotices` when the agent has seen the notice. */
  readonly id: Scalars['ID']['output'];
  /** What was done. */
  readonly kind: AgentNoticeKind;
  /** ID of the workspace member who did it (UUID). */
  readonly managerId: Scalars['ID']['output'];
  /** What that member was called then. */
  readonly managerName: Scalars['String']['output'];
  /** Why, as the manager wrote it. Null if they wrote nothing. */
  readonly message: Maybe<Scalars['String']['output']>;
  /** The not-ready reason that the agent was given. Null in other states. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** The state that the agent was given. Null unless the kind is STATE_CHANGED. */
  readonly state: Maybe<AgentStateChoice>;
  /** ID of the entry of the worklist (UUID). Null if the notice is about nobody of the worklist. */
  readonly worklistEntryId: Maybe<Scalars['ID']['output']>;
};

/** What a manager did to an agent. */
export type AgentNoticeKind =
  /** Ended the agent's claim of a person, called the person instead, or closed the entry. */
  | 'CLAIM_ENDED'
  /** Assigned a person of the worklist to the agent. */
  | 'PERSON_ASSIGNED'
  /** Took the assignment away: the person belongs to another agent, or to nobody. */
  | 'PERSON_UNASSIGNED'
  /** Ended the agent's session, also at the telephony provider: sign in again. */
  | 'SESSION_ENDED'
  /** Made the agent ready or not ready. */
  | 'STATE_CHANGED';

/** What an agent is doing at the telephony provider. */
export type AgentPresence = {
  readonly __typename?: 'AgentPresence';
  /** ID of the agent record (UUID). Null if no record has this provider ID. */
  readonly agentId: Maybe<Scalars['ID']['output']>;
  /** The `providerAgentId`. */
  readonly id: Scalars['ID']['output'];
  /** The agent's ID at the telephony provider. */
  readonly providerAgentId: Scalars['String']['output'];
  /** The not-ready reason, such as `Lunch`. Null in other states. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** When the agent entered this state. */
  readonly since: Scalars['DateTime']['output'];
  /** Whether the agent is signed in, ready or busy. */
  readonly state: AgentState;
};

/** A person who handles calls, from the platform's agent record. It contains no secrets. */
export type AgentProfile = {
  readonly __typename?: 'AgentProfile';
  /** The provider's campaign that the agent works in. Null if the agent has none. */
  readonly campaignName: Maybe<Scalars['String']['output']>;
  /** Unique ID of the record (UUID). */
  readonly id: Scalars['ID']['output'];
  /** Display name on the platform. */
  readonly name: Scalars['String']['output'];
  /** The agent's ID at the telephony provider. Null if the agent has none. */
  readonly providerAgentId: Maybe<Scalars['String']['output']>;
};

/** The one session of an agent. As long as it lives, the agent cannot sign in a second time. */
export type AgentSession = {
  readonly __typename?: 'AgentSession';
  /** ID of the agent record (UUID). */
  readonly agentId: Scalars['ID']['output'];
  /** When the session ends if no heartbeat arrives. */
  readonly expiresAt: Scalars['DateTime']['output'];
  /** Seconds that a client should wait between two heartbeats. */
  readonly heartbeatIntervalSeconds: Scalars['Int']['output'];
  /** The agent's `agentId`: an agent has one session. */
  readonly id: Scalars['ID']['output'];
  /** The IP address from which the agent signed in. */
  readonly ip: Scalars['String']['output'];
  /** When the agent signed in. */
  readonly lockedAt: Scalars['DateTime']['output'];
  /** ID of the workspace member who is signed in (UUID). */
  readonly memberId: Scalars['ID']['output'];
};

/** A started agent session, with what the agent's device needs to work. */
export type AgentSessionStart = {
  readonly __typename?: 'AgentSessionStart';
  /** The agent record. */
  readonly agent: AgentProfile;
  /** The session that was started. */
  readonly session: AgentSession;
  /** Credentials for the browser phone. Null if the agent record or the telephony settings lack a part of them. */
  readonly sip: Maybe<SipCredentials>;
  /** The result of the sign-in at the telephony provider. */
  readonly telephony: TelephonySignIn;
};

/** Everything that a client needs after a sign-in. */
export type AgentSignIn = {
  readonly __typename?: 'AgentSignIn';
  /** The agent record. Null for a member who handles no calls. */
  readonly agent: Maybe<AgentProfile>;
  /** ID of the workspace member (UUID). */
  readonly memberId: Scalars['ID']['output'];
  /** The member's application role. Null if the member's platform role is mapped to none: no field of this service can be used then. */
  readonly role: Maybe<ApplicationRole>;
  /** The agent session that this sign-in took. Null for a member without an agent record. */
  readonly session: Maybe<AgentSession>;
  /** What the client should show about the setup of the workspace. */
  readonly setup: SetupSummary;
  /** Credentials for the browser phone. Null if the agent record or the telephony settings lack a part of them. */
  readonly sip: Maybe<SipCredentials>;
  /** The result of the sign-in at the telephony provider. Null for a member without an agent record. */
  readonly telephony: Maybe<TelephonySignIn>;
  /** The access token and the refresh token of this sign-in. */
  readonly tokens: SessionTokens;
  /** The account that signed in. */
  readonly user: SignedInUser;
  /** The workspace that the tokens are valid for. */
  readonly workspace: SignedInWorkspace;
};

/** What an agent is doing at the telephony provider. */
export type AgentState =
  /** Signed in, and gets no calls. */
  | 'NOT_READY'
  /** A call rings or is in progress. */
  | 'ON_CALL'
  /** Waits for the next call. */
  | 'READY'
  /** Not signed in at the provider. */
  | 'SIGNED_OUT'
  /** Works on the call that ended, until the disposition is sent. */
  | 'WRAP_UP';

/** The states that an agent can choose. */
export type AgentStateChoice =
  /** Wants to get no calls, for example during a break. */
  | 'NOT_READY'
  /** Wants to get calls. */
  | 'READY';

/** The state that an agent chooses. */
export type AgentStateInput = {
  /** Required for NOT_READY: one of `callSettings { notReadyReasons }`. */
  readonly reason?: InputMaybe<Scalars['String']['input']>;
  /** Whether the agent wants to get calls. */
  readonly state: AgentStateChoice;
};

/** What an agent did on one day. */
export type AgentTimeline = {
  readonly __typename?: 'AgentTimeline';
  /** ID of the agent record (UUID). */
  readonly agentId: Scalars['ID']['output'];
  /** Display name of the agent record. Null if there is no such record any more. */
  readonly agentName: Maybe<Scalars['String']['output']>;
  /** The calls that began on that day, the earliest first. Empty for days more than a month ago: `historyCalls` has them. */
  readonly calls: ReadonlyArray<TimelineCall>;
  /** The day, for example `2026-11-21`. */
  readonly date: Scalars['String']['output'];
  /** The agent and the day. */
  readonly id: Scalars['ID']['output'];
  /** The states as the provider reported them, the earliest first; at most about 1,000 a day. Empty for days more than a month ago. */
  readonly states: ReadonlyArray<TimelineState>;
  /** Time zone of the clinic: an IANA name. */
  readonly timeZone: Scalars['String']['output'];
};

/**
 * A threshold that was reached. It is raised once, and cleared once when it has not been reached for a minute; if it is reached again within this
 * minute, the alert goes on.
 */
export type Alert = {
  readonly __typename?: 'Alert';
  /** When a manager first said that they have seen it. Null if nobody has. */
  readonly acknowledgedAt: Maybe<Scalars['DateTime']['output']>;
  /** The name of this manager at that time. Null if nobody has, or if the name is not known. */
  readonly acknowledgedBy: Maybe<Scalars['String']['output']>;
  /** When it was over. Null while it lasts. */
  readonly clearedAt: Maybe<Scalars['DateTime']['output']>;
  /** Identifies it, also in the webhook that reports it. */
  readonly id: Scalars['ID']['output'];
  /** Which threshold was reached. */
  readonly kind: AlertKind;
  /** When it was raised. */
  readonly raisedAt: Scalars['DateTime']['output'];
  /** The agent (UUID), party or provider that it is about. Null if it is about the whole workspace. */
  readonly subjectId: Maybe<Scalars['ID']['output']>;
  /** The name of the same, when the alert was raised. Null if it is about the whole workspace. */
  readonly subjectName: Maybe<Scalars['String']['output']>;
  /** The threshold in the configuration when it was raised, in the same unit. */
  readonly threshold: Scalars['Int']['output'];
  /** The value when it was raised: calls for MISSED_CALLS_WAITING, else minutes. */
  readonly value: Scalars['Int']['output'];
};

/** A page of alerts. */
export type AlertConnection = {
  readonly __typename?: 'AlertConnection';
  /** The entries of the page with their cursors. */
  readonly edges: ReadonlyArray<AlertEdge>;
  /** The entries of the page, newest first. */
  readonly nodes: ReadonlyArray<Alert>;
  /** Whether there are further pages. */
  readonly pageInfo: PageInfo;
};

/** One of the alerts, and its place among them. */
export type AlertEdge = {
  readonly __typename?: 'AlertEdge';
  /** Send it as `after` to get what comes after this entry. */
  readonly cursor: Scalars['ConnectionCursor']['output'];
  /** The entry itself. */
  readonly node: Alert;
};

/** The threshold of the `alerts` configuration that an alert is about. */
export type AlertKind =
  /** A missed call has waited for so long: `longestWaitMinutes`. */
  | 'LONGEST_WAIT'
  /** So many missed calls wait for a callback: `waitingMissedCalls`. */
  | 'MISSED_CALLS_WAITING'
  /** No agent has been ready for so long while the clinic was open: `noAgentReadyMinutes`. */
  | 'NO_AGENT_READY'
  /** A provider or the platform has failed for so long: `providerFailingMinutes`. */
  | 'PROVIDER_FAILING'
  /** No webhook of the telephony provider has come for so long while the clinic was open: `webhooksSilentMinutes`. */
  | 'WEBHOOKS_SILENT'
  /** An agent's wrap-up takes so long: `wrapUpMinutes`. */
  | 'WRAP_UP';

/** Which recording to analyse, and how long to wait. */
export type AnalyzeRecordingInput = {
  /** ID of the call's record (UUID), or its UCID. */
  readonly callId: Scalars['ID']['input'];
  /** True analyses again even if a result is stored. Only for managers. Default: false. */
  readonly force?: InputMaybe<Scalars['Boolean']['input']>;
  /**
   * Address of another recording than the call's own. Only for managers. While another recording of the call is being analysed, this one follows
   * it: until then, that one's stage and result are shown. After six others it is refused (OVERLOADED): ask again.
   */
  readonly recordingUrl?: InputMaybe<Scalars['String']['input']>;
  /** Seconds to wait for the result. Default: 25. */
  readonly waitSeconds?: InputMaybe<Scalars['Int']['input']>;
};

/** What a member may do in this service. It follows from the member's role on the platform and from the agent record. */
export type ApplicationRole =
  /** A member with a user role on the platform and with an agent record. May take and make calls. */
  | 'AGENT'
  /** A member with a manager role on the platform, or who may change all settings there. May also configure the service and see all agents and calls. */
  | 'MANAGER'
  /** A member with a user role on the platform and without an agent record. */
  | 'USER';

/** The person behind an entry of the audit log. */
export type AuditLogActor = {
  readonly __typename?: 'AuditLogActor';
  /** The `id` of the entry. */
  readonly id: Scalars['ID']['output'];
  /** The IP address of the request. Null if it is not known. */
  readonly ip: Maybe<Scalars['String']['output']>;
  /** ID of the workspace member (UUID). Null if it is not known. */
  readonly memberId: Maybe<Scalars['ID']['output']>;
  /** What the member was called at that time. Null if the name could not be read then, and in entries of earlier versions. */
  readonly name: Maybe<Scalars['String']['output']>;
  /** ID of the account on the platform (UUID). */
  readonly userId: Scalars['ID']['output'];
};

/** One fact about an entry of the audit log. */
export type AuditLogDetail = {
  readonly __typename?: 'AuditLogDetail';
  /** What the fact is about, for example `reason`. */
  readonly name: Scalars['String']['output'];
  /** The fact as text. Null if it has no value. */
  readonly value: Maybe<Scalars['String']['output']>;
};

/** One thing that a person did in this service. */
export type AuditLogEntry = {
  readonly __typename?: 'AuditLogEntry';
  /** `area.verb` in the past tense, for example `session.released`. */
  readonly action: Scalars['String']['output'];
  /** The person who did it. */
  readonly actor: AuditLogActor;
  /** When it happened. */
  readonly at: Scalars['DateTime']['output'];
  /** Further facts, such as the reason. Secret values are never among them. */
  readonly details: ReadonlyArray<AuditLogDetail>;
  /** Unique ID of this entry. */
  readonly id: Scalars['ID']['output'];
  /** ID of the lead that the target is about (UUID): the log has no names of patients. Null if there is none or it is not known. */
  readonly leadId: Maybe<Scalars['ID']['output']>;
  /** ID of the thing that was changed or read. Null if the action has no target. */
  readonly targetId: Maybe<Scalars['ID']['output']>;
  /** What kind of thing was changed or read, for example `agent`. Null if the action has no target. */
  readonly targetKind: Maybe<Scalars['String']['output']>;
  /**
   * What the target was called at that time: the name of a member or agent. Of a call or a person of the worklist only `number ending in 4321`. Null
   * if the name could not be read then, if the target has no name besides its ID, and in entries of earlier versions.
   */
  readonly targetName: Maybe<Scalars['String']['output']>;
};

/** A page of audit log entries. */
export type AuditLogEntryConnection = {
  readonly __typename?: 'AuditLogEntryConnection';
  /** The entries of the page with their cursors. */
  readonly edges: ReadonlyArray<AuditLogEntryEdge>;
  /** The entries of the page, newest first. */
  readonly nodes: ReadonlyArray<AuditLogEntry>;
  /** Whether there are further pages. */
  readonly pageInfo: PageInfo;
};

/** One of the audit log entries, and its place among them. */
export type AuditLogEntryEdge = {
  readonly __typename?: 'AuditLogEntryEdge';
  /** Send it as `after` to get what comes after this entry. */
  readonly cursor: Scalars['ConnectionCursor']['output'];
  /** The entry itself. */
  readonly node: AuditLogEntry;
};

/** What a telephony provider can do for an agent. */
export type CallCapability =
  /** `setAgentState`. */
  | 'AGENT_STATE'
  /** `controlCall` with CONFERENCE and KICK, and `startTransfer` to a phone number. */
  | 'CONFERENCE'
  /** `startTransfer` to another agent. */
  | 'CONFERENCE_WITH_AGENT'
  /** `startTransfer` to a queue. */
  | 'CONFERENCE_WITH_QUEUE'
  /** `dial`, by the provider that agents sign in to. */
  | 'DIAL'
  /** The provider stores the dispositions of `submitDisposition`. */
  | 'DISPOSITION'
  /** `controlCall` with HANG_UP. */
  | 'HANG_UP'
  /** `controlCall` with HOLD and UNHOLD. */
  | 'HOLD'
  /** `controlCall` with MUTE and UNMUTE. */
  | 'MUTE'
  /** `controlCall` with PAUSE_RECORDING and RESUME_RECORDING. */
  | 'PAUSE_RECORDING';

/** What can be done with a current call. */
export type CallControlAction =
  /** Add another person by `phoneNumber`. */
  | 'CONFERENCE'
  /** End the call. */
  | 'HANG_UP'
  /** Put the customer on hold. */
  | 'HOLD'
  /** Remove the person with `phoneNumber` from the call. */
  | 'KICK'
  /** Switch the agent's microphone off. */
  | 'MUTE'
  /** Stop recording for now, for example while card numbers are spoken. */
  | 'PAUSE_RECORDING'
  /** Record again after a pause. */
  | 'RESUME_RECORDING'
  /** Take the customer off hold. */
  | 'UNHOLD'
  /** Switch the agent's microphone on. */
  | 'UNMUTE';

/** The settings of a call that `controlCall` changes. */
export type CallControls = {
  readonly __typename?: 'CallControls';
  /** True if the customer is on hold. */
  readonly held: Scalars['Boolean']['output'];
  /** The UCID of the call. */
  readonly id: Scalars['ID']['output'];
  /** True if the customer cannot hear the agent. */
  readonly muted: Scalars['Boolean']['output'];
  /** Phone numbers of people who were added to the call, in E.164. */
  readonly parties: ReadonlyArray<Scalars['String']['output']>;
  /** True if the provider records nothing at the moment. */
  readonly recordingPaused: Scalars['Boolean']['output'];
};

/** Figures of a group of calls. */
export type CallCounts = {
  readonly __typename?: 'CallCounts';
  /** Number of calls in both directions that somebody answered. */
  readonly answered: Scalars['Int']['output'];
  /** Number of inbound calls that were answered within `serviceLevelSeconds`. */
  readonly answeredInTime: Scalars['Int']['output'];
  /** Number of inbound calls that somebody answered. */
  readonly answeredInbound: Scalars['Int']['output'];
  /** Mean of talk and wrap-up in seconds, over answered calls that have ended and whose duration was reported. Null if there is no such call. */
  readonly averageHandlingSeconds: Maybe<Scalars['Int']['output']>;
  /** Mean talk time in seconds, over answered calls that have ended and whose duration was reported. Null if there is no such call. */
  readonly averageTalkSeconds: Maybe<Scalars['Int']['output']>;
  /** Mean time in seconds from the end of a call until its agent was free, over calls for which both are known. Null if there is no such call. */
  readonly averageWrapUpSeconds: Maybe<Scalars['Int']['output']>;
  /** Number of calls, including those in progress. */
  readonly calls: Scalars['Int']['output'];
  /** Which day and which group of calls it is about. */
  readonly id: Scalars['ID']['output'];
  /** Number of inbound calls that ended without an answer. */
  readonly missed: Scalars['Int']['output'];
  /** Number of inbound calls. */
  readonly offered: Scalars['Int']['output'];
  /** The part of `answeredInbound` and `missed` that was answered in time: 0 to 1. Null if there is no such call. */
  readonly serviceLevel: Maybe<Scalars['Float']['output']>;
  /** Number of outbound calls that ended without an answer. */
  readonly unreached: Scalars['Int']['output'];
};

/** Who called whom. */
export type CallDirection =
  /** A customer called the hospital. */
  | 'INBOUND'
  /** An agent called a customer. */
  | 'OUTBOUND';

/** What a language model says about a call before it is answered. */
export type CallEnrichment = {
  readonly __typename?: 'CallEnrichment';
  /** True if the other fields have content. If false, `reason` says why. */
  readonly available: Scalars['Boolean']['output'];
  /** The `id` of the screen pop. */
  readonly id: Scalars['ID']['output'];
  /** Why the person probably calls. Null if `available` is false. */
  readonly likelyReason: Maybe<Scalars['String']['output']>;
  /** Why there is no enrichment, as text for the agent. Null if there is one. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** A first sentence for the agent to say. Null if `available` is false. */
  readonly suggestedOpening: Maybe<Scalars['String']['output']>;
  /** Who the caller is, in two sentences. Null if `available` is false. */
  readonly whoIsThis: Maybe<Scalars['String']['output']>;
};

/** One change of a call. */
export type CallEvent = {
  readonly __typename?: 'CallEvent';
  /** The call with all its current values. */
  readonly call: LiveCall;
  /** The UCID of the call. */
  readonly id: Scalars['ID']['output'];
  /** Whether the call was in progress before the subscription, or changed since. */
  readonly kind: CallEventKind;
};

/** Why an event of a call or of the worklist is sent. */
export type CallEventKind =
  /** It started or changed. */
  | 'CHANGED'
  /** It existed when the subscription started: a call in progress, or an open entry of the worklist. */
  | 'SNAPSHOT';

/** A screen pop: what is known about a phone number or a call. */
export type CallLookup = {
  readonly __typename?: 'CallLookup';
  /** The call that was looked up, or the agent's current call. Null if only a number was looked up. */
  readonly call: Maybe<LiveCall>;
  /** All leads with the phone number, at most 10. */
  readonly candidates: ReadonlyArray<LeadSummary>;
  /** The number as the provider reports it, or the digits that were looked up if they have no such form. Null if the caller withheld it. */
  readonly dialledNumber: Maybe<Scalars['String']['output']>;
  /** What the signed-in member typed about the call and has not sent with a disposition yet. Null if there is nothing, or if only a number was looked up. */
  readonly draftNotes: Maybe<CallNotes>;
  /** What a language model says about the call. The first request takes some seconds: request it apart from the other fields. */
  readonly enrichment: CallEnrichment;
  /** The UCID of the call, or the phone number if only a number was looked up. */
  readonly id: Scalars['ID']['output'];
  /** The last calls with the lead or the phone number, newest first, at most 10; not the call itself while it goes on. */
  readonly lastCalls: ReadonlyArray<CallSummary>;
  /** The lead of the call, or the only lead with the phone number. Null if there is none or more than one. */
  readonly lead: Maybe<LeadSummary>;
  /** How many leads have the phone number. */
  readonly match: LeadMatch;
  /** The lead's next booked visit. Null if there is none. */
  readonly nextVisit: Maybe<NextVisit>;
  /** What is still to do for the lead: tasks and scheduled callbacks, the next one first. */
  readonly openItems: ReadonlyArray<OpenItem>;
  /** E.164, for example `+919876543210`. Null if the number has no such form, or is withheld. */
  readonly phoneNumber: Maybe<Scalars['String']['output']>;
  /** Parts that could not be read, for example because the member lacks the rights. */
  readonly unavailable: ReadonlyArray<CallLookupPart>;
};

/** The parts of a screen pop that the platform may refuse. */
export type CallLookupPart =
  /** `lastCalls`. */
  | 'CALLS'
  /** `candidates` and `lead`. */
  | 'LEADS'
  /** All of these: the platform does not answer. `match` says nothing then. Ask again after some seconds. */
  | 'PLATFORM'
  /** `openItems`, except scheduled callbacks. */
  | 'TASKS'
  /** `nextVisit`. */
  | 'VISITS';

/** What a member typed about a call, before it is sent with a disposition. */
export type CallNotes = {
  readonly __typename?: 'CallNotes';
  /** When to call back, as the member has chosen. Null if that is not chosen. */
  readonly callBackAt: Maybe<Scalars['DateTime']['output']>;
  /** The outcome that the member has chosen. Null if there is none. */
  readonly disposition: Maybe<Scalars['String']['output']>;
  /** The `ucid`. */
  readonly id: Scalars['ID']['output'];
  /** The whole text. */
  readonly notes: Scalars['String']['output'];
  /** When it was saved. */
  readonly savedAt: Scalars['DateTime']['output'];
  /** The provider's ID of the call. */
  readonly ucid: Scalars['ID']['output'];
};

/** How far a call is. */
export type CallPhase =
  /** The two parties are connected. */
  | 'ANSWERED'
  /** The call was answered and has ended. */
  | 'COMPLETED'
  /** The call ended without an answer. */
  | 'MISSED'
  /** The phone rings and nobody has answered yet. */
  | 'RINGING';

/** What an agent may choose for calls. The same for all agents of the workspace. */
export type CallSettings = {
  readonly __typename?: 'CallSettings';
  /** What the telephony provider can do, so that a frontend shows only buttons that work. Empty if no provider is configured. */
  readonly capabilities: ReadonlyArray<CallCapability>;
  /** The outcome codes that `submitDisposition` accepts. Empty if nobody has listed them: then the provider decides. */
  readonly dispositions: ReadonlyArray<Scalars['String']['output']>;
  /** Always the same: a workspace has one. */
  readonly id: Scalars['ID']['output'];
  /** The reasons that go with NOT_READY. Empty if nobody has listed them: then the provider decides. */
  readonly notReadyReasons: ReadonlyArray<Scalars['String']['output']>;
  /** After how many seconds the provider ends a wrap-up without an outcome, as the configuration has it. Null if it does not, or nobody has entered it. */
  readonly wrapUpSeconds: Maybe<Scalars['Int']['output']>;
};

/** A past call, from the platform's call record. */
export type CallSummary = {
  readonly __typename?: 'CallSummary';
  /** ID of the agent record (UUID). Null if no agent had the call. */
  readonly agentId: Maybe<Scalars['ID']['output']>;
  /** Who called whom. Null if it is not recorded, or if the workspace's own list has another word for it. */
  readonly direction: Maybe<CallDirection>;
  /** The outcome code that the agent chose. Null if there is none. */
  readonly disposition: Maybe<Scalars['String']['output']>;
  /** Length in seconds. Null if it is not recorded. */
  readonly durationSeconds: Maybe<Scalars['Int']['output']>;
  /** When somebody hung up. Null if the call is in progress or the end is not recorded. */
  readonly endedAt: Maybe<Scalars['DateTime']['output']>;
  /** True if there is audio that can be played or analysed. */
  readonly hasRecording: Scalars['Boolean']['output'];
  /** Unique ID of the call's record (UUID). */
  readonly id: Scalars['ID']['output'];
  /** What the agent wrote about the call. Null if there is nothing. */
  readonly notes: Maybe<Scalars['String']['output']>;
  /** When the call started to ring. Null if it is not recorded. */
  readonly startedAt: Maybe<Scalars['DateTime']['output']>;
  /** How far the call came, a value of the workspace's own list, such as `COMPLETED`. Null if it is not recorded. */
  readonly status: Maybe<Scalars['String']['output']>;
  /** The provider's ID of the call. Null if it is not recorded. */
  readonly ucid: Maybe<Scalars['ID']['output']>;
};

/** A transfer of a call to a third party. */
export type CallTransfer = {
  readonly __typename?: 'CallTransfer';
  /** When the agent left or the third party was removed. Null while the transfer is under way, and if it is not known. */
  readonly endedAt: Maybe<Scalars['DateTime']['output']>;
  /** The UCID of the call. */
  readonly id: Scalars['ID']['output'];
  /** When the transfer was started. Null for one in the provider's own user interface. */
  readonly startedAt: Maybe<Scalars['DateTime']['output']>;
  /** How far the transfer is. */
  readonly status: CallTransferStatus;
  /** What kind of third party it is. */
  readonly target: CallTransferTarget;
  /** The third party: a number in E.164, an agent's ID at the telephony provider, or the name of a queue. Null if the provider does not report it. */
  readonly to: Maybe<Scalars['String']['output']>;
};

/** How far a transfer is. */
export type CallTransferStatus =
  /** The call ended before the agent left, for example because the customer hung up. */
  | 'CALL_ENDED'
  /** The third party was removed from the call. */
  | 'CANCELLED'
  /** The agent has left. The customer and the third party stay connected. */
  | 'COMPLETED'
  /** The provider was asked to call the third party and has not confirmed it. After an error the third party may ring: go on or cancel. */
  | 'DIALLING'
  /** The provider calls the third party or has connected them. It does not report which: the agent hears it. */
  | 'IN_PROGRESS';

/** What kind of third party a call is transferred to. */
export type CallTransferTarget =
  /** Another agent. */
  | 'AGENT'
  /** A phone number. */
  | 'NUMBER'
  /** The provider reports a transfer, but not to whom. */
  | 'OTHER'
  /** A queue of the telephony provider. */
  | 'QUEUE';

/** Calls that ring or are in progress. */
export type CallsNow = {
  readonly __typename?: 'CallsNow';
  /** The same numbers for each agent. */
  readonly byAgent: ReadonlyArray<AgentCallsNow>;
  /** The same numbers for each campaign. */
  readonly byCampaign: ReadonlyArray<CampaignCallsNow>;
  /** The calls themselves, the longest first. */
  readonly calls: ReadonlyArray<SupervisedCall>;
  /** Always the same: a workspace has one. */
  readonly id: Scalars['ID']['output'];
  /** When the customer who waits longest called. Null if nobody waits, or if the provider does not report it. */
  readonly longestWaitSince: Maybe<Scalars['DateTime']['output']>;
  /** Number of calls that were answered and are in progress. */
  readonly onCall: Scalars['Int']['output'];
  /** Number of calls that ring. */
  readonly ringing: Scalars['Int']['output'];
  /** Number of inbound calls that ring: customers who wait for an answer. */
  readonly waiting: Scalars['Int']['output'];
};

/** Figures of the calls that started on the clinic's current day. */
export type CallsToday = {
  readonly __typename?: 'CallsToday';
  /** Figures for each agent. */
  readonly byAgent: ReadonlyArray<AgentCallCounts>;
  /** Figures for each campaign of the provider. */
  readonly byCampaign: ReadonlyArray<CampaignCallCounts>;
  /** Figures for each outcome code. */
  readonly byDisposition: ReadonlyArray<DispositionCallCounts>;
  /** Figures for each hour of the clinic's day in which a call started. */
  readonly byHour: ReadonlyArray<HourCallCounts>;
  /** False if the service lost its counts and still reads earlier calls of the day from the platform. */
  readonly complete: Scalars['Boolean']['output'];
  /** The day as `YYYY-MM-DD`, for example `2026-11-21`. */
  readonly date: Scalars['String']['output'];
  /** The `date`. */
  readonly id: Scalars['ID']['output'];
  /** The waiting time in seconds that counts as in time: `telephony.serviceLevelSeconds` of the configuration. */
  readonly serviceLevelSeconds: Scalars['Int']['output'];
  /** Time zone of the clinic: an IANA name, `visits.timeZone` of the `platform` configuration. */
  readonly timeZone: Scalars['String']['output'];
  /** Figures of all calls. */
  readonly total: CallCounts;
};

/** Figures of the calls of one campaign. */
export type CampaignCallCounts = {
  readonly __typename?: 'CampaignCallCounts';
  /** The provider's campaign. Null for calls whose campaign is not known. */
  readonly campaignName: Maybe<Scalars['String']['output']>;
  /** Figures of this campaign's calls today. */
  readonly counts: CallCounts;
};

/** Calls of one campaign that ring or are in progress. */
export type CampaignCallsNow = {
  readonly __typename?: 'CampaignCallsNow';
  /** The provider's campaign. Null for calls whose campaign is not known. */
  readonly campaignName: Maybe<Scalars['String']['output']>;
  /** Number of calls that were answered and are in progress. */
  readonly onCall: Scalars['Int']['output'];
  /** Number of calls that ring. */
  readonly ringing: Scalars['Int']['output'];
};

/** How a version of a section came about. */
export type ConfigurationAction =
  /** Somebody edited the stored document outside this service. */
  | 'EDITED_BY_HAND'
  /** A manager restored the defaults. */
  | 'RESET'
  /** A manager restored an earlier version. */
  | 'RESTORED'
  /** A manager saved changes. */
  | 'SAVED'
  /** The service made it from the environment or the defaults when the section was first used. */
  | 'SEEDED';

/** One step of a configuration test. */
export type ConfigurationCheck = {
  readonly __typename?: 'ConfigurationCheck';
  /** What the manager can do about a failure. Null if there is nothing to do. */
  readonly advice: Maybe<Scalars['String']['output']>;
  /** What the other system answered, as text for the manager. */
  readonly found: Scalars['String']['output'];
  /** A stable name, for example `telephony.access`. */
  readonly name: Scalars['String']['output'];
  /** True if the step passed, or if it could not be checked (`unchecked`). */
  readonly ok: Scalars['Boolean']['output'];
  /** What the service did, as text for the manager. */
  readonly tried: Scalars['String']['output'];
  /** True if the service cannot find it out. `found` says what is not known. */
  readonly unchecked: Scalars['Boolean']['output'];
};

/** A member who changed the configuration. */
export type ConfigurationEditor = {
  readonly __typename?: 'ConfigurationEditor';
  /** The `memberId`. */
  readonly id: Scalars['ID']['output'];
  /** ID of the workspace member (UUID). */
  readonly memberId: Scalars['ID']['output'];
  /** First and last name. */
  readonly name: Scalars['String']['output'];
};

/** One version of a section. It never contains values. */
export type ConfigurationRevision = {
  readonly __typename?: 'ConfigurationRevision';
  /** How this version came about. */
  readonly action: ConfigurationAction;
  /** When this version was stored. */
  readonly changedAt: Scalars['DateTime']['output'];
  /** Who changed it. Null if the service itself did, or somebody who edited the stored document. */
  readonly changedBy: Maybe<ConfigurationEditor>;
  /** Paths of the fields that changed, with dots, such as `brand.hospitalName`. */
  readonly fields: ReadonlyArray<Scalars['String']['output']>;
  /** Section and version, for example `THEME:3`. */
  readonly id: Scalars['ID']['output'];
  /** Counts up from 1 with every change of the section. */
  readonly version: Scalars['Int']['output'];
};

/** A part of the workspace's configuration that is read and saved as one document. */
export type ConfigurationSection =
  /** The language model. Its keys and addresses come only from the environment. */
  | 'AI'
  /** Thresholds of alerts, opening hours, and the web address that receives alerts. */
  | 'ALERTS'
  /** The platform's API key, the mapping of its roles, and the names of its objects and fields. */
  | 'PLATFORM'
  /** Telephony providers, values for agents without their own, dispositions and SIP. */
  | 'TELEPHONY'
  /** Brand, colours and fonts. */
  | 'THEME'
  /** The public chat widget. */
  | 'WIDGET';

/** The result of testing a section. */
export type ConfigurationTest = {
  readonly __typename?: 'ConfigurationTest';
  /** The single steps of the test, in the order in which they ran. */
  readonly checks: ReadonlyArray<ConfigurationCheck>;
  /** True if every check passed. */
  readonly ok: Scalars['Boolean']['output'];
  /** Which section was tested. */
  readonly section: ConfigurationSection;
  /** When the test ended. */
  readonly testedAt: Scalars['DateTime']['output'];
};

/** A current call, and what to do with it. */
export type ControlCallInput = {
  /** What to do with the call. */
  readonly action: CallControlAction;
  /** Whom to add or remove: a valid phone number. Required for CONFERENCE and KICK. */
  readonly phoneNumber?: InputMaybe<Scalars['String']['input']>;
  /** The provider's ID of the call. */
  readonly ucid: Scalars['ID']['input'];
};

/** A manager's verdict on a criterion of a call. */
export type CorrectScorecardInput = {
  /** ID of the call's record (UUID), or its UCID. */
  readonly callId: Scalars['ID']['input'];
  /** The `key` of the criterion, for example `greeting`. */
  readonly criterion: Scalars['ID']['input'];
  /** Why. Agents see it on their scorecard. Do not name patients: it is stored longer than the call's analysis. */
  readonly reason: Scalars['String']['input'];
  /** Whether the agent followed it. Null withdraws your verdict or another manager's, and the language model's counts again. */
  readonly verdict?: InputMaybe<RecordingVerdict>;
  /** The `version` of the scorecard that you saw. */
  readonly version: Scalars['Int']['input'];
};

/** A member who was removed from the workspace. */
export type DeactivatedTeamMember = {
  readonly __typename?: 'DeactivatedTeamMember';
  /** ID of the former workspace member (UUID). */
  readonly memberId: Scalars['ID']['output'];
  /** True if an agent session was ended. */
  readonly sessionEnded: Scalars['Boolean']['output'];
};

/** An event that a consumer could not process. Of its content, which is stored, only what it is about is shown. */
export type DeadLetter = {
  readonly __typename?: 'DeadLetter';
  /** When the consumer stopped trying. */
  readonly deadAt: Scalars['DateTime']['output'];
  /** For RECORD_REFUSED the platform's codes, such as `BAD_USER_INPUT / INVALID_ARGS_DATA`; for OTHER the reason. Otherwise null. */
  readonly detail: Maybe<Scalars['String']['output']>;
  /** ID of the event. Null if the message has none that can be read. */
  readonly eventId: Maybe<Scalars['ID']['output']>;
  /** Identifies it for `replayDeadLetter`. */
  readonly id: Scalars['ID']['output'];
  /** What the event is about: the UCID of a call or the ID of an agent. Null if it is not known. */
  readonly key: Maybe<Scalars['String']['output']>;
  /** The lead that the event is about (UUID). Null if the event does not name it. */
  readonly leadId: Maybe<Scalars['ID']['output']>;
  /** When it happened, or when the call began. Null if the event does not say it. */
  readonly occurredAt: Maybe<Scalars['DateTime']['output']>;
  /** The customer's number in E.164, or as it was dialled if it has no such form. Null if the event does not contain it: most have the lead's ID only. */
  readonly phoneNumber: Maybe<Scalars['String']['output']>;
  /** Why no further try can help. */
  readonly reason: DeadLetterReason;
  /** Name of the consumer that could not process the event. */
  readonly receiver: Scalars['String']['output'];
  /** What kind of event it is, for example `call.completed`. */
  readonly topic: Scalars['String']['output'];
};

/** A page of dead letters. */
export type DeadLetterConnection = {
  readonly __typename?: 'DeadLetterConnection';
  /** The entries of the page with their cursors. */
  readonly edges: ReadonlyArray<DeadLetterEdge>;
  /** The entries of the page, newest first. */
  readonly nodes: ReadonlyArray<DeadLetter>;
  /** Whether there are further pages. */
  readonly pageInfo: PageInfo;
};

/** One of the dead letters, and its place among them. */
export type DeadLetterEdge = {
  readonly __typename?: 'DeadLetterEdge';
  /** Send it as `after` to get what comes after this entry. */
  readonly cursor: Scalars['ConnectionCursor']['output'];
  /** The entry itself. */
  readonly node: DeadLetter;
};

/** Why an event became a dead letter. */
export type DeadLetterReason =
  /** The language model refused the question, or twice gave an answer without a meaning. */
  | 'MODEL_REFUSED'
  /** No model or API key was configured, or the credit was used up, for three days. */
  | 'NOT_CONFIGURED'
  /** Every try failed for a week (an alert: for a day), or the consumer no longer exists. */
  | 'NOT_DELIVERED'
  /** The message is not JSON. */
  | 'NOT_JSON'
  /** A reason that only an earlier version of the service had. */
  | 'OTHER'
  /** The platform refuses this call record. */
  | 'RECORD_REFUSED'
  /** The platform has no lead with the ID in the event. */
  | 'UNKNOWN_LEAD'
  /** The consumer does not know this version of the event. */
  | 'UNKNOWN_VERSION'
  /** The content does not fit the schema of the event. */
  | 'WRONG_SCHEMA';

/** The result of replaying dead letters. */
export type DeadLetterReplay = {
  readonly __typename?: 'DeadLetterReplay';
  /** True if the workspace has further dead letters. */
  readonly remaining: Scalars['Boolean']['output'];
  /** Number of events that were sent to their consumers again. */
  readonly replayed: Scalars['Int']['output'];
};

/** Which number to call, and how. */
export type DialInput = {
  /** Number on which the second provider calls the agent. Default: the SIP extension of the agent record if that is a phone number. */
  readonly agentPhoneNumber?: InputMaybe<Scalars['String']['input']>;
  /** A text that the client chooses. Requests with the same key make one call. A key is valid for a day. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** ID of the lead that the call is about (UUID), one that the member can read. Leave it out if there is none. */
  readonly leadId?: InputMaybe<Scalars['ID']['input']>;
  /** True calls a person whom another agent has claimed in the worklist, and takes the claim over. Only for managers; it is audited, and that agent gets a notice. */
  readonly overrideClaim?: Scalars['Boolean']['input'];
  /**
   * The customer's number: a valid phone number in any common notation. Without a country code it belongs to the workspace's default country. Another
   * number, such as an extension, only if it is in the worklist or was on the phone in the last 30 days.
   */
  readonly phoneNumber: Scalars['String']['input'];
  /** Which provider makes the call. */
  readonly via?: DialVia;
};

/** The call that was started. */
export type DialReceipt = {
  readonly __typename?: 'DialReceipt';
  /** ID of the call's record on the platform (UUID). */
  readonly callId: Scalars['ID']['output'];
  /** The customer's number in E.164, or its digits if it has no such form. */
  readonly phoneNumber: Scalars['String']['output'];
  /** The provider that makes the call. */
  readonly provider: TelephonyProvider;
  /** The provider's ID of the new call. */
  readonly ucid: Scalars['ID']['output'];
};

/** Which provider makes an outbound call. */
export type DialVia =
  /** The telephony provider if the agent is signed in there, otherwise the second provider. */
  | 'AUTO'
  /** The second provider, which calls the agent's phone first. */
  | 'OUTBOUND'
  /** The provider at which agents sign in. */
  | 'TELEPHONY';

/** A doctor of the hospital. */
export type DirectoryDoctor = {
  readonly __typename?: 'DirectoryDoctor';
  /** True if patients may be sent to this doctor. */
  readonly active: Scalars['Boolean']['output'];
  /** Name of the place where the doctor works. Null if it is not recorded. */
  readonly clinic: Maybe<Scalars['String']['output']>;
  /** Price of a visit in the workspace's currency. Null if it is not recorded. */
  readonly fee: Maybe<Scalars['Float']['output']>;
  /** Unique ID of the doctor's record (UUID). */
  readonly id: Scalars['ID']['output'];
  /** Names of the spoken languages in English, such as `Kannada`. Empty if none is recorded. */
  readonly languages: ReadonlyArray<Scalars['String']['output']>;
  /** Full name with title, for example `Dr. Nandini Rao`. */
  readonly name: Scalars['String']['output'];
  /** Medical field, for example `Cardiology`. Null if it is not recorded. */
  readonly speciality: Maybe<Scalars['String']['output']>;
};

/** A period in which a doctor can see one patient. */
export type DirectorySlot = {
  readonly __typename?: 'DirectorySlot';
  /** ID of the doctor's record (UUID). Null if the slot belongs to no doctor. */
  readonly doctorId: Maybe<Scalars['ID']['output']>;
  /** Length in minutes. */
  readonly durationMinutes: Scalars['Int']['output'];
  /** End of the visit in UTC. */
  readonly endsAt: Scalars['DateTime']['output'];
  /** Unique ID of the slot's record (UUID). */
  readonly id: Scalars['ID']['output'];
  /** ID of the lead that booked the slot (UUID). Null if nobody did. */
  readonly leadId: Maybe<Scalars['ID']['output']>;
  /** End in the clinic's time zone with its offset, for example `2026-11-23T10:30:00+05:30`. */
  readonly localEndsAt: Scalars['String']['output'];
  /** Start in the clinic's time zone with its offset, for example `2026-11-23T10:00:00+05:30`. */
  readonly localStartsAt: Scalars['String']['output'];
  /** Start of the visit in UTC. */
  readonly startsAt: Scalars['DateTime']['output'];
  /** Whether the slot can be booked. */
  readonly state: DirectorySlotState;
  /** Time zone of the clinic: an IANA name, for example `Asia/Kolkata`. */
  readonly timeZone: Scalars['String']['output'];
  /** Label of the slot on the platform. Null if it has none. */
  readonly title: Maybe<Scalars['String']['output']>;
};

/** A page of visit slots. */
export type DirectorySlotConnection = {
  readonly __typename?: 'DirectorySlotConnection';
  /** The entries of the page with their cursors. */
  readonly edges: ReadonlyArray<DirectorySlotEdge>;
  /** The entries of the page, the earliest first. */
  readonly nodes: ReadonlyArray<DirectorySlot>;
  /** Whether there are further pages. */
  readonly pageInfo: PageInfo;
};

/** One of the visit slots, and its place among them. */
export type DirectorySlotEdge = {
  readonly __typename?: 'DirectorySlotEdge';
  /** Send it as `after` to get what comes after this entry. */
  readonly cursor: Scalars['ConnectionCursor']['output'];
  /** The entry itself. */
  readonly node: DirectorySlot;
};

/** Whether a visit slot can be booked. */
export type DirectorySlotState =
  /** A lead has booked it. */
  | 'BOOKED'
  /** It can be booked. */
  | 'FREE'
  /** It is reserved or blocked and cannot be booked. */
  | 'HELD'
  /** It has already started. */
  | 'PAST';

/** Figures of the calls with one outcome code. */
export type DispositionCallCounts = {
  readonly __typename?: 'DispositionCallCounts';
  /** Figures of today's calls with this outcome code. */
  readonly counts: CallCounts;
  /** The outcome code that agents chose. Null for calls without one. */
  readonly disposition: Maybe<Scalars['String']['output']>;
};

/** How many calls have an outcome code. */
export type DispositionCount = {
  readonly __typename?: 'DispositionCount';
  /** Number of calls. */
  readonly calls: Scalars['Int']['output'];
  /** The outcome code. */
  readonly disposition: Scalars['String']['output'];
};

/** The outcome of a call. */
export type DispositionInput = {
  /**
   * The frontend sent it, because the wrap-up ends. It can be corrected for ten minutes after the call, also after the wrap-up. It corrects no other outcome
   * itself without `supersedes`: it fails with CONFLICT then.
   */
  readonly automatic?: InputMaybe<Scalars['Boolean']['input']>;
  /**
   * Schedules a callback for this moment: in the future, at most 365 days ahead. One that was scheduled before may be sent again when it is past. If the
   * caller withheld the number, it needs a lead with a number (`leadId`).
   */
  readonly callBackAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** The outcome code: one of `callSettings { dispositions }`. */
  readonly disposition: Scalars['String']['input'];
  /** ID of the lead that the call was about (UUID), if the client knows it. Left out in a correction: the lead stays. */
  readonly leadId?: InputMaybe<Scalars['ID']['input']>;
  /** The agent's state after the call. Left out: the agent stays in wrap-up. */
  readonly next?: InputMaybe<AgentStateInput>;
  /** What the agent wants to write about the call. Left out: the notes, and what was saved while typing, stay; an empty text removes them. */
  readonly notes?: InputMaybe<Scalars['String']['input']>;
  /** For a correction: the `eventId` of the receipt that the client has seen last. If the outcome was corrected since, it fails with CONFLICT. */
  readonly supersedes?: InputMaybe<Scalars['ID']['input']>;
  /** The provider's ID of the call: text, never a number. */
  readonly ucid: Scalars['ID']['input'];
};

/** What the telephony provider did with a disposition. */
export type DispositionOutcome =
  /** The call already had a disposition at the provider, which may keep it. Here the one of the receipt counts. */
  | 'ALREADY_DISPOSED'
  /** Accepted during the call. The provider saves it when the call ends. */
  | 'QUEUED'
  /** Stored with the call. */
  | 'SAVED';

/** The recorded outcome of a call. */
export type DispositionReceipt = {
  readonly __typename?: 'DispositionReceipt';
  /** The outcome code that counts. */
  readonly disposition: Scalars['String']['output'];
  /** ID of the `call.completed` event. */
  readonly eventId: Scalars['ID']['output'];
  /** What the telephony provider did with it. */
  readonly outcome: DispositionOutcome;
  /** ID of the `call.completed` event that this one corrects. Null for the first outcome of the call. */
  readonly supersedes: Maybe<Scalars['ID']['output']>;
  /** The provider's ID of the call. */
  readonly ucid: Scalars['ID']['output'];
};

/** Doctors and their visit slots. */
export type DoctorDirectory = {
  readonly __typename?: 'DoctorDirectory';
  /** The matching doctors, sorted by name, at most 600. */
  readonly doctors: ReadonlyArray<DirectoryDoctor>;
  /** Follows from the filter: the same question has the same ID. */
  readonly id: Scalars['ID']['output'];
  /** Slots of the returned doctors, sorted by start. Without a filter on doctors also slots that belong to no doctor. */
  readonly slots: DirectorySlotConnection;
  /** Time zone of the clinic: an IANA name, for example `Asia/Kolkata`. */
  readonly timeZone: Scalars['String']['output'];
};


/** Doctors and their visit slots. */
export type DoctorDirectorySlotsArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
};

/** Conditions that a doctor or slot must all meet. Texts are compared without regard to case and accents. */
export type DoctorDirectoryFilter = {
  /** A part of the clinic's name. */
  readonly clinic?: InputMaybe<Scalars['String']['input']>;
  /** Only the doctor with this ID. */
  readonly doctorId?: InputMaybe<Scalars['ID']['input']>;
  /** Only slots that start at or after this moment. Default: now. */
  readonly from?: InputMaybe<Scalars['DateTime']['input']>;
  /** True also returns doctors who are not active, with their slots. Default: false. */
  readonly inactive?: InputMaybe<Scalars['Boolean']['input']>;
  /** A language that the doctor speaks, as a whole word, for example `Kannada`. */
  readonly language?: InputMaybe<Scalars['String']['input']>;
  /** Words separated by spaces. Each of them must occur in the doctor's name, speciality or clinic. */
  readonly search?: InputMaybe<Scalars['String']['input']>;
  /** A part of the speciality, for example `cardio`. */
  readonly speciality?: InputMaybe<Scalars['String']['input']>;
  /** Only slots in this state. */
  readonly state?: InputMaybe<DirectorySlotState>;
  /** Only slots that start before this moment. After `from`, at most 92 days. Default: 14 days after `from`. */
  readonly to?: InputMaybe<Scalars['DateTime']['input']>;
};

/** The free visit slots of one doctor. */
export type FreeSlots = {
  readonly __typename?: 'FreeSlots';
  /** ID of the doctor's record (UUID). */
  readonly doctorId: Scalars['ID']['output'];
  /** Full name with title, for example `Dr. Nandini Rao`. */
  readonly doctorName: Scalars['String']['output'];
  /** The `doctorId`. */
  readonly id: Scalars['ID']['output'];
  /** Start of the earliest free slot. Null if there is none. */
  readonly nextStartsAt: Maybe<Scalars['DateTime']['output']>;
  /** Medical field, for example `Cardiology`. Null if it is not recorded. */
  readonly speciality: Maybe<Scalars['String']['output']>;
  /** Number of free slots in the rest of the clinic's current day. */
  readonly today: Scalars['Int']['output'];
  /** Number of all known free slots, about two weeks ahead. */
  readonly total: Scalars['Int']['output'];
};

/** Figures of the calls that began in a range of days. */
export type History = {
  readonly __typename?: 'History';
  /** The first day, for example `2026-11-01`. */
  readonly from: Scalars['String']['output'];
  /** What was asked: the range, the grouping and the filters. */
  readonly id: Scalars['ID']['output'];
  /**
   * Days of the range whose calls were not all counted: those from before the service began to count, or lost its store, until it has read them from the
   * platform. It needs the workspace's API key for that, and takes some minutes for 10,000 calls. The earliest comes first, for example `2026-11-01`.
   */
  readonly incompleteDays: ReadonlyArray<Scalars['String']['output']>;
  /** In the order of day, hour, agent and campaign. Groups without calls have no row. */
  readonly rows: ReadonlyArray<HistoryRow>;
  /**
   * The waiting time in seconds that counts as in time: `telephony.serviceLevelSeconds` of the configuration. When it changes, the figures of all days
   * change, also of those that are over: the service stores how many calls waited for how long.
   */
  readonly serviceLevelSeconds: Scalars['Int']['output'];
  /** Time zone of the clinic: an IANA name, `visits.timeZone` of the `platform` configuration. Days are counted in the zone of their time. */
  readonly timeZone: Scalars['String']['output'];
  /** The last day, for example `2026-11-30`. */
  readonly to: Scalars['String']['output'];
};

/** A call as the platform has it. */
export type HistoryCall = {
  readonly __typename?: 'HistoryCall';
  /** ID of the agent record (UUID). Null if no agent had the call. */
  readonly agentId: Maybe<Scalars['ID']['output']>;
  /** Display name of the agent record. Null if no agent had the call, or if there is no such record any more. */
  readonly agentName: Maybe<Scalars['String']['output']>;
  /** When the call was answered. Null if it was not. */
  readonly answeredAt: Maybe<Scalars['DateTime']['output']>;
  /**
   * What the provider wrote because nobody gave an outcome in time. Null if there is an outcome, if the provider wrote
   * nothing, and a week after the call. The agent of the call or a manager can still give one (`submitDisposition`).
   */
  readonly automaticDisposition: Maybe<Scalars['String']['output']>;
  /** The provider's campaign. Null if it is not known. */
  readonly campaignName: Maybe<Scalars['String']['output']>;
  /** The number of the clinic that was called or shown. Null if it is not known. */
  readonly did: Maybe<Scalars['String']['output']>;
  /** Who called whom. Null if the record does not say it. */
  readonly direction: Maybe<CallDirection>;
  /** The outcome code. Null if there is none. */
  readonly disposition: Maybe<Scalars['String']['output']>;
  /** Talk time in seconds. Null if it is not known. */
  readonly durationSeconds: Maybe<Scalars['Int']['output']>;
  /** When the call ended. Null if it is not known. */
  readonly endedAt: Maybe<Scalars['DateTime']['output']>;
  /** Whether the call has a recording. */
  readonly hasRecording: Scalars['Boolean']['output'];
  /** ID of the call's record (UUID). */
  readonly id: Scalars['ID']['output'];
  /** ID of the lead that the call is about (UUID). Null if it is not known. */
  readonly leadId: Maybe<Scalars['ID']['output']>;
  /** The agent's notes. Null if there are none. */
  readonly notes: Maybe<Scalars['String']['output']>;
  /** The customer's number, in E.164 if it is valid, else its digits. Null if it is withheld or not known. */
  readonly phoneNumber: Maybe<Scalars['String']['output']>;
  /** When the call began to ring. Null if it is not known. */
  readonly startedAt: Maybe<Scalars['DateTime']['output']>;
  /** How far the call is, or how it ended, in the words of the workspace, for example `COMPLETED`. Null if the record does not say it. */
  readonly status: Maybe<Scalars['String']['output']>;
  /** The provider's ID of the call. Null if the record has none. */
  readonly ucid: Maybe<Scalars['ID']['output']>;
};

/** A page of call records. */
export type HistoryCallConnection = {
  readonly __typename?: 'HistoryCallConnection';
  /** The calls of the page, each with its cursor. */
  readonly edges: ReadonlyArray<HistoryCallEdge>;
  /** The calls of the page, without their cursors. */
  readonly nodes: ReadonlyArray<HistoryCall>;
  /** Where the page is in the list. */
  readonly pageInfo: PageInfo;
};

/** A call record and its place in the list. */
export type HistoryCallEdge = {
  readonly __typename?: 'HistoryCallEdge';
  /** The place of the call in the list. */
  readonly cursor: Scalars['ConnectionCursor']['output'];
  /** The record of the platform. */
  readonly node: HistoryCall;
};

/** What makes a row of the history. */
export type HistoryGrouping =
  /** One row for each agent. */
  | 'AGENT'
  /** One row for each agent and campaign. */
  | 'AGENT_AND_CAMPAIGN'
  /** One row for each campaign. */
  | 'CAMPAIGN'
  /** One row for each day. */
  | 'DAY'
  /** One row for each day and agent. */
  | 'DAY_AND_AGENT'
  /** One row for each day and campaign. */
  | 'DAY_AND_CAMPAIGN'
  /** One row for each hour of each day. */
  | 'DAY_AND_HOUR'
  /** One row for each hour of the clinic's day, over all days. When the clock is set back, the hour that occurs twice is one. */
  | 'HOUR'
  /** One row for each hour of the clinic's day and agent. */
  | 'HOUR_AND_AGENT'
  /** One row for each hour of the clinic's day and campaign. */
  | 'HOUR_AND_CAMPAIGN'
  /** One row for everything. */
  | 'TOTAL';

/** Figures of one group of calls. */
export type HistoryRow = {
  readonly __typename?: 'HistoryRow';
  /** ID of the agent record (UUID), or the ID at the provider if there is no record. Null for calls that no agent had, and if agents are not a part of the grouping. */
  readonly agentId: Maybe<Scalars['ID']['output']>;
  /** Display name of the agent record, or the name that it had then. Null if `agentId` is. */
  readonly agentName: Maybe<Scalars['String']['output']>;
  /** The part of `answeredInbound` and `missed` that was answered: 0 to 1. Null if there is no such call. */
  readonly answerRate: Maybe<Scalars['Float']['output']>;
  /** Number of calls in both directions that somebody answered. */
  readonly answered: Scalars['Int']['output'];
  /** Number of inbound calls that were answered within `serviceLevelSeconds`. */
  readonly answeredInTime: Scalars['Int']['output'];
  /** Number of inbound calls that somebody answered. */
  readonly answeredInbound: Scalars['Int']['output'];
  /** Mean of talk and wrap-up in seconds. Null if there is no such call. */
  readonly averageHandlingSeconds: Maybe<Scalars['Int']['output']>;
  /** Mean time in seconds from the end of a missed call until somebody talked to the caller. Null if there is no such call. */
  readonly averageReturnSeconds: Maybe<Scalars['Int']['output']>;
  /** Mean talk time in seconds. Null if there is no such call. */
  readonly averageTalkSeconds: Maybe<Scalars['Int']['output']>;
  /** Mean time in seconds from the start to the answer of inbound calls. Null if none was answered. */
  readonly averageWaitSeconds: Maybe<Scalars['Int']['output']>;
  /** Mean time of a wrap-up in seconds. Null if there is none. */
  readonly averageWrapUpSeconds: Maybe<Scalars['Int']['output']>;
  /** Number of calls, including those in progress. */
  readonly calls: Scalars['Int']['output'];
  /** The provider's campaign. Null for calls whose campaign is not known, and if campaigns are not a part of the grouping. */
  readonly campaignName: Maybe<Scalars['String']['output']>;
  /** The day, for example `2026-11-21`. Null if days are not a part of the grouping. */
  readonly date: Maybe<Scalars['String']['output']>;
  /** Number of calls with each outcome code, the most frequent first. */
  readonly dispositions: ReadonlyArray<DispositionCount>;
  /** Talk and wrap-up time in seconds. */
  readonly handlingSeconds: Scalars['Int']['output'];
  /** The hour of the clinic's day: 0 to 23. Null if hours are not a part of the grouping. */
  readonly hour: Maybe<Scalars['Int']['output']>;
  /** Number of inbound calls that ended without an answer. */
  readonly missed: Scalars['Int']['output'];
  /** Number of inbound calls. */
  readonly offered: Scalars['Int']['output'];
  /** Number of missed calls after which somebody talked to the caller, within 30 days and in either direction. */
  readonly returned: Scalars['Int']['output'];
  /** The part of `answeredInbound` and `missed` that was answered in time: 0 to 1. Null if there is no such call. */
  readonly serviceLevel: Maybe<Scalars['Float']['output']>;
  /** Talk time in seconds. */
  readonly talkSeconds: Scalars['Int']['output'];
  /** Number of answered calls that have ended and whose duration was reported: talk and handling time are theirs. */
  readonly timed: Scalars['Int']['output'];
  /** Number of outbound calls that ended without an answer. */
  readonly unreached: Scalars['Int']['output'];
  /** Number of answered calls that ended without an outcome. Calls that an earlier version counted are left out. */
  readonly withoutOutcome: Scalars['Int']['output'];
  /** Time of the wrap-ups in seconds. */
  readonly wrapUpSeconds: Scalars['Int']['output'];
  /** Number of calls whose wrap-up is known: from the end of a call until its agent was free. */
  readonly wrapUps: Scalars['Int']['output'];
};

/** Figures of the calls that started in one hour. */
export type HourCallCounts = {
  readonly __typename?: 'HourCallCounts';
  /** Figures of the calls that started in this hour. */
  readonly counts: CallCounts;
  /** Hour of the clinic's day: 0 to 23. */
  readonly hour: Scalars['Int']['output'];
};

/** What the language model concluded from a lead's activity. */
export type LeadInsight = {
  readonly __typename?: 'LeadInsight';
  /** When the customer wants to be called back. Null if no time after the call was named, or if somebody else changed the record's insight since. */
  readonly callBackAt: Maybe<Scalars['DateTime']['output']>;
  /** ID of the `call.completed` event that caused the insight. Null if somebody else changed the record's insight since. */
  readonly eventId: Maybe<Scalars['ID']['output']>;
  /** ID of the lead (UUID). */
  readonly id: Scalars['ID']['output'];
  /** The provider's name of the language model. Null if somebody else changed the record's insight since. */
  readonly model: Maybe<Scalars['String']['output']>;
  /** Why this action is suggested, in one sentence. Null if somebody else changed the record's insight since. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** What to do next. Null if the stored value is none of the allowed actions. */
  readonly suggestedAction: Maybe<SuggestedAction>;
  /** Two or three sentences about the lead, for an agent to read before a call. */
  readonly summary: Scalars['String']['output'];
  /** When the insight was written. Null if the record does not say. */
  readonly writtenAt: Maybe<Scalars['DateTime']['output']>;
};

/** A lead, and the insight fields of its record if the workspace's data model has them. */
export type LeadInsightKey = {
  /** ID of the lead (UUID). */
  readonly id: Scalars['ID']['input'];
  /** The record's suggested action. Null or left out if it has none. */
  readonly suggestedAction?: InputMaybe<Scalars['String']['input']>;
  /** The record's summary. Null or left out if it has none. */
  readonly summary?: InputMaybe<Scalars['String']['input']>;
  /** The record's time of writing, ISO 8601. Null or left out if it has none. */
  readonly writtenAt?: InputMaybe<Scalars['String']['input']>;
};

/** How many leads have a phone number. */
export type LeadMatch =
  /** Two or more leads have it. */
  | 'MANY'
  /** No lead has the phone number. */
  | 'NONE'
  /** Exactly one lead has it. */
  | 'ONE';

/** Which number of a lead matched a phone number. */
export type LeadMatchedBy =
  /** One of the lead's further numbers. */
  | 'ADDITIONAL_PHONE'
  /** The lead's first number. */
  | 'PRIMARY_PHONE';

/** A lead of the platform, with the fields that a screen pop shows. */
export type LeadSummary = {
  readonly __typename?: 'LeadSummary';
  /** Address for e-mail. Null if it is not recorded. */
  readonly email: Maybe<Scalars['String']['output']>;
  /** Unique ID of the lead's record (UUID). */
  readonly id: Scalars['ID']['output'];
  /** What the language model concluded from the lead's activity. Null if nothing was concluded yet. */
  readonly insight: Maybe<LeadInsight>;
  /** Which number of the lead matched. Null if the lead was not found by a number. */
  readonly matchedBy: Maybe<LeadMatchedBy>;
  /** Full name. `Lead` if the record has none. */
  readonly name: Scalars['String']['output'];
  /** The primary number, in E.164 if it is a valid number. Null if it is not recorded. */
  readonly phoneNumber: Maybe<Scalars['String']['output']>;
  /** Where the lead came from, a value of the workspace's own list. Null if it is not recorded. */
  readonly source: Maybe<Scalars['String']['output']>;
  /** A value of the workspace's own list, such as `NEW`. Null if it is not recorded. */
  readonly status: Maybe<Scalars['String']['output']>;
};

/** An agent session as managers see it. */
export type LiveAgentSession = {
  readonly __typename?: 'LiveAgentSession';
  /** ID of the agent record (UUID). */
  readonly agentId: Scalars['ID']['output'];
  /** Display name of the agent record. */
  readonly agentName: Scalars['String']['output'];
  /** When the session ends if no heartbeat arrives. */
  readonly expiresAt: Scalars['DateTime']['output'];
  /** The agent's `agentId`: an agent has one session. */
  readonly id: Scalars['ID']['output'];
  /** The IP address from which the agent signed in. */
  readonly ip: Scalars['String']['output'];
  /** When the last heartbeat arrived. Null before the first one. */
  readonly lastHeartbeatAt: Maybe<Scalars['DateTime']['output']>;
  /** When the agent signed in. */
  readonly lockedAt: Scalars['DateTime']['output'];
  /** ID of the workspace member who is signed in (UUID). */
  readonly memberId: Scalars['ID']['output'];
};

/** A call as the telephony provider reports it. */
export type LiveCall = {
  readonly __typename?: 'LiveCall';
  /** What `controlCall` can do with this call: empty if the call has ended, or if its provider has no controls. */
  readonly actions: ReadonlyArray<CallControlAction>;
  /** ID of the agent record (UUID). Null if no agent has the call or the agent has no record. */
  readonly agentId: Maybe<Scalars['ID']['output']>;
  /** When the parties were connected. Null if nobody has answered. */
  readonly answeredAt: Maybe<Scalars['DateTime']['output']>;
  /** The provider's campaign of the call. Null if it is not known. */
  readonly campaignName: Maybe<Scalars['String']['output']>;
  /** What `controlCall` has set. */
  readonly controls: CallControls;
  /** The customer's number as the provider reports it, also one that has no E.164 form, such as an extension. Null if it is withheld or not known. */
  readonly dialledNumber: Maybe<Scalars['String']['output']>;
  /** The hospital's number: dialled by the customer, or shown to the customer. Null if it is not known. */
  readonly did: Maybe<Scalars['String']['output']>;
  /** Who called whom. */
  readonly direction: CallDirection;
  /** The outcome code that the agent chose. Null if there is none yet. */
  readonly disposition: Maybe<Scalars['String']['output']>;
  /** When somebody hung up. Null if the call is in progress. */
  readonly endedAt: Maybe<Scalars['DateTime']['output']>;
  /** The `ucid`. */
  readonly id: Scalars['ID']['output'];
  /** ID of the lead that the call is about (UUID). Null if it is not known. */
  readonly leadId: Maybe<Scalars['ID']['output']>;
  /** How far the call is. */
  readonly phase: CallPhase;
  /** The customer's number in E.164. Null if it has no such form, is withheld or not known. */
  readonly phoneNumber: Maybe<Scalars['String']['output']>;
  /** The provider that has the call. Null if it is not known. */
  readonly provider: Maybe<TelephonyProvider>;
  /** The agent's ID at the telephony provider. Null if no agent has the call. */
  readonly providerAgentId: Maybe<Scalars['String']['output']>;
  /** When the call started to ring. Null if it is not known. */
  readonly startedAt: Maybe<Scalars['DateTime']['output']>;
  /** Seconds from the answer to the end. Null if the call is in progress or was not answered. */
  readonly talkSeconds: Maybe<Scalars['Int']['output']>;
  /** The transfer of the call: under way, or the last one. Null if there is none. */
  readonly transfer: Maybe<CallTransfer>;
  /** The provider's ID of the call: text, never a number. */
  readonly ucid: Scalars['ID']['output'];
};

/** The subscription to the live events of the telephony provider. */
export type LiveEvents = {
  readonly __typename?: 'LiveEvents';
  /** Always the same: a workspace has one subscription. */
  readonly id: Scalars['ID']['output'];
  /** When the last live event came. Null if none came in the last 30 days. */
  readonly lastEventAt: Maybe<Scalars['DateTime']['output']>;
  /** When the service tries again after a failure. Null if there was no failure. */
  readonly nextTryAt: Maybe<Scalars['DateTime']['output']>;
  /** What is wrong and what a manager can do, as text. Null if nothing is wrong. */
  readonly problem: Maybe<Scalars['String']['output']>;
  /** Whether the provider was asked to send its events, and with what result. */
  readonly status: LiveEventsStatus;
  /** When the present subscription was last made or renewed. Null if there is none. */
  readonly subscribedAt: Maybe<Scalars['DateTime']['output']>;
};

/** Whether the provider was asked to send its live events. */
export type LiveEventsStatus =
  /** The last attempt failed. The service tries again by itself, at least every ten minutes. */
  | 'FAILED'
  /** There is no telephony provider, or its settings are not complete. */
  | 'NOT_CONFIGURED'
  /** The provider has no live events. */
  | 'NOT_SUPPORTED'
  /** The setting PUBLIC_URL is missing, so the provider cannot reach this service. */
  | 'NO_PUBLIC_ADDRESS'
  /** The service subscribes in the next seconds. */
  | 'PENDING'
  /** The provider accepted the present address. */
  | 'SUBSCRIBED';

/** A login token of the platform, and the workspace that it is for. */
export type LoginTokenInput = {
  /** A short-lived token that the platform issues, for example after single sign-on. */
  readonly loginToken: Scalars['String']['input'];
  /** The subdomain of the workspace. Can be left out if the host of the Origin header names the workspace, or if the service serves only one. */
  readonly workspace?: InputMaybe<Scalars['String']['input']>;
};

/** An inbound call that nobody answered. */
export type MissedCall = {
  readonly __typename?: 'MissedCall';
  /** When the customer called. */
  readonly at: Scalars['DateTime']['output'];
  /** When a later call reached the customer: we called back, or the customer called again and was answered. Null if none did. */
  readonly calledBackAt: Maybe<Scalars['DateTime']['output']>;
  /** The provider's ID of the call that reached the customer. Null if none did. */
  readonly calledBackUcid: Maybe<Scalars['ID']['output']>;
  /** The provider's campaign of the call. Null if it is not known. */
  readonly campaignName: Maybe<Scalars['String']['output']>;
  /** The customer's number as the provider reports it, also one that has no E.164 form, such as an extension. Null if it is withheld or not known. */
  readonly dialledNumber: Maybe<Scalars['String']['output']>;
  /** The hospital's number that the customer dialled. Null if it is not known. */
  readonly did: Maybe<Scalars['String']['output']>;
  /** When an agent finished it in the worklist without such a call. Null if nobody did. */
  readonly doneAt: Maybe<Scalars['DateTime']['output']>;
  /** The `ucid`. */
  readonly id: Scalars['ID']['output'];
  /** ID of the lead with this phone number (UUID). Null if it is not known. */
  readonly leadId: Maybe<Scalars['ID']['output']>;
  /** The customer's number in E.164. Null if it has no such form, or is withheld. */
  readonly phoneNumber: Maybe<Scalars['String']['output']>;
  /** The provider's ID of the call. */
  readonly ucid: Scalars['ID']['output'];
  /** ID of the person's entry in the worklist (UUID), to claim or assign them. Null if the number is withheld: then there is no entry. */
  readonly worklistEntryId: Maybe<Scalars['ID']['output']>;
};

/** A page of missed calls. */
export type MissedCallConnection = {
  readonly __typename?: 'MissedCallConnection';
  /** The entries of the page with their cursors. */
  readonly edges: ReadonlyArray<MissedCallEdge>;
  /** The entries of the page, newest first. */
  readonly nodes: ReadonlyArray<MissedCall>;
  /** Whether there are further pages. */
  readonly pageInfo: PageInfo;
};

/** One of the missed calls, and its place among them. */
export type MissedCallEdge = {
  readonly __typename?: 'MissedCallEdge';
  /** Send it as `after` to get what comes after this entry. */
  readonly cursor: Scalars['ConnectionCursor']['output'];
  /** The entry itself. */
  readonly node: MissedCall;
};

/** Missed calls whose caller waits for a callback. */
export type MissedWaiting = {
  readonly __typename?: 'MissedWaiting';
  /** The newest 20 of these calls. */
  readonly calls: ReadonlyArray<MissedCall>;
  /** Number of callers that wait. */
  readonly count: Scalars['Int']['output'];
  /** Always the same: a workspace has one. */
  readonly id: Scalars['ID']['output'];
  /** When the caller who waits longest called. Null if nobody waits. */
  readonly oldestAt: Maybe<Scalars['DateTime']['output']>;
};

/** Operations that change something. */
export type Mutation = {
  readonly __typename?: 'Mutation';
  /**
   * Says that a manager has seen an alert. It stays active until its cause is gone. The first one who says so is named, and the audit log records it; a
   * second time changes nothing. Fails with NOT_FOUND if the alert does not exist any more. REST: `POST /api/alerts/{id}/acknowledge`.
   */
  readonly acknowledgeAlert: Alert;
  /**
   * Signs a member in at the platform. If the member has an agent record, it also takes the agent's one session and signs the agent in at the
   * telephony provider. Fails with CONFLICT (`data.ip`, `data.lockedAt`) if the agent is already signed in anywhere. A wrong
   * password and an unknown e-mail address give the same error. REST: `POST /auth/login`.
   */
  readonly agentLogin: AgentSignIn;
  /**
   * Signs the member out: ends the agent session, signs the agent out at the telephony provider, and refuses the access token and refresh token of this
   * sign-in here from now on, with all that came from their renewal. The session ends even if the provider is down. Sent again after a lost answer, it
   * fails with UNAUTHENTICATED (`data.endedBy` SIGN_OUT). Fails with CONFLICT (reason SESSION_TAKEN_OVER) if another tab has taken the session over: then
   * nothing ends. REST: `POST /auth/logout`.
   */
  readonly agentLogout: AgentLogout;
  /**
   * Analyses a call's recording: transcript, speakers, summary and what a manager should know. The result is stored for 7 days, or as long as the
   * workspace sets (`ai.recordings.retentionDays`, at most 90). Requests for the same recording share one analysis. If it takes longer than the client waits, the answer is its progress.
   * REST: `POST /api/recordings/analyze`.
   */
  readonly analyzeRecording: RecordingAnalysisState;
  /**
   * Assigns a person to an agent, or back to all. Others can still claim the person: an assignment says who should call, a claim who does. Agents who
   * get or lose the person get a notice. REST: `PUT /api/calls/worklist/{id}/assignee`.
   */
  readonly assignWorklistEntry: WorklistEntry;
  /**
   * Books a free visit slot for a lead, with the rights of the signed-in member on the platform. Of many who want it, one gets it; the same booking again
   * changes nothing. A visitor who only holds the slot loses it. Fails with CONFLICT (reason `SLOT_TAKEN`) if the slot is not free or has begun, and with
   * NOT_FOUND if there is no such lead. REST: `POST /api/doctors/slots/{slotId}/book`.
   */
  readonly bookVisit: VisitBooking;
  /**
   * Removes the third party from the call, whether they answered or not, and takes the customer off hold. The same request again changes nothing.
   * REST: `POST /api/calls/{ucid}/transfer/cancel`.
   */
  readonly cancelTransfer: LiveCall;
  /**
   * Makes another agent ready or not ready for calls. It is audited, and the agent gets a notice. If the provider refuses, nothing happens. Fails with
   * NOT_FOUND if the agent has no session, and with CONFLICT (reason `WRONG_STATE`) if the agent is on a call or the provider allows it not yet: `message`
   * says which. After reason `DEADLINE_PASSED` the agent may have the state, and gets the notice: send it again. REST: `PUT /api/agents/{agentId}/state`.
   */
  readonly changeAgentState: AgentPresence;
  /**
   * Claims a person of the worklist for the signed-in agent, for the `telephony.claimMinutes` of the configuration; again: renews the claim.
   * Fails with CONFLICT (reason `ALREADY_CLAIMED`) if another agent has the person: `data.claimedBy` says who, `data.until` until when.
   * REST: `POST /api/calls/worklist/{id}/claim`.
   */
  readonly claimWorklistEntry: WorklistEntry;
  /**
   * The agent leaves the call, and the customer and the third party stay connected. Do this when the third party has answered: the provider does not
   * report it, and a customer whose third party only rings would be alone. Publishes `call.transferred` once. The agent is in wrap-up then, and
   * submits the disposition as after any call. The same request again changes nothing. REST: `POST /api/calls/{ucid}/transfer/complete`.
   */
  readonly completeTransfer: LiveCall;
  /**
   * Says that the signed-in agent has seen these notices: they are deleted, and do not come again. Returns those that are left. Unknown IDs are ignored.
   * REST: `POST /api/agents/me/notices/confirm`.
   */
  readonly confirmAgentNotices: ReadonlyArray<AgentNotice>;
  /**
   * Controls a current call of the signed-in agent. Fails with NOT_CONFIGURED (reason `NOT_SUPPORTED`) if the provider of the call cannot do this: see
   * `LiveCall.actions`. REST: `POST /api/calls/{ucid}/control`.
   */
  readonly controlCall: LiveCall;
  /**
   * Stores your own verdict on a criterion beside the language model's, the same or another one, or withdraws it. It counts for the score from then on.
   * The audit log records it with the reason. Fails with CONFLICT (reason CHANGED_MEANWHILE, `data.version`) if somebody else changed the scorecard
   * since you read it: read it again. REST: `PUT /api/scorecards/{callId}/corrections/{criterion}`.
   */
  readonly correctScorecard: Scorecard;
  /**
   * Creates a member without sending an e-mail: account, temporary password, role, name and, if requested, an agent record. A second request
   * with the same e-mail address completes a creation that was interrupted. Fails with CONFLICT if the address belongs to a member already, or
   * has an account outside this workspace. REST: `POST /api/team/members`.
   */
  readonly createTeamMember: TeamMemberAnswer;
  /**
   * Creates a key for the widget on pages of some origins. The key begins with the hospital's name; fails with NOT_CONFIGURED if the name is
   * not set. REST: `POST /api/config/widget/keys`.
   */
  readonly createWidgetKey: WidgetKey;
  /**
   * Removes a member from the workspace and ends the member's agent session at once, also at the telephony provider. Fails with CONFLICT for
   * oneself and for the last manager. REST: `DELETE /api/team/members/{id}`.
   */
  readonly deactivateTeamMember: DeactivatedTeamMember;
  /**
   * Deletes a key. The widget stops working at once on pages that use it. Returns the deleted key.
   * REST: `DELETE /api/config/widget/keys/{key}`.
   */
  readonly deleteWidgetKey: WidgetKey;
  /**
   * Calls the agent's phone, then the number. Fails with CONFLICT if the agent is on a call. If the person is in the worklist, this
   * claims them; it fails with CONFLICT (reason `ALREADY_CLAIMED`) if another agent has them.
   * REST: `POST /api/calls/dial`.
   */
  readonly dial: DialReceipt;
  /** Exchanges a login token of the platform for an access token and a refresh token. REST: `POST /auth/tokens`. */
  readonly exchangeLoginToken: SessionTokensAnswer;
  /**
   * Closes an entry with all its missed calls and callbacks, also later ones. Not needed after a call that reached the person: it closes the
   * entry by itself. A closed entry stays as it is. REST: `POST /api/calls/worklist/{id}/done`.
   */
  readonly finishWorklistEntry: WorklistEntry;
  /**
   * Ends your claim before its time, so that others can call the person. A manager can end any claim: the agent gets a notice. Fails with CONFLICT while
   * the call is being made or in progress. REST: `DELETE /api/calls/worklist/{id}/claim`.
   */
  readonly giveBackWorklistEntry: WorklistEntry;
  /**
   * Renews the agent session of the signed-in member for another hour. Fails with NOT_FOUND if the session does not exist any more: sign in
   * again. Fails with CONFLICT (reason SESSION_TAKEN_OVER) if another device has taken the session over. REST: `POST /auth/heartbeat`.
   */
  readonly heartbeat: AgentSession;
  /**
   * Creates the objects, fields and roles that this service needs and the workspace does not have. The `platform` configuration decides their
   * names. It uses the rights of the signed-in member and changes nothing that exists. It takes at most 20 seconds; if `complete` is false, run
   * it again. REST: `POST /api/setup/provision`.
   */
  readonly provision: Provisioning;
  /**
   * Renews the tokens. A refresh token can be used once: store the new one. Requests with the same refresh token within 30 seconds get the same
   * answer. Fails with UNAUTHENTICATED (`data.endedBy`: SIGN_OUT, TAKE_OVER, MANAGER, REMOVAL) if the sign-in has ended. REST: `POST /auth/refresh`.
   */
  readonly refreshTokens: SessionTokensAnswer;
  /**
   * Ends another agent's session, for example after a laptop crashed, signs the agent out at the telephony provider and refuses the tokens of that
   * sign-in. The audit log records it with the reason, and the agent gets a notice at the next sign-in. REST: `DELETE /api/sessions/{agentId}`.
   */
  readonly releaseAgentSession: AgentLogout;
  /**
   * Sends one dead letter to its consumer again. The audit log records it. Fails with NOT_FOUND if the dead letter does not exist any more, for
   * example because it was replayed before. REST: `POST /api/events/dead/{id}/replay`.
   */
  readonly replayDeadLetter: DeadLetterReplay;
  /**
   * Sends all dead letters of the workspace to their consumers again, the oldest first, at most 1,000 at once.
   * REST: `POST /api/events/dead/replay`.
   */
  readonly replayDeadLetters: DeadLetterReplay;
  /**
   * Processes a failed webhook again. One that was replayed before is not processed once more. The audit log records it, and `webhookLog` gets an
   * entry with `replayOf`. Fails with NOT_FOUND if there is no such webhook, or if it cannot be replayed (`canReplay`).
   * REST: `POST /api/webhooks/{id}/replay`.
   */
  readonly replayWebhook: WebhookReplay;
  /**
   * Processes all failed webhooks of the workspace again, the oldest first, at most 1,000 at once. One that fails does not stop the others.
   * REST: `POST /api/webhooks/replay`.
   */
  readonly replayWebhooks: WebhookReplay;
  /**
   * Restores the defaults of a section. Values of the environment override them if they belong to this workspace.
   * REST: `POST /api/config/{section}/reset`.
   */
  readonly resetConfiguration: Scalars['ConfigurationDocument']['output'];
  /** Stores the values of an earlier version as a new version. REST: `POST /api/config/{section}/history/{version}/restore`. */
  readonly restoreConfiguration: Scalars['ConfigurationDocument']['output'];
  /**
   * Makes a new webhook address for a telephony provider. The answer shows it only this once. The address before it stays valid for a day.
   * Enter it at the provider for reports of ended calls. Live events need no step: the service subscribes them to a new address too.
   * REST: `POST /api/calls/callback-keys`.
   */
  readonly rotateWebhookKey: NewWebhookKey;
  /**
   * Creates a new key for the same origins. The key before it stays valid for a day. Fails with CONFLICT if it was rotated already.
   * REST: `POST /api/config/widget/keys/{key}/rotate`.
   */
  readonly rotateWidgetKey: WidgetKey;
  /**
   * Saves what the agent types about a call, and has chosen and not sent, so that a reload of the page, or another device, loses nothing: `draftNotes` of
   * `currentCall` has it. Send it while typing, some seconds apart; the last request counts, and one with nothing deletes it. A disposition with `notes` deletes it too: they are what counts.
   * When the wrap-up is over, the call's record gets the notes that no disposition has.
   * Only the member reads it, for 2 days. Fails with FORBIDDEN for another agent's call. REST: `PUT /api/calls/{ucid}/notes`.
   */
  readonly saveCallNotes: CallNotes;
  /**
   * Merges a document into a section. Fields that are left out stay unchanged, null clears a field, and `_meta` is ignored. A secret that is
   * sent as `***masked***` stays unchanged. If an address or account changes to which a secret is sent, the secret must be entered again.
   * The change applies at once on every instance; operations that already run finish with the old values. BAD_USER_INPUT names every invalid
   * field, and nothing is stored. REST: `PUT /api/config/{section}` with `If-Match`.
   */
  readonly saveConfiguration: Scalars['ConfigurationDocument']['output'];
  /**
   * Sets when a person is due to be called, also for their scheduled callbacks. A later missed call makes the person due at once, a later callback at its own
   * time. Managers can move any person. For others it fails with CONFLICT (reason `ALREADY_CLAIMED`) if another agent has the person, and with FORBIDDEN
   * (reason `ROLE_MISSING`) if the person is assigned to another agent. REST: `PUT /api/calls/worklist/{id}/due`.
   */
  readonly scheduleWorklistEntry: WorklistEntry;
  /** Makes the signed-in agent ready or not ready for calls. REST: `PUT /api/agents/me/state`. */
  readonly setAgentState: AgentPresence;
  /**
   * Changes the progress of the setup wizard: completes or reopens a step, dismisses the wizard, or starts it again.
   * REST: `POST /api/config/setup-state/dismiss`, `POST /api/config/setup-state/reset`.
   */
  readonly setupState: SetupState;
  /** Marks a step of the wizard as complete or as open. REST: `PUT /api/config/setup-state/steps/{step}`. */
  readonly setupStep: SetupState;
  /**
   * Starts the agent session of the signed-in member, with the credentials for the browser phone. For agents who signed in without `agentLogin`:
   * by single sign-on, with a second factor, or at the platform. Fails with CONFLICT (`data.ip`, `data.lockedAt`, `data.own`) if the agent is
   * already signed in. `data.own` is true if it is the member's own session, which `takeOver` can take over. REST: `POST /auth/session`.
   */
  readonly startAgentSession: AgentSessionStart;
  /**
   * Begins a warm transfer: puts the customer on hold and calls a third party into the call. Take the customer off hold with `controlCall` to talk
   * with both, then complete or cancel the transfer. The same request again changes nothing while the transfer is under way. Fails with
   * CONFLICT if the call is not answered or another transfer is under way, and with reason NOT_SUPPORTED if the provider cannot add such a
   * third party. After reason DEADLINE_PASSED the third party may ring. REST: `POST /api/calls/{ucid}/transfer`.
   */
  readonly startTransfer: LiveCall;
  /**
   * Records the outcome of a call at the telephony provider and publishes `call.completed`, once, however often it is sent. The first one may come at any
   * time, from the agent of the call or a manager: what the provider writes when the time is over is no outcome. Another outcome for the same call
   * corrects it, until the agent's wrap-up ends and at most ten minutes after the call; then it fails with CONFLICT.
   * REST: `POST /api/calls/{ucid}/disposition`.
   */
  readonly submitDisposition: DispositionReceipt;
  /**
   * Tests a section against the real systems, for example with a sign-in at the telephony provider. Stores only the result of the test.
   * REST: `POST /api/config/{section}/test`.
   */
  readonly testConfiguration: ConfigurationTest;
  /** Changes a member's name, role or agent record. A new role applies at once. REST: `PUT /api/team/members/{id}`. */
  readonly updateTeamMember: TeamMemberAnswer;
};


/** Operations that change something. */
export type MutationAcknowledgeAlertArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that change something. */
export type MutationAgentLoginArgs = {
  input: AgentLoginInput;
};


/** Operations that change something. */
export type MutationAgentLogoutArgs = {
  lockedAt: InputMaybe<Scalars['DateTime']['input']>;
};


/** Operations that change something. */
export type MutationAnalyzeRecordingArgs = {
  input: AnalyzeRecordingInput;
};


/** Operations that change something. */
export type MutationAssignWorklistEntryArgs = {
  agentId: InputMaybe<Scalars['ID']['input']>;
  endClaim?: Scalars['Boolean']['input'];
  id: Scalars['ID']['input'];
  message: InputMaybe<Scalars['String']['input']>;
};


/** Operations that change something. */
export type MutationBookVisitArgs = {
  leadId: Scalars['ID']['input'];
  slotId: Scalars['ID']['input'];
};


/** Operations that change something. */
export type MutationCancelTransferArgs = {
  ucid: Scalars['ID']['input'];
};


/** Operations that change something. */
export type MutationChangeAgentStateArgs = {
  agentId: Scalars['ID']['input'];
  input: AgentStateInput;
  message: InputMaybe<Scalars['String']['input']>;
};


/** Operations that change something. */
export type MutationClaimWorklistEntryArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that change something. */
export type MutationCompleteTransferArgs = {
  ucid: Scalars['ID']['input'];
};


/** Operations that change something. */
export type MutationConfirmAgentNoticesArgs = {
  ids: ReadonlyArray<Scalars['ID']['input']>;
};


/** Operations that change something. */
export type MutationControlCallArgs = {
  input: ControlCallInput;
};


/** Operations that change something. */
export type MutationCorrectScorecardArgs = {
  input: CorrectScorecardInput;
};


/** Operations that change something. */
export type MutationCreateTeamMemberArgs = {
  input: NewTeamMember;
};


/** Operations that change something. */
export type MutationCreateWidgetKeyArgs = {
  input: NewWidgetKey;
};


/** Operations that change something. */
export type MutationDeactivateTeamMemberArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that change something. */
export type MutationDeleteWidgetKeyArgs = {
  key: Scalars['ID']['input'];
};


/** Operations that change something. */
export type MutationDialArgs = {
  input: DialInput;
};


/** Operations that change something. */
export type MutationExchangeLoginTokenArgs = {
  input: LoginTokenInput;
};


/** Operations that change something. */
export type MutationFinishWorklistEntryArgs = {
  id: Scalars['ID']['input'];
  outcome: WorklistOutcome;
};


/** Operations that change something. */
export type MutationGiveBackWorklistEntryArgs = {
  id: Scalars['ID']['input'];
  message: InputMaybe<Scalars['String']['input']>;
};


/** Operations that change something. */
export type MutationHeartbeatArgs = {
  lockedAt: InputMaybe<Scalars['DateTime']['input']>;
};


/** Operations that change something. */
export type MutationProvisionArgs = {
  apply?: Scalars['Boolean']['input'];
};


/** Operations that change something. */
export type MutationRefreshTokensArgs = {
  refreshToken: Scalars['String']['input'];
};


/** Operations that change something. */
export type MutationReleaseAgentSessionArgs = {
  agentId: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
};


/** Operations that change something. */
export type MutationReplayDeadLetterArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that change something. */
export type MutationReplayWebhookArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that change something. */
export type MutationResetConfigurationArgs = {
  ifVersion: InputMaybe<Scalars['Int']['input']>;
  section: ConfigurationSection;
};


/** Operations that change something. */
export type MutationRestoreConfigurationArgs = {
  ifVersion: InputMaybe<Scalars['Int']['input']>;
  section: ConfigurationSection;
  version: Scalars['Int']['input'];
};


/** Operations that change something. */
export type MutationRotateWebhookKeyArgs = {
  provider: TelephonyProvider;
};


/** Operations that change something. */
export type MutationRotateWidgetKeyArgs = {
  key: Scalars['ID']['input'];
};


/** Operations that change something. */
export type MutationSaveCallNotesArgs = {
  callBackAt: InputMaybe<Scalars['DateTime']['input']>;
  disposition: InputMaybe<Scalars['String']['input']>;
  notes: Scalars['String']['input'];
  ucid: Scalars['ID']['input'];
};


/** Operations that change something. */
export type MutationSaveConfigurationArgs = {
  document: Scalars['ConfigurationDocument']['input'];
  ifVersion: InputMaybe<Scalars['Int']['input']>;
  section: ConfigurationSection;
};


/** Operations that change something. */
export type MutationScheduleWorklistEntryArgs = {
  dueAt: Scalars['DateTime']['input'];
  id: Scalars['ID']['input'];
};


/** Operations that change something. */
export type MutationSetAgentStateArgs = {
  input: AgentStateInput;
};


/** Operations that change something. */
export type MutationSetupStateArgs = {
  change: SetupChange;
};


/** Operations that change something. */
export type MutationSetupStepArgs = {
  complete: Scalars['Boolean']['input'];
  step: SetupStepName;
};


/** Operations that change something. */
export type MutationStartAgentSessionArgs = {
  lockedAt: InputMaybe<Scalars['DateTime']['input']>;
  takeOver?: Scalars['Boolean']['input'];
};


/** Operations that change something. */
export type MutationStartTransferArgs = {
  input: StartTransferInput;
};


/** Operations that change something. */
export type MutationSubmitDispositionArgs = {
  input: DispositionInput;
};


/** Operations that change something. */
export type MutationTestConfigurationArgs = {
  document: InputMaybe<Scalars['ConfigurationDocument']['input']>;
  section: ConfigurationSection;
};


/** Operations that change something. */
export type MutationUpdateTeamMemberArgs = {
  change: TeamMemberChange;
  id: Scalars['ID']['input'];
};

/** A member to create. */
export type NewTeamMember = {
  /** Makes the member an agent. Leave it out for a member who handles no calls. */
  readonly agent?: InputMaybe<TeamAgentInput>;
  /** The address that the member signs in with. Nothing is sent to it. */
  readonly email: Scalars['String']['input'];
  /** Given name. */
  readonly firstName: Scalars['String']['input'];
  /** Family name. */
  readonly lastName: Scalars['String']['input'];
  /** What the member may do. */
  readonly role: TeamRole;
};

/** A new webhook address, shown only once. */
export type NewWebhookKey = {
  readonly __typename?: 'NewWebhookKey';
  /** When this key was made. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** Until when the address before it stays valid. Null if there was none. */
  readonly formerValidUntil: Maybe<Scalars['DateTime']['output']>;
  /** The path with the key. Append it to the public address of this service, and enter the result at the provider. Keep it secret. */
  readonly path: Scalars['String']['output'];
  /** Which telephony provider sends to the address. */
  readonly provider: TelephonyProvider;
};

/** A widget key to create. */
export type NewWidgetKey = {
  /** Origins of the pages that show the widget, such as `https://www.hospital.example`, without a path. */
  readonly origins: ReadonlyArray<Scalars['String']['input']>;
};

/** A visit that a lead has booked. */
export type NextVisit = {
  readonly __typename?: 'NextVisit';
  /** ID of the doctor's record (UUID). Null if the slot belongs to no doctor. */
  readonly doctorId: Maybe<Scalars['ID']['output']>;
  /** End of the visit in UTC. Null if it is not recorded. */
  readonly endsAt: Maybe<Scalars['DateTime']['output']>;
  /** The `slotId`. */
  readonly id: Scalars['ID']['output'];
  /** Start in the clinic's time zone with its offset, for example `2026-11-23T10:00:00+05:30`. */
  readonly localStartsAt: Scalars['String']['output'];
  /** ID of the visit slot's record (UUID). */
  readonly slotId: Scalars['ID']['output'];
  /** Start of the visit in UTC. */
  readonly startsAt: Scalars['DateTime']['output'];
  /** Label of the slot on the platform. Null if it has none. */
  readonly title: Maybe<Scalars['String']['output']>;
};

/** Something that is still to do for a lead. */
export type OpenItem = {
  readonly __typename?: 'OpenItem';
  /** When it should be done. Null if there is no date. */
  readonly dueAt: Maybe<Scalars['DateTime']['output']>;
  /** ID of the platform's task (UUID). That of a callback is written some seconds after the disposition. */
  readonly id: Scalars['ID']['output'];
  /** Whether it is a task or a scheduled callback. */
  readonly kind: OpenItemKind;
  /** What is to do, as text for the agent. */
  readonly title: Scalars['String']['output'];
};

/** What kind of thing is to do for a lead. */
export type OpenItemKind =
  /** A callback that an agent scheduled with a disposition. */
  | 'CALL_BACK'
  /** A task of the platform. */
  | 'TASK';

/** Where a page is in its list. */
export type PageInfo = {
  readonly __typename?: 'PageInfo';
  /** Cursor of the last entry of the page: send it as `after` to get the next page. Null if the page is empty. */
  readonly endCursor: Maybe<Scalars['ConnectionCursor']['output']>;
  /** True if there are entries after this page. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** True if the page begins after another one. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** Cursor of the first entry of the page. Null if the page is empty. */
  readonly startCursor: Maybe<Scalars['ConnectionCursor']['output']>;
};

/** What was created on the platform, or will be. */
export type Provisioning = {
  readonly __typename?: 'Provisioning';
  /** True if the plan was carried out. False if it was only returned. */
  readonly applied: Scalars['Boolean']['output'];
  /** True if nothing is missing any more. Items that differ or failed need a person. */
  readonly complete: Scalars['Boolean']['output'];
  /** Everything that the service needs on the platform, in the order of creation. */
  readonly items: ReadonlyArray<ProvisioningItem>;
};

/** An object, field or role that the service needs on the platform. */
export type ProvisioningItem = {
  readonly __typename?: 'ProvisioningItem';
  /** Why it could not be created, or how it differs. Null if neither is the case. */
  readonly detail: Maybe<Scalars['String']['output']>;
  /** Whether it is an object, a field or a role. */
  readonly kind: ProvisioningKind;
  /** The platform's name, for example `lead.aiSummary`. */
  readonly name: Scalars['String']['output'];
  /** Whether the platform has it. */
  readonly state: ProvisioningState;
};

/** What kind of thing the service needs on the platform. */
export type ProvisioningKind =
  /** A column of an object. */
  | 'FIELD'
  /** A table of records, such as leads. */
  | 'OBJECT'
  /** A set of rights for members or API keys. */
  | 'ROLE';

/** Whether the platform has what the service needs. */
export type ProvisioningState =
  /** This request created it. */
  | 'CREATED'
  /** The platform has it, but of another kind. Change it by hand, or choose another name in the configuration. */
  | 'DIFFERS'
  /** The platform has it, as the service needs it. */
  | 'EXISTS'
  /** The platform refused to create it. `detail` says why. */
  | 'FAILED'
  /** The platform does not have it yet. */
  | 'MISSING';

/** Read operations. They change nothing. */
export type Query = {
  readonly __typename?: 'Query';
  /**
   * What managers did to the signed-in agent and the agent has not confirmed yet, the oldest first: the newest 100 of the last 7 days. So an agent who was
   * offline sees it after the next sign-in. REST: `GET /api/agents/me/notices`.
   */
  readonly agentNotices: ReadonlyArray<AgentNotice>;
  /**
   * The live agent sessions of the workspace, the longest first. A manager gets all of them, everybody else only their own.
   * REST: `GET /api/sessions`.
   */
  readonly agentSessions: ReadonlyArray<LiveAgentSession>;
  /**
   * What an agent did on one day of the last month: states, as the provider reported them, and calls. Managers see every agent, agents only
   * themselves. Errors: INVALID_INPUT (no such day), NOT_YOURS. REST: `GET /api/history/agents/{agentId}/{date}`.
   */
  readonly agentTimeline: AgentTimeline;
  /**
   * Alerts of the workspace, newest first: thresholds of the `alerts` configuration that were reached in the last 30 days, or, with `activeOnly`, at any
   * time.
   * REST: `GET /api/alerts`.
   */
  readonly alerts: AlertConnection;
  /**
   * What people did in this service, newest first. Entries are stored for 365 days. With a filter a page may have fewer entries, although there
   * are further pages. REST: `GET /api/audit`.
   */
  readonly auditLog: AuditLogEntryConnection;
  /**
   * The screen pop: who is calling, and what to know before saying hello. Give exactly one of the two arguments. Fails with FORBIDDEN for
   * another agent's call. REST: `POST /api/calls/lookup`; `?enrich=false` leaves `enrichment` out.
   */
  readonly callLookup: CallLookup;
  /**
   * What an agent may choose: outcome codes, not-ready reasons, and what the telephony provider can do. Managers edit the lists in the `telephony`
   * configuration. REST: `GET /api/calls/settings`.
   */
  readonly callSettings: CallSettings;
  /**
   * One section of the workspace's configuration with its current values. Managers can read every section, other members only THEME.
   * REST: `GET /api/config/{section}`.
   */
  readonly configuration: Scalars['ConfigurationDocument']['output'];
  /** The last 50 versions of a section, newest first. REST: `GET /api/config/{section}/history`. */
  readonly configurationHistory: ReadonlyArray<ConfigurationRevision>;
  /** The JSON Schema of a section, from which a client can build a form. REST: `GET /api/config/{section}/schema`. */
  readonly configurationSchema: Scalars['SectionSchema']['output'];
  /**
   * A section as an earlier version had it, secrets masked: to compare it with another version before `restoreConfiguration`. Fails with NOT_FOUND if the
   * version is no longer stored. REST: `GET /api/config/{section}/history/{version}`.
   */
  readonly configurationVersion: Scalars['ConfigurationDocument']['output'];
  /**
   * The screen pop of the agent's current call, or of the last call or number that the member looked up. Use it after a reload of the page.
   * Null if there is none. REST: `GET /api/calls/current`.
   */
  readonly currentCall: Maybe<CallLookup>;
  /**
   * Events and call records of the workspace that could not be processed, newest first. They are stored for 30 days. If the service serves only one
   * workspace, events that name no workspace are included. REST: `GET /api/events/dead`.
   */
  readonly deadLetters: DeadLetterConnection;
  /**
   * The hospital's doctors and their visit slots, read with the rights of the signed-in member. A field that the workspace's data model lacks is
   * null or empty. REST: `GET /api/doctors`.
   */
  readonly doctorDirectory: DoctorDirectory;
  /**
   * Figures of the calls of past days, and of today up to some seconds ago. Managers see the whole workspace, agents only their own calls. The service
   * counts from the events of calls and stores sums for each day and hour for 400 days; late facts (an outcome corrected the next day, a missed call
   * returned two days later) still reach their day for a month. After a loss, it reads the calls again from the platform's records. Errors:
   * INVALID_INPUT (no such day, more than 366 days, more than 10,000 rows), NOT_YOURS (an agent asks for another agent). REST:
   * `GET /api/history`.
   */
  readonly history: History;
  /**
   * Call records of the platform, the newest first, with the rights that the member has there. Managers get all of them, agents only their own.
   * Errors: INVALID_INPUT, NOT_YOURS, those of the platform. REST: `GET /api/history/calls`; as a file, all pages at once, for managers:
   * `GET /api/history/calls.csv`.
   */
  readonly historyCalls: HistoryCallConnection;
  /**
   * The insights of these leads, in the same order. An entry is null if the lead has no insight. The combined schema uses this field
   * for `Lead.insight`.
   */
  readonly leadInsights: ReadonlyArray<Maybe<LeadInsight>>;
  /**
   * Leads by their IDs, for example to show the names of the people in `worklist`, with one request to the platform and the member's own rights. A lead
   * that is gone, or that the member may not read, is left out; the order is not that of the IDs. REST: `POST /api/leads/summaries`.
   */
  readonly leadSummaries: ReadonlyArray<LeadSummary>;
  /**
   * Whether the telephony provider sends its live events (a call rings, is answered, ends; an agent changes state) to this service. The service
   * subscribes to them by itself. REST: `GET /api/calls/live-events`.
   */
  readonly liveEvents: LiveEvents;
  /** The member that the access token belongs to. REST: `GET /auth/me`. */
  readonly me: Viewer;
  /** Inbound calls that nobody answered, newest first. They are stored for 30 days. REST: `GET /api/calls/missed`. */
  readonly missedCalls: MissedCallConnection;
  /** The analyses of many calls, in the order of the IDs. An entry is null if the call has no analysis or belongs to another agent. */
  readonly recordingAnalyses: ReadonlyArray<Maybe<RecordingAnalysis>>;
  /**
   * The analysis of a call's recording, or its progress. It never starts an analysis. Fails with NOT_FOUND if the recording has no analysis.
   * REST: `GET /api/recordings/{callId}/analysis`.
   */
  readonly recordingAnalysis: RecordingAnalysisState;
  /**
   * How far the analysis of a call's recording is, no matter who asked for it. Reading it starts no analysis. Fails with NOT_FOUND if there is no such call.
   * REST: `GET /api/recordings/{callId}/status`.
   */
  readonly recordingStatus: RecordingStatus;
  /**
   * The statuses of many calls, in the order of the IDs. An entry is null if the recording is neither queued nor analysed, or if the call belongs to
   * another agent.
   */
  readonly recordingStatuses: ReadonlyArray<Maybe<RecordingStatus>>;
  /**
   * The scorecard of a call: the language model's verdict on each of the workspace's criteria, and beside it the managers' corrections. Agents may
   * read those of their own calls. Fails with NOT_FOUND if the recording was not analysed, or the analysis has ended and nobody corrected it.
   * REST: `GET /api/scorecards/{callId}`.
   */
  readonly scorecard: Scorecard;
  /**
   * How often managers and the language model came to the same verdict, in all and for each criterion. It counts the corrections: a manager's verdict
   * that is the same as the model's confirms it. REST: `GET /api/scorecards/agreement`.
   */
  readonly scorecardAgreement: ScorecardAgreement;
  /**
   * The workspace's scorecards, newest call first. A scorecard ends with its analysis; one with a correction is stored for 365 days from the last
   * change. A page may have fewer entries than `first`, or none, although `hasNextPage` is true: read on. REST: `GET /api/scorecards`; as a table:
   * `GET /api/scorecards.csv`.
   */
  readonly scorecards: ScorecardConnection;
  /**
   * Searches the stored transcripts, newest call first. Managers find all calls of the workspace, agents their own. Case and accents do not matter.
   * A call is found from its analysis until that is deleted. What is masked for the language model can be neither found nor read here. A page may
   * have fewer entries than `first`, or none, although `hasNextPage` is true: read on. Fails with BAD_USER_INPUT if `text` has no letter or digit,
   * or more than 20 words. The searches of a member run one after another: fails with RATE_LIMITED if 10 are under way already, and with TIMEOUT if one
   * takes longer than 5 seconds in the index. REST: `GET /api/recordings/search`.
   */
  readonly searchTranscripts: TranscriptMatchConnection;
  /** The progress of the setup wizard. REST: `GET /api/config/setup-state`. */
  readonly setupState: SetupState;
  /**
   * What a manager watches: signed-in agents, calls in progress, and the figures of today. The service counts from the events of calls and
   * agents, so a request does not read from the platform. REST: `GET /api/supervisor/overview`.
   */
  readonly supervision: Supervision;
  /** The members of the workspace, newest first. REST: `GET /api/team/members`. */
  readonly teamMembers: TeamMemberConnection;
  /**
   * The temporary password of a member who was created here. The audit log records every request. Fails with NOT_FOUND if there is none;
   * `data.why` is NEVER_STORED, EXPIRED or CHANGED. REST: `GET /api/team/members/{id}/temporary-password`.
   */
  readonly temporaryPassword: TemporaryPassword;
  /** The appearance that staff and visitors see: brand, colours and fonts. */
  readonly theme: Theme;
  /** When the keys in the providers' webhook addresses were made. It never returns the keys. REST: `GET /api/calls/callback-keys`. */
  readonly webhookKeys: ReadonlyArray<WebhookKey>;
  /**
   * Webhooks that the telephony providers sent in the last 7 days, newest first. With a filter, a page may have fewer entries than asked for, or none,
   * although there are more: `pageInfo` says so. Webhooks with an unknown key belong to no workspace and are not listed. REST: `GET /api/webhooks`.
   */
  readonly webhookLog: ReceivedWebhookConnection;
  /**
   * For each provider whose webhooks came in the last 30 days: when the last one came, and how many of the last day were accepted, refused and so
   * on. REST: `GET /api/webhooks/status`.
   */
  readonly webhookStatus: ReadonlyArray<WebhookStatus>;
  /** The keys of the workspace's chat widget, newest first. They are public. REST: `GET /api/config/widget/keys`. */
  readonly widgetKeys: ReadonlyArray<WidgetKey>;
  /**
   * People to call back, the first due first: missed callers, one entry per number, and those with a scheduled callback. A caller with a
   * withheld number is only in `missedCalls`. REST: `GET /api/calls/worklist`.
   */
  readonly worklist: WorklistEntryConnection;
};


/** Read operations. They change nothing. */
export type QueryAgentTimelineArgs = {
  agentId: Scalars['ID']['input'];
  date: Scalars['String']['input'];
};


/** Read operations. They change nothing. */
export type QueryAlertsArgs = {
  activeOnly?: Scalars['Boolean']['input'];
  after: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
};


/** Read operations. They change nothing. */
export type QueryAuditLogArgs = {
  action: InputMaybe<Scalars['String']['input']>;
  after: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
  from: InputMaybe<Scalars['DateTime']['input']>;
  memberId: InputMaybe<Scalars['ID']['input']>;
  targetId: InputMaybe<Scalars['ID']['input']>;
  to: InputMaybe<Scalars['DateTime']['input']>;
};


/** Read operations. They change nothing. */
export type QueryCallLookupArgs = {
  phoneNumber: InputMaybe<Scalars['String']['input']>;
  ucid: InputMaybe<Scalars['ID']['input']>;
};


/** Read operations. They change nothing. */
export type QueryConfigurationArgs = {
  section: ConfigurationSection;
};


/** Read operations. They change nothing. */
export type QueryConfigurationHistoryArgs = {
  section: ConfigurationSection;
};


/** Read operations. They change nothing. */
export type QueryConfigurationSchemaArgs = {
  section: ConfigurationSection;
};


/** Read operations. They change nothing. */
export type QueryConfigurationVersionArgs = {
  section: ConfigurationSection;
  version: Scalars['Int']['input'];
};


/** Read operations. They change nothing. */
export type QueryDeadLettersArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
};


/** Read operations. They change nothing. */
export type QueryDoctorDirectoryArgs = {
  filter: InputMaybe<DoctorDirectoryFilter>;
};


/** Read operations. They change nothing. */
export type QueryHistoryArgs = {
  agentId: InputMaybe<Scalars['ID']['input']>;
  campaignName: InputMaybe<Scalars['String']['input']>;
  from: Scalars['String']['input'];
  groupBy?: HistoryGrouping;
  to: Scalars['String']['input'];
};


/** Read operations. They change nothing. */
export type QueryHistoryCallsArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  agentId: InputMaybe<Scalars['ID']['input']>;
  campaignName: InputMaybe<Scalars['String']['input']>;
  direction: InputMaybe<CallDirection>;
  disposition: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
  from: Scalars['String']['input'];
  phoneNumber: InputMaybe<Scalars['String']['input']>;
  status: InputMaybe<CallPhase>;
  to: Scalars['String']['input'];
};


/** Read operations. They change nothing. */
export type QueryLeadInsightsArgs = {
  leads: ReadonlyArray<LeadInsightKey>;
};


/** Read operations. They change nothing. */
export type QueryLeadSummariesArgs = {
  ids: ReadonlyArray<Scalars['ID']['input']>;
};


/** Read operations. They change nothing. */
export type QueryMissedCallsArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
  waitingOnly?: Scalars['Boolean']['input'];
};


/** Read operations. They change nothing. */
export type QueryRecordingAnalysesArgs = {
  callIds: ReadonlyArray<Scalars['ID']['input']>;
};


/** Read operations. They change nothing. */
export type QueryRecordingAnalysisArgs = {
  callId: Scalars['ID']['input'];
};


/** Read operations. They change nothing. */
export type QueryRecordingStatusArgs = {
  callId: Scalars['ID']['input'];
};


/** Read operations. They change nothing. */
export type QueryRecordingStatusesArgs = {
  callIds: ReadonlyArray<Scalars['ID']['input']>;
};


/** Read operations. They change nothing. */
export type QueryScorecardArgs = {
  callId: Scalars['ID']['input'];
};


/** Read operations. They change nothing. */
export type QueryScorecardAgreementArgs = {
  agentId: InputMaybe<Scalars['ID']['input']>;
  from: InputMaybe<Scalars['DateTime']['input']>;
  to: InputMaybe<Scalars['DateTime']['input']>;
};


/** Read operations. They change nothing. */
export type QueryScorecardsArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  agentId: InputMaybe<Scalars['ID']['input']>;
  correctedOnly?: Scalars['Boolean']['input'];
  first?: Scalars['Int']['input'];
  from: InputMaybe<Scalars['DateTime']['input']>;
  to: InputMaybe<Scalars['DateTime']['input']>;
};


/** Read operations. They change nothing. */
export type QuerySearchTranscriptsArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  agentId: InputMaybe<Scalars['ID']['input']>;
  criterion: InputMaybe<Scalars['ID']['input']>;
  disposition: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
  from: InputMaybe<Scalars['DateTime']['input']>;
  outcome: InputMaybe<RecordingOutcomeCode>;
  sentiment: InputMaybe<RecordingFeelingName>;
  text: InputMaybe<Scalars['String']['input']>;
  to: InputMaybe<Scalars['DateTime']['input']>;
  verdict: InputMaybe<RecordingVerdict>;
};


/** Read operations. They change nothing. */
export type QueryTeamMembersArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
  search: InputMaybe<Scalars['String']['input']>;
};


/** Read operations. They change nothing. */
export type QueryTemporaryPasswordArgs = {
  memberId: Scalars['ID']['input'];
};


/** Read operations. They change nothing. */
export type QueryWebhookLogArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
  from: InputMaybe<Scalars['DateTime']['input']>;
  provider: InputMaybe<TelephonyProvider>;
  to: InputMaybe<Scalars['DateTime']['input']>;
  ucid: InputMaybe<Scalars['ID']['input']>;
  verdict: InputMaybe<WebhookVerdict>;
};


/** Read operations. They change nothing. */
export type QueryWorklistArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
  includeLater?: Scalars['Boolean']['input'];
};

/** A webhook that a telephony provider sent, without its content. */
export type ReceivedWebhook = {
  readonly __typename?: 'ReceivedWebhook';
  /** What it reported. Null if it was not read. */
  readonly about: Maybe<WebhookContent>;
  /** Whether `replayWebhook` can process it again: it failed after it was read, and was not replayed yet. */
  readonly canReplay: Scalars['Boolean']['output'];
  /** The same as a sentence. Null if there is nothing more to say. */
  readonly detail: Maybe<Scalars['String']['output']>;
  /** Milliseconds until the answer. Null for what was not answered: replays, and webhooks that were not read. */
  readonly durationMs: Maybe<Scalars['Int']['output']>;
  /** Identifies it for `replayWebhook`. */
  readonly id: Scalars['ID']['output'];
  /** Who sent it. */
  readonly provider: TelephonyProvider;
  /** Why it was refused or failed: the reason of an error, such as `TOKEN_REFUSED`, or `NOT_DELIVERED` if no try of a week succeeded. Otherwise null. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** When it came. For a failed webhook that was accepted at first: when its processing was given up. */
  readonly receivedAt: Scalars['DateTime']['output'];
  /** ID of the failed webhook that a manager sent again, if this entry is such a replay. Otherwise null. */
  readonly replayOf: Maybe<Scalars['ID']['output']>;
  /** When a manager sent this failed webhook again. Otherwise null. */
  readonly replayedAt: Maybe<Scalars['DateTime']['output']>;
  /** The provider's ID of the call. Null if it names none, or was not read. */
  readonly ucid: Maybe<Scalars['ID']['output']>;
  /** What became of it. */
  readonly verdict: WebhookVerdict;
};

/** A page of received webhooks. */
export type ReceivedWebhookConnection = {
  readonly __typename?: 'ReceivedWebhookConnection';
  /** The entries of the page with their cursors. */
  readonly edges: ReadonlyArray<ReceivedWebhookEdge>;
  /** The entries of the page, newest first. */
  readonly nodes: ReadonlyArray<ReceivedWebhook>;
  /** Whether there are further pages. */
  readonly pageInfo: PageInfo;
};

/** One of the received webhooks, and its place among them. */
export type ReceivedWebhookEdge = {
  readonly __typename?: 'ReceivedWebhookEdge';
  /** Send it as `after` to get what comes after this entry. */
  readonly cursor: Scalars['ConnectionCursor']['output'];
  /** The entry itself. */
  readonly node: ReceivedWebhook;
};

/** What was said in a call, by whom, and what it means. Times in the recording are seconds from its start. */
export type RecordingAnalysis = {
  readonly __typename?: 'RecordingAnalysis';
  /** When the analysis was complete. */
  readonly analyzedAt: Scalars['DateTime']['output'];
  /** ID of the call's record (UUID). */
  readonly callId: Scalars['ID']['output'];
  /** Length of the recording in seconds. */
  readonly duration: Scalars['Float']['output'];
  /** When the stored analysis is deleted. */
  readonly expiresAt: Scalars['DateTime']['output'];
  /** The `callId`. */
  readonly id: Scalars['ID']['output'];
  /** What the language model concluded. Null if `missing` names INSIGHTS. */
  readonly insights: Maybe<RecordingInsights>;
  /** Spoken language as the speech provider detected it, such as `en` or `hi`. Null if it is not known. */
  readonly language: Maybe<Scalars['String']['output']>;
  /** Length of the longest pause in seconds. */
  readonly longestSilenceSeconds: Scalars['Float']['output'];
  /** The parts that could not be made, and why. */
  readonly missing: ReadonlyArray<RecordingMissingPart>;
  /** Which models were used. */
  readonly model: RecordingModels;
  /** How the parties felt. Null if `missing` names SENTIMENT. */
  readonly sentiment: Maybe<RecordingSentiment>;
  /** Seconds in which nobody spoke, added up. */
  readonly silenceSeconds: Scalars['Float']['output'];
  /** SHA-256 of the recording's address, as base64url. */
  readonly sourceHash: Scalars['String']['output'];
  /** The voices in the recording. */
  readonly speakers: ReadonlyArray<RecordingSpeaker>;
  /** A few sentences about the call. Null if `missing` names SUMMARY. */
  readonly summary: Maybe<Scalars['String']['output']>;
  /** Who wrote the summary. Null if there is none. */
  readonly summaryFrom: Maybe<RecordingSummarySource>;
  /** How much of the language model was used. */
  readonly tokens: RecordingTokens;
  /** What the parties talked about. Empty if `missing` names TOPICS. */
  readonly topics: ReadonlyArray<RecordingTopic>;
  /** The transcript, in the order in which people spoke. */
  readonly utterances: ReadonlyArray<RecordingUtterance>;
};

/** The finished analysis, or its progress. */
export type RecordingAnalysisState = RecordingAnalysis | RecordingUnderWay;

/** Whether a call followed one of the workspace's phrases and rules. */
export type RecordingCompliance = {
  readonly __typename?: 'RecordingCompliance';
  /** IDs of the utterances that show it. */
  readonly evidence: ReadonlyArray<Scalars['ID']['output']>;
  /** The key of the criterion, as in scorecards. */
  readonly key: Scalars['ID']['output'];
  /** Why, in one sentence. */
  readonly reason: Scalars['String']['output'];
  /** The rule, in the words of the configuration. */
  readonly rule: Scalars['String']['output'];
  /** Whether the agent followed it. */
  readonly verdict: RecordingVerdict;
};

/** A feeling and its strength. */
export type RecordingFeeling = {
  readonly __typename?: 'RecordingFeeling';
  /** The `callId` of the analysis. */
  readonly id: Scalars['ID']['output'];
  /** From -1 (very negative) to 1 (very positive). */
  readonly score: Scalars['Float']['output'];
  /** Whether it is good, bad or neither. */
  readonly sentiment: RecordingFeelingName;
};

/** Whether a feeling is good, bad or neither. */
export type RecordingFeelingName =
  /** Angry, worried or disappointed. */
  | 'NEGATIVE'
  /** Neither good nor bad. */
  | 'NEUTRAL'
  /** Friendly, satisfied or happy. */
  | 'POSITIVE';

/** The feeling in one part of a call. */
export type RecordingFeelingSpan = {
  readonly __typename?: 'RecordingFeelingSpan';
  /** Where the part ends: seconds from the start of the recording. */
  readonly end: Scalars['Float']['output'];
  /** From -1 (very negative) to 1 (very positive). */
  readonly score: Scalars['Float']['output'];
  /** Whether the feeling is good, bad or neither. */
  readonly sentiment: RecordingFeelingName;
  /** Where the part begins: seconds from the start of the recording. */
  readonly start: Scalars['Float']['output'];
};

/** What the language model concluded from a call. Every statement cites utterances. Statements without a valid citation are removed. */
export type RecordingInsights = {
  readonly __typename?: 'RecordingInsights';
  /** The workspace's rules, and whether the agent followed them. */
  readonly compliance: ReadonlyArray<RecordingCompliance>;
  /** Number of statements that were removed because their citation was not valid. */
  readonly dropped: Scalars['Int']['output'];
  /** The `callId` of the analysis. */
  readonly id: Scalars['ID']['output'];
  /** What the call achieved. Null if the model gave none with a valid citation. */
  readonly outcome: Maybe<RecordingOutcome>;
  /** How satisfied the customer seems. Null if the model gave no score with a valid citation. */
  readonly satisfaction: Maybe<RecordingSatisfaction>;
  /** What the agent can do better. */
  readonly toImprove: ReadonlyArray<RecordingStatement>;
  /** What the agent did well. */
  readonly wentWell: ReadonlyArray<RecordingStatement>;
};

/** A part of an analysis that could not be made. */
export type RecordingMissingPart = {
  readonly __typename?: 'RecordingMissingPart';
  /** Which field of the analysis is affected. */
  readonly part: RecordingPart;
  /** The cause, as text for the manager. */
  readonly why: Scalars['String']['output'];
};

/** Which models an analysis used. */
export type RecordingModels = {
  readonly __typename?: 'RecordingModels';
  /** The `callId` of the analysis. */
  readonly id: Scalars['ID']['output'];
  /** The provider's name of the language model. Null if none was used. */
  readonly language: Maybe<Scalars['String']['output']>;
  /** The speech provider's name of the model that made the transcript. */
  readonly speech: Scalars['String']['output'];
};

/** What a call achieved. */
export type RecordingOutcome = {
  readonly __typename?: 'RecordingOutcome';
  /** The result as one value of a closed list. */
  readonly code: RecordingOutcomeCode;
  /** IDs of the utterances that show it. */
  readonly evidence: ReadonlyArray<Scalars['ID']['output']>;
  /** The `callId` of the analysis. */
  readonly id: Scalars['ID']['output'];
  /** The result in one sentence. */
  readonly text: Scalars['String']['output'];
};

/** The results that a call can have. */
export type RecordingOutcomeCode =
  /** The customer booked a visit. */
  | 'APPOINTMENT_BOOKED'
  /** The customer cancelled a visit. */
  | 'APPOINTMENT_CANCELLED'
  /** The customer moved a visit to another time. */
  | 'APPOINTMENT_MOVED'
  /** The agent agreed to call the customer again. */
  | 'CALLBACK_SCHEDULED'
  /** The agent recorded a complaint. */
  | 'COMPLAINT_TAKEN'
  /** The agent answered a question. */
  | 'INFORMATION_GIVEN'
  /** The call ended without a result. */
  | 'NOT_RESOLVED'
  /** Something that is not in this list. `text` describes it. */
  | 'OTHER'
  /** The parties agreed on a payment. */
  | 'PAYMENT_ARRANGED'
  /** The caller wanted to reach somebody else. */
  | 'WRONG_NUMBER';

/** The parts of an analysis that can be missing. */
export type RecordingPart =
  /** The field `insights`. */
  | 'INSIGHTS'
  /** The field `sentiment`. */
  | 'SENTIMENT'
  /** The roles in `speakers`. */
  | 'SPEAKERS'
  /** The field `summary`. */
  | 'SUMMARY'
  /** The field `topics`. */
  | 'TOPICS';

/** One step of an analysis. */
export type RecordingProgress = {
  readonly __typename?: 'RecordingProgress';
  /** ID of the call's record (UUID). */
  readonly callId: Scalars['ID']['output'];
  /** Why the analysis failed. Null if it did not. */
  readonly detail: Maybe<Scalars['String']['output']>;
  /** The `callId`. */
  readonly id: Scalars['ID']['output'];
  /** The last step that is done. */
  readonly stage: RecordingStage;
};

/** Who a voice belongs to. */
export type RecordingRole =
  /** The person who works for the hospital. */
  | 'AGENT'
  /** The person who called or was called. */
  | 'CUSTOMER'
  /** It could not be decided. */
  | 'UNKNOWN';

/** How the role of a voice was found. */
export type RecordingRoleSource =
  /** Each party has an audio channel of its own. */
  | 'CHANNEL'
  /** The language model decided it, with utterances as evidence. */
  | 'MODEL';

/** How satisfied a customer seems. */
export type RecordingSatisfaction = {
  readonly __typename?: 'RecordingSatisfaction';
  /** IDs of the utterances that show it. */
  readonly evidence: ReadonlyArray<Scalars['ID']['output']>;
  /** The `callId` of the analysis. */
  readonly id: Scalars['ID']['output'];
  /** Why, in one sentence. */
  readonly reason: Scalars['String']['output'];
  /** From 1 (not at all) to 5 (fully). */
  readonly score: Scalars['Int']['output'];
};

/** How the parties felt during a call. */
export type RecordingSentiment = {
  readonly __typename?: 'RecordingSentiment';
  /** The mean over the whole call. */
  readonly average: RecordingFeeling;
  /** The `callId` of the analysis. */
  readonly id: Scalars['ID']['output'];
  /** The parts of the call, in the order of their start. */
  readonly timeline: ReadonlyArray<RecordingFeelingSpan>;
};

/** One voice in a recording. */
export type RecordingSpeaker = {
  readonly __typename?: 'RecordingSpeaker';
  /** IDs of utterances from which the role follows. Empty if the role follows from the audio channel. */
  readonly evidence: ReadonlyArray<Scalars['ID']['output']>;
  /** How often this voice interrupted another one. */
  readonly interruptions: Scalars['Int']['output'];
  /** Length in seconds of the longest time in which only this voice spoke. */
  readonly longestMonologueSeconds: Scalars['Float']['output'];
  /** How the role was found. Null for UNKNOWN. */
  readonly namedBy: Maybe<RecordingRoleSource>;
  /** Who the voice belongs to. */
  readonly role: RecordingRole;
  /** Number of the voice. Utterances refer to it. */
  readonly speaker: Scalars['Int']['output'];
  /** Seconds in which this voice spoke, added up. */
  readonly talkSeconds: Scalars['Float']['output'];
  /** Part of all speech that this voice has: 0 to 1. */
  readonly talkShare: Scalars['Float']['output'];
};

/** The steps of an analysis, in their order. */
export type RecordingStage =
  /** The result is complete. */
  | 'ANALYSED'
  /** The analysis ended without a result. */
  | 'FAILED'
  /** The recording was downloaded and contains audio. */
  | 'FETCHED'
  /** The analysis was requested. */
  | 'STARTED'
  /** The speech was converted to text. */
  | 'TRANSCRIBED';

/** How far the analysis of a recording is. */
export type RecordingState =
  /** The analysis can be read. */
  | 'DONE'
  /** There is no analysis, and no further try without a click. */
  | 'FAILED'
  /** Nobody asked for an analysis, and the recording is not queued. */
  | 'NOT_REQUESTED'
  /** The recording is queued, but does not fit into what is left of the day's budget. */
  | 'OVER_BUDGET'
  /** The analysis is in progress. */
  | 'RUNNING'
  /** The recording is queued. */
  | 'WAITING';

/** A statement about a call. */
export type RecordingStatement = {
  readonly __typename?: 'RecordingStatement';
  /** IDs of the utterances that show it. */
  readonly evidence: ReadonlyArray<Scalars['ID']['output']>;
  /** One sentence for the manager. */
  readonly text: Scalars['String']['output'];
};

/** How far the analysis of a recording is. A workspace can have recordings analysed without a click, the newest first, within a daily budget. */
export type RecordingStatus = {
  readonly __typename?: 'RecordingStatus';
  /** ID of the call's record (UUID). */
  readonly callId: Scalars['ID']['output'];
  /** The `callId`. */
  readonly id: Scalars['ID']['output'];
  /** Why it waits or failed, as text for people. Null if there is nothing to explain. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** When it is tried again at the earliest. Null: as soon as possible, or never. */
  readonly retryAt: Maybe<Scalars['DateTime']['output']>;
  /** Whether it waits, is in progress, or how it ended. */
  readonly state: RecordingState;
  /** Tries without a click that have begun. */
  readonly tries: Scalars['Int']['output'];
};

/** Who wrote the summary of a recording. */
export type RecordingSummarySource =
  /** The language model. */
  | 'MODEL'
  /** The speech provider. */
  | 'SPEECH';

/** How many tokens of the language model an analysis used. */
export type RecordingTokens = {
  readonly __typename?: 'RecordingTokens';
  /** The `callId` of the analysis. */
  readonly id: Scalars['ID']['output'];
  /** Tokens that were sent to the model. */
  readonly input: Scalars['Int']['output'];
  /** Tokens that the model wrote. */
  readonly output: Scalars['Int']['output'];
};

/** A subject that the parties talked about. */
export type RecordingTopic = {
  readonly __typename?: 'RecordingTopic';
  /** How sure the speech provider is: 0 to 1. */
  readonly confidence: Scalars['Float']['output'];
  /** The subject in a few words. */
  readonly topic: Scalars['String']['output'];
};

/** An analysis that is in progress. Do not send the request again: read the result later. */
export type RecordingUnderWay = {
  readonly __typename?: 'RecordingUnderWay';
  /** ID of the call's record (UUID). */
  readonly callId: Scalars['ID']['output'];
  /** The `callId`. */
  readonly id: Scalars['ID']['output'];
  /** The REST path at which the result will be. */
  readonly lookAt: Scalars['String']['output'];
  /** Seconds to wait before the next request. */
  readonly retryAfterSeconds: Scalars['Int']['output'];
  /** The last step that is done. */
  readonly stage: RecordingStage;
  /** When the analysis was started. Null if it is not known. */
  readonly startedAt: Maybe<Scalars['DateTime']['output']>;
};

/** Something that one person said without a pause. */
export type RecordingUtterance = {
  readonly __typename?: 'RecordingUtterance';
  /** Where it ends: seconds from the start of the recording. */
  readonly end: Scalars['Float']['output'];
  /** Unique in the workspace: ID of the call, and the utterance in it. Statements cite it as evidence. */
  readonly id: Scalars['ID']['output'];
  /** Who the voice belongs to. */
  readonly role: RecordingRole;
  /** Number of the voice, as in `speakers`. */
  readonly speaker: Scalars['Int']['output'];
  /** Where it begins: seconds from the start of the recording. */
  readonly start: Scalars['Float']['output'];
  /** The spoken words. */
  readonly text: Scalars['String']['output'];
};

/** Whether an agent followed a rule. */
export type RecordingVerdict =
  /** The agent did not follow the rule. */
  | 'BROKEN'
  /** The agent followed the rule. */
  | 'MET'
  /** The rule does not concern this call. */
  | 'NOT_APPLICABLE';

/** How a call was judged by the workspace's criteria (`ai.recordings.complianceRules`), as they were at the analysis. */
export type Scorecard = {
  readonly __typename?: 'Scorecard';
  /** ID of the agent record (UUID). Null if no agent had the call. */
  readonly agentId: Maybe<Scalars['ID']['output']>;
  /** When the language model judged the call. */
  readonly analyzedAt: Scalars['DateTime']['output'];
  /** When the call began, or when it was analysed if that is not known. */
  readonly at: Scalars['DateTime']['output'];
  /** ID of the call's record (UUID). */
  readonly callId: Scalars['ID']['output'];
  /** The criteria, in the order of the configuration. */
  readonly criteria: ReadonlyArray<ScorecardCriterion>;
  /** The `callId`. */
  readonly id: Scalars['ID']['output'];
  /** The weight of the criteria that are met, in percent of those that concern the call, by the language model's verdicts. Null if none does. */
  readonly modelScore: Maybe<Scalars['Int']['output']>;
  /** The same with the managers' corrections. */
  readonly score: Maybe<Scalars['Int']['output']>;
  /** Another number after each change. Send it with a correction. */
  readonly version: Scalars['Int']['output'];
};

/** How often managers and the language model came to the same verdict. */
export type ScorecardAgreement = {
  readonly __typename?: 'ScorecardAgreement';
  /** False if there are more than 5,000: only the newest are counted. Choose a shorter range. */
  readonly complete: Scalars['Boolean']['output'];
  /** Each criterion that has a correction, by its key. */
  readonly criteria: ReadonlyArray<ScorecardCriterionAgreement>;
  /** Always the same: a workspace has one. */
  readonly id: Scalars['ID']['output'];
  /** Number of scorecards with a correction in the range. */
  readonly scorecards: Scalars['Int']['output'];
  /** All criteria together. */
  readonly total: ScorecardAgreementCounts;
};

/** Verdicts of managers compared with those of the language model. */
export type ScorecardAgreementCounts = {
  readonly __typename?: 'ScorecardAgreementCounts';
  /** How many of these are the same. */
  readonly agreed: Scalars['Int']['output'];
  /** `agreed` divided by `reviewed`: 0 to 1. Null if nothing was reviewed. */
  readonly agreement: Maybe<Scalars['Float']['output']>;
  /** The model said BROKEN, the manager did not. */
  readonly falseAlarms: Scalars['Int']['output'];
  /** The manager said BROKEN, the model did not. */
  readonly overlooked: Scalars['Int']['output'];
  /** Number of managers' verdicts where the model had one too. */
  readonly reviewed: Scalars['Int']['output'];
  /** Managers' verdicts where the model had none. */
  readonly withoutModel: Scalars['Int']['output'];
};

/** A page of scorecards. */
export type ScorecardConnection = {
  readonly __typename?: 'ScorecardConnection';
  /** The entries with their cursors. */
  readonly edges: ReadonlyArray<ScorecardEdge>;
  /** The entries. */
  readonly nodes: ReadonlyArray<Scorecard>;
  /** Where the page is in the list. */
  readonly pageInfo: PageInfo;
};

/** A manager's verdict on a criterion. */
export type ScorecardCorrection = {
  readonly __typename?: 'ScorecardCorrection';
  /** When it was stored. */
  readonly at: Scalars['DateTime']['output'];
  /** Who gave it. */
  readonly by: ScorecardReviewer;
  /** Why, in the manager's words. */
  readonly reason: Scalars['String']['output'];
  /** Whether the agent followed the criterion. */
  readonly verdict: RecordingVerdict;
};

/** One criterion of a scorecard. */
export type ScorecardCriterion = {
  readonly __typename?: 'ScorecardCriterion';
  /** A manager's verdict. Null if there is none. */
  readonly correction: Maybe<ScorecardCorrection>;
  /** Identifies the criterion, also in other scorecards. */
  readonly key: Scalars['ID']['output'];
  /** The language model's verdict, which a correction leaves as it is. Null if it gave none with a valid citation. */
  readonly model: Maybe<ScorecardModelVerdict>;
  /** Short name for people. */
  readonly name: Scalars['String']['output'];
  /** What the agent must say or do, for example `Greet the caller.` */
  readonly question: Scalars['String']['output'];
  /** The verdict that counts: the manager's, else the language model's. Null if there is neither. */
  readonly verdict: Maybe<RecordingVerdict>;
  /** How much it counts beside the others: 1 to 100. */
  readonly weight: Scalars['Int']['output'];
};

/** The agreement on one criterion. */
export type ScorecardCriterionAgreement = {
  readonly __typename?: 'ScorecardCriterionAgreement';
  /** The figures. */
  readonly counts: ScorecardAgreementCounts;
  /** Identifies the criterion, as in scorecards. */
  readonly key: Scalars['ID']['output'];
  /** Its name, as it was last. */
  readonly name: Scalars['String']['output'];
};

/** A scorecard with its place in the list. */
export type ScorecardEdge = {
  readonly __typename?: 'ScorecardEdge';
  /** The place of the entry in the list. */
  readonly cursor: Scalars['ConnectionCursor']['output'];
  /** The entry. */
  readonly node: Scorecard;
};

/** The language model's verdict on a criterion. */
export type ScorecardModelVerdict = {
  readonly __typename?: 'ScorecardModelVerdict';
  /** IDs of the utterances that show it. Empty for NOT_APPLICABLE, and after the end of the analysis. */
  readonly evidence: ReadonlyArray<Scalars['ID']['output']>;
  /** Why, in one sentence. Null after the end of the analysis. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** Whether the agent followed the criterion. */
  readonly verdict: RecordingVerdict;
};

/** A manager who corrected a scorecard. */
export type ScorecardReviewer = {
  readonly __typename?: 'ScorecardReviewer';
  /** ID of the workspace member (UUID). */
  readonly memberId: Scalars['ID']['output'];
  /** What the member was called then. */
  readonly name: Scalars['String']['output'];
  /** ID of the user on the platform (UUID). */
  readonly userId: Scalars['ID']['output'];
};

/** A token and its expiry. */
export type SessionToken = {
  readonly __typename?: 'SessionToken';
  /** From this moment on the token is refused. */
  readonly expiresAt: Scalars['DateTime']['output'];
  /** The token as text. Keep it secret. */
  readonly token: Scalars['String']['output'];
};

/** The two tokens of a signed-in member, both issued by the platform. */
export type SessionTokens = {
  readonly __typename?: 'SessionTokens';
  /** Send it as `Authorization: Bearer` with every request. */
  readonly accessToken: SessionToken;
  /** Send it to `refreshTokens` before the access token expires. It can be used once. */
  readonly refreshToken: SessionToken;
};

/** The answer of an operation that issues tokens. */
export type SessionTokensAnswer = {
  readonly __typename?: 'SessionTokensAnswer';
  /** The new access token and refresh token. */
  readonly tokens: SessionTokens;
};

/** A change of the setup wizard. Give exactly one field. */
export type SetupChange =
  /** The step to mark as complete. */
  { readonly complete: SetupStepName; readonly dismiss?: never; readonly reopen?: never; readonly reset?: never; }
  |  /** Must be true: the wizard is not shown any more. */
  { readonly complete?: never; readonly dismiss: Scalars['Boolean']['input']; readonly reopen?: never; readonly reset?: never; }
  |  /** The step to mark as open. */
  { readonly complete?: never; readonly dismiss?: never; readonly reopen: SetupStepName; readonly reset?: never; }
  |  /** Must be true: all steps are open again, and the wizard is not dismissed. */
  { readonly complete?: never; readonly dismiss?: never; readonly reopen?: never; readonly reset: Scalars['Boolean']['input']; };

/** The progress of the setup wizard. */
export type SetupState = {
  readonly __typename?: 'SetupState';
  /** True if a manager chose not to see the wizard any more. */
  readonly dismissed: Scalars['Boolean']['output'];
  /** Always the same: a workspace has one. */
  readonly id: Scalars['ID']['output'];
  /** All steps, in the order in which the wizard shows them. */
  readonly steps: ReadonlyArray<SetupStep>;
  /** True if the wizard is not dismissed and has a step that is not marked as done (`complete`) and is found open (`detected` is false). A step that cannot be checked at the moment is not open. */
  readonly wizardRequired: Scalars['Boolean']['output'];
};

/** One step of the setup wizard. */
export type SetupStep = {
  readonly __typename?: 'SetupStep';
  /** True if the step is marked as done. */
  readonly complete: Scalars['Boolean']['output'];
  /** When the step was marked as done. Null if it is open. */
  readonly completedAt: Maybe<Scalars['DateTime']['output']>;
  /** ID of the workspace member who marked the step as done (UUID). Null if it is open. */
  readonly completedBy: Maybe<Scalars['ID']['output']>;
  /** Whether the service itself finds the step done, independent of the mark. Null if it cannot find out at the moment. */
  readonly detected: Maybe<Scalars['Boolean']['output']>;
  /** What the service found, as text for the manager. */
  readonly found: Scalars['String']['output'];
  /** The name of the step. */
  readonly id: Scalars['ID']['output'];
  /** What the step is for. */
  readonly step: SetupStepName;
};

/** The steps of the setup wizard. */
export type SetupStepName =
  /** Choose the language model. */
  | 'AI'
  /** Enter the hospital's name, logo and colours. */
  | 'BRAND'
  /** Connect the platform: API key, objects and roles. */
  | 'PLATFORM'
  /** Add members and make some of them agents. */
  | 'TEAM'
  /** Connect the telephony provider. */
  | 'TELEPHONY'
  /** Make a key for the chat widget. */
  | 'WIDGET';

/** What a client should show about the setup of the workspace. */
export type SetupSummary = {
  readonly __typename?: 'SetupSummary';
  /** True for a manager if the setup wizard is not dismissed and has a step that is not marked as done and is found open within a second. Always false for other roles. */
  readonly wizardRequired: Scalars['Boolean']['output'];
};

/** An account on the platform. */
export type SignedInUser = {
  readonly __typename?: 'SignedInUser';
  /** The e-mail address that signs in. */
  readonly email: Scalars['String']['output'];
  /** Given name. May be empty. */
  readonly firstName: Scalars['String']['output'];
  /** ID of the account (UUID). One account can be a member of several workspaces. */
  readonly id: Scalars['ID']['output'];
  /** Family name. May be empty. */
  readonly lastName: Scalars['String']['output'];
};

/** A workspace of the platform. */
export type SignedInWorkspace = {
  readonly __typename?: 'SignedInWorkspace';
  /** Unique ID on the platform (UUID). */
  readonly id: Scalars['ID']['output'];
  /** The first part of the workspace's host name, for example `demo`. */
  readonly subdomain: Scalars['String']['output'];
};

/** What a browser phone registers with. */
export type SipCredentials = {
  readonly __typename?: 'SipCredentials';
  /** Host name of the SIP server. */
  readonly domain: Scalars['String']['output'];
  /** The password of the SIP extension. Keep it secret. */
  readonly password: Scalars['String']['output'];
  /** SIP address: `sip:username@domain`. */
  readonly uri: Scalars['String']['output'];
  /** The agent's SIP extension. */
  readonly username: Scalars['String']['output'];
  /** Port of the SIP server for WebSocket connections. */
  readonly wsPort: Scalars['Int']['output'];
  /**
   * Address of the WebSocket connection: `wss://domain:wsPort` and the configured path, if there is one. It begins with `ws://` if the domain is `localhost`
   * or a loopback address.
   */
  readonly wsUrl: Scalars['String']['output'];
};

/** A call and its third party. Give exactly one of `phoneNumber`, `providerAgentId` and `queue`. */
export type StartTransferInput = {
  /** Whether to put the customer on hold first. */
  readonly holdCustomer?: Scalars['Boolean']['input'];
  /** A text that the client chooses. A late repetition with the same key calls nobody again, even after the transfer was cancelled. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The third party's number: a valid phone number in any common notation. Not the customer's and not the agent's own. */
  readonly phoneNumber?: InputMaybe<Scalars['String']['input']>;
  /** ID of another agent at the telephony provider, if the provider can do that. Ozonetel cannot. */
  readonly providerAgentId?: InputMaybe<Scalars['String']['input']>;
  /** Name of a queue at the telephony provider, if the provider can do that. Ozonetel cannot. */
  readonly queue?: InputMaybe<Scalars['String']['input']>;
  /** The provider's ID of the call. */
  readonly ucid: Scalars['ID']['input'];
};

/** Streams of events, sent as server-sent events or over a web socket. */
export type Subscription = {
  readonly __typename?: 'Subscription';
  /**
   * What managers do to the signed-in agent: their state, their session, people of their worklist. What the agent has not confirmed yet comes first; each
   * notice comes once in a stream.
   */
  readonly agentNoticeEvents: AgentNotice;
  /** Changes of agent states: an agent gets their own, a manager those of the workspace. The current states come first. */
  readonly agentStates: AgentPresence;
  /** Alerts as they are raised, acknowledged and cleared. The active ones come first. */
  readonly alertChanges: Alert;
  /**
   * Changes of calls: an agent gets their own calls, a manager those of the workspace. The calls that are in progress come first, as SNAPSHOT. A call
   * that goes to another agent comes once more, with that agent.
   */
  readonly callEvents: CallEvent;
  /** The progress of an analysis, until it is complete or has failed. */
  readonly recordingProgress: RecordingProgress;
  /** The overview whenever it changes, at most once a second. The current one comes first. */
  readonly supervisionUpdates: Supervision;
  /**
   * Changes of the worklist, for all agents. Its first 200 entries come first, as SNAPSHOT, also those that are due later. An entry that was
   * called back or finished comes once more with the status CLOSED. The end of a claim by its time brings no event: see `claim.until`.
   */
  readonly worklistChanges: WorklistChange;
};


/** Streams of events, sent as server-sent events or over a web socket. */
export type SubscriptionRecordingProgressArgs = {
  callId: Scalars['ID']['input'];
};

/** The actions that can be suggested for a lead. */
export type SuggestedAction =
  /** Book a visit with a doctor. */
  | 'BOOK_VISIT'
  /** Call the lead again. */
  | 'CALL_BACK'
  /** Close the lead, because nothing more will come of it. */
  | 'CLOSE_LEAD'
  /** Let a manager take over. */
  | 'ESCALATE_TO_MANAGER'
  /** Ask about an open payment. */
  | 'FOLLOW_UP_PAYMENT'
  /** Do nothing for now. */
  | 'NO_ACTION'
  /** Send information that the lead requested. */
  | 'SEND_INFORMATION';

/** An agent with a live session. */
export type SupervisedAgent = {
  readonly __typename?: 'SupervisedAgent';
  /** ID of the agent record (UUID). */
  readonly agentId: Scalars['ID']['output'];
  /** Display name of the agent record. */
  readonly agentName: Scalars['String']['output'];
  /** The same as `agentId`: an agent has one session. */
  readonly id: Scalars['ID']['output'];
  /** ID of the workspace member who is signed in (UUID). */
  readonly memberId: Scalars['ID']['output'];
  /** The agent's ID at the telephony provider. */
  readonly providerAgentId: Scalars['String']['output'];
  /** The not-ready reason, such as `Lunch`. Null in other states. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** When the agent session was started. */
  readonly signedInAt: Scalars['DateTime']['output'];
  /** When the agent entered the state. Null if the state is not known. */
  readonly since: Maybe<Scalars['DateTime']['output']>;
  /** What the agent is doing. Null if the provider has reported nothing since the sign-in. */
  readonly state: Maybe<AgentState>;
};

/** A call that rings or is in progress. */
export type SupervisedCall = {
  readonly __typename?: 'SupervisedCall';
  /** ID of the agent record (UUID). Null if no agent has the call yet. */
  readonly agentId: Maybe<Scalars['ID']['output']>;
  /** Display name of the agent record. Null if no agent has the call yet. */
  readonly agentName: Maybe<Scalars['String']['output']>;
  /** The provider's campaign of the call. Null if it is not known. */
  readonly campaignName: Maybe<Scalars['String']['output']>;
  /** The customer's number as the provider reports it, also one that has no E.164 form, such as an extension. Null if it is withheld or not known. */
  readonly dialledNumber: Maybe<Scalars['String']['output']>;
  /** Who called whom. */
  readonly direction: CallDirection;
  /** The `ucid`. */
  readonly id: Scalars['ID']['output'];
  /** ID of the lead that the call is about (UUID). Null if it is not known. */
  readonly leadId: Maybe<Scalars['ID']['output']>;
  /** How far the call is. */
  readonly phase: CallPhase;
  /** The customer's number in E.164. Null if it has no such form, is withheld or not known. */
  readonly phoneNumber: Maybe<Scalars['String']['output']>;
  /** When the call was answered, or started to ring if nobody has answered yet. Null if it is not known. */
  readonly since: Maybe<Scalars['DateTime']['output']>;
  /** The provider's ID of the call. */
  readonly ucid: Scalars['ID']['output'];
};

/** The overview of a workspace at one moment. */
export type Supervision = {
  readonly __typename?: 'Supervision';
  /** Agents with a live session, the longest session first. */
  readonly agents: ReadonlyArray<SupervisedAgent>;
  /** The moment that the figures describe. */
  readonly at: Scalars['DateTime']['output'];
  /** Calls that ring or are in progress. */
  readonly callsNow: CallsNow;
  /** Active doctors with free slots from now on, sorted by name. */
  readonly freeSlots: ReadonlyArray<FreeSlots>;
  /** Always the same: a workspace has one overview. */
  readonly id: Scalars['ID']['output'];
  /** Missed calls whose caller waits for a callback. */
  readonly missedWaiting: MissedWaiting;
  /** Figures of the clinic's current day. */
  readonly today: CallsToday;
  /** Leads of unknown callers that the service created in the current hour. */
  readonly unknownCallers: UnknownCallers;
};

/** A member's agent record. It contains no secrets. */
export type TeamAgent = {
  readonly __typename?: 'TeamAgent';
  /** The provider's campaign that the agent works in. Null if the agent has none. */
  readonly campaignName: Maybe<Scalars['String']['output']>;
  /** Unique ID of the record (UUID). */
  readonly id: Scalars['ID']['output'];
  /** Display name on the platform. */
  readonly name: Scalars['String']['output'];
  /** The agent's ID at the telephony provider. Null if the agent has none. */
  readonly providerAgentId: Maybe<Scalars['String']['output']>;
  /** Extension of the browser phone. Null if the agent has none. */
  readonly sipExtension: Maybe<Scalars['String']['output']>;
};

/** What an agent works with. The two passwords are encrypted and stored in this service; nobody can read them, and the platform never gets them. */
export type TeamAgentInput = {
  /** The provider's campaign that the agent works in. */
  readonly campaignName?: InputMaybe<Scalars['String']['input']>;
  /** The agent's ID at the telephony provider. */
  readonly providerAgentId?: InputMaybe<Scalars['String']['input']>;
  /** Password for signing the agent in at the telephony provider. */
  readonly providerAgentPassword?: InputMaybe<Scalars['String']['input']>;
  /** Extension of the browser phone. Two agents cannot have the same one. */
  readonly sipExtension?: InputMaybe<Scalars['String']['input']>;
  /** Password of the browser phone's extension. */
  readonly sipPassword?: InputMaybe<Scalars['String']['input']>;
};

/** A member of the workspace as managers see it. */
export type TeamMember = {
  readonly __typename?: 'TeamMember';
  /** The agent record without its secrets. Null if the member handles no calls. */
  readonly agent: Maybe<TeamAgent>;
  /** ID of the agent record (UUID). Null if the member handles no calls. */
  readonly agentId: Maybe<Scalars['ID']['output']>;
  /** When the member joined the workspace. Null if it is not known. */
  readonly createdAt: Maybe<Scalars['DateTime']['output']>;
  /** The address that the member signs in with. */
  readonly email: Scalars['String']['output'];
  /** Given name. May be empty. */
  readonly firstName: Scalars['String']['output'];
  /** True if `temporaryPassword` can still be read. */
  readonly hasTemporaryPassword: Scalars['Boolean']['output'];
  /** ID of the workspace member (UUID). */
  readonly id: Scalars['ID']['output'];
  /** Family name. May be empty. */
  readonly lastName: Scalars['String']['output'];
  /** Label of the member's role on the platform. Null if the member has no role there. */
  readonly platformRole: Maybe<Scalars['String']['output']>;
  /** What the member may do. Null if the member's platform role is mapped to none. */
  readonly role: Maybe<TeamRole>;
  /** The live agent session. Null if the agent is not signed in. */
  readonly session: Maybe<LiveAgentSession>;
  /** ID of the account on the platform (UUID). */
  readonly userId: Scalars['ID']['output'];
};

/** The answer of an operation that creates or changes a member. */
export type TeamMemberAnswer = {
  readonly __typename?: 'TeamMemberAnswer';
  /** The member with all current values. */
  readonly member: TeamMember;
};

/** Changes of a member. Fields that are left out stay unchanged. */
export type TeamMemberChange = {
  /** Makes the member an agent, or changes the existing agent record. */
  readonly agent?: InputMaybe<TeamAgentInput>;
  /** New given name. */
  readonly firstName?: InputMaybe<Scalars['String']['input']>;
  /** New family name. */
  readonly lastName?: InputMaybe<Scalars['String']['input']>;
  /** What the member may do from now on. */
  readonly role?: InputMaybe<TeamRole>;
};

/** A page of members of the workspace. */
export type TeamMemberConnection = {
  readonly __typename?: 'TeamMemberConnection';
  /** The entries of the page with their cursors. */
  readonly edges: ReadonlyArray<TeamMemberEdge>;
  /**
   * Since when the public invite link of the workspace is open, if the creation of a member opened it and could not close it, for example after
   * a crash. The next request of a manager closes it. Null if it is not left open.
   */
  readonly inviteLinkLeftOpenSince: Maybe<Scalars['DateTime']['output']>;
  /** The entries of the page, newest first. */
  readonly nodes: ReadonlyArray<TeamMember>;
  /** Whether there are further pages. */
  readonly pageInfo: PageInfo;
  /** Number of members on all pages, after `search` is applied. */
  readonly totalCount: Scalars['Int']['output'];
};

/** One of the members of the workspace, and its place among them. */
export type TeamMemberEdge = {
  readonly __typename?: 'TeamMemberEdge';
  /** Send it as `after` to get what comes after this entry. */
  readonly cursor: Scalars['ConnectionCursor']['output'];
  /** The entry itself. */
  readonly node: TeamMember;
};

/** The two kinds of platform roles that this service distinguishes. A member with either may also be an agent. */
export type TeamRole =
  /** May configure the service and see all agents and calls. */
  | 'MANAGER'
  /** May use the service without configuring it. */
  | 'USER';

/** The providers of phone calls. The names are those of the configuration, of events and of webhook addresses. */
export type TelephonyProvider =
  /** Exotel: outbound calls, which ring the agent's phone first. */
  | 'exotel'
  /** Ozonetel: agents sign in there, and it brings inbound calls. */
  | 'ozonetel';

/** The result of signing an agent in at the telephony provider. */
export type TelephonySignIn = {
  readonly __typename?: 'TelephonySignIn';
  /** Why the agent is not signed in, as text for the agent. Null if the sign-in worked. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** True if the agent can take calls of the provider now. */
  readonly signedIn: Scalars['Boolean']['output'];
};

/** The password that a new member uses for the first sign-in. */
export type TemporaryPassword = {
  readonly __typename?: 'TemporaryPassword';
  /** When it was generated. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** From this moment on it cannot be read here any more. */
  readonly expiresAt: Scalars['DateTime']['output'];
  /** ID of the workspace member (UUID). */
  readonly id: Scalars['ID']['output'];
  /** The password as text. Give it to the member over a safe channel. */
  readonly password: Scalars['String']['output'];
  /** When the member first signed in with it. Null if nobody has. */
  readonly usedAt: Maybe<Scalars['DateTime']['output']>;
};

/** The form of a text in the input. */
export type TextForm =
  /** A label of a host name: letters, digits and inner hyphens. */
  | 'DNS_LABEL'
  /** An e-mail address. */
  | 'EMAIL'
  /** An address that begins with `http://` or `https://`. */
  | 'HTTP_URL'
  /** An ID that another system chose: ASCII letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon. */
  | 'IDENTIFIER'
  /** One line that is not blank. Spaces around it are removed. */
  | 'LINE'
  /** May have several lines, and has at least one character that is not a space. */
  | 'NOT_BLANK'
  /** One line that is used unchanged. */
  | 'SECRET'
  /** The name of a phone's extension: letters, digits, or any of `. + - _`. */
  | 'SIP_EXTENSION'
  /** May have several lines, and may be empty. */
  | 'TEXT'
  /** A UUID of version 1 to 5. */
  | 'UUID';

/** A part of a text, counted in UTF-16 code units, as JavaScript counts. */
export type TextRange = {
  readonly __typename?: 'TextRange';
  /** Where it begins. */
  readonly from: Scalars['Int']['output'];
  /** Where it ends: the first unit that is not part of it. */
  readonly to: Scalars['Int']['output'];
};

/** The appearance that staff and visitors see. */
export type Theme = {
  readonly __typename?: 'Theme';
  /** Name and logo of the hospital. */
  readonly brand: ThemeBrand;
  /** The four colours that a page uses. */
  readonly colors: ThemeColors;
  /** Fonts of headings and of running text. */
  readonly fonts: ThemeFonts;
  /** Always the same: a workspace has one. */
  readonly id: Scalars['ID']['output'];
};

/** How the hospital presents itself. */
export type ThemeBrand = {
  readonly __typename?: 'ThemeBrand';
  /** The hospital's name, shown to visitors. Null if it is not set yet. */
  readonly hospitalName: Maybe<Scalars['String']['output']>;
  /** Always the same: a workspace has one. */
  readonly id: Scalars['ID']['output'];
  /** Address of the logo image (http or https). Null if there is none. */
  readonly logoUrl: Maybe<Scalars['String']['output']>;
};

/** Colours as `#rrggbb`. */
export type ThemeColors = {
  readonly __typename?: 'ThemeColors';
  /** Colour of highlights, as `#rrggbb`. */
  readonly accent: Scalars['String']['output'];
  /** Colour behind the content, as `#rrggbb`. */
  readonly background: Scalars['String']['output'];
  /** Always the same: a workspace has one. */
  readonly id: Scalars['ID']['output'];
  /** Colour of buttons and links, as `#rrggbb`. */
  readonly primary: Scalars['String']['output'];
  /** Colour of running text, as `#rrggbb`. */
  readonly text: Scalars['String']['output'];
};

/** Lists of font names in the form of CSS `font-family`. */
export type ThemeFonts = {
  readonly __typename?: 'ThemeFonts';
  /** Font list for running text, as in CSS `font-family`. */
  readonly body: Scalars['String']['output'];
  /** Font list for headings, as in CSS `font-family`. */
  readonly heading: Scalars['String']['output'];
  /** Always the same: a workspace has one. */
  readonly id: Scalars['ID']['output'];
};

/** A call of an agent, as the history counted it. */
export type TimelineCall = {
  readonly __typename?: 'TimelineCall';
  /** When it was answered. Null if it was not. */
  readonly answeredAt: Maybe<Scalars['DateTime']['output']>;
  /**
   * What the provider wrote because nobody gave an outcome in time. Null if there is an outcome, if the provider wrote
   * nothing, and in what an earlier version counted. The agent of the call or a manager can still give one (`submitDisposition`).
   */
  readonly automaticDisposition: Maybe<Scalars['String']['output']>;
  /** The provider's campaign of the call. Null if it is not known. */
  readonly campaignName: Maybe<Scalars['String']['output']>;
  /** Who called whom. */
  readonly direction: CallDirection;
  /** The outcome code. Null if there is none. */
  readonly disposition: Maybe<Scalars['String']['output']>;
  /** How far the call is, or how it ended. */
  readonly phase: CallPhase;
  /** When the call began to ring. */
  readonly startedAt: Scalars['DateTime']['output'];
  /** Talk time in seconds. Null while the call goes on, and if nobody reported it. */
  readonly talkSeconds: Maybe<Scalars['Int']['output']>;
  /** The provider's ID of the call. */
  readonly ucid: Scalars['ID']['output'];
  /** Time in seconds from the end of the call until the agent was free. Null if it is not known. */
  readonly wrapUpSeconds: Maybe<Scalars['Int']['output']>;
};

/** A time in which an agent was in one state. */
export type TimelineState = {
  readonly __typename?: 'TimelineState';
  /** When the agent entered the state, or the start of the day. */
  readonly from: Scalars['DateTime']['output'];
  /** The not-ready reason, such as `Lunch`. Null in other states. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** What the agent did. */
  readonly state: AgentState;
  /** When the agent left the state, or the end of the day. Null for the state that the agent is in now. */
  readonly to: Maybe<Scalars['DateTime']['output']>;
};

/** An analysed call that a search found. */
export type TranscriptMatch = {
  readonly __typename?: 'TranscriptMatch';
  /** ID of the agent record (UUID). Null if no agent had the call. */
  readonly agentId: Maybe<Scalars['ID']['output']>;
  /** When the recording was analysed. */
  readonly analyzedAt: Scalars['DateTime']['output'];
  /** When the call began, or when it was analysed if that is not known. */
  readonly at: Scalars['DateTime']['output'];
  /** ID of the call's record (UUID). `recordingAnalysis` has the whole analysis. */
  readonly callId: Scalars['ID']['output'];
  /** The outcome code that the agent chose. Null if none is known. */
  readonly disposition: Maybe<Scalars['String']['output']>;
  /** When the analysis is deleted; from then on the call is not found. */
  readonly expiresAt: Scalars['DateTime']['output'];
  /** The `callId`. */
  readonly id: Scalars['ID']['output'];
  /** Number of utterances that have a word or phrase of the search. 0 if the search had no text. */
  readonly matches: Scalars['Int']['output'];
  /** What the call achieved, as the language model judged it. Null if it gave no valid judgement. */
  readonly outcome: Maybe<RecordingOutcomeCode>;
  /** The mean feeling of the call. Null if the speech provider gave none. */
  readonly sentiment: Maybe<RecordingFeelingName>;
  /** The first of these utterances, at most 5. */
  readonly snippets: ReadonlyArray<TranscriptSnippet>;
};

/** A page of calls that a search found. */
export type TranscriptMatchConnection = {
  readonly __typename?: 'TranscriptMatchConnection';
  /** The entries with their cursors. */
  readonly edges: ReadonlyArray<TranscriptMatchEdge>;
  /** The entries. */
  readonly nodes: ReadonlyArray<TranscriptMatch>;
  /** Where the page is in the list. */
  readonly pageInfo: PageInfo;
};

/** A call that a search found, with its place in the list. */
export type TranscriptMatchEdge = {
  readonly __typename?: 'TranscriptMatchEdge';
  /** The place of the entry in the list. */
  readonly cursor: Scalars['ConnectionCursor']['output'];
  /** The entry. */
  readonly node: TranscriptMatch;
};

/** An utterance that a search found, or the part of it with the first match. Personal data is masked, as for the language model. */
export type TranscriptSnippet = {
  readonly __typename?: 'TranscriptSnippet';
  /** Where the utterance ends: seconds from the start of the recording. */
  readonly end: Scalars['Float']['output'];
  /** Where the words and phrases of the search are in `text`, in their order. */
  readonly highlights: ReadonlyArray<TextRange>;
  /** ID of the utterance, as in the analysis. */
  readonly id: Scalars['ID']['output'];
  /** Who the voice belongs to. */
  readonly role: RecordingRole;
  /** Number of the voice. */
  readonly speaker: Scalars['Int']['output'];
  /** Where the utterance begins: seconds from the start of the recording. Play from here. */
  readonly start: Scalars['Float']['output'];
  /** The spoken words, at most 300 characters. */
  readonly text: Scalars['String']['output'];
};

/** Leads that the service creates for callers whose number no lead has, counted from the full hour (UTC). */
export type UnknownCallers = {
  readonly __typename?: 'UnknownCallers';
  /** Number of leads created. */
  readonly createdThisHour: Scalars['Int']['output'];
  /** Whether the workspace wants these leads: `telephony.newLeads.enabled`. */
  readonly enabled: Scalars['Boolean']['output'];
  /** Always the same: a workspace has one. */
  readonly id: Scalars['ID']['output'];
  /** Number of calls of unknown callers that got no lead, because the limit was reached. 0 in a normal hour. */
  readonly leftOutThisHour: Scalars['Int']['output'];
  /** The most leads that an hour may bring: `telephony.newLeads.maxPerHour`. */
  readonly maxPerHour: Scalars['Int']['output'];
};

/** The member that an access token belongs to. */
export type Viewer = {
  readonly __typename?: 'Viewer';
  /** The agent record. Null for a member who handles no calls. */
  readonly agent: Maybe<AgentProfile>;
  /**
   * True if the member has the temporary password of `createTeamMember`, which a manager can read: until this service sees a sign-in with another password,
   * or the password expires. The member changes it on the platform. False also while the service cannot look it up.
   */
  readonly hasTemporaryPassword: Scalars['Boolean']['output'];
  /** The `memberId`. */
  readonly id: Scalars['ID']['output'];
  /** ID of the workspace member (UUID). */
  readonly memberId: Scalars['ID']['output'];
  /** What the member may do in this service. */
  readonly role: ApplicationRole;
  /** The agent's live session, on whatever device it was started. Null if there is none. */
  readonly session: Maybe<AgentSession>;
  /** The account behind the access token. */
  readonly user: SignedInUser;
  /** The workspace that the access token is valid for. */
  readonly workspace: SignedInWorkspace;
};

/** A visit slot that was booked. */
export type VisitBooking = {
  readonly __typename?: 'VisitBooking';
  /** The `slotId`. */
  readonly id: Scalars['ID']['output'];
  /** ID of the lead who has it (UUID). */
  readonly leadId: Scalars['ID']['output'];
  /** ID of the visit slot's record (UUID). */
  readonly slotId: Scalars['ID']['output'];
};

/** What a webhook reported. */
export type WebhookContent =
  /** An agent changed state. */
  | 'AGENT_EVENT'
  /** A call rings, is answered or ends. */
  | 'CALL_EVENT'
  /** The provider's record of a call that has ended. */
  | 'CALL_RECORD';

/** The key in a provider's webhook address, without the key itself. */
export type WebhookKey = {
  readonly __typename?: 'WebhookKey';
  /** When the current key was made. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** The `provider`: each has one key. */
  readonly id: Scalars['ID']['output'];
  /** Which telephony provider sends to the address. */
  readonly provider: TelephonyProvider;
};

/** The result of replaying failed webhooks. */
export type WebhookReplay = {
  readonly __typename?: 'WebhookReplay';
  /** Number of webhooks that failed again. They can be replayed later. */
  readonly failed: Scalars['Int']['output'];
  /** True if the workspace has further failed webhooks. */
  readonly remaining: Scalars['Boolean']['output'];
  /** Number of webhooks that are processed again. */
  readonly replayed: Scalars['Int']['output'];
};

/** The webhooks of one provider, counted over the last 24 hours and the present one. */
export type WebhookStatus = {
  readonly __typename?: 'WebhookStatus';
  /** Number of webhooks that were accepted. */
  readonly accepted: Scalars['Int']['output'];
  /** Number of repetitions. */
  readonly duplicates: Scalars['Int']['output'];
  /** Number of webhooks that failed. */
  readonly failed: Scalars['Int']['output'];
  /** The `provider`. */
  readonly id: Scalars['ID']['output'];
  /** Number of webhooks that reported nothing of use. */
  readonly ignored: Scalars['Int']['output'];
  /** When the last one came that was not refused and did not fail. Null if there was none in 30 days. */
  readonly lastHandledAt: Maybe<Scalars['DateTime']['output']>;
  /** When the last one came, whatever became of it. */
  readonly lastReceivedAt: Scalars['DateTime']['output'];
  /** How many of all these are counted but not listed, because too many came within an hour. */
  readonly notListed: Scalars['Int']['output'];
  /** Who sends the webhooks. */
  readonly provider: TelephonyProvider;
  /** Number of webhooks that were refused. */
  readonly refused: Scalars['Int']['output'];
};

/** What became of a webhook. */
export type WebhookVerdict =
  /** It is stored and is processed. */
  | 'ACCEPTED'
  /** It repeats one of the last 8 days, and changes nothing. */
  | 'DUPLICATE'
  /** The service could not store or process it. */
  | 'FAILED'
  /** It is of the provider's account, but reports nothing that the service uses. */
  | 'IGNORED'
  /** Its address, form or key is wrong, or the provider is not configured; `reason` says which. Correct that: refused webhooks are not stored. */
  | 'REFUSED';

/** A public identifier of the workspace's widget. It is valid only on pages of its origins. */
export type WidgetKey = {
  readonly __typename?: 'WidgetKey';
  /** When a manager created it. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** The same as `key`. */
  readonly id: Scalars['ID']['output'];
  /** The value that a page sends as `x-widget-key`. */
  readonly key: Scalars['ID']['output'];
  /** Origins on which it is valid, in the form that browsers send. */
  readonly origins: ReadonlyArray<Scalars['String']['output']>;
  /** Until when it is valid. Null if it is valid until it is rotated or deleted. */
  readonly validUntil: Maybe<Scalars['DateTime']['output']>;
};

/** The agent who should call a person back. */
export type WorklistAssignee = {
  readonly __typename?: 'WorklistAssignee';
  /** ID of the agent's record (UUID). Null if the member has none. */
  readonly agentId: Maybe<Scalars['ID']['output']>;
  /** The `id` of the entry. */
  readonly id: Scalars['ID']['output'];
  /** ID of the workspace member (UUID). */
  readonly memberId: Scalars['ID']['output'];
  /** Name of the agent. Null if it is not known. */
  readonly name: Maybe<Scalars['String']['output']>;
};

/** A scheduled callback. It is a task on the platform, and follows what is changed there. */
export type WorklistCallback = {
  readonly __typename?: 'WorklistCallback';
  /** When to call. */
  readonly at: Scalars['DateTime']['output'];
  /** The `taskId`. */
  readonly id: Scalars['ID']['output'];
  /** ID of the task on the platform (UUID). The task is written there some seconds after the disposition. */
  readonly taskId: Scalars['ID']['output'];
  /** The provider's ID of the call with whose disposition it was scheduled. */
  readonly ucid: Scalars['ID']['output'];
};

/** One change of the worklist. */
export type WorklistChange = {
  readonly __typename?: 'WorklistChange';
  /** The entry with all its current values. */
  readonly entry: WorklistEntry;
  /** The `id` of the entry. */
  readonly id: Scalars['ID']['output'];
  /** Whether the entry existed before the subscription, or changed since. */
  readonly kind: CallEventKind;
};

/** An agent's right to call a person that nobody else may call meanwhile. */
export type WorklistClaim = {
  readonly __typename?: 'WorklistClaim';
  /** ID of the agent's record (UUID). */
  readonly agentId: Scalars['ID']['output'];
  /** Who has the person, to show to others. */
  readonly agentName: Scalars['String']['output'];
  /** When the agent claimed the person, or renewed the claim. */
  readonly claimedAt: Scalars['DateTime']['output'];
  /** The `id` of the entry. */
  readonly id: Scalars['ID']['output'];
  /** The provider's ID of the call that the agent made with it. Null before that. */
  readonly ucid: Maybe<Scalars['ID']['output']>;
  /** When it ends by itself. Null while the agent's call to the person is in progress: the claim holds as long. */
  readonly until: Maybe<Scalars['DateTime']['output']>;
};

/** How an entry of the worklist ended. */
export type WorklistClosing = {
  readonly __typename?: 'WorklistClosing';
  /** ID of the record of the agent who reached the person or closed the entry (UUID). Null if it is not known. */
  readonly agentId: Maybe<Scalars['ID']['output']>;
  /** When it was closed. */
  readonly at: Scalars['DateTime']['output'];
  /** The `id` of the entry. */
  readonly id: Scalars['ID']['output'];
  /** How it ended. Null if its tasks were completed on the platform, or the missed call was answered after all. */
  readonly outcome: Maybe<WorklistOutcome>;
  /** The provider's ID of the call that reached the person. Null if none did. */
  readonly ucid: Maybe<Scalars['ID']['output']>;
};

/** A person to call back. There is one entry per phone number. */
export type WorklistEntry = {
  readonly __typename?: 'WorklistEntry';
  /** Who should call the person back. Null if nobody is named. */
  readonly assignee: Maybe<WorklistAssignee>;
  /** The scheduled callbacks, the first due first, at most 10. Empty if there are only missed calls. */
  readonly callbacks: ReadonlyArray<WorklistCallback>;
  /** Who calls the person back now. Null if nobody does. */
  readonly claim: Maybe<WorklistClaim>;
  /** How it ended. Null while it is open. */
  readonly closed: Maybe<WorklistClosing>;
  /** When to call: as a manager set it, else the first missed call or callback. */
  readonly dueAt: Scalars['DateTime']['output'];
  /** When the person called in vain for the first time. Null if there is no missed call. */
  readonly firstMissedAt: Maybe<Scalars['DateTime']['output']>;
  /** ID of the entry (UUID). The same person gets the same ID again. */
  readonly id: Scalars['ID']['output'];
  /** When the person called in vain for the last time. Null if there is no missed call. */
  readonly lastMissedAt: Maybe<Scalars['DateTime']['output']>;
  /** When the last of them ended. Null if there was none. */
  readonly lastTriedAt: Maybe<Scalars['DateTime']['output']>;
  /** ID of the person's lead (UUID). Null if it is not known. */
  readonly leadId: Maybe<Scalars['ID']['output']>;
  /** How many calls of the person nobody answered, at most 200. */
  readonly missedCount: Scalars['Int']['output'];
  /** The person's number in E.164, or the digits of a number that has no such form. `dial` it: that claims the entry. */
  readonly phoneNumber: Scalars['String']['output'];
  /** Whether somebody may call the person now. */
  readonly status: WorklistStatus;
  /** How many outbound calls did not reach the person since, at most 50. */
  readonly tries: Scalars['Int']['output'];
};

/** A page of worklist entries. */
export type WorklistEntryConnection = {
  readonly __typename?: 'WorklistEntryConnection';
  /** The entries of the page with their cursors. */
  readonly edges: ReadonlyArray<WorklistEntryEdge>;
  /** The entries of the page, the first due first. */
  readonly nodes: ReadonlyArray<WorklistEntry>;
  /** Whether there are further pages. */
  readonly pageInfo: PageInfo;
};

/** One of the worklist entries, and its place among them. */
export type WorklistEntryEdge = {
  readonly __typename?: 'WorklistEntryEdge';
  /** Send it as `after` to get what comes after this entry. */
  readonly cursor: Scalars['ConnectionCursor']['output'];
  /** The entry itself. */
  readonly node: WorklistEntry;
};

/** How an entry of the worklist ended. */
export type WorklistOutcome =
  /** The person could not be reached. */
  | 'GAVE_UP'
  /** The person need not be called any more. */
  | 'NOT_NEEDED'
  /** Somebody talked to the person. */
  | 'REACHED'
  /** The number belongs to somebody else. */
  | 'WRONG_NUMBER';

/** Whether somebody may call a person now. */
export type WorklistStatus =
  /** An agent has the person. */
  | 'CLAIMED'
  /** Nothing is left to do. */
  | 'CLOSED'
  /** Anybody may claim the person. */
  | 'OPEN';



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;



/** Mapping of union types */
export type ResolversUnionTypes<_RefType extends Record<string, unknown>> = {
  RecordingAnalysisState:
    | ( StoredAnalysis )
    | ( RecordingUnderWay )
  ;
};


/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  AgentCallCounts: ResolverTypeWrapper<Omit<AgentCallCounts, 'counts'> & { counts: ResolversTypes['CallCounts'] }>;
  AgentCallsNow: ResolverTypeWrapper<AgentCallsNow>;
  AgentLoginInput: AgentLoginInput;
  AgentLogout: ResolverTypeWrapper<AgentLogout>;
  AgentNotice: ResolverTypeWrapper<AgentNotice>;
  AgentNoticeKind: AgentNoticeKind;
  AgentPresence: ResolverTypeWrapper<Omit<AgentPresence, 'id'>>;
  AgentProfile: ResolverTypeWrapper<AgentProfile>;
  AgentSession: ResolverTypeWrapper<Omit<AgentSession, 'id'>>;
  AgentSessionStart: ResolverTypeWrapper<Omit<AgentSessionStart, 'session'> & { session: ResolversTypes['AgentSession'] }>;
  AgentSignIn: ResolverTypeWrapper<Omit<AgentSignIn, 'session'> & { session?: Maybe<ResolversTypes['AgentSession']> }>;
  AgentState: AgentState;
  AgentStateChoice: AgentStateChoice;
  AgentStateInput: AgentStateInput;
  AgentTimeline: ResolverTypeWrapper<Omit<AgentTimeline, 'id'>>;
  Alert: ResolverTypeWrapper<RaisedAlert>;
  AlertConnection: ResolverTypeWrapper<Omit<AlertConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['AlertEdge']>, nodes: ReadonlyArray<ResolversTypes['Alert']> }>;
  AlertEdge: ResolverTypeWrapper<Omit<AlertEdge, 'node'> & { node: ResolversTypes['Alert'] }>;
  AlertKind: AlertKind;
  AnalyzeRecordingInput: AnalyzeRecordingInput;
  ApplicationRole: ApplicationRole;
  AuditLogActor: ResolverTypeWrapper<Omit<AuditLogActor, 'id'>>;
  AuditLogDetail: ResolverTypeWrapper<AuditLogDetail>;
  AuditLogEntry: ResolverTypeWrapper<Omit<AuditLogEntry, 'actor'> & { actor: ResolversTypes['AuditLogActor'] }>;
  AuditLogEntryConnection: ResolverTypeWrapper<Omit<AuditLogEntryConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['AuditLogEntryEdge']>, nodes: ReadonlyArray<ResolversTypes['AuditLogEntry']> }>;
  AuditLogEntryEdge: ResolverTypeWrapper<Omit<AuditLogEntryEdge, 'node'> & { node: ResolversTypes['AuditLogEntry'] }>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  CallCapability: CallCapability;
  CallControlAction: CallControlAction;
  CallControls: ResolverTypeWrapper<CallControls>;
  CallCounts: ResolverTypeWrapper<Omit<CallCounts, 'id'>>;
  CallDirection: CallDirection;
  CallEnrichment: ResolverTypeWrapper<Enrichment>;
  CallEvent: ResolverTypeWrapper<Omit<Omit<CallEvent, 'call'> & { call: ResolversTypes['LiveCall'] }, 'id'>>;
  CallEventKind: CallEventKind;
  CallLookup: ResolverTypeWrapper<LookedUpCall>;
  CallLookupPart: CallLookupPart;
  CallNotes: ResolverTypeWrapper<CallNotes>;
  CallPhase: CallPhase;
  CallSettings: ResolverTypeWrapper<Omit<CallSettings, 'id'>>;
  CallSummary: ResolverTypeWrapper<PlatformCall>;
  CallTransfer: ResolverTypeWrapper<CallTransfer>;
  CallTransferStatus: CallTransferStatus;
  CallTransferTarget: CallTransferTarget;
  CallsNow: ResolverTypeWrapper<Omit<Omit<CallsNow, 'calls'> & { calls: ReadonlyArray<ResolversTypes['SupervisedCall']> }, 'id'>>;
  CallsToday: ResolverTypeWrapper<Omit<Omit<CallsToday, 'byAgent' | 'byCampaign' | 'byDisposition' | 'byHour' | 'total'> & { byAgent: ReadonlyArray<ResolversTypes['AgentCallCounts']>, byCampaign: ReadonlyArray<ResolversTypes['CampaignCallCounts']>, byDisposition: ReadonlyArray<ResolversTypes['DispositionCallCounts']>, byHour: ReadonlyArray<ResolversTypes['HourCallCounts']>, total: ResolversTypes['CallCounts'] }, 'id'>>;
  CampaignCallCounts: ResolverTypeWrapper<Omit<CampaignCallCounts, 'counts'> & { counts: ResolversTypes['CallCounts'] }>;
  CampaignCallsNow: ResolverTypeWrapper<CampaignCallsNow>;
  ConfigurationAction: ConfigurationAction;
  ConfigurationCheck: ResolverTypeWrapper<Check>;
  ConfigurationDocument: ResolverTypeWrapper<Scalars['ConfigurationDocument']['output']>;
  ConfigurationEditor: ResolverTypeWrapper<Omit<ConfigurationEditor, 'id'>>;
  ConfigurationRevision: ResolverTypeWrapper<Omit<ConfigurationRevision, 'changedBy'> & { changedBy?: Maybe<ResolversTypes['ConfigurationEditor']> }>;
  ConfigurationSection: ConfigurationSection;
  ConfigurationTest: ResolverTypeWrapper<Omit<ConfigurationTest, 'checks'> & { checks: ReadonlyArray<ResolversTypes['ConfigurationCheck']> }>;
  ConnectionCursor: ResolverTypeWrapper<Scalars['ConnectionCursor']['output']>;
  ControlCallInput: ControlCallInput;
  CorrectScorecardInput: CorrectScorecardInput;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  DeactivatedTeamMember: ResolverTypeWrapper<DeactivatedTeamMember>;
  DeadLetter: ResolverTypeWrapper<DeadLetter>;
  DeadLetterConnection: ResolverTypeWrapper<DeadLetterConnection>;
  DeadLetterEdge: ResolverTypeWrapper<DeadLetterEdge>;
  DeadLetterReason: DeadLetterReason;
  DeadLetterReplay: ResolverTypeWrapper<DeadLetterReplay>;
  DialInput: DialInput;
  DialReceipt: ResolverTypeWrapper<Omit<DialReceipt, 'provider'> & { provider: ResolversTypes['TelephonyProvider'] }>;
  DialVia: DialVia;
  DirectoryDoctor: ResolverTypeWrapper<DirectoryDoctor>;
  DirectorySlot: ResolverTypeWrapper<DirectorySlot>;
  DirectorySlotConnection: ResolverTypeWrapper<DirectorySlotConnection>;
  DirectorySlotEdge: ResolverTypeWrapper<DirectorySlotEdge>;
  DirectorySlotState: DirectorySlotState;
  DispositionCallCounts: ResolverTypeWrapper<Omit<DispositionCallCounts, 'counts'> & { counts: ResolversTypes['CallCounts'] }>;
  DispositionCount: ResolverTypeWrapper<DispositionCount>;
  DispositionInput: DispositionInput;
  DispositionOutcome: DispositionOutcome;
  DispositionReceipt: ResolverTypeWrapper<DispositionReceipt>;
  DoctorDirectory: ResolverTypeWrapper<OpenDirectory>;
  DoctorDirectoryFilter: DoctorDirectoryFilter;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  FreeSlots: ResolverTypeWrapper<Omit<FreeSlots, 'id'>>;
  History: ResolverTypeWrapper<History>;
  HistoryCall: ResolverTypeWrapper<ListedCall>;
  HistoryCallConnection: ResolverTypeWrapper<Omit<HistoryCallConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['HistoryCallEdge']>, nodes: ReadonlyArray<ResolversTypes['HistoryCall']> }>;
  HistoryCallEdge: ResolverTypeWrapper<Omit<HistoryCallEdge, 'node'> & { node: ResolversTypes['HistoryCall'] }>;
  HistoryGrouping: HistoryGrouping;
  HistoryRow: ResolverTypeWrapper<HistoryRow>;
  HourCallCounts: ResolverTypeWrapper<Omit<HourCallCounts, 'counts'> & { counts: ResolversTypes['CallCounts'] }>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  LeadInsight: ResolverTypeWrapper<LeadInsight>;
  LeadInsightKey: LeadInsightKey;
  LeadMatch: LeadMatch;
  LeadMatchedBy: LeadMatchedBy;
  LeadSummary: ResolverTypeWrapper<ShownLead>;
  LiveAgentSession: ResolverTypeWrapper<Omit<LiveAgentSession, 'id'>>;
  LiveCall: ResolverTypeWrapper<KnownCall>;
  LiveEvents: ResolverTypeWrapper<Omit<LiveEvents, 'id'>>;
  LiveEventsStatus: LiveEventsStatus;
  LoginTokenInput: LoginTokenInput;
  MissedCall: ResolverTypeWrapper<Omit<MissedCall, 'id' | 'worklistEntryId'>>;
  MissedCallConnection: ResolverTypeWrapper<Omit<MissedCallConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['MissedCallEdge']>, nodes: ReadonlyArray<ResolversTypes['MissedCall']> }>;
  MissedCallEdge: ResolverTypeWrapper<Omit<MissedCallEdge, 'node'> & { node: ResolversTypes['MissedCall'] }>;
  MissedWaiting: ResolverTypeWrapper<Omit<Omit<MissedWaiting, 'calls'> & { calls: ReadonlyArray<ResolversTypes['MissedCall']> }, 'id'>>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  NewTeamMember: NewTeamMember;
  NewWebhookKey: ResolverTypeWrapper<Omit<NewWebhookKey, 'provider'> & { provider: ResolversTypes['TelephonyProvider'] }>;
  NewWidgetKey: NewWidgetKey;
  NextVisit: ResolverTypeWrapper<NextVisit>;
  OpenItem: ResolverTypeWrapper<OpenItem>;
  OpenItemKind: OpenItemKind;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Provisioning: ResolverTypeWrapper<Provisioning>;
  ProvisioningItem: ResolverTypeWrapper<ProvisioningItem>;
  ProvisioningKind: ProvisioningKind;
  ProvisioningState: ProvisioningState;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  ReceivedWebhook: ResolverTypeWrapper<Omit<ReceivedWebhook, 'provider'> & { provider: ResolversTypes['TelephonyProvider'] }>;
  ReceivedWebhookConnection: ResolverTypeWrapper<Omit<ReceivedWebhookConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['ReceivedWebhookEdge']>, nodes: ReadonlyArray<ResolversTypes['ReceivedWebhook']> }>;
  ReceivedWebhookEdge: ResolverTypeWrapper<Omit<ReceivedWebhookEdge, 'node'> & { node: ResolversTypes['ReceivedWebhook'] }>;
  RecordingAnalysis: ResolverTypeWrapper<StoredAnalysis>;
  RecordingAnalysisState: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['RecordingAnalysisState']>;
  RecordingCompliance: ResolverTypeWrapper<RecordingCompliance>;
  RecordingFeeling: ResolverTypeWrapper<RecordingFeeling>;
  RecordingFeelingName: RecordingFeelingName;
  RecordingFeelingSpan: ResolverTypeWrapper<RecordingFeelingSpan>;
  RecordingInsights: ResolverTypeWrapper<RecordingInsights>;
  RecordingMissingPart: ResolverTypeWrapper<RecordingMissingPart>;
  RecordingModels: ResolverTypeWrapper<RecordingModels>;
  RecordingOutcome: ResolverTypeWrapper<RecordingOutcome>;
  RecordingOutcomeCode: RecordingOutcomeCode;
  RecordingPart: RecordingPart;
  RecordingProgress: ResolverTypeWrapper<Omit<RecordingProgress, 'id'>>;
  RecordingRole: RecordingRole;
  RecordingRoleSource: RecordingRoleSource;
  RecordingSatisfaction: ResolverTypeWrapper<RecordingSatisfaction>;
  RecordingSentiment: ResolverTypeWrapper<RecordingSentiment>;
  RecordingSpeaker: ResolverTypeWrapper<RecordingSpeaker>;
  RecordingStage: RecordingStage;
  RecordingState: RecordingState;
  RecordingStatement: ResolverTypeWrapper<RecordingStatement>;
  RecordingStatus: ResolverTypeWrapper<Omit<RecordingStatus, 'id'>>;
  RecordingSummarySource: RecordingSummarySource;
  RecordingTokens: ResolverTypeWrapper<RecordingTokens>;
  RecordingTopic: ResolverTypeWrapper<RecordingTopic>;
  RecordingUnderWay: ResolverTypeWrapper<RecordingUnderWay>;
  RecordingUtterance: ResolverTypeWrapper<RecordingUtterance>;
  RecordingVerdict: RecordingVerdict;
  Scorecard: ResolverTypeWrapper<Omit<Scorecard, 'id'>>;
  ScorecardAgreement: ResolverTypeWrapper<Omit<ScorecardAgreement, 'id'>>;
  ScorecardAgreementCounts: ResolverTypeWrapper<ScorecardAgreementCounts>;
  ScorecardConnection: ResolverTypeWrapper<Omit<ScorecardConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['ScorecardEdge']>, nodes: ReadonlyArray<ResolversTypes['Scorecard']> }>;
  ScorecardCorrection: ResolverTypeWrapper<ScorecardCorrection>;
  ScorecardCriterion: ResolverTypeWrapper<ScorecardCriterion>;
  ScorecardCriterionAgreement: ResolverTypeWrapper<ScorecardCriterionAgreement>;
  ScorecardEdge: ResolverTypeWrapper<Omit<ScorecardEdge, 'node'> & { node: ResolversTypes['Scorecard'] }>;
  ScorecardModelVerdict: ResolverTypeWrapper<ScorecardModelVerdict>;
  ScorecardReviewer: ResolverTypeWrapper<ScorecardReviewer>;
  SectionSchema: ResolverTypeWrapper<Scalars['SectionSchema']['output']>;
  SessionToken: ResolverTypeWrapper<SessionToken>;
  SessionTokens: ResolverTypeWrapper<SessionTokens>;
  SessionTokensAnswer: ResolverTypeWrapper<SessionTokensAnswer>;
  SetupChange: SetupChange;
  SetupState: ResolverTypeWrapper<DetectedSetup>;
  SetupStep: ResolverTypeWrapper<DetectedStep>;
  SetupStepName: SetupStepName;
  SetupSummary: ResolverTypeWrapper<SetupSummary>;
  SignedInUser: ResolverTypeWrapper<SignedInUser>;
  SignedInWorkspace: ResolverTypeWrapper<SignedInWorkspace>;
  SipCredentials: ResolverTypeWrapper<SipCredentials>;
  StartTransferInput: StartTransferInput;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  SuggestedAction: SuggestedAction;
  SupervisedAgent: ResolverTypeWrapper<Omit<SupervisedAgent, 'id'>>;
  SupervisedCall: ResolverTypeWrapper<Omit<SupervisedCall, 'id'>>;
  Supervision: ResolverTypeWrapper<Omit<Omit<Supervision, 'agents' | 'callsNow' | 'freeSlots' | 'missedWaiting' | 'today' | 'unknownCallers'> & { agents: ReadonlyArray<ResolversTypes['SupervisedAgent']>, callsNow: ResolversTypes['CallsNow'], freeSlots: ReadonlyArray<ResolversTypes['FreeSlots']>, missedWaiting: ResolversTypes['MissedWaiting'], today: ResolversTypes['CallsToday'], unknownCallers: ResolversTypes['UnknownCallers'] }, 'id'>>;
  TeamAgent: ResolverTypeWrapper<TeamAgent>;
  TeamAgentInput: TeamAgentInput;
  TeamMember: ResolverTypeWrapper<Omit<TeamMember, 'session'> & { session?: Maybe<ResolversTypes['LiveAgentSession']> }>;
  TeamMemberAnswer: ResolverTypeWrapper<Omit<TeamMemberAnswer, 'member'> & { member: ResolversTypes['TeamMember'] }>;
  TeamMemberChange: TeamMemberChange;
  TeamMemberConnection: ResolverTypeWrapper<Omit<TeamMemberConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['TeamMemberEdge']>, nodes: ReadonlyArray<ResolversTypes['TeamMember']> }>;
  TeamMemberEdge: ResolverTypeWrapper<Omit<TeamMemberEdge, 'node'> & { node: ResolversTypes['TeamMember'] }>;
  TeamRole: TeamRole;
  TelephonyProvider: ResolverTypeWrapper<string>;
  TelephonySignIn: ResolverTypeWrapper<TelephonySignIn>;
  TemporaryPassword: ResolverTypeWrapper<TemporaryPassword>;
  TextForm: TextForm;
  TextRange: ResolverTypeWrapper<TextRange>;
  Theme: ResolverTypeWrapper<Omit<Omit<Theme, 'brand' | 'colors' | 'fonts'> & { brand: ResolversTypes['ThemeBrand'], colors: ResolversTypes['ThemeColors'], fonts: ResolversTypes['ThemeFonts'] }, 'id'>>;
  ThemeBrand: ResolverTypeWrapper<Omit<ThemeBrand, 'id'>>;
  ThemeColors: ResolverTypeWrapper<Omit<ThemeColors, 'id'>>;
  ThemeFonts: ResolverTypeWrapper<Omit<ThemeFonts, 'id'>>;
  TimelineCall: ResolverTypeWrapper<TimelineCall>;
  TimelineState: ResolverTypeWrapper<TimelineState>;
  TranscriptMatch: ResolverTypeWrapper<Omit<TranscriptMatch, 'id'>>;
  TranscriptMatchConnection: ResolverTypeWrapper<Omit<TranscriptMatchConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['TranscriptMatchEdge']>, nodes: ReadonlyArray<ResolversTypes['TranscriptMatch']> }>;
  TranscriptMatchEdge: ResolverTypeWrapper<Omit<TranscriptMatchEdge, 'node'> & { node: ResolversTypes['TranscriptMatch'] }>;
  TranscriptSnippet: ResolverTypeWrapper<TranscriptSnippet>;
  UnknownCallers: ResolverTypeWrapper<Omit<UnknownCallers, 'id'>>;
  Viewer: ResolverTypeWrapper<Omit<Viewer, 'session'> & { session?: Maybe<ResolversTypes['AgentSession']> }>;
  VisitBooking: ResolverTypeWrapper<VisitBooking>;
  WebhookContent: WebhookContent;
  WebhookKey: ResolverTypeWrapper<Omit<Omit<WebhookKey, 'provider'> & { provider: ResolversTypes['TelephonyProvider'] }, 'id'>>;
  WebhookReplay: ResolverTypeWrapper<WebhookReplay>;
  WebhookStatus: ResolverTypeWrapper<Omit<Omit<WebhookStatus, 'provider'> & { provider: ResolversTypes['TelephonyProvider'] }, 'id'>>;
  WebhookVerdict: WebhookVerdict;
  WidgetKey: ResolverTypeWrapper<Omit<WidgetKey, 'id'>>;
  WorklistAssignee: ResolverTypeWrapper<WorklistAssignee>;
  WorklistCallback: ResolverTypeWrapper<WorklistCallback>;
  WorklistChange: ResolverTypeWrapper<Omit<WorklistChange, 'id'>>;
  WorklistClaim: ResolverTypeWrapper<WorklistClaim>;
  WorklistClosing: ResolverTypeWrapper<WorklistClosing>;
  WorklistEntry: ResolverTypeWrapper<WorklistEntry>;
  WorklistEntryConnection: ResolverTypeWrapper<WorklistEntryConnection>;
  WorklistEntryEdge: ResolverTypeWrapper<WorklistEntryEdge>;
  WorklistOutcome: WorklistOutcome;
  WorklistStatus: WorklistStatus;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  AgentCallCounts: Omit<AgentCallCounts, 'counts'> & { counts: ResolversParentTypes['CallCounts'] };
  AgentCallsNow: AgentCallsNow;
  AgentLoginInput: AgentLoginInput;
  AgentLogout: AgentLogout;
  AgentNotice: AgentNotice;
  AgentPresence: Omit<AgentPresence, 'id'>;
  AgentProfile: AgentProfile;
  AgentSession: Omit<AgentSession, 'id'>;
  AgentSessionStart: Omit<AgentSessionStart, 'session'> & { session: ResolversParentTypes['AgentSession'] };
  AgentSignIn: Omit<AgentSignIn, 'session'> & { session?: Maybe<ResolversParentTypes['AgentSession']> };
  AgentStateInput: AgentStateInput;
  AgentTimeline: Omit<AgentTimeline, 'id'>;
  Alert: RaisedAlert;
  AlertConnection: Omit<AlertConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['AlertEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Alert']> };
  AlertEdge: Omit<AlertEdge, 'node'> & { node: ResolversParentTypes['Alert'] };
  AnalyzeRecordingInput: AnalyzeRecordingInput;
  AuditLogActor: Omit<AuditLogActor, 'id'>;
  AuditLogDetail: AuditLogDetail;
  AuditLogEntry: Omit<AuditLogEntry, 'actor'> & { actor: ResolversParentTypes['AuditLogActor'] };
  AuditLogEntryConnection: Omit<AuditLogEntryConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['AuditLogEntryEdge']>, nodes: ReadonlyArray<ResolversParentTypes['AuditLogEntry']> };
  AuditLogEntryEdge: Omit<AuditLogEntryEdge, 'node'> & { node: ResolversParentTypes['AuditLogEntry'] };
  Boolean: Scalars['Boolean']['output'];
  CallControls: CallControls;
  CallCounts: Omit<CallCounts, 'id'>;
  CallEnrichment: Enrichment;
  CallEvent: Omit<Omit<CallEvent, 'call'> & { call: ResolversParentTypes['LiveCall'] }, 'id'>;
  CallLookup: LookedUpCall;
  CallNotes: CallNotes;
  CallSettings: Omit<CallSettings, 'id'>;
  CallSummary: PlatformCall;
  CallTransfer: CallTransfer;
  CallsNow: Omit<Omit<CallsNow, 'calls'> & { calls: ReadonlyArray<ResolversParentTypes['SupervisedCall']> }, 'id'>;
  CallsToday: Omit<Omit<CallsToday, 'byAgent' | 'byCampaign' | 'byDisposition' | 'byHour' | 'total'> & { byAgent: ReadonlyArray<ResolversParentTypes['AgentCallCounts']>, byCampaign: ReadonlyArray<ResolversParentTypes['CampaignCallCounts']>, byDisposition: ReadonlyArray<ResolversParentTypes['DispositionCallCounts']>, byHour: ReadonlyArray<ResolversParentTypes['HourCallCounts']>, total: ResolversParentTypes['CallCounts'] }, 'id'>;
  CampaignCallCounts: Omit<CampaignCallCounts, 'counts'> & { counts: ResolversParentTypes['CallCounts'] };
  CampaignCallsNow: CampaignCallsNow;
  ConfigurationCheck: Check;
  ConfigurationDocument: Scalars['ConfigurationDocument']['output'];
  ConfigurationEditor: Omit<ConfigurationEditor, 'id'>;
  ConfigurationRevision: Omit<ConfigurationRevision, 'changedBy'> & { changedBy?: Maybe<ResolversParentTypes['ConfigurationEditor']> };
  ConfigurationTest: Omit<ConfigurationTest, 'checks'> & { checks: ReadonlyArray<ResolversParentTypes['ConfigurationCheck']> };
  ConnectionCursor: Scalars['ConnectionCursor']['output'];
  ControlCallInput: ControlCallInput;
  CorrectScorecardInput: CorrectScorecardInput;
  DateTime: Scalars['DateTime']['output'];
  DeactivatedTeamMember: DeactivatedTeamMember;
  DeadLetter: DeadLetter;
  DeadLetterConnection: DeadLetterConnection;
  DeadLetterEdge: DeadLetterEdge;
  DeadLetterReplay: DeadLetterReplay;
  DialInput: DialInput;
  DialReceipt: DialReceipt;
  DirectoryDoctor: DirectoryDoctor;
  DirectorySlot: DirectorySlot;
  DirectorySlotConnection: DirectorySlotConnection;
  DirectorySlotEdge: DirectorySlotEdge;
  DispositionCallCounts: Omit<DispositionCallCounts, 'counts'> & { counts: ResolversParentTypes['CallCounts'] };
  DispositionCount: DispositionCount;
  DispositionInput: DispositionInput;
  DispositionReceipt: DispositionReceipt;
  DoctorDirectory: OpenDirectory;
  DoctorDirectoryFilter: DoctorDirectoryFilter;
  Float: Scalars['Float']['output'];
  FreeSlots: Omit<FreeSlots, 'id'>;
  History: History;
  HistoryCall: ListedCall;
  HistoryCallConnection: Omit<HistoryCallConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['HistoryCallEdge']>, nodes: ReadonlyArray<ResolversParentTypes['HistoryCall']> };
  HistoryCallEdge: Omit<HistoryCallEdge, 'node'> & { node: ResolversParentTypes['HistoryCall'] };
  HistoryRow: HistoryRow;
  HourCallCounts: Omit<HourCallCounts, 'counts'> & { counts: ResolversParentTypes['CallCounts'] };
  ID: Scalars['ID']['output'];
  Int: Scalars['Int']['output'];
  LeadInsight: LeadInsight;
  LeadInsightKey: LeadInsightKey;
  LeadSummary: ShownLead;
  LiveAgentSession: Omit<LiveAgentSession, 'id'>;
  LiveCall: KnownCall;
  LiveEvents: Omit<LiveEvents, 'id'>;
  LoginTokenInput: LoginTokenInput;
  MissedCall: Omit<MissedCall, 'id' | 'worklistEntryId'>;
  MissedCallConnection: Omit<MissedCallConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['MissedCallEdge']>, nodes: ReadonlyArray<ResolversParentTypes['MissedCall']> };
  MissedCallEdge: Omit<MissedCallEdge, 'node'> & { node: ResolversParentTypes['MissedCall'] };
  MissedWaiting: Omit<Omit<MissedWaiting, 'calls'> & { calls: ReadonlyArray<ResolversParentTypes['MissedCall']> }, 'id'>;
  Mutation: Record<PropertyKey, never>;
  NewTeamMember: NewTeamMember;
  NewWebhookKey: NewWebhookKey;
  NewWidgetKey: NewWidgetKey;
  NextVisit: NextVisit;
  OpenItem: OpenItem;
  PageInfo: PageInfo;
  Provisioning: Provisioning;
  ProvisioningItem: ProvisioningItem;
  Query: Record<PropertyKey, never>;
  ReceivedWebhook: ReceivedWebhook;
  ReceivedWebhookConnection: Omit<ReceivedWebhookConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['ReceivedWebhookEdge']>, nodes: ReadonlyArray<ResolversParentTypes['ReceivedWebhook']> };
  ReceivedWebhookEdge: Omit<ReceivedWebhookEdge, 'node'> & { node: ResolversParentTypes['ReceivedWebhook'] };
  RecordingAnalysis: StoredAnalysis;
  RecordingAnalysisState: ResolversUnionTypes<ResolversParentTypes>['RecordingAnalysisState'];
  RecordingCompliance: RecordingCompliance;
  RecordingFeeling: RecordingFeeling;
  RecordingFeelingSpan: RecordingFeelingSpan;
  RecordingInsights: RecordingInsights;
  RecordingMissingPart: RecordingMissingPart;
  RecordingModels: RecordingModels;
  RecordingOutcome: RecordingOutcome;
  RecordingProgress: Omit<RecordingProgress, 'id'>;
  RecordingSatisfaction: RecordingSatisfaction;
  RecordingSentiment: RecordingSentiment;
  RecordingSpeaker: RecordingSpeaker;
  RecordingStatement: RecordingStatement;
  RecordingStatus: Omit<RecordingStatus, 'id'>;
  RecordingTokens: RecordingTokens;
  RecordingTopic: RecordingTopic;
  RecordingUnderWay: RecordingUnderWay;
  RecordingUtterance: RecordingUtterance;
  Scorecard: Omit<Scorecard, 'id'>;
  ScorecardAgreement: Omit<ScorecardAgreement, 'id'>;
  ScorecardAgreementCounts: ScorecardAgreementCounts;
  ScorecardConnection: Omit<ScorecardConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['ScorecardEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Scorecard']> };
  ScorecardCorrection: ScorecardCorrection;
  ScorecardCriterion: ScorecardCriterion;
  ScorecardCriterionAgreement: ScorecardCriterionAgreement;
  ScorecardEdge: Omit<ScorecardEdge, 'node'> & { node: ResolversParentTypes['Scorecard'] };
  ScorecardModelVerdict: ScorecardModelVerdict;
  ScorecardReviewer: ScorecardReviewer;
  SectionSchema: Scalars['SectionSchema']['output'];
  SessionToken: SessionToken;
  SessionTokens: SessionTokens;
  SessionTokensAnswer: SessionTokensAnswer;
  SetupChange: SetupChange;
  SetupState: DetectedSetup;
  SetupStep: DetectedStep;
  SetupSummary: SetupSummary;
  SignedInUser: SignedInUser;
  SignedInWorkspace: SignedInWorkspace;
  SipCredentials: SipCredentials;
  StartTransferInput: StartTransferInput;
  String: Scalars['String']['output'];
  Subscription: Record<PropertyKey, never>;
  SupervisedAgent: Omit<SupervisedAgent, 'id'>;
  SupervisedCall: Omit<SupervisedCall, 'id'>;
  Supervision: Omit<Omit<Supervision, 'agents' | 'callsNow' | 'freeSlots' | 'missedWaiting' | 'today' | 'unknownCallers'> & { agents: ReadonlyArray<ResolversParentTypes['SupervisedAgent']>, callsNow: ResolversParentTypes['CallsNow'], freeSlots: ReadonlyArray<ResolversParentTypes['FreeSlots']>, missedWaiting: ResolversParentTypes['MissedWaiting'], today: ResolversParentTypes['CallsToday'], unknownCallers: ResolversParentTypes['UnknownCallers'] }, 'id'>;
  TeamAgent: TeamAgent;
  TeamAgentInput: TeamAgentInput;
  TeamMember: Omit<TeamMember, 'session'> & { session?: Maybe<ResolversParentTypes['LiveAgentSession']> };
  TeamMemberAnswer: Omit<TeamMemberAnswer, 'member'> & { member: ResolversParentTypes['TeamMember'] };
  TeamMemberChange: TeamMemberChange;
  TeamMemberConnection: Omit<TeamMemberConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['TeamMemberEdge']>, nodes: ReadonlyArray<ResolversParentTypes['TeamMember']> };
  TeamMemberEdge: Omit<TeamMemberEdge, 'node'> & { node: ResolversParentTypes['TeamMember'] };
  TelephonySignIn: TelephonySignIn;
  TemporaryPassword: TemporaryPassword;
  TextRange: TextRange;
  Theme: Omit<Omit<Theme, 'brand' | 'colors' | 'fonts'> & { brand: ResolversParentTypes['ThemeBrand'], colors: ResolversParentTypes['ThemeColors'], fonts: ResolversParentTypes['ThemeFonts'] }, 'id'>;
  ThemeBrand: Omit<ThemeBrand, 'id'>;
  ThemeColors: Omit<ThemeColors, 'id'>;
  ThemeFonts: Omit<ThemeFonts, 'id'>;
  TimelineCall: TimelineCall;
  TimelineState: TimelineState;
  TranscriptMatch: Omit<TranscriptMatch, 'id'>;
  TranscriptMatchConnection: Omit<TranscriptMatchConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['TranscriptMatchEdge']>, nodes: ReadonlyArray<ResolversParentTypes['TranscriptMatch']> };
  TranscriptMatchEdge: Omit<TranscriptMatchEdge, 'node'> & { node: ResolversParentTypes['TranscriptMatch'] };
  TranscriptSnippet: TranscriptSnippet;
  UnknownCallers: Omit<UnknownCallers, 'id'>;
  Viewer: Omit<Viewer, 'session'> & { session?: Maybe<ResolversParentTypes['AgentSession']> };
  VisitBooking: VisitBooking;
  WebhookKey: Omit<WebhookKey, 'id'>;
  WebhookReplay: WebhookReplay;
  WebhookStatus: Omit<WebhookStatus, 'id'>;
  WidgetKey: Omit<WidgetKey, 'id'>;
  WorklistAssignee: WorklistAssignee;
  WorklistCallback: WorklistCallback;
  WorklistChange: Omit<WorklistChange, 'id'>;
  WorklistClaim: WorklistClaim;
  WorklistClosing: WorklistClosing;
  WorklistEntry: WorklistEntry;
  WorklistEntryConnection: WorklistEntryConnection;
  WorklistEntryEdge: WorklistEntryEdge;
};

export type AuthDirectiveArgs = {
  confirmed?: Scalars['Boolean']['input'];
  role?: ApplicationRole;
};

export type AuthDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = AuthDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type CostDirectiveArgs = {
  base: Maybe<Scalars['Int']['input']>;
  each?: Scalars['Int']['input'];
  maxDays?: Scalars['Int']['input'];
  perDay: Maybe<Scalars['Int']['input']>;
  rows?: Scalars['Int']['input'];
};

export type CostDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = CostDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type DeferDirectiveArgs = {
  if?: Scalars['Boolean']['input'];
  label: Maybe<Scalars['String']['input']>;
};

export type DeferDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = DeferDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type LimitDirectiveArgs = {
  form?: TextForm;
  maxItems: Maybe<Scalars['Int']['input']>;
  maxLength: Maybe<Scalars['Int']['input']>;
  maximum: Maybe<Scalars['Int']['input']>;
  minItems: Maybe<Scalars['Int']['input']>;
  minLength: Maybe<Scalars['Int']['input']>;
  minimum: Maybe<Scalars['Int']['input']>;
};

export type LimitDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = LimitDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type PublicDirectiveArgs = { };

export type PublicDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = PublicDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type AgentCallCountsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AgentCallCounts'] = ResolversParentTypes['AgentCallCounts']> = {
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  agentName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  counts?: Resolver<ResolversTypes['CallCounts'], ParentType, ContextType>;
};

export type AgentCallsNowResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AgentCallsNow'] = ResolversParentTypes['AgentCallsNow']> = {
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  agentName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  onCall?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  ringing?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type AgentLogoutResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AgentLogout'] = ResolversParentTypes['AgentLogout']> = {
  providerSignedOut?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  released?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type AgentNoticeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AgentNotice'] = ResolversParentTypes['AgentNotice']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['AgentNoticeKind'], ParentType, ContextType>;
  managerId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  managerName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  state?: Resolver<Maybe<ResolversTypes['AgentStateChoice']>, ParentType, ContextType>;
  worklistEntryId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type AgentPresenceResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AgentPresence'] = ResolversParentTypes['AgentPresence']> = {
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  providerAgentId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  since?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['AgentState'], ParentType, ContextType>;
};

export type AgentProfileResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AgentProfile'] = ResolversParentTypes['AgentProfile']> = {
  campaignName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  providerAgentId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AgentSessionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AgentSession'] = ResolversParentTypes['AgentSession']> = {
  agentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  heartbeatIntervalSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  ip?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lockedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type AgentSessionStartResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AgentSessionStart'] = ResolversParentTypes['AgentSessionStart']> = {
  agent?: Resolver<ResolversTypes['AgentProfile'], ParentType, ContextType>;
  session?: Resolver<ResolversTypes['AgentSession'], ParentType, ContextType>;
  sip?: Resolver<Maybe<ResolversTypes['SipCredentials']>, ParentType, ContextType>;
  telephony?: Resolver<ResolversTypes['TelephonySignIn'], ParentType, ContextType>;
};

export type AgentSignInResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AgentSignIn'] = ResolversParentTypes['AgentSignIn']> = {
  agent?: Resolver<Maybe<ResolversTypes['AgentProfile']>, ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  role?: Resolver<Maybe<ResolversTypes['ApplicationRole']>, ParentType, ContextType>;
  session?: Resolver<Maybe<ResolversTypes['AgentSession']>, ParentType, ContextType>;
  setup?: Resolver<ResolversTypes['SetupSummary'], ParentType, ContextType>;
  sip?: Resolver<Maybe<ResolversTypes['SipCredentials']>, ParentType, ContextType>;
  telephony?: Resolver<Maybe<ResolversTypes['TelephonySignIn']>, ParentType, ContextType>;
  tokens?: Resolver<ResolversTypes['SessionTokens'], ParentType, ContextType>;
  user?: Resolver<ResolversTypes['SignedInUser'], ParentType, ContextType>;
  workspace?: Resolver<ResolversTypes['SignedInWorkspace'], ParentType, ContextType>;
};

export type AgentTimelineResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AgentTimeline'] = ResolversParentTypes['AgentTimeline']> = {
  agentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  agentName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  calls?: Resolver<ReadonlyArray<ResolversTypes['TimelineCall']>, ParentType, ContextType>;
  date?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  states?: Resolver<ReadonlyArray<ResolversTypes['TimelineState']>, ParentType, ContextType>;
  timeZone?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type AlertResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Alert'] = ResolversParentTypes['Alert']> = {
  acknowledgedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  acknowledgedBy?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  clearedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['AlertKind'], ParentType, ContextType>;
  raisedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  subjectId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  subjectName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  threshold?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type AlertConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AlertConnection'] = ResolversParentTypes['AlertConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['AlertEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Alert']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type AlertEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AlertEdge'] = ResolversParentTypes['AlertEdge']> = {
  cursor?: Resolver<ResolversTypes['ConnectionCursor'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Alert'], ParentType, ContextType>;
};

export type AuditLogActorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AuditLogActor'] = ResolversParentTypes['AuditLogActor']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  ip?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  memberId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  userId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type AuditLogDetailResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AuditLogDetail'] = ResolversParentTypes['AuditLogDetail']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AuditLogEntryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AuditLogEntry'] = ResolversParentTypes['AuditLogEntry']> = {
  action?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  actor?: Resolver<ResolversTypes['AuditLogActor'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  details?: Resolver<ReadonlyArray<ResolversTypes['AuditLogDetail']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  leadId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  targetId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  targetKind?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  targetName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AuditLogEntryConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AuditLogEntryConnection'] = ResolversParentTypes['AuditLogEntryConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['AuditLogEntryEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['AuditLogEntry']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type AuditLogEntryEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AuditLogEntryEdge'] = ResolversParentTypes['AuditLogEntryEdge']> = {
  cursor?: Resolver<ResolversTypes['ConnectionCursor'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['AuditLogEntry'], ParentType, ContextType>;
};

export type CallControlsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallControls'] = ResolversParentTypes['CallControls']> = {
  held?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  muted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  parties?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  recordingPaused?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type CallCountsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallCounts'] = ResolversParentTypes['CallCounts']> = {
  answered?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  answeredInTime?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  answeredInbound?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  averageHandlingSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  averageTalkSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  averageWrapUpSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  calls?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  missed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  offered?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  serviceLevel?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  unreached?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type CallEnrichmentResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallEnrichment'] = ResolversParentTypes['CallEnrichment']> = {
  available?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  likelyReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  suggestedOpening?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  whoIsThis?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CallEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallEvent'] = ResolversParentTypes['CallEvent']> = {
  call?: Resolver<ResolversTypes['LiveCall'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['CallEventKind'], ParentType, ContextType>;
};

export type CallLookupResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallLookup'] = ResolversParentTypes['CallLookup']> = {
  call?: Resolver<Maybe<ResolversTypes['LiveCall']>, ParentType, ContextType>;
  candidates?: Resolver<ReadonlyArray<ResolversTypes['LeadSummary']>, ParentType, ContextType>;
  dialledNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  draftNotes?: Resolver<Maybe<ResolversTypes['CallNotes']>, ParentType, ContextType>;
  enrichment?: Resolver<ResolversTypes['CallEnrichment'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lastCalls?: Resolver<ReadonlyArray<ResolversTypes['CallSummary']>, ParentType, ContextType>;
  lead?: Resolver<Maybe<ResolversTypes['LeadSummary']>, ParentType, ContextType>;
  match?: Resolver<ResolversTypes['LeadMatch'], ParentType, ContextType>;
  nextVisit?: Resolver<Maybe<ResolversTypes['NextVisit']>, ParentType, ContextType>;
  openItems?: Resolver<ReadonlyArray<ResolversTypes['OpenItem']>, ParentType, ContextType>;
  phoneNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  unavailable?: Resolver<ReadonlyArray<ResolversTypes['CallLookupPart']>, ParentType, ContextType>;
};

export type CallNotesResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallNotes'] = ResolversParentTypes['CallNotes']> = {
  callBackAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  disposition?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  notes?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  savedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  ucid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type CallSettingsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallSettings'] = ResolversParentTypes['CallSettings']> = {
  capabilities?: Resolver<ReadonlyArray<ResolversTypes['CallCapability']>, ParentType, ContextType>;
  dispositions?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  notReadyReasons?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  wrapUpSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type CallSummaryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallSummary'] = ResolversParentTypes['CallSummary']> = {
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  direction?: Resolver<Maybe<ResolversTypes['CallDirection']>, ParentType, ContextType>;
  disposition?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  durationSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  hasRecording?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  notes?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  startedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  ucid?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type CallTransferResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallTransfer'] = ResolversParentTypes['CallTransfer']> = {
  endedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  startedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['CallTransferStatus'], ParentType, ContextType>;
  target?: Resolver<ResolversTypes['CallTransferTarget'], ParentType, ContextType>;
  to?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CallsNowResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallsNow'] = ResolversParentTypes['CallsNow']> = {
  byAgent?: Resolver<ReadonlyArray<ResolversTypes['AgentCallsNow']>, ParentType, ContextType>;
  byCampaign?: Resolver<ReadonlyArray<ResolversTypes['CampaignCallsNow']>, ParentType, ContextType>;
  calls?: Resolver<ReadonlyArray<ResolversTypes['SupervisedCall']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  longestWaitSince?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  onCall?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  ringing?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  waiting?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type CallsTodayResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallsToday'] = ResolversParentTypes['CallsToday']> = {
  byAgent?: Resolver<ReadonlyArray<ResolversTypes['AgentCallCounts']>, ParentType, ContextType>;
  byCampaign?: Resolver<ReadonlyArray<ResolversTypes['CampaignCallCounts']>, ParentType, ContextType>;
  byDisposition?: Resolver<ReadonlyArray<ResolversTypes['DispositionCallCounts']>, ParentType, ContextType>;
  byHour?: Resolver<ReadonlyArray<ResolversTypes['HourCallCounts']>, ParentType, ContextType>;
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  date?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  serviceLevelSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  timeZone?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['CallCounts'], ParentType, ContextType>;
};

export type CampaignCallCountsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CampaignCallCounts'] = ResolversParentTypes['CampaignCallCounts']> = {
  campaignName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  counts?: Resolver<ResolversTypes['CallCounts'], ParentType, ContextType>;
};

export type CampaignCallsNowResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CampaignCallsNow'] = ResolversParentTypes['CampaignCallsNow']> = {
  campaignName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  onCall?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  ringing?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ConfigurationCheckResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ConfigurationCheck'] = ResolversParentTypes['ConfigurationCheck']> = {
  advice?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  found?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ok?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  tried?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  unchecked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export interface ConfigurationDocumentScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['ConfigurationDocument'], any> {
  name: 'ConfigurationDocument';
}

export type ConfigurationEditorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ConfigurationEditor'] = ResolversParentTypes['ConfigurationEditor']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ConfigurationRevisionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ConfigurationRevision'] = ResolversParentTypes['ConfigurationRevision']> = {
  action?: Resolver<ResolversTypes['ConfigurationAction'], ParentType, ContextType>;
  changedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  changedBy?: Resolver<Maybe<ResolversTypes['ConfigurationEditor']>, ParentType, ContextType>;
  fields?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ConfigurationTestResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ConfigurationTest'] = ResolversParentTypes['ConfigurationTest']> = {
  checks?: Resolver<ReadonlyArray<ResolversTypes['ConfigurationCheck']>, ParentType, ContextType>;
  ok?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  section?: Resolver<ResolversTypes['ConfigurationSection'], ParentType, ContextType>;
  testedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export interface ConnectionCursorScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['ConnectionCursor'], any> {
  name: 'ConnectionCursor';
}

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type DeactivatedTeamMemberResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeactivatedTeamMember'] = ResolversParentTypes['DeactivatedTeamMember']> = {
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  sessionEnded?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type DeadLetterResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeadLetter'] = ResolversParentTypes['DeadLetter']> = {
  deadAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  detail?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  eventId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  key?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  leadId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  occurredAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  phoneNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['DeadLetterReason'], ParentType, ContextType>;
  receiver?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  topic?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type DeadLetterConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeadLetterConnection'] = ResolversParentTypes['DeadLetterConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['DeadLetterEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['DeadLetter']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type DeadLetterEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeadLetterEdge'] = ResolversParentTypes['DeadLetterEdge']> = {
  cursor?: Resolver<ResolversTypes['ConnectionCursor'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['DeadLetter'], ParentType, ContextType>;
};

export type DeadLetterReplayResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeadLetterReplay'] = ResolversParentTypes['DeadLetterReplay']> = {
  remaining?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type DialReceiptResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DialReceipt'] = ResolversParentTypes['DialReceipt']> = {
  callId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  phoneNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['TelephonyProvider'], ParentType, ContextType>;
  ucid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type DirectoryDoctorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DirectoryDoctor'] = ResolversParentTypes['DirectoryDoctor']> = {
  active?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  clinic?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  fee?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  languages?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  speciality?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type DirectorySlotResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DirectorySlot'] = ResolversParentTypes['DirectorySlot']> = {
  doctorId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  durationMinutes?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  endsAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  leadId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  localEndsAt?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  localStartsAt?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  startsAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['DirectorySlotState'], ParentType, ContextType>;
  timeZone?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type DirectorySlotConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DirectorySlotConnection'] = ResolversParentTypes['DirectorySlotConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['DirectorySlotEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['DirectorySlot']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type DirectorySlotEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DirectorySlotEdge'] = ResolversParentTypes['DirectorySlotEdge']> = {
  cursor?: Resolver<ResolversTypes['ConnectionCursor'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['DirectorySlot'], ParentType, ContextType>;
};

export type DispositionCallCountsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DispositionCallCounts'] = ResolversParentTypes['DispositionCallCounts']> = {
  counts?: Resolver<ResolversTypes['CallCounts'], ParentType, ContextType>;
  disposition?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type DispositionCountResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DispositionCount'] = ResolversParentTypes['DispositionCount']> = {
  calls?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  disposition?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type DispositionReceiptResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DispositionReceipt'] = ResolversParentTypes['DispositionReceipt']> = {
  disposition?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  eventId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  outcome?: Resolver<ResolversTypes['DispositionOutcome'], ParentType, ContextType>;
  supersedes?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  ucid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type DoctorDirectoryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DoctorDirectory'] = ResolversParentTypes['DoctorDirectory']> = {
  doctors?: Resolver<ReadonlyArray<ResolversTypes['DirectoryDoctor']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  slots?: Resolver<ResolversTypes['DirectorySlotConnection'], ParentType, ContextType, RequireFields<DoctorDirectorySlotsArgs, 'first'>>;
  timeZone?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type FreeSlotsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FreeSlots'] = ResolversParentTypes['FreeSlots']> = {
  doctorId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  doctorName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  nextStartsAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  speciality?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  today?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type HistoryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['History'] = ResolversParentTypes['History']> = {
  from?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  incompleteDays?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  rows?: Resolver<ReadonlyArray<ResolversTypes['HistoryRow']>, ParentType, ContextType>;
  serviceLevelSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  timeZone?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type HistoryCallResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['HistoryCall'] = ResolversParentTypes['HistoryCall']> = {
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  agentName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  answeredAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  automaticDisposition?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  campaignName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  did?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  direction?: Resolver<Maybe<ResolversTypes['CallDirection']>, ParentType, ContextType>;
  disposition?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  durationSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  hasRecording?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  leadId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  notes?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  phoneNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  startedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  ucid?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type HistoryCallConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['HistoryCallConnection'] = ResolversParentTypes['HistoryCallConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['HistoryCallEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['HistoryCall']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type HistoryCallEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['HistoryCallEdge'] = ResolversParentTypes['HistoryCallEdge']> = {
  cursor?: Resolver<ResolversTypes['ConnectionCursor'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['HistoryCall'], ParentType, ContextType>;
};

export type HistoryRowResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['HistoryRow'] = ResolversParentTypes['HistoryRow']> = {
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  agentName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  answerRate?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  answered?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  answeredInTime?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  answeredInbound?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  averageHandlingSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  averageReturnSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  averageTalkSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  averageWaitSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  averageWrapUpSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  calls?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  campaignName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  date?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  dispositions?: Resolver<ReadonlyArray<ResolversTypes['DispositionCount']>, ParentType, ContextType>;
  handlingSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  hour?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  missed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  offered?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  returned?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  serviceLevel?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  talkSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  timed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  unreached?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  withoutOutcome?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  wrapUpSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  wrapUps?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type HourCallCountsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['HourCallCounts'] = ResolversParentTypes['HourCallCounts']> = {
  counts?: Resolver<ResolversTypes['CallCounts'], ParentType, ContextType>;
  hour?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type LeadInsightResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LeadInsight'] = ResolversParentTypes['LeadInsight']> = {
  callBackAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  eventId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  model?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  suggestedAction?: Resolver<Maybe<ResolversTypes['SuggestedAction']>, ParentType, ContextType>;
  summary?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  writtenAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type LeadSummaryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LeadSummary'] = ResolversParentTypes['LeadSummary']> = {
  email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  insight?: Resolver<Maybe<ResolversTypes['LeadInsight']>, ParentType, ContextType>;
  matchedBy?: Resolver<Maybe<ResolversTypes['LeadMatchedBy']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  phoneNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  source?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type LiveAgentSessionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LiveAgentSession'] = ResolversParentTypes['LiveAgentSession']> = {
  agentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  agentName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  ip?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lastHeartbeatAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lockedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type LiveCallResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LiveCall'] = ResolversParentTypes['LiveCall']> = {
  actions?: Resolver<ReadonlyArray<ResolversTypes['CallControlAction']>, ParentType, ContextType>;
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  answeredAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  campaignName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  controls?: Resolver<ResolversTypes['CallControls'], ParentType, ContextType>;
  dialledNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  did?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  direction?: Resolver<ResolversTypes['CallDirection'], ParentType, ContextType>;
  disposition?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  leadId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  phase?: Resolver<ResolversTypes['CallPhase'], ParentType, ContextType>;
  phoneNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  provider?: Resolver<Maybe<ResolversTypes['TelephonyProvider']>, ParentType, ContextType>;
  providerAgentId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  startedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  talkSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  transfer?: Resolver<Maybe<ResolversTypes['CallTransfer']>, ParentType, ContextType>;
  ucid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type LiveEventsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LiveEvents'] = ResolversParentTypes['LiveEvents']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lastEventAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  nextTryAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  problem?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['LiveEventsStatus'], ParentType, ContextType>;
  subscribedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type MissedCallResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MissedCall'] = ResolversParentTypes['MissedCall']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  calledBackAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  calledBackUcid?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  campaignName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  dialledNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  did?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  doneAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  leadId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  phoneNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  ucid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  worklistEntryId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type MissedCallConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MissedCallConnection'] = ResolversParentTypes['MissedCallConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['MissedCallEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['MissedCall']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type MissedCallEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MissedCallEdge'] = ResolversParentTypes['MissedCallEdge']> = {
  cursor?: Resolver<ResolversTypes['ConnectionCursor'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['MissedCall'], ParentType, ContextType>;
};

export type MissedWaitingResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MissedWaiting'] = ResolversParentTypes['MissedWaiting']> = {
  calls?: Resolver<ReadonlyArray<ResolversTypes['MissedCall']>, ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  oldestAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type MutationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  acknowledgeAlert?: Resolver<ResolversTypes['Alert'], ParentType, ContextType, RequireFields<MutationAcknowledgeAlertArgs, 'id'>>;
  agentLogin?: Resolver<ResolversTypes['AgentSignIn'], ParentType, ContextType, RequireFields<MutationAgentLoginArgs, 'input'>>;
  agentLogout?: Resolver<ResolversTypes['AgentLogout'], ParentType, ContextType, Partial<MutationAgentLogoutArgs>>;
  analyzeRecording?: Resolver<ResolversTypes['RecordingAnalysisState'], ParentType, ContextType, RequireFields<MutationAnalyzeRecordingArgs, 'input'>>;
  assignWorklistEntry?: Resolver<ResolversTypes['WorklistEntry'], ParentType, ContextType, RequireFields<MutationAssignWorklistEntryArgs, 'endClaim' | 'id'>>;
  bookVisit?: Resolver<ResolversTypes['VisitBooking'], ParentType, ContextType, RequireFields<MutationBookVisitArgs, 'leadId' | 'slotId'>>;
  cancelTransfer?: Resolver<ResolversTypes['LiveCall'], ParentType, ContextType, RequireFields<MutationCancelTransferArgs, 'ucid'>>;
  changeAgentState?: Resolver<ResolversTypes['AgentPresence'], ParentType, ContextType, RequireFields<MutationChangeAgentStateArgs, 'agentId' | 'input'>>;
  claimWorklistEntry?: Resolver<ResolversTypes['WorklistEntry'], ParentType, ContextType, RequireFields<MutationClaimWorklistEntryArgs, 'id'>>;
  completeTransfer?: Resolver<ResolversTypes['LiveCall'], ParentType, ContextType, RequireFields<MutationCompleteTransferArgs, 'ucid'>>;
  confirmAgentNotices?: Resolver<ReadonlyArray<ResolversTypes['AgentNotice']>, ParentType, ContextType, RequireFields<MutationConfirmAgentNoticesArgs, 'ids'>>;
  controlCall?: Resolver<ResolversTypes['LiveCall'], ParentType, ContextType, RequireFields<MutationControlCallArgs, 'input'>>;
  correctScorecard?: Resolver<ResolversTypes['Scorecard'], ParentType, ContextType, RequireFields<MutationCorrectScorecardArgs, 'input'>>;
  createTeamMember?: Resolver<ResolversTypes['TeamMemberAnswer'], ParentType, ContextType, RequireFields<MutationCreateTeamMemberArgs, 'input'>>;
  createWidgetKey?: Resolver<ResolversTypes['WidgetKey'], ParentType, ContextType, RequireFields<MutationCreateWidgetKeyArgs, 'input'>>;
  deactivateTeamMember?: Resolver<ResolversTypes['DeactivatedTeamMember'], ParentType, ContextType, RequireFields<MutationDeactivateTeamMemberArgs, 'id'>>;
  deleteWidgetKey?: Resolver<ResolversTypes['WidgetKey'], ParentType, ContextType, RequireFields<MutationDeleteWidgetKeyArgs, 'key'>>;
  dial?: Resolver<ResolversTypes['DialReceipt'], ParentType, ContextType, RequireFields<MutationDialArgs, 'input'>>;
  exchangeLoginToken?: Resolver<ResolversTypes['SessionTokensAnswer'], ParentType, ContextType, RequireFields<MutationExchangeLoginTokenArgs, 'input'>>;
  finishWorklistEntry?: Resolver<ResolversTypes['WorklistEntry'], ParentType, ContextType, RequireFields<MutationFinishWorklistEntryArgs, 'id' | 'outcome'>>;
  giveBackWorklistEntry?: Resolver<ResolversTypes['WorklistEntry'], ParentType, ContextType, RequireFields<MutationGiveBackWorklistEntryArgs, 'id'>>;
  heartbeat?: Resolver<ResolversTypes['AgentSession'], ParentType, ContextType, Partial<MutationHeartbeatArgs>>;
  provision?: Resolver<ResolversTypes['Provisioning'], ParentType, ContextType, RequireFields<MutationProvisionArgs, 'apply'>>;
  refreshTokens?: Resolver<ResolversTypes['SessionTokensAnswer'], ParentType, ContextType, RequireFields<MutationRefreshTokensArgs, 'refreshToken'>>;
  releaseAgentSession?: Resolver<ResolversTypes['AgentLogout'], ParentType, ContextType, RequireFields<MutationReleaseAgentSessionArgs, 'agentId' | 'reason'>>;
  replayDeadLetter?: Resolver<ResolversTypes['DeadLetterReplay'], ParentType, ContextType, RequireFields<MutationReplayDeadLetterArgs, 'id'>>;
  replayDeadLetters?: Resolver<ResolversTypes['DeadLetterReplay'], ParentType, ContextType>;
  replayWebhook?: Resolver<ResolversTypes['WebhookReplay'], ParentType, ContextType, RequireFields<MutationReplayWebhookArgs, 'id'>>;
  replayWebhooks?: Resolver<ResolversTypes['WebhookReplay'], ParentType, ContextType>;
  resetConfiguration?: Resolver<ResolversTypes['ConfigurationDocument'], ParentType, ContextType, RequireFields<MutationResetConfigurationArgs, 'section'>>;
  restoreConfiguration?: Resolver<ResolversTypes['ConfigurationDocument'], ParentType, ContextType, RequireFields<MutationRestoreConfigurationArgs, 'section' | 'version'>>;
  rotateWebhookKey?: Resolver<ResolversTypes['NewWebhookKey'], ParentType, ContextType, RequireFields<MutationRotateWebhookKeyArgs, 'provider'>>;
  rotateWidgetKey?: Resolver<ResolversTypes['WidgetKey'], ParentType, ContextType, RequireFields<MutationRotateWidgetKeyArgs, 'key'>>;
  saveCallNotes?: Resolver<ResolversTypes['CallNotes'], ParentType, ContextType, RequireFields<MutationSaveCallNotesArgs, 'notes' | 'ucid'>>;
  saveConfiguration?: Resolver<ResolversTypes['ConfigurationDocument'], ParentType, ContextType, RequireFields<MutationSaveConfigurationArgs, 'document' | 'section'>>;
  scheduleWorklistEntry?: Resolver<ResolversTypes['WorklistEntry'], ParentType, ContextType, RequireFields<MutationScheduleWorklistEntryArgs, 'dueAt' | 'id'>>;
  setAgentState?: Resolver<ResolversTypes['AgentPresence'], ParentType, ContextType, RequireFields<MutationSetAgentStateArgs, 'input'>>;
  setupState?: Resolver<ResolversTypes['SetupState'], ParentType, ContextType, RequireFields<MutationSetupStateArgs, 'change'>>;
  setupStep?: Resolver<ResolversTypes['SetupState'], ParentType, ContextType, RequireFields<MutationSetupStepArgs, 'complete' | 'step'>>;
  startAgentSession?: Resolver<ResolversTypes['AgentSessionStart'], ParentType, ContextType, RequireFields<MutationStartAgentSessionArgs, 'takeOver'>>;
  startTransfer?: Resolver<ResolversTypes['LiveCall'], ParentType, ContextType, RequireFields<MutationStartTransferArgs, 'input'>>;
  submitDisposition?: Resolver<ResolversTypes['DispositionReceipt'], ParentType, ContextType, RequireFields<MutationSubmitDispositionArgs, 'input'>>;
  testConfiguration?: Resolver<ResolversTypes['ConfigurationTest'], ParentType, ContextType, RequireFields<MutationTestConfigurationArgs, 'section'>>;
  updateTeamMember?: Resolver<ResolversTypes['TeamMemberAnswer'], ParentType, ContextType, RequireFields<MutationUpdateTeamMemberArgs, 'change' | 'id'>>;
};

export type NewWebhookKeyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['NewWebhookKey'] = ResolversParentTypes['NewWebhookKey']> = {
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  formerValidUntil?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['TelephonyProvider'], ParentType, ContextType>;
};

export type NextVisitResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['NextVisit'] = ResolversParentTypes['NextVisit']> = {
  doctorId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  endsAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  localStartsAt?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  slotId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  startsAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type OpenItemResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OpenItem'] = ResolversParentTypes['OpenItem']> = {
  dueAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['OpenItemKind'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['ConnectionCursor']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['ConnectionCursor']>, ParentType, ContextType>;
};

export type ProvisioningResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Provisioning'] = ResolversParentTypes['Provisioning']> = {
  applied?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  items?: Resolver<ReadonlyArray<ResolversTypes['ProvisioningItem']>, ParentType, ContextType>;
};

export type ProvisioningItemResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProvisioningItem'] = ResolversParentTypes['ProvisioningItem']> = {
  detail?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['ProvisioningKind'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['ProvisioningState'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  agentNotices?: Resolver<ReadonlyArray<ResolversTypes['AgentNotice']>, ParentType, ContextType>;
  agentSessions?: Resolver<ReadonlyArray<ResolversTypes['LiveAgentSession']>, ParentType, ContextType>;
  agentTimeline?: Resolver<ResolversTypes['AgentTimeline'], ParentType, ContextType, RequireFields<QueryAgentTimelineArgs, 'agentId' | 'date'>>;
  alerts?: Resolver<ResolversTypes['AlertConnection'], ParentType, ContextType, RequireFields<QueryAlertsArgs, 'activeOnly' | 'first'>>;
  auditLog?: Resolver<ResolversTypes['AuditLogEntryConnection'], ParentType, ContextType, RequireFields<QueryAuditLogArgs, 'first'>>;
  callLookup?: Resolver<ResolversTypes['CallLookup'], ParentType, ContextType, Partial<QueryCallLookupArgs>>;
  callSettings?: Resolver<ResolversTypes['CallSettings'], ParentType, ContextType>;
  configuration?: Resolver<ResolversTypes['ConfigurationDocument'], ParentType, ContextType, RequireFields<QueryConfigurationArgs, 'section'>>;
  configurationHistory?: Resolver<ReadonlyArray<ResolversTypes['ConfigurationRevision']>, ParentType, ContextType, RequireFields<QueryConfigurationHistoryArgs, 'section'>>;
  configurationSchema?: Resolver<ResolversTypes['SectionSchema'], ParentType, ContextType, RequireFields<QueryConfigurationSchemaArgs, 'section'>>;
  configurationVersion?: Resolver<ResolversTypes['ConfigurationDocument'], ParentType, ContextType, RequireFields<QueryConfigurationVersionArgs, 'section' | 'version'>>;
  currentCall?: Resolver<Maybe<ResolversTypes['CallLookup']>, ParentType, ContextType>;
  deadLetters?: Resolver<ResolversTypes['DeadLetterConnection'], ParentType, ContextType, RequireFields<QueryDeadLettersArgs, 'first'>>;
  doctorDirectory?: Resolver<ResolversTypes['DoctorDirectory'], ParentType, ContextType, Partial<QueryDoctorDirectoryArgs>>;
  history?: Resolver<ResolversTypes['History'], ParentType, ContextType, RequireFields<QueryHistoryArgs, 'from' | 'groupBy' | 'to'>>;
  historyCalls?: Resolver<ResolversTypes['HistoryCallConnection'], ParentType, ContextType, RequireFields<QueryHistoryCallsArgs, 'first' | 'from' | 'to'>>;
  leadInsights?: Resolver<ReadonlyArray<Maybe<ResolversTypes['LeadInsight']>>, ParentType, ContextType, RequireFields<QueryLeadInsightsArgs, 'leads'>>;
  leadSummaries?: Resolver<ReadonlyArray<ResolversTypes['LeadSummary']>, ParentType, ContextType, RequireFields<QueryLeadSummariesArgs, 'ids'>>;
  liveEvents?: Resolver<ResolversTypes['LiveEvents'], ParentType, ContextType>;
  me?: Resolver<ResolversTypes['Viewer'], ParentType, ContextType>;
  missedCalls?: Resolver<ResolversTypes['MissedCallConnection'], ParentType, ContextType, RequireFields<QueryMissedCallsArgs, 'first' | 'waitingOnly'>>;
  recordingAnalyses?: Resolver<ReadonlyArray<Maybe<ResolversTypes['RecordingAnalysis']>>, ParentType, ContextType, RequireFields<QueryRecordingAnalysesArgs, 'callIds'>>;
  recordingAnalysis?: Resolver<ResolversTypes['RecordingAnalysisState'], ParentType, ContextType, RequireFields<QueryRecordingAnalysisArgs, 'callId'>>;
  recordingStatus?: Resolver<ResolversTypes['RecordingStatus'], ParentType, ContextType, RequireFields<QueryRecordingStatusArgs, 'callId'>>;
  recordingStatuses?: Resolver<ReadonlyArray<Maybe<ResolversTypes['RecordingStatus']>>, ParentType, ContextType, RequireFields<QueryRecordingStatusesArgs, 'callIds'>>;
  scorecard?: Resolver<ResolversTypes['Scorecard'], ParentType, ContextType, RequireFields<QueryScorecardArgs, 'callId'>>;
  scorecardAgreement?: Resolver<ResolversTypes['ScorecardAgreement'], ParentType, ContextType, Partial<QueryScorecardAgreementArgs>>;
  scorecards?: Resolver<ResolversTypes['ScorecardConnection'], ParentType, ContextType, RequireFields<QueryScorecardsArgs, 'correctedOnly' | 'first'>>;
  searchTranscripts?: Resolver<ResolversTypes['TranscriptMatchConnection'], ParentType, ContextType, RequireFields<QuerySearchTranscriptsArgs, 'first'>>;
  setupState?: Resolver<ResolversTypes['SetupState'], ParentType, ContextType>;
  supervision?: Resolver<ResolversTypes['Supervision'], ParentType, ContextType>;
  teamMembers?: Resolver<ResolversTypes['TeamMemberConnection'], ParentType, ContextType, RequireFields<QueryTeamMembersArgs, 'first'>>;
  temporaryPassword?: Resolver<ResolversTypes['TemporaryPassword'], ParentType, ContextType, RequireFields<QueryTemporaryPasswordArgs, 'memberId'>>;
  theme?: Resolver<ResolversTypes['Theme'], ParentType, ContextType>;
  webhookKeys?: Resolver<ReadonlyArray<ResolversTypes['WebhookKey']>, ParentType, ContextType>;
  webhookLog?: Resolver<ResolversTypes['ReceivedWebhookConnection'], ParentType, ContextType, RequireFields<QueryWebhookLogArgs, 'first'>>;
  webhookStatus?: Resolver<ReadonlyArray<ResolversTypes['WebhookStatus']>, ParentType, ContextType>;
  widgetKeys?: Resolver<ReadonlyArray<ResolversTypes['WidgetKey']>, ParentType, ContextType>;
  worklist?: Resolver<ResolversTypes['WorklistEntryConnection'], ParentType, ContextType, RequireFields<QueryWorklistArgs, 'first' | 'includeLater'>>;
};

export type ReceivedWebhookResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReceivedWebhook'] = ResolversParentTypes['ReceivedWebhook']> = {
  about?: Resolver<Maybe<ResolversTypes['WebhookContent']>, ParentType, ContextType>;
  canReplay?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  detail?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  durationMs?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['TelephonyProvider'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  receivedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  replayOf?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  replayedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  ucid?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  verdict?: Resolver<ResolversTypes['WebhookVerdict'], ParentType, ContextType>;
};

export type ReceivedWebhookConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReceivedWebhookConnection'] = ResolversParentTypes['ReceivedWebhookConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['ReceivedWebhookEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['ReceivedWebhook']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ReceivedWebhookEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReceivedWebhookEdge'] = ResolversParentTypes['ReceivedWebhookEdge']> = {
  cursor?: Resolver<ResolversTypes['ConnectionCursor'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['ReceivedWebhook'], ParentType, ContextType>;
};

export type RecordingAnalysisResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingAnalysis'] = ResolversParentTypes['RecordingAnalysis']> = {
  analyzedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  callId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  duration?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  insights?: Resolver<Maybe<ResolversTypes['RecordingInsights']>, ParentType, ContextType>;
  language?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  longestSilenceSeconds?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  missing?: Resolver<ReadonlyArray<ResolversTypes['RecordingMissingPart']>, ParentType, ContextType>;
  model?: Resolver<ResolversTypes['RecordingModels'], ParentType, ContextType>;
  sentiment?: Resolver<Maybe<ResolversTypes['RecordingSentiment']>, ParentType, ContextType>;
  silenceSeconds?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  sourceHash?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  speakers?: Resolver<ReadonlyArray<ResolversTypes['RecordingSpeaker']>, ParentType, ContextType>;
  summary?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  summaryFrom?: Resolver<Maybe<ResolversTypes['RecordingSummarySource']>, ParentType, ContextType>;
  tokens?: Resolver<ResolversTypes['RecordingTokens'], ParentType, ContextType>;
  topics?: Resolver<ReadonlyArray<ResolversTypes['RecordingTopic']>, ParentType, ContextType>;
  utterances?: Resolver<ReadonlyArray<ResolversTypes['RecordingUtterance']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RecordingAnalysisStateResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingAnalysisState'] = ResolversParentTypes['RecordingAnalysisState']> = {
  __resolveType?: TypeResolveFn<'RecordingAnalysis' | 'RecordingUnderWay', ParentType, ContextType>;
};

export type RecordingComplianceResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingCompliance'] = ResolversParentTypes['RecordingCompliance']> = {
  evidence?: Resolver<ReadonlyArray<ResolversTypes['ID']>, ParentType, ContextType>;
  key?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  rule?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  verdict?: Resolver<ResolversTypes['RecordingVerdict'], ParentType, ContextType>;
};

export type RecordingFeelingResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingFeeling'] = ResolversParentTypes['RecordingFeeling']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  score?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  sentiment?: Resolver<ResolversTypes['RecordingFeelingName'], ParentType, ContextType>;
};

export type RecordingFeelingSpanResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingFeelingSpan'] = ResolversParentTypes['RecordingFeelingSpan']> = {
  end?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  score?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  sentiment?: Resolver<ResolversTypes['RecordingFeelingName'], ParentType, ContextType>;
  start?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type RecordingInsightsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingInsights'] = ResolversParentTypes['RecordingInsights']> = {
  compliance?: Resolver<ReadonlyArray<ResolversTypes['RecordingCompliance']>, ParentType, ContextType>;
  dropped?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  outcome?: Resolver<Maybe<ResolversTypes['RecordingOutcome']>, ParentType, ContextType>;
  satisfaction?: Resolver<Maybe<ResolversTypes['RecordingSatisfaction']>, ParentType, ContextType>;
  toImprove?: Resolver<ReadonlyArray<ResolversTypes['RecordingStatement']>, ParentType, ContextType>;
  wentWell?: Resolver<ReadonlyArray<ResolversTypes['RecordingStatement']>, ParentType, ContextType>;
};

export type RecordingMissingPartResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingMissingPart'] = ResolversParentTypes['RecordingMissingPart']> = {
  part?: Resolver<ResolversTypes['RecordingPart'], ParentType, ContextType>;
  why?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RecordingModelsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingModels'] = ResolversParentTypes['RecordingModels']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  language?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  speech?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RecordingOutcomeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingOutcome'] = ResolversParentTypes['RecordingOutcome']> = {
  code?: Resolver<ResolversTypes['RecordingOutcomeCode'], ParentType, ContextType>;
  evidence?: Resolver<ReadonlyArray<ResolversTypes['ID']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RecordingProgressResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingProgress'] = ResolversParentTypes['RecordingProgress']> = {
  callId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  detail?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  stage?: Resolver<ResolversTypes['RecordingStage'], ParentType, ContextType>;
};

export type RecordingSatisfactionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingSatisfaction'] = ResolversParentTypes['RecordingSatisfaction']> = {
  evidence?: Resolver<ReadonlyArray<ResolversTypes['ID']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  score?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type RecordingSentimentResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingSentiment'] = ResolversParentTypes['RecordingSentiment']> = {
  average?: Resolver<ResolversTypes['RecordingFeeling'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  timeline?: Resolver<ReadonlyArray<ResolversTypes['RecordingFeelingSpan']>, ParentType, ContextType>;
};

export type RecordingSpeakerResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingSpeaker'] = ResolversParentTypes['RecordingSpeaker']> = {
  evidence?: Resolver<ReadonlyArray<ResolversTypes['ID']>, ParentType, ContextType>;
  interruptions?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  longestMonologueSeconds?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  namedBy?: Resolver<Maybe<ResolversTypes['RecordingRoleSource']>, ParentType, ContextType>;
  role?: Resolver<ResolversTypes['RecordingRole'], ParentType, ContextType>;
  speaker?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  talkSeconds?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  talkShare?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type RecordingStatementResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingStatement'] = ResolversParentTypes['RecordingStatement']> = {
  evidence?: Resolver<ReadonlyArray<ResolversTypes['ID']>, ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RecordingStatusResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingStatus'] = ResolversParentTypes['RecordingStatus']> = {
  callId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  retryAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  state?: Resolver<ResolversTypes['RecordingState'], ParentType, ContextType>;
  tries?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type RecordingTokensResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingTokens'] = ResolversParentTypes['RecordingTokens']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  input?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  output?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type RecordingTopicResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingTopic'] = ResolversParentTypes['RecordingTopic']> = {
  confidence?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  topic?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RecordingUnderWayResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingUnderWay'] = ResolversParentTypes['RecordingUnderWay']> = {
  callId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lookAt?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  retryAfterSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  stage?: Resolver<ResolversTypes['RecordingStage'], ParentType, ContextType>;
  startedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RecordingUtteranceResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingUtterance'] = ResolversParentTypes['RecordingUtterance']> = {
  end?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['RecordingRole'], ParentType, ContextType>;
  speaker?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  start?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ScorecardResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Scorecard'] = ResolversParentTypes['Scorecard']> = {
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  analyzedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  callId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  criteria?: Resolver<ReadonlyArray<ResolversTypes['ScorecardCriterion']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  modelScore?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  score?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ScorecardAgreementResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ScorecardAgreement'] = ResolversParentTypes['ScorecardAgreement']> = {
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  criteria?: Resolver<ReadonlyArray<ResolversTypes['ScorecardCriterionAgreement']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  scorecards?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['ScorecardAgreementCounts'], ParentType, ContextType>;
};

export type ScorecardAgreementCountsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ScorecardAgreementCounts'] = ResolversParentTypes['ScorecardAgreementCounts']> = {
  agreed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  agreement?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  falseAlarms?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  overlooked?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  reviewed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  withoutModel?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ScorecardConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ScorecardConnection'] = ResolversParentTypes['ScorecardConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['ScorecardEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Scorecard']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ScorecardCorrectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ScorecardCorrection'] = ResolversParentTypes['ScorecardCorrection']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  by?: Resolver<ResolversTypes['ScorecardReviewer'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  verdict?: Resolver<ResolversTypes['RecordingVerdict'], ParentType, ContextType>;
};

export type ScorecardCriterionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ScorecardCriterion'] = ResolversParentTypes['ScorecardCriterion']> = {
  correction?: Resolver<Maybe<ResolversTypes['ScorecardCorrection']>, ParentType, ContextType>;
  key?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  model?: Resolver<Maybe<ResolversTypes['ScorecardModelVerdict']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  question?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  verdict?: Resolver<Maybe<ResolversTypes['RecordingVerdict']>, ParentType, ContextType>;
  weight?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ScorecardCriterionAgreementResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ScorecardCriterionAgreement'] = ResolversParentTypes['ScorecardCriterionAgreement']> = {
  counts?: Resolver<ResolversTypes['ScorecardAgreementCounts'], ParentType, ContextType>;
  key?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ScorecardEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ScorecardEdge'] = ResolversParentTypes['ScorecardEdge']> = {
  cursor?: Resolver<ResolversTypes['ConnectionCursor'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Scorecard'], ParentType, ContextType>;
};

export type ScorecardModelVerdictResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ScorecardModelVerdict'] = ResolversParentTypes['ScorecardModelVerdict']> = {
  evidence?: Resolver<ReadonlyArray<ResolversTypes['ID']>, ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  verdict?: Resolver<ResolversTypes['RecordingVerdict'], ParentType, ContextType>;
};

export type ScorecardReviewerResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ScorecardReviewer'] = ResolversParentTypes['ScorecardReviewer']> = {
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  userId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export interface SectionSchemaScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['SectionSchema'], any> {
  name: 'SectionSchema';
}

export type SessionTokenResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SessionToken'] = ResolversParentTypes['SessionToken']> = {
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  token?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type SessionTokensResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SessionTokens'] = ResolversParentTypes['SessionTokens']> = {
  accessToken?: Resolver<ResolversTypes['SessionToken'], ParentType, ContextType>;
  refreshToken?: Resolver<ResolversTypes['SessionToken'], ParentType, ContextType>;
};

export type SessionTokensAnswerResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SessionTokensAnswer'] = ResolversParentTypes['SessionTokensAnswer']> = {
  tokens?: Resolver<ResolversTypes['SessionTokens'], ParentType, ContextType>;
};

export type SetupStateResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SetupState'] = ResolversParentTypes['SetupState']> = {
  dismissed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  steps?: Resolver<ReadonlyArray<ResolversTypes['SetupStep']>, ParentType, ContextType>;
  wizardRequired?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type SetupStepResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SetupStep'] = ResolversParentTypes['SetupStep']> = {
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  completedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  completedBy?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  detected?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  found?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  step?: Resolver<ResolversTypes['SetupStepName'], ParentType, ContextType>;
};

export type SetupSummaryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SetupSummary'] = ResolversParentTypes['SetupSummary']> = {
  wizardRequired?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type SignedInUserResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SignedInUser'] = ResolversParentTypes['SignedInUser']> = {
  email?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  firstName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lastName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type SignedInWorkspaceResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SignedInWorkspace'] = ResolversParentTypes['SignedInWorkspace']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  subdomain?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type SipCredentialsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SipCredentials'] = ResolversParentTypes['SipCredentials']> = {
  domain?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  password?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  uri?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  username?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  wsPort?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  wsUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type SubscriptionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  agentNoticeEvents?: SubscriptionResolver<ResolversTypes['AgentNotice'], "agentNoticeEvents", ParentType, ContextType>;
  agentStates?: SubscriptionResolver<ResolversTypes['AgentPresence'], "agentStates", ParentType, ContextType>;
  alertChanges?: SubscriptionResolver<ResolversTypes['Alert'], "alertChanges", ParentType, ContextType>;
  callEvents?: SubscriptionResolver<ResolversTypes['CallEvent'], "callEvents", ParentType, ContextType>;
  recordingProgress?: SubscriptionResolver<ResolversTypes['RecordingProgress'], "recordingProgress", ParentType, ContextType, RequireFields<SubscriptionRecordingProgressArgs, 'callId'>>;
  supervisionUpdates?: SubscriptionResolver<ResolversTypes['Supervision'], "supervisionUpdates", ParentType, ContextType>;
  worklistChanges?: SubscriptionResolver<ResolversTypes['WorklistChange'], "worklistChanges", ParentType, ContextType>;
};

export type SupervisedAgentResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SupervisedAgent'] = ResolversParentTypes['SupervisedAgent']> = {
  agentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  agentName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  providerAgentId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  signedInAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  since?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  state?: Resolver<Maybe<ResolversTypes['AgentState']>, ParentType, ContextType>;
};

export type SupervisedCallResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SupervisedCall'] = ResolversParentTypes['SupervisedCall']> = {
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  agentName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  campaignName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  dialledNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  direction?: Resolver<ResolversTypes['CallDirection'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  leadId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  phase?: Resolver<ResolversTypes['CallPhase'], ParentType, ContextType>;
  phoneNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  since?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  ucid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type SupervisionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Supervision'] = ResolversParentTypes['Supervision']> = {
  agents?: Resolver<ReadonlyArray<ResolversTypes['SupervisedAgent']>, ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  callsNow?: Resolver<ResolversTypes['CallsNow'], ParentType, ContextType>;
  freeSlots?: Resolver<ReadonlyArray<ResolversTypes['FreeSlots']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  missedWaiting?: Resolver<ResolversTypes['MissedWaiting'], ParentType, ContextType>;
  today?: Resolver<ResolversTypes['CallsToday'], ParentType, ContextType>;
  unknownCallers?: Resolver<ResolversTypes['UnknownCallers'], ParentType, ContextType>;
};

export type TeamAgentResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TeamAgent'] = ResolversParentTypes['TeamAgent']> = {
  campaignName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  providerAgentId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sipExtension?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type TeamMemberResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TeamMember'] = ResolversParentTypes['TeamMember']> = {
  agent?: Resolver<Maybe<ResolversTypes['TeamAgent']>, ParentType, ContextType>;
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  email?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  firstName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  hasTemporaryPassword?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lastName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  platformRole?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  role?: Resolver<Maybe<ResolversTypes['TeamRole']>, ParentType, ContextType>;
  session?: Resolver<Maybe<ResolversTypes['LiveAgentSession']>, ParentType, ContextType>;
  userId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type TeamMemberAnswerResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TeamMemberAnswer'] = ResolversParentTypes['TeamMemberAnswer']> = {
  member?: Resolver<ResolversTypes['TeamMember'], ParentType, ContextType>;
};

export type TeamMemberConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TeamMemberConnection'] = ResolversParentTypes['TeamMemberConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['TeamMemberEdge']>, ParentType, ContextType>;
  inviteLinkLeftOpenSince?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['TeamMember']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type TeamMemberEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TeamMemberEdge'] = ResolversParentTypes['TeamMemberEdge']> = {
  cursor?: Resolver<ResolversTypes['ConnectionCursor'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['TeamMember'], ParentType, ContextType>;
};

export type TelephonyProviderResolvers = EnumResolverSignature<{ exotel?: any, ozonetel?: any }, ResolversTypes['TelephonyProvider']>;

export type TelephonySignInResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TelephonySignIn'] = ResolversParentTypes['TelephonySignIn']> = {
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  signedIn?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type TemporaryPasswordResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TemporaryPassword'] = ResolversParentTypes['TemporaryPassword']> = {
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  password?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  usedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type TextRangeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TextRange'] = ResolversParentTypes['TextRange']> = {
  from?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ThemeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Theme'] = ResolversParentTypes['Theme']> = {
  brand?: Resolver<ResolversTypes['ThemeBrand'], ParentType, ContextType>;
  colors?: Resolver<ResolversTypes['ThemeColors'], ParentType, ContextType>;
  fonts?: Resolver<ResolversTypes['ThemeFonts'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type ThemeBrandResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ThemeBrand'] = ResolversParentTypes['ThemeBrand']> = {
  hospitalName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  logoUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ThemeColorsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ThemeColors'] = ResolversParentTypes['ThemeColors']> = {
  accent?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  background?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  primary?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ThemeFontsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ThemeFonts'] = ResolversParentTypes['ThemeFonts']> = {
  body?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  heading?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type TimelineCallResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TimelineCall'] = ResolversParentTypes['TimelineCall']> = {
  answeredAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  automaticDisposition?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  campaignName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  direction?: Resolver<ResolversTypes['CallDirection'], ParentType, ContextType>;
  disposition?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  phase?: Resolver<ResolversTypes['CallPhase'], ParentType, ContextType>;
  startedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  talkSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  ucid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  wrapUpSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type TimelineStateResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TimelineState'] = ResolversParentTypes['TimelineState']> = {
  from?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  state?: Resolver<ResolversTypes['AgentState'], ParentType, ContextType>;
  to?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type TranscriptMatchResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TranscriptMatch'] = ResolversParentTypes['TranscriptMatch']> = {
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  analyzedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  callId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  disposition?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  matches?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  outcome?: Resolver<Maybe<ResolversTypes['RecordingOutcomeCode']>, ParentType, ContextType>;
  sentiment?: Resolver<Maybe<ResolversTypes['RecordingFeelingName']>, ParentType, ContextType>;
  snippets?: Resolver<ReadonlyArray<ResolversTypes['TranscriptSnippet']>, ParentType, ContextType>;
};

export type TranscriptMatchConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TranscriptMatchConnection'] = ResolversParentTypes['TranscriptMatchConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['TranscriptMatchEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['TranscriptMatch']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type TranscriptMatchEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TranscriptMatchEdge'] = ResolversParentTypes['TranscriptMatchEdge']> = {
  cursor?: Resolver<ResolversTypes['ConnectionCursor'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['TranscriptMatch'], ParentType, ContextType>;
};

export type TranscriptSnippetResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TranscriptSnippet'] = ResolversParentTypes['TranscriptSnippet']> = {
  end?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  highlights?: Resolver<ReadonlyArray<ResolversTypes['TextRange']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['RecordingRole'], ParentType, ContextType>;
  speaker?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  start?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type UnknownCallersResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UnknownCallers'] = ResolversParentTypes['UnknownCallers']> = {
  createdThisHour?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  enabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  leftOutThisHour?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  maxPerHour?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ViewerResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Viewer'] = ResolversParentTypes['Viewer']> = {
  agent?: Resolver<Maybe<ResolversTypes['AgentProfile']>, ParentType, ContextType>;
  hasTemporaryPassword?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['ApplicationRole'], ParentType, ContextType>;
  session?: Resolver<Maybe<ResolversTypes['AgentSession']>, ParentType, ContextType>;
  user?: Resolver<ResolversTypes['SignedInUser'], ParentType, ContextType>;
  workspace?: Resolver<ResolversTypes['SignedInWorkspace'], ParentType, ContextType>;
};

export type VisitBookingResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['VisitBooking'] = ResolversParentTypes['VisitBooking']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  leadId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  slotId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type WebhookKeyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WebhookKey'] = ResolversParentTypes['WebhookKey']> = {
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['TelephonyProvider'], ParentType, ContextType>;
};

export type WebhookReplayResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WebhookReplay'] = ResolversParentTypes['WebhookReplay']> = {
  failed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  remaining?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type WebhookStatusResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WebhookStatus'] = ResolversParentTypes['WebhookStatus']> = {
  accepted?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  duplicates?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  ignored?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  lastHandledAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastReceivedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  notListed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['TelephonyProvider'], ParentType, ContextType>;
  refused?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type WidgetKeyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WidgetKey'] = ResolversParentTypes['WidgetKey']> = {
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  key?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  origins?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  validUntil?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type WorklistAssigneeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WorklistAssignee'] = ResolversParentTypes['WorklistAssignee']> = {
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type WorklistCallbackResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WorklistCallback'] = ResolversParentTypes['WorklistCallback']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  taskId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  ucid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type WorklistChangeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WorklistChange'] = ResolversParentTypes['WorklistChange']> = {
  entry?: Resolver<ResolversTypes['WorklistEntry'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['CallEventKind'], ParentType, ContextType>;
};

export type WorklistClaimResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WorklistClaim'] = ResolversParentTypes['WorklistClaim']> = {
  agentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  agentName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  claimedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  ucid?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  until?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type WorklistClosingResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WorklistClosing'] = ResolversParentTypes['WorklistClosing']> = {
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  outcome?: Resolver<Maybe<ResolversTypes['WorklistOutcome']>, ParentType, ContextType>;
  ucid?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type WorklistEntryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WorklistEntry'] = ResolversParentTypes['WorklistEntry']> = {
  assignee?: Resolver<Maybe<ResolversTypes['WorklistAssignee']>, ParentType, ContextType>;
  callbacks?: Resolver<ReadonlyArray<ResolversTypes['WorklistCallback']>, ParentType, ContextType>;
  claim?: Resolver<Maybe<ResolversTypes['WorklistClaim']>, ParentType, ContextType>;
  closed?: Resolver<Maybe<ResolversTypes['WorklistClosing']>, ParentType, ContextType>;
  dueAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  firstMissedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lastMissedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastTriedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  leadId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  missedCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  phoneNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['WorklistStatus'], ParentType, ContextType>;
  tries?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type WorklistEntryConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WorklistEntryConnection'] = ResolversParentTypes['WorklistEntryConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['WorklistEntryEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['WorklistEntry']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type WorklistEntryEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WorklistEntryEdge'] = ResolversParentTypes['WorklistEntryEdge']> = {
  cursor?: Resolver<ResolversTypes['ConnectionCursor'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['WorklistEntry'], ParentType, ContextType>;
};

export type Resolvers<ContextType = RequestContext> = {
  AgentCallCounts?: AgentCallCountsResolvers<ContextType>;
  AgentCallsNow?: AgentCallsNowResolvers<ContextType>;
  AgentLogout?: AgentLogoutResolvers<ContextType>;
  AgentNotice?: AgentNoticeResolvers<ContextType>;
  AgentPresence?: AgentPresenceResolvers<ContextType>;
  AgentProfile?: AgentProfileResolvers<ContextType>;
  AgentSession?: AgentSessionResolvers<ContextType>;
  AgentSessionStart?: AgentSessionStartResolvers<ContextType>;
  AgentSignIn?: AgentSignInResolvers<ContextType>;
  AgentTimeline?: AgentTimelineResolvers<ContextType>;
  Alert?: AlertResolvers<ContextType>;
  AlertConnection?: AlertConnectionResolvers<ContextType>;
  AlertEdge?: AlertEdgeResolvers<ContextType>;
  AuditLogActor?: AuditLogActorResolvers<ContextType>;
  AuditLogDetail?: AuditLogDetailResolvers<ContextType>;
  AuditLogEntry?: AuditLogEntryResolvers<ContextType>;
  AuditLogEntryConnection?: AuditLogEntryConnectionResolvers<ContextType>;
  AuditLogEntryEdge?: AuditLogEntryEdgeResolvers<ContextType>;
  CallControls?: CallControlsResolvers<ContextType>;
  CallCounts?: CallCountsResolvers<ContextType>;
  CallEnrichment?: CallEnrichmentResolvers<ContextType>;
  CallEvent?: CallEventResolvers<ContextType>;
  CallLookup?: CallLookupResolvers<ContextType>;
  CallNotes?: CallNotesResolvers<ContextType>;
  CallSettings?: CallSettingsResolvers<ContextType>;
  CallSummary?: CallSummaryResolvers<ContextType>;
  CallTransfer?: CallTransferResolvers<ContextType>;
  CallsNow?: CallsNowResolvers<ContextType>;
  CallsToday?: CallsTodayResolvers<ContextType>;
  CampaignCallCounts?: CampaignCallCountsResolvers<ContextType>;
  CampaignCallsNow?: CampaignCallsNowResolvers<ContextType>;
  ConfigurationCheck?: ConfigurationCheckResolvers<ContextType>;
  ConfigurationDocument?: GraphQLScalarType;
  ConfigurationEditor?: ConfigurationEditorResolvers<ContextType>;
  ConfigurationRevision?: ConfigurationRevisionResolvers<ContextType>;
  ConfigurationTest?: ConfigurationTestResolvers<ContextType>;
  ConnectionCursor?: GraphQLScalarType;
  DateTime?: GraphQLScalarType;
  DeactivatedTeamMember?: DeactivatedTeamMemberResolvers<ContextType>;
  DeadLetter?: DeadLetterResolvers<ContextType>;
  DeadLetterConnection?: DeadLetterConnectionResolvers<ContextType>;
  DeadLetterEdge?: DeadLetterEdgeResolvers<ContextType>;
  DeadLetterReplay?: DeadLetterReplayResolvers<ContextType>;
  DialReceipt?: DialReceiptResolvers<ContextType>;
  DirectoryDoctor?: DirectoryDoctorResolvers<ContextType>;
  DirectorySlot?: DirectorySlotResolvers<ContextType>;
  DirectorySlotConnection?: DirectorySlotConnectionResolvers<ContextType>;
  DirectorySlotEdge?: DirectorySlotEdgeResolvers<ContextType>;
  DispositionCallCounts?: DispositionCallCountsResolvers<ContextType>;
  DispositionCount?: DispositionCountResolvers<ContextType>;
  DispositionReceipt?: DispositionReceiptResolvers<ContextType>;
  DoctorDirectory?: DoctorDirectoryResolvers<ContextType>;
  FreeSlots?: FreeSlotsResolvers<ContextType>;
  History?: HistoryResolvers<ContextType>;
  HistoryCall?: HistoryCallResolvers<ContextType>;
  HistoryCallConnection?: HistoryCallConnectionResolvers<ContextType>;
  HistoryCallEdge?: HistoryCallEdgeResolvers<ContextType>;
  HistoryRow?: HistoryRowResolvers<ContextType>;
  HourCallCounts?: HourCallCountsResolvers<ContextType>;
  LeadInsight?: LeadInsightResolvers<ContextType>;
  LeadSummary?: LeadSummaryResolvers<ContextType>;
  LiveAgentSession?: LiveAgentSessionResolvers<ContextType>;
  LiveCall?: LiveCallResolvers<ContextType>;
  LiveEvents?: LiveEventsResolvers<ContextType>;
  MissedCall?: MissedCallResolvers<ContextType>;
  MissedCallConnection?: MissedCallConnectionResolvers<ContextType>;
  MissedCallEdge?: MissedCallEdgeResolvers<ContextType>;
  MissedWaiting?: MissedWaitingResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  NewWebhookKey?: NewWebhookKeyResolvers<ContextType>;
  NextVisit?: NextVisitResolvers<ContextType>;
  OpenItem?: OpenItemResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Provisioning?: ProvisioningResolvers<ContextType>;
  ProvisioningItem?: ProvisioningItemResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  ReceivedWebhook?: ReceivedWebhookResolvers<ContextType>;
  ReceivedWebhookConnection?: ReceivedWebhookConnectionResolvers<ContextType>;
  ReceivedWebhookEdge?: ReceivedWebhookEdgeResolvers<ContextType>;
  RecordingAnalysis?: RecordingAnalysisResolvers<ContextType>;
  RecordingAnalysisState?: RecordingAnalysisStateResolvers<ContextType>;
  RecordingCompliance?: RecordingComplianceResolvers<ContextType>;
  RecordingFeeling?: RecordingFeelingResolvers<ContextType>;
  RecordingFeelingSpan?: RecordingFeelingSpanResolvers<ContextType>;
  RecordingInsights?: RecordingInsightsResolvers<ContextType>;
  RecordingMissingPart?: RecordingMissingPartResolvers<ContextType>;
  RecordingModels?: RecordingModelsResolvers<ContextType>;
  RecordingOutcome?: RecordingOutcomeResolvers<ContextType>;
  RecordingProgress?: RecordingProgressResolvers<ContextType>;
  RecordingSatisfaction?: RecordingSatisfactionResolvers<ContextType>;
  RecordingSentiment?: RecordingSentimentResolvers<ContextType>;
  RecordingSpeaker?: RecordingSpeakerResolvers<ContextType>;
  RecordingStatement?: RecordingStatementResolvers<ContextType>;
  RecordingStatus?: RecordingStatusResolvers<ContextType>;
  RecordingTokens?: RecordingTokensResolvers<ContextType>;
  RecordingTopic?: RecordingTopicResolvers<ContextType>;
  RecordingUnderWay?: RecordingUnderWayResolvers<ContextType>;
  RecordingUtterance?: RecordingUtteranceResolvers<ContextType>;
  Scorecard?: ScorecardResolvers<ContextType>;
  ScorecardAgreement?: ScorecardAgreementResolvers<ContextType>;
  ScorecardAgreementCounts?: ScorecardAgreementCountsResolvers<ContextType>;
  ScorecardConnection?: ScorecardConnectionResolvers<ContextType>;
  ScorecardCorrection?: ScorecardCorrectionResolvers<ContextType>;
  ScorecardCriterion?: ScorecardCriterionResolvers<ContextType>;
  ScorecardCriterionAgreement?: ScorecardCriterionAgreementResolvers<ContextType>;
  ScorecardEdge?: ScorecardEdgeResolvers<ContextType>;
  ScorecardModelVerdict?: ScorecardModelVerdictResolvers<ContextType>;
  ScorecardReviewer?: ScorecardReviewerResolvers<ContextType>;
  SectionSchema?: GraphQLScalarType;
  SessionToken?: SessionTokenResolvers<ContextType>;
  SessionTokens?: SessionTokensResolvers<ContextType>;
  SessionTokensAnswer?: SessionTokensAnswerResolvers<ContextType>;
  SetupState?: SetupStateResolvers<ContextType>;
  SetupStep?: SetupStepResolvers<ContextType>;
  SetupSummary?: SetupSummaryResolvers<ContextType>;
  SignedInUser?: SignedInUserResolvers<ContextType>;
  SignedInWorkspace?: SignedInWorkspaceResolvers<ContextType>;
  SipCredentials?: SipCredentialsResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  SupervisedAgent?: SupervisedAgentResolvers<ContextType>;
  SupervisedCall?: SupervisedCallResolvers<ContextType>;
  Supervision?: SupervisionResolvers<ContextType>;
  TeamAgent?: TeamAgentResolvers<ContextType>;
  TeamMember?: TeamMemberResolvers<ContextType>;
  TeamMemberAnswer?: TeamMemberAnswerResolvers<ContextType>;
  TeamMemberConnection?: TeamMemberConnectionResolvers<ContextType>;
  TeamMemberEdge?: TeamMemberEdgeResolvers<ContextType>;
  TelephonyProvider?: TelephonyProviderResolvers;
  TelephonySignIn?: TelephonySignInResolvers<ContextType>;
  TemporaryPassword?: TemporaryPasswordResolvers<ContextType>;
  TextRange?: TextRangeResolvers<ContextType>;
  Theme?: ThemeResolvers<ContextType>;
  ThemeBrand?: ThemeBrandResolvers<ContextType>;
  ThemeColors?: ThemeColorsResolvers<ContextType>;
  ThemeFonts?: ThemeFontsResolvers<ContextType>;
  TimelineCall?: TimelineCallResolvers<ContextType>;
  TimelineState?: TimelineStateResolvers<ContextType>;
  TranscriptMatch?: TranscriptMatchResolvers<ContextType>;
  TranscriptMatchConnection?: TranscriptMatchConnectionResolvers<ContextType>;
  TranscriptMatchEdge?: TranscriptMatchEdgeResolvers<ContextType>;
  TranscriptSnippet?: TranscriptSnippetResolvers<ContextType>;
  UnknownCallers?: UnknownCallersResolvers<ContextType>;
  Viewer?: ViewerResolvers<ContextType>;
  VisitBooking?: VisitBookingResolvers<ContextType>;
  WebhookKey?: WebhookKeyResolvers<ContextType>;
  WebhookReplay?: WebhookReplayResolvers<ContextType>;
  WebhookStatus?: WebhookStatusResolvers<ContextType>;
  WidgetKey?: WidgetKeyResolvers<ContextType>;
  WorklistAssignee?: WorklistAssigneeResolvers<ContextType>;
  WorklistCallback?: WorklistCallbackResolvers<ContextType>;
  WorklistChange?: WorklistChangeResolvers<ContextType>;
  WorklistClaim?: WorklistClaimResolvers<ContextType>;
  WorklistClosing?: WorklistClosingResolvers<ContextType>;
  WorklistEntry?: WorklistEntryResolvers<ContextType>;
  WorklistEntryConnection?: WorklistEntryConnectionResolvers<ContextType>;
  WorklistEntryEdge?: WorklistEntryEdgeResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = RequestContext> = {
  auth?: AuthDirectiveResolver<any, any, ContextType>;
  cost?: CostDirectiveResolver<any, any, ContextType>;
  defer?: DeferDirectiveResolver<any, any, ContextType>;
  limit?: LimitDirectiveResolver<any, any, ContextType>;
  public?: PublicDirectiveResolver<any, any, ContextType>;
};
