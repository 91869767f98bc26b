import type { DocumentValues } from './features/configuration/document-values.ts';
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { DetectedStep } from './features/setup/detected-step.ts';
import type { LookedUpCall } from './features/calls/look-up-call.ts';
import type { PlatformCall, ShownLead } from './ports/call-records.ts';
import type { KnownCall } from './features/calls/call-facts.ts';
import type { Enrichment } from './features/calls/enrich-call.ts';
import type { RequestContext } from './access/request-context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null | undefined;
export type ResolverFn<TResult, TParent, TContext, TArgs> = (source: TParent, args: TArgs, context: TContext) => Promise<TResult> | TResult
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /**
   * A section: its fields at the top level (see `configurationSchema`), set secrets as `***masked***`, unset ones null. `_meta` is read-only:
   * `version` (the ETag of REST), `changedAt`, and for managers `changedBy` and `secrets`, a fingerprint for each secret that is set.
   */
  ConfigurationDocument: { input: DocumentValues; output: DocumentValues; }
  /** A moment: ISO 8601 in UTC with milliseconds, for example `2026-03-01T09:30:00.000Z`. */
  Instant: { input: string; output: string; }
  /** A JSON Schema (draft 2020-12); `secret` marks what is only shown masked, `destination` what decides where secrets are sent. */
  SectionSchema: { input: DocumentValues; output: DocumentValues; }
};

export type AgentCallCounts = {
  readonly __typename?: 'AgentCallCounts';
  /** Null for calls that no agent had. */
  readonly agentId: Maybe<Scalars['ID']['output']>;
  readonly agentName: Maybe<Scalars['String']['output']>;
  readonly counts: CallCounts;
};

/** `agentId` and names are null for calls that no agent has yet. */
export type AgentCallsNow = {
  readonly __typename?: 'AgentCallsNow';
  readonly agentId: Maybe<Scalars['ID']['output']>;
  readonly agentName: Maybe<Scalars['String']['output']>;
  readonly onCall: Scalars['Int']['output'];
  readonly ringing: Scalars['Int']['output'];
};

export type AgentLoginInput = {
  readonly email: Scalars['String']['input'];
  readonly password: Scalars['String']['input'];
  /** The workspace's subdomain. May be left out where the Origin header's host names it. */
  readonly workspace?: InputMaybe<Scalars['String']['input']>;
};

export type AgentLogout = {
  readonly __typename?: 'AgentLogout';
  readonly providerSignedOut: Scalars['Boolean']['output'];
  /** Whether a session was ended by this call. */
  readonly released: Scalars['Boolean']['output'];
};

export type AgentPresence = {
  readonly __typename?: 'AgentPresence';
  /** The agent's record on the platform, where it is known. */
  readonly agentId: Maybe<Scalars['ID']['output']>;
  /** The agent's name at the provider. */
  readonly providerAgentId: Scalars['String']['output'];
  /** Why not ready. */
  readonly reason: Maybe<Scalars['String']['output']>;
  readonly since: Scalars['Instant']['output'];
  readonly state: AgentState;
};

/** A person who handles calls, as the platform's agent record has it; no secrets. */
export type AgentProfile = {
  readonly __typename?: 'AgentProfile';
  readonly campaignName: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly name: Scalars['String']['output'];
  /** The agent's name at the telephony provider. */
  readonly providerAgentId: Maybe<Scalars['String']['output']>;
};

/** The one session of an agent: who holds it, from where and until when. */
export type AgentSession = {
  readonly __typename?: 'AgentSession';
  /** The agent record's id. */
  readonly agentId: Scalars['ID']['output'];
  /** When it ends without a heartbeat. */
  readonly expiresAt: Scalars['Instant']['output'];
  /** How often a client should send a heartbeat. */
  readonly heartbeatIntervalSeconds: Scalars['Int']['output'];
  /** The address from which the agent signed in. */
  readonly ip: Scalars['String']['output'];
  readonly lockedAt: Scalars['Instant']['output'];
  readonly memberId: Scalars['ID']['output'];
};

/** Everything that a client needs after signing in. */
export type AgentSignIn = {
  readonly __typename?: 'AgentSignIn';
  readonly agent: Maybe<AgentProfile>;
  readonly memberId: Scalars['ID']['output'];
  /** Null where the member has neither of the two application roles: then no sidecar field can be used. */
  readonly role: Maybe<ApplicationRole>;
  /** The agent session that this sign-in took; null for members without an agent record. */
  readonly session: Maybe<AgentSession>;
  readonly setup: SetupSummary;
  /** Credentials for the browser phone; null where the agent or the telephony settings lack a part. */
  readonly sip: Maybe<SipCredentials>;
  /** Whether the agent is signed in at the telephony provider; null for members without an agent record. */
  readonly telephony: Maybe<TelephonySignIn>;
  readonly tokens: SessionTokens;
  readonly user: SignedInUser;
  readonly workspace: SignedInWorkspace;
};

export type AgentState =
  | 'NOT_READY'
  | 'ON_CALL'
  | 'READY'
  | 'SIGNED_OUT'
  /** After a call, until the disposition. */
  | 'WRAP_UP';

export type AgentStateChoice =
  | 'NOT_READY'
  | 'READY';

export type AgentStateInput = {
  /** For NOT_READY: one of the account's reasons. */
  readonly reason?: InputMaybe<Scalars['String']['input']>;
  readonly state: AgentStateChoice;
};

export type AnalyzeRecordingInput = {
  /** The call record's id, or its UCID. */
  readonly callId: Scalars['ID']['input'];
  /** Anew, although it is kept; for managers alone. */
  readonly force?: InputMaybe<Scalars['Boolean']['input']>;
  /** Another recording than the call's; for managers alone. */
  readonly recordingUrl?: InputMaybe<Scalars['String']['input']>;
  /** How long to wait for the result, 0 to 25 seconds; 25 where left out. */
  readonly waitSeconds?: InputMaybe<Scalars['Int']['input']>;
};

/** What a member may do here, from the role that the platform's profile carries. */
export type ApplicationRole =
  /** Has the User role and an agent record: may take calls. */
  | 'AGENT'
  /** Has the Manager role. */
  | 'MANAGER'
  /** Has the User role and no agent record. */
  | 'USER';

export type AuditLogActor = {
  readonly __typename?: 'AuditLogActor';
  readonly ip: Maybe<Scalars['String']['output']>;
  readonly memberId: Maybe<Scalars['ID']['output']>;
  readonly userId: Scalars['ID']['output'];
};

export type AuditLogDetail = {
  readonly __typename?: 'AuditLogDetail';
  readonly name: Scalars['String']['output'];
  readonly value: Maybe<Scalars['String']['output']>;
};

/** One thing that a person did here. */
export type AuditLogEntry = {
  readonly __typename?: 'AuditLogEntry';
  /** `area.verb` in the past tense, for example `session.released`. */
  readonly action: Scalars['String']['output'];
  readonly actor: AuditLogActor;
  readonly at: Scalars['Instant']['output'];
  readonly details: ReadonlyArray<AuditLogDetail>;
  readonly id: Scalars['ID']['output'];
  readonly targetId: Maybe<Scalars['ID']['output']>;
  /** What kind of thing it was done to, for example `agent`; null where to none. */
  readonly targetKind: Maybe<Scalars['String']['output']>;
};

export type AuditLogPage = {
  readonly __typename?: 'AuditLogPage';
  readonly entries: ReadonlyArray<AuditLogEntry>;
  /** Hand it in as `after` for the next page; null on the last one. */
  readonly nextCursor: Maybe<Scalars['String']['output']>;
};

export type CallControlAction =
  | 'CONFERENCE'
  | 'HANG_UP'
  | 'HOLD'
  | 'KICK'
  | 'MUTE'
  | 'PAUSE_RECORDING'
  | 'RESUME_RECORDING'
  | 'UNHOLD'
  | 'UNMUTE';

export type CallControls = {
  readonly __typename?: 'CallControls';
  readonly held: Scalars['Boolean']['output'];
  readonly muted: Scalars['Boolean']['output'];
  /** Numbers of further parties. */
  readonly parties: ReadonlyArray<Scalars['String']['output']>;
  readonly recordingPaused: Scalars['Boolean']['output'];
};

export type CallCounts = {
  readonly __typename?: 'CallCounts';
  readonly answered: Scalars['Int']['output'];
  /** Of answered calls that are over: talk and wrap-up; null where there is none. */
  readonly averageHandlingSeconds: Maybe<Scalars['Int']['output']>;
  readonly averageTalkSeconds: Maybe<Scalars['Int']['output']>;
  /** From the end of a call to when its agent was free; of those where both are known. */
  readonly averageWrapUpSeconds: Maybe<Scalars['Int']['output']>;
  /** All, those that go on included. */
  readonly calls: Scalars['Int']['output'];
  /** Inbound calls that nobody took. */
  readonly missed: Scalars['Int']['output'];
  /** Outbound calls that nobody took. */
  readonly unreached: Scalars['Int']['output'];
};

export type CallDirection =
  | 'INBOUND'
  | 'OUTBOUND';

export type CallEnrichment = {
  readonly __typename?: 'CallEnrichment';
  /** Whether there is one; else `reason` says why not. */
  readonly available: Scalars['Boolean']['output'];
  /** Why they probably call. */
  readonly likelyReason: Maybe<Scalars['String']['output']>;
  readonly reason: Maybe<Scalars['String']['output']>;
  /** How to begin. */
  readonly suggestedOpening: Maybe<Scalars['String']['output']>;
  /** Who this is, in two sentences. */
  readonly whoIsThis: Maybe<Scalars['String']['output']>;
};

export type CallEvent = {
  readonly __typename?: 'CallEvent';
  readonly call: LiveCall;
  readonly kind: CallEventKind;
};

export type CallEventKind =
  | 'CHANGED'
  /** A call that goes on as the subscription begins. */
  | 'SNAPSHOT';

export type CallLookup = {
  readonly __typename?: 'CallLookup';
  /** The call, where it was looked up by its id, or is the caller's call at hand. */
  readonly call: Maybe<LiveCall>;
  /** All leads that have the number, at most 10. */
  readonly candidates: ReadonlyArray<LeadSummary>;
  /** What a model makes of it. It takes some seconds at first; ask for it apart from the facts. */
  readonly enrichment: CallEnrichment;
  /** The lead's last calls, newest first, at most 10. */
  readonly lastCalls: ReadonlyArray<CallSummary>;
  /** The lead, where exactly one has the number. */
  readonly lead: Maybe<LeadSummary>;
  /** How many leads have this number. */
  readonly match: LeadMatch;
  /** The lead's next visit. */
  readonly nextVisit: Maybe<NextVisit>;
  /** What is still to do for the lead: tasks, and calls that were promised. The next first. */
  readonly openItems: ReadonlyArray<OpenItem>;
  /** E.164, for example `+919876543210`; null for a call whose caller withheld it. */
  readonly phoneNumber: Maybe<Scalars['String']['output']>;
  /** Parts that could not be read, for example for want of rights: `TASKS`, `VISITS`. */
  readonly unavailable: ReadonlyArray<Scalars['String']['output']>;
};

export type CallPhase =
  | 'ANSWERED'
  | 'COMPLETED'
  | 'MISSED'
  | 'RINGING';

export type CallSummary = {
  readonly __typename?: 'CallSummary';
  readonly agentId: Maybe<Scalars['ID']['output']>;
  readonly direction: Maybe<Scalars['String']['output']>;
  readonly disposition: Maybe<Scalars['String']['output']>;
  readonly durationSeconds: Maybe<Scalars['Int']['output']>;
  readonly endedAt: Maybe<Scalars['Instant']['output']>;
  readonly hasRecording: Scalars['Boolean']['output'];
  readonly id: Scalars['ID']['output'];
  readonly notes: Maybe<Scalars['String']['output']>;
  readonly startedAt: Maybe<Scalars['Instant']['output']>;
  readonly status: Maybe<Scalars['String']['output']>;
  readonly ucid: Maybe<Scalars['ID']['output']>;
};

export type CallbackKey = {
  readonly __typename?: 'CallbackKey';
  readonly createdAt: Scalars['Instant']['output'];
  readonly provider: Scalars['ID']['output'];
};

export type CallsNow = {
  readonly __typename?: 'CallsNow';
  readonly byAgent: ReadonlyArray<AgentCallsNow>;
  readonly byCampaign: ReadonlyArray<CampaignCallsNow>;
  /** The longest first. */
  readonly calls: ReadonlyArray<SupervisedCall>;
  readonly onCall: Scalars['Int']['output'];
  readonly ringing: Scalars['Int']['output'];
};

/** The calls that began on this day of the clinic. */
export type CallsToday = {
  readonly __typename?: 'CallsToday';
  readonly byAgent: ReadonlyArray<AgentCallCounts>;
  readonly byCampaign: ReadonlyArray<CampaignCallCounts>;
  readonly byDisposition: ReadonlyArray<DispositionCallCounts>;
  /** Hours of the clinic's clock in which calls began. */
  readonly byHour: ReadonlyArray<HourCallCounts>;
  /** False while the earlier calls of the day are being read from the platform, after what was kept here was lost. */
  readonly complete: Scalars['Boolean']['output'];
  /** For example `2026-11-21`. */
  readonly date: Scalars['String']['output'];
  /** The clinic's, an IANA name: `visits.timeZone` of the `platform` configuration. */
  readonly timeZone: Scalars['String']['output'];
  readonly total: CallCounts;
};

export type CampaignCallCounts = {
  readonly __typename?: 'CampaignCallCounts';
  readonly campaignName: Maybe<Scalars['String']['output']>;
  readonly counts: CallCounts;
};

export type CampaignCallsNow = {
  readonly __typename?: 'CampaignCallsNow';
  /** Null for calls of which no campaign is known. */
  readonly campaignName: Maybe<Scalars['String']['output']>;
  readonly onCall: Scalars['Int']['output'];
  readonly ringing: Scalars['Int']['output'];
};

export type ConfigurationAction =
  /** Somebody changed the stored document itself. */
  | 'EDITED_BY_HAND'
  /** Brought into a newer form by the service. */
  | 'MIGRATED'
  | 'RESET'
  | 'RESTORED'
  | 'SAVED'
  /** Made from the environment, or of defaults, on first use. */
  | 'SEEDED';

export type ConfigurationCheck = {
  readonly __typename?: 'ConfigurationCheck';
  /** What to do; null where nothing is to be done. */
  readonly advice: Maybe<Scalars['String']['output']>;
  /** What came back. */
  readonly found: Scalars['String']['output'];
  /** A stable name, for example `telephony.access`. */
  readonly name: Scalars['String']['output'];
  readonly ok: Scalars['Boolean']['output'];
  /** What was tried. */
  readonly tried: Scalars['String']['output'];
};

export type ConfigurationEditor = {
  readonly __typename?: 'ConfigurationEditor';
  readonly memberId: Scalars['ID']['output'];
  readonly name: Scalars['String']['output'];
};

/** One version of a section; never a value. */
export type ConfigurationRevision = {
  readonly __typename?: 'ConfigurationRevision';
  readonly action: ConfigurationAction;
  readonly changedAt: Scalars['Instant']['output'];
  /** Null: the service itself, or somebody who edited the file. */
  readonly changedBy: Maybe<ConfigurationEditor>;
  /** Dotted paths of the fields that changed. */
  readonly fields: ReadonlyArray<Scalars['String']['output']>;
  readonly version: Scalars['Int']['output'];
};

export type ConfigurationSection =
  /** The language model; its keys and addresses come from the environment alone. */
  | 'AI'
  /** The platform's API key, the two roles, the names of objects and fields. */
  | 'PLATFORM'
  /** Telephony providers, default agent, dispositions, SIP. */
  | 'TELEPHONY'
  /** Brand, colours, fonts. */
  | 'THEME'
  /** The public chat widget. */
  | 'WIDGET';

/** How a section did when it was tried. */
export type ConfigurationTest = {
  readonly __typename?: 'ConfigurationTest';
  readonly checks: ReadonlyArray<ConfigurationCheck>;
  /** Every check went well. */
  readonly ok: Scalars['Boolean']['output'];
  readonly section: ConfigurationSection;
  readonly testedAt: Scalars['Instant']['output'];
};

export type ControlCallInput = {
  readonly action: CallControlAction;
  /** For CONFERENCE and KICK. */
  readonly phoneNumber?: InputMaybe<Scalars['String']['input']>;
  readonly ucid: Scalars['ID']['input'];
};

export type DeactivatedTeamMember = {
  readonly __typename?: 'DeactivatedTeamMember';
  readonly memberId: Scalars['ID']['output'];
  /** Whether an agent session was ended by this. */
  readonly sessionEnded: Scalars['Boolean']['output'];
};

/** An event that a consumer could not work; its content stays where it is. */
export type DeadLetter = {
  readonly __typename?: 'DeadLetter';
  readonly deadAt: Scalars['Instant']['output'];
  /** Null where it does not tell. */
  readonly eventId: Maybe<Scalars['ID']['output']>;
  readonly id: Scalars['ID']['output'];
  /** What the event is about: the call's UCID, or the agent's id. */
  readonly key: Maybe<Scalars['String']['output']>;
  /** `NOT_JSON`, `WRONG_SCHEMA`, `UNKNOWN_VERSION`, `UNKNOWN_LEAD`, `MODEL_REFUSED` or `NOT_CONFIGURED` (for three days). */
  readonly reason: Scalars['String']['output'];
  /** The consumer that gave it up. */
  readonly receiver: Scalars['String']['output'];
  /** For example `call.completed`. */
  readonly topic: Scalars['String']['output'];
};

export type DeadLetterPage = {
  readonly __typename?: 'DeadLetterPage';
  readonly deadLetters: ReadonlyArray<DeadLetter>;
  /** Hand it in as `after` for the next page; null on the last one. */
  readonly nextCursor: Maybe<Scalars['String']['output']>;
};

export type DeadLetterReplay = {
  readonly __typename?: 'DeadLetterReplay';
  /** Whether there are more. */
  readonly remaining: Scalars['Boolean']['output'];
  /** How many were handed to their consumers. */
  readonly replayed: Scalars['Int']['output'];
};

export type DialInput = {
  /** For the second provider: the phone on which the agent is rung. Left out: the agent record's extension, where that is a phone number. */
  readonly agentPhoneNumber?: InputMaybe<Scalars['String']['input']>;
  /** Chosen by the client, at most 100 characters: the same key makes one call, for a day. */
  readonly idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  readonly leadId?: InputMaybe<Scalars['ID']['input']>;
  /** As people write it. */
  readonly phoneNumber: Scalars['String']['input'];
  readonly via?: DialVia;
};

export type DialReceipt = {
  readonly __typename?: 'DialReceipt';
  /** The call's record on the platform. */
  readonly callId: Scalars['ID']['output'];
  /** E.164. */
  readonly phoneNumber: Scalars['String']['output'];
  /** Which provider makes the call. */
  readonly provider: Scalars['String']['output'];
  readonly ucid: Scalars['ID']['output'];
};

export type DialVia =
  /** By the telephony provider where the agent is signed in there, else by the second one. */
  | 'AUTO'
  | 'OUTBOUND'
  | 'TELEPHONY';

export type DirectoryDoctor = {
  readonly __typename?: 'DirectoryDoctor';
  /** Whether patients may be sent there. */
  readonly active: Scalars['Boolean']['output'];
  readonly clinic: Maybe<Scalars['String']['output']>;
  /** For a visit, in the workspace's currency. */
  readonly fee: Maybe<Scalars['Float']['output']>;
  readonly id: Scalars['ID']['output'];
  /** In words: `English`, `Kannada`. */
  readonly languages: ReadonlyArray<Scalars['String']['output']>;
  readonly name: Scalars['String']['output'];
  readonly speciality: Maybe<Scalars['String']['output']>;
};

export type DirectorySlot = {
  readonly __typename?: 'DirectorySlot';
  readonly doctorId: Maybe<Scalars['ID']['output']>;
  readonly durationMinutes: Scalars['Int']['output'];
  readonly endsAt: Scalars['Instant']['output'];
  readonly id: Scalars['ID']['output'];
  /** Whose visit it is. */
  readonly leadId: Maybe<Scalars['ID']['output']>;
  readonly localEndsAt: Scalars['String']['output'];
  /** As the clinic's clocks show it, with its offset: `2026-11-23T10:00:00+05:30`. */
  readonly localStartsAt: Scalars['String']['output'];
  readonly startsAt: Scalars['Instant']['output'];
  readonly state: DirectorySlotState;
  /** The clinic's time zone, an IANA name. */
  readonly timeZone: Scalars['String']['output'];
  readonly title: Maybe<Scalars['String']['output']>;
};

export type DirectorySlotState =
  | 'BOOKED'
  /** Alone can be booked. */
  | 'FREE'
  /** Kept from booking, whatever the workspace calls it. */
  | 'HELD'
  /** It has begun. */
  | 'PAST';

export type DispositionCallCounts = {
  readonly __typename?: 'DispositionCallCounts';
  readonly counts: CallCounts;
  /** Null for calls without one. */
  readonly disposition: Maybe<Scalars['String']['output']>;
};

export type DispositionInput = {
  /** When to call back. */
  readonly callBackAt?: InputMaybe<Scalars['Instant']['input']>;
  /** The outcome code, one of the account's list. */
  readonly disposition: Scalars['String']['input'];
  /** The lead that the call was about, where the client knows it. */
  readonly leadId?: InputMaybe<Scalars['ID']['input']>;
  /** What the agent does after it; left out: stays in wrap-up. */
  readonly next?: InputMaybe<AgentStateInput>;
  readonly notes?: InputMaybe<Scalars['String']['input']>;
  /** The provider's id of the call: an opaque text, never a number. */
  readonly ucid: Scalars['ID']['input'];
};

export type DispositionOutcome =
  /** The call had one already. */
  | 'ALREADY_DISPOSED'
  /** Taken during the call; the provider saves it at its end. */
  | 'QUEUED'
  | 'SAVED';

export type DispositionReceipt = {
  readonly __typename?: 'DispositionReceipt';
  readonly disposition: Scalars['String']['output'];
  /** The id of the `call.completed` event. */
  readonly eventId: Scalars['ID']['output'];
  /** How the provider took it. */
  readonly outcome: DispositionOutcome;
  readonly ucid: Scalars['ID']['output'];
};

export type DoctorDirectory = {
  readonly __typename?: 'DoctorDirectory';
  /** By name. */
  readonly doctors: ReadonlyArray<DirectoryDoctor>;
  /** Of these doctors, by start; where no doctor is asked for also those that name none. */
  readonly slots: ReadonlyArray<DirectorySlot>;
  /** The clinic's time zone, an IANA name. */
  readonly timeZone: Scalars['String']['output'];
};

/** Every part that is given must fit. Texts are compared without regard to case and accents. */
export type DoctorDirectoryFilter = {
  /** A part of the clinic's name. */
  readonly clinic?: InputMaybe<Scalars['String']['input']>;
  /** One doctor. */
  readonly doctorId?: InputMaybe<Scalars['ID']['input']>;
  /** At most so many slots, the earliest: 1 to 1,000, left out: 200. */
  readonly first?: InputMaybe<Scalars['Int']['input']>;
  /** Slots that start from this moment on; left out: now. */
  readonly from?: InputMaybe<Scalars['Instant']['input']>;
  /** Those who are not active as well, with their slots. */
  readonly inactive?: InputMaybe<Scalars['Boolean']['input']>;
  /** A language that the doctor speaks, whole: `Kannada`. */
  readonly language?: InputMaybe<Scalars['String']['input']>;
  /** Words of which each stands in the name, the speciality or the clinic. */
  readonly search?: InputMaybe<Scalars['String']['input']>;
  /** A part of the speciality: `cardio`. */
  readonly speciality?: InputMaybe<Scalars['String']['input']>;
  /** Slots in this state alone. */
  readonly state?: InputMaybe<DirectorySlotState>;
  /** Slots that start before this moment, at most 92 days after `from`; left out: 14 days after it. */
  readonly to?: InputMaybe<Scalars['Instant']['input']>;
};

export type FreeSlots = {
  readonly __typename?: 'FreeSlots';
  readonly doctorId: Scalars['ID']['output'];
  readonly doctorName: Scalars['String']['output'];
  readonly nextStartsAt: Maybe<Scalars['Instant']['output']>;
  readonly speciality: Maybe<Scalars['String']['output']>;
  /** What is left of today, by the clinic's clock. */
  readonly today: Scalars['Int']['output'];
  /** All that are known, some two weeks ahead. */
  readonly total: Scalars['Int']['output'];
};

export type HourCallCounts = {
  readonly __typename?: 'HourCallCounts';
  readonly counts: CallCounts;
  /** 0 to 23. */
  readonly hour: Scalars['Int']['output'];
};

/** What the model made of a lead's activity. */
export type LeadInsight = {
  readonly __typename?: 'LeadInsight';
  /** When to call back, where the caller named a time. */
  readonly callBackAt: Maybe<Scalars['Instant']['output']>;
  /** The `call.completed` event that it was made after. */
  readonly eventId: Maybe<Scalars['ID']['output']>;
  /** The provider's name of the model. */
  readonly model: Maybe<Scalars['String']['output']>;
  /** Why, in one sentence; like the following null where the lead's fields were changed by somebody else. */
  readonly reason: Maybe<Scalars['String']['output']>;
  readonly suggestedAction: Maybe<SuggestedAction>;
  /** Two or three sentences. */
  readonly summary: Scalars['String']['output'];
  readonly writtenAt: Maybe<Scalars['Instant']['output']>;
};

/** A lead, and what its own fields say of its insight where the workspace has those fields. */
export type LeadInsightKey = {
  readonly id: Scalars['ID']['input'];
  readonly suggestedAction?: InputMaybe<Scalars['String']['input']>;
  readonly summary?: InputMaybe<Scalars['String']['input']>;
  readonly writtenAt?: InputMaybe<Scalars['String']['input']>;
};

export type LeadMatch =
  | 'MANY'
  | 'NONE'
  | 'ONE';

export type LeadMatchedBy =
  | 'ADDITIONAL_PHONE'
  | 'PRIMARY_PHONE';

export type LeadSummary = {
  readonly __typename?: 'LeadSummary';
  readonly email: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly insight: Maybe<LeadInsight>;
  /** By which of its numbers it was found; null where it is the call's own lead. */
  readonly matchedBy: Maybe<LeadMatchedBy>;
  readonly name: Scalars['String']['output'];
  readonly phoneNumber: Maybe<Scalars['String']['output']>;
  readonly source: Maybe<Scalars['String']['output']>;
  readonly status: Maybe<Scalars['String']['output']>;
};

/** An agent session as managers see it. */
export type LiveAgentSession = {
  readonly __typename?: 'LiveAgentSession';
  /** The agent record's id. */
  readonly agentId: Scalars['ID']['output'];
  readonly agentName: Scalars['String']['output'];
  readonly expiresAt: Scalars['Instant']['output'];
  /** The address from which the agent signed in. */
  readonly ip: Scalars['String']['output'];
  /** Null before the first heartbeat. */
  readonly lastHeartbeatAt: Maybe<Scalars['Instant']['output']>;
  /** Since when. */
  readonly lockedAt: Scalars['Instant']['output'];
  readonly memberId: Scalars['ID']['output'];
};

/** A call as the provider's news tell it. */
export type LiveCall = {
  readonly __typename?: 'LiveCall';
  /** The agent's record on the platform, where it is known. */
  readonly agentId: Maybe<Scalars['ID']['output']>;
  readonly answeredAt: Maybe<Scalars['Instant']['output']>;
  readonly campaignName: Maybe<Scalars['String']['output']>;
  /** How the call has been set by `controlCall`. */
  readonly controls: CallControls;
  /** The number that was dialled, or is shown to the customer. */
  readonly did: Maybe<Scalars['String']['output']>;
  readonly direction: CallDirection;
  readonly disposition: Maybe<Scalars['String']['output']>;
  readonly endedAt: Maybe<Scalars['Instant']['output']>;
  readonly leadId: Maybe<Scalars['ID']['output']>;
  readonly phase: CallPhase;
  readonly phoneNumber: Maybe<Scalars['String']['output']>;
  /** The agent's name at the provider. */
  readonly providerAgentId: Maybe<Scalars['String']['output']>;
  readonly startedAt: Maybe<Scalars['Instant']['output']>;
  readonly talkSeconds: Maybe<Scalars['Int']['output']>;
  readonly ucid: Scalars['ID']['output'];
};

export type LoginTokenInput = {
  readonly loginToken: Scalars['String']['input'];
  /** The workspace's subdomain. May be left out where the Origin header's host names it. */
  readonly workspace?: InputMaybe<Scalars['String']['input']>;
};

export type MissedCall = {
  readonly __typename?: 'MissedCall';
  readonly at: Scalars['Instant']['output'];
  /** When an outbound call reached the number. */
  readonly calledBackAt: Maybe<Scalars['Instant']['output']>;
  readonly calledBackUcid: Maybe<Scalars['ID']['output']>;
  readonly campaignName: Maybe<Scalars['String']['output']>;
  readonly did: Maybe<Scalars['String']['output']>;
  readonly leadId: Maybe<Scalars['ID']['output']>;
  readonly phoneNumber: Maybe<Scalars['String']['output']>;
  readonly ucid: Scalars['ID']['output'];
};

export type MissedWaiting = {
  readonly __typename?: 'MissedWaiting';
  /** The newest 20. */
  readonly calls: ReadonlyArray<MissedCall>;
  /** Callers who have not been called back, at most 10,000. */
  readonly count: Scalars['Int']['output'];
  /** Since when the first of them waits. */
  readonly oldestAt: Maybe<Scalars['Instant']['output']>;
};

export type Mutation = {
  readonly __typename?: 'Mutation';
  /**
   * Signs a member in at the platform and, where the member has an agent record, takes the agent's one session and signs the agent in at
   * the telephony provider. Refused with CONFLICT (`data.ip`, `data.lockedAt`) while the agent is signed in anywhere; a wrong password and
   * an unknown e-mail are one answer. REST: `POST /auth/login`.
   */
  readonly agentLogin: AgentSignIn;
  /**
   * Ends the caller's own agent session and signs the agent out at the telephony provider. A provider that is down does not keep the session.
   * REST: `POST /auth/logout`.
   */
  readonly agentLogout: AgentLogout;
  /**
   * Analyses a call's recording: what was said, by whom, and what a manager should know. Kept for 7 days; made once however many ask. Who does
   * not want to wait longer is told how far it is. REST: `POST /api/recordings/analyze`.
   */
  readonly analyzeRecording: RecordingAnalysisState;
  /** Acts on the caller's call that goes on. REST: `POST /api/calls/{ucid}/control`. */
  readonly controlCall: LiveCall;
  /**
   * Makes a member in place, without an e-mail to anybody: account, temporary password, role, name and, where asked for, an agent record.
   * Asking again with the same e-mail address finishes what stopped half way. CONFLICT where the address is a member's already, or has an
   * account outside this workspace. REST: `POST /api/team/members`.
   */
  readonly createTeamMember: TeamMemberAnswer;
  /**
   * Makes a key for pages of these origins. NOT_CONFIGURED without the hospital's name, which the key begins with. REST:
   * `POST /api/config/widget/keys`.
   */
  readonly createWidgetKey: WidgetKey;
  /**
   * Removes a member from the workspace and ends their session at once, also at the telephony provider. Not oneself, and not the last
   * manager: CONFLICT. REST: `DELETE /api/team/members/{id}`.
   */
  readonly deactivateTeamMember: DeactivatedTeamMember;
  /** Takes a key back at once; answers it as it was. REST: `DELETE /api/config/widget/keys/{key}`. */
  readonly deleteWidgetKey: WidgetKey;
  /**
   * Rings the agent, then the number. A repetition with the same `idempotencyKey` makes no second call. Refused with CONFLICT without an
   * agent session and while the agent is on a call. REST: `POST /api/calls/dial`.
   */
  readonly dial: DialReceipt;
  /** Exchanges a login token of the platform for session tokens. REST: `POST /auth/tokens`. */
  readonly exchangeLoginToken: SessionTokensAnswer;
  /**
   * Renews the caller's agent session for another hour. NOT_FOUND where there is none any more: sign in again. `lockedAt`, when given, must be
   * the session's own: it tells two devices of one member apart. REST: `POST /auth/heartbeat`.
   */
  readonly heartbeat: AgentSession;
  /**
   * Makes what the platform's workspace lacks of the objects, fields and roles that this service uses, under the names of the `platform`
   * configuration, with the caller's own rights. Changes nothing that exists. Takes 20 s at most; where more is to be made, `complete` is
   * false: run it again. With `apply: false` it only shows its plan. REST: `POST /api/setup/provision`.
   */
  readonly provision: Provisioning;
  /**
   * Renews the tokens. The refresh token is used up: keep the new one. All who ask with the same token within 30 s get the same answer.
   * REST: `POST /auth/refresh`.
   */
  readonly refreshTokens: SessionTokensAnswer;
  /**
   * Ends another agent's session, for example after a crashed laptop, and signs the agent out at the telephony provider; kept in the audit
   * log with the reason. REST: `DELETE /api/sessions/{agentId}`.
   */
  readonly releaseAgentSession: AgentLogout;
  /**
   * Hands one dead letter to its consumer again, kept in the audit log. NOT_FOUND where it is gone, for example replayed already.
   * REST: `POST /api/events/dead/{id}/replay`.
   */
  readonly replayDeadLetter: DeadLetterReplay;
  /**
   * Hands every dead letter of the workspace to its consumer again, the oldest first; at most 1,000 at once (`remaining` says whether there are more).
   * REST: `POST /api/events/dead/replay`.
   */
  readonly replayDeadLetters: DeadLetterReplay;
  /** Back to the defaults, overlaid by the environment where that belongs to this workspace. REST: `POST /api/config/{section}/reset`. */
  readonly resetConfiguration: Scalars['ConfigurationDocument']['output'];
  /** Makes an earlier version stand again, as a new one. REST: `POST /api/config/{section}/history/{version}/restore`. */
  readonly restoreConfiguration: Scalars['ConfigurationDocument']['output'];
  /**
   * Makes a new address for the callbacks of a telephony provider (`ozonetel`, `exotel`); shown this once. The one before stays valid for a
   * day. REST: `POST /api/calls/callback-keys`.
   */
  readonly rotateCallbackKey: NewCallbackKey;
  /**
   * Makes a new key for the origins of this one, which stays valid for a day. CONFLICT where that was done already. REST:
   * `POST /api/config/widget/keys/{key}/rotate`.
   */
  readonly rotateWidgetKey: WidgetKey;
  /**
   * Puts a document over a section: fields that are left out stay, a secret sent as `***masked***` stays, null clears, `_meta` is ignored.
   * Where an address or account that a secret is sent to changes, the secret must be given anew. Counts at once, on every instance; what
   * is under way finishes on the old values. BAD_USER_INPUT names every faulty field and stores nothing; CONFLICT where the section is not at
   * `ifVersion` any more (`data.version`, `data.changes`). REST: `PUT /api/config/{section}` with `If-Match`.
   */
  readonly saveConfiguration: Scalars['ConfigurationDocument']['output'];
  /** Makes the caller ready for calls or not. REST: `PUT /api/agents/me/state`. */
  readonly setAgentState: AgentPresence;
  /**
   * Marks a step complete or open, dismisses the wizard, or starts it anew. REST: `POST /api/config/setup-state/dismiss`,
   * `POST /api/config/setup-state/reset`.
   */
  readonly setupState: SetupState;
  /** Marks a step complete or open again. REST: `PUT /api/config/setup-state/steps/{step}`. */
  readonly setupStep: SetupState;
  /**
   * Records the outcome of a call at the telephony provider and tells the world with `call.completed`, once per call however often it is
   * sent. REST: `POST /api/calls/{ucid}/disposition`.
   */
  readonly submitDisposition: DispositionReceipt;
  /**
   * Tries a section for real and stores nothing but how it went: the stored one, or `document` put over it as by `saveConfiguration`.
   * REST: `POST /api/config/{section}/test`.
   */
  readonly testConfiguration: ConfigurationTest;
  /** Changes a member's name, role or agent record; what is left out stays. A role counts at once. REST: `PUT /api/team/members/{id}`. */
  readonly updateTeamMember: TeamMemberAnswer;
};


export type MutationAgentLoginArgs = {
  input: AgentLoginInput;
};


export type MutationAgentLogoutArgs = {
  lockedAt: InputMaybe<Scalars['Instant']['input']>;
};


export type MutationAnalyzeRecordingArgs = {
  input: AnalyzeRecordingInput;
};


export type MutationControlCallArgs = {
  input: ControlCallInput;
};


export type MutationCreateTeamMemberArgs = {
  input: NewTeamMember;
};


export type MutationCreateWidgetKeyArgs = {
  input: NewWidgetKey;
};


export type MutationDeactivateTeamMemberArgs = {
  id: Scalars['ID']['input'];
};


export type MutationDeleteWidgetKeyArgs = {
  key: Scalars['ID']['input'];
};


export type MutationDialArgs = {
  input: DialInput;
};


export type MutationExchangeLoginTokenArgs = {
  input: LoginTokenInput;
};


export type MutationHeartbeatArgs = {
  lockedAt: InputMaybe<Scalars['Instant']['input']>;
};


export type MutationProvisionArgs = {
  apply?: Scalars['Boolean']['input'];
};


export type MutationRefreshTokensArgs = {
  refreshToken: Scalars['String']['input'];
};


export type MutationReleaseAgentSessionArgs = {
  agentId: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
};


export type MutationReplayDeadLetterArgs = {
  id: Scalars['ID']['input'];
};


export type MutationResetConfigurationArgs = {
  ifVersion: InputMaybe<Scalars['Int']['input']>;
  section: ConfigurationSection;
};


export type MutationRestoreConfigurationArgs = {
  ifVersion: InputMaybe<Scalars['Int']['input']>;
  section: ConfigurationSection;
  version: Scalars['Int']['input'];
};


export type MutationRotateCallbackKeyArgs = {
  provider: Scalars['ID']['input'];
};


export type MutationRotateWidgetKeyArgs = {
  key: Scalars['ID']['input'];
};


export type MutationSaveConfigurationArgs = {
  document: Scalars['ConfigurationDocument']['input'];
  ifVersion: InputMaybe<Scalars['Int']['input']>;
  section: ConfigurationSection;
};


export type MutationSetAgentStateArgs = {
  input: AgentStateInput;
};


export type MutationSetupStateArgs = {
  change: SetupChange;
};


export type MutationSetupStepArgs = {
  complete: Scalars['Boolean']['input'];
  step: SetupStepName;
};


export type MutationSubmitDispositionArgs = {
  input: DispositionInput;
};


export type MutationTestConfigurationArgs = {
  document: InputMaybe<Scalars['ConfigurationDocument']['input']>;
  section: ConfigurationSection;
};


export type MutationUpdateTeamMemberArgs = {
  change: TeamMemberChange;
  id: Scalars['ID']['input'];
};

export type NewCallbackKey = {
  readonly __typename?: 'NewCallbackKey';
  readonly createdAt: Scalars['Instant']['output'];
  /** Until when the former one is taken; null where there was none. */
  readonly formerValidUntil: Maybe<Scalars['Instant']['output']>;
  /** To be put behind the address under which the provider reaches this service. Keep it secret. */
  readonly path: Scalars['String']['output'];
  readonly provider: Scalars['ID']['output'];
};

export type NewTeamMember = {
  /** Makes the member an agent. */
  readonly agent?: InputMaybe<TeamAgentInput>;
  readonly email: Scalars['String']['input'];
  readonly firstName: Scalars['String']['input'];
  readonly lastName: Scalars['String']['input'];
  readonly role: TeamRole;
};

export type NewWidgetKey = {
  /** Where the widget stands: 1 to 20 origins such as `https://www.hospital.example`. */
  readonly origins: ReadonlyArray<Scalars['String']['input']>;
};

export type NextVisit = {
  readonly __typename?: 'NextVisit';
  readonly doctorId: Maybe<Scalars['ID']['output']>;
  readonly endsAt: Maybe<Scalars['Instant']['output']>;
  /** As the clinic's clocks show it, with its offset: `2026-11-23T10:00:00+05:30`. */
  readonly localStartsAt: Scalars['String']['output'];
  readonly slotId: Scalars['ID']['output'];
  readonly startsAt: Scalars['Instant']['output'];
  readonly title: Maybe<Scalars['String']['output']>;
};

export type OpenItem = {
  readonly __typename?: 'OpenItem';
  readonly dueAt: Maybe<Scalars['Instant']['output']>;
  readonly kind: OpenItemKind;
  readonly title: Scalars['String']['output'];
};

export type OpenItemKind =
  /** A call that was promised with a disposition. */
  | 'CALL_BACK'
  /** A task of the platform. */
  | 'TASK';

export type Provisioning = {
  readonly __typename?: 'Provisioning';
  /** Whether it was to be carried out, not only shown. */
  readonly applied: Scalars['Boolean']['output'];
  /** Nothing is missing any more. What differs or cannot be made is left to a person. */
  readonly complete: Scalars['Boolean']['output'];
  /** Everything that the service uses on the platform, in the order in which it is made. */
  readonly items: ReadonlyArray<ProvisioningItem>;
};

export type ProvisioningItem = {
  readonly __typename?: 'ProvisioningItem';
  /** Why it could not be made, or what of it is not as it should be. */
  readonly detail: Maybe<Scalars['String']['output']>;
  readonly kind: ProvisioningKind;
  /** The platform's name, for example `lead.aiSummary`. */
  readonly name: Scalars['String']['output'];
  readonly state: ProvisioningState;
};

export type ProvisioningKind =
  | 'FIELD'
  | 'OBJECT'
  | 'ROLE';

export type ProvisioningState =
  | 'CREATED'
  /** Is there, and not of the kind that the service needs: change it by hand or choose another name. */
  | 'DIFFERS'
  | 'EXISTS'
  | 'FAILED'
  | 'MISSING';

export type Query = {
  readonly __typename?: 'Query';
  /**
   * The live agent sessions of the workspace, longest first: all of them for a manager, for everybody else their own alone.
   * REST: `GET /api/sessions`.
   */
  readonly agentSessions: ReadonlyArray<LiveAgentSession>;
  /** Who did what here, newest first, kept for 365 days; at most 100 entries a page. REST: `GET /api/audit`. */
  readonly auditLog: AuditLogPage;
  /**
   * The screen pop: who calls, by a number as people write it or by the provider's id of a call; give exactly one. Another agent's call is
   * refused with FORBIDDEN. REST: `POST /api/calls/lookup`, with `?enrich=true` for `enrichment`.
   */
  readonly callLookup: CallLookup;
  /** When the keys of the callback addresses were made; never the keys. REST: `GET /api/calls/callback-keys`. */
  readonly callbackKeys: ReadonlyArray<CallbackKey>;
  /** One section of the workspace's configuration as it stands: for managers, THEME for every member. REST: `GET /api/config/{section}`. */
  readonly configuration: Scalars['ConfigurationDocument']['output'];
  /** The last 50 versions of a section, newest first. REST: `GET /api/config/{section}/history`. */
  readonly configurationHistory: ReadonlyArray<ConfigurationRevision>;
  /** The JSON Schema of a section, for forms. REST: `GET /api/config/{section}/schema`. */
  readonly configurationSchema: Scalars['SectionSchema']['output'];
  /** The caller's call at hand, or else the last pop again, after a reload; null where there is none. REST: `GET /api/calls/current`. */
  readonly currentCall: Maybe<CallLookup>;
  /**
   * Events that a consumer gave up, newest first, kept for 30 days: those of the workspace; where one workspace alone
   * is served, also those that tell of none. At most 100 a page.
   * REST: `GET /api/events/dead`.
   */
  readonly deadLetters: DeadLetterPage;
  /**
   * The hospital's doctors and their visit slots, read with the caller's own rights. What the workspace does not keep is null or empty.
   * REST: `GET /api/doctors`.
   */
  readonly doctorDirectory: DoctorDirectory;
  /**
   * What the model made of these leads, in their order; null where it made nothing. At most 100. The combined schema asks it for
   * `Lead.insight`.
   */
  readonly leadInsights: ReadonlyArray<Maybe<LeadInsight>>;
  /** Who the access token belongs to. REST: `GET /auth/me`. */
  readonly me: Viewer;
  /** Inbound calls that nobody took, newest first. REST: `GET /api/calls/missed`. */
  readonly missedCalls: ReadonlyArray<MissedCall>;
  /** The analyses of many calls, in the order of the ids; null where there is none or the call is another agent's. At most 500. */
  readonly recordingAnalyses: ReadonlyArray<Maybe<RecordingAnalysis>>;
  /**
   * What is known of a call's recording, or how far it is; never begins anything. NOT_FOUND where it is not analysed.
   * REST: `GET /api/recordings/{callId}/analysis`.
   */
  readonly recordingAnalysis: RecordingAnalysisState;
  /** How far the setup wizard is. REST: `GET /api/config/setup-state`. */
  readonly setupState: SetupState;
  /**
   * What a manager watches: who is there, what goes on, and what today came to. Kept from what is heard of calls and agents, so that a look
   * does not ask the platform. REST: `GET /api/supervisor/overview`.
   */
  readonly supervision: Supervision;
  /**
   * The members of the workspace, newest first, at most 100 a page; `search` finds every word of it in the name or the e-mail address.
   * REST: `GET /api/team/members`.
   */
  readonly teamMembers: TeamMemberPage;
  /**
   * The temporary password of a member who was made here; every reading is kept in the audit log. NOT_FOUND where there is none, with the
   * reason in `data.why`: NEVER_KEPT, EXPIRED or CHANGED. REST: `GET /api/team/members/{id}/temporary-password`.
   */
  readonly temporaryPassword: TemporaryPassword;
  /** What staff and visitors see: brand, colours, fonts. */
  readonly theme: Theme;
  /** The keys of the workspace's chat widget, newest first. They are no secrets. REST: `GET /api/config/widget/keys`. */
  readonly widgetKeys: ReadonlyArray<WidgetKey>;
};


export type QueryAuditLogArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
};


export type QueryCallLookupArgs = {
  phoneNumber: InputMaybe<Scalars['String']['input']>;
  ucid: InputMaybe<Scalars['ID']['input']>;
};


export type QueryConfigurationArgs = {
  section: ConfigurationSection;
};


export type QueryConfigurationHistoryArgs = {
  section: ConfigurationSection;
};


export type QueryConfigurationSchemaArgs = {
  section: ConfigurationSection;
};


export type QueryDeadLettersArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
};


export type QueryDoctorDirectoryArgs = {
  filter: InputMaybe<DoctorDirectoryFilter>;
};


export type QueryLeadInsightsArgs = {
  leads: ReadonlyArray<LeadInsightKey>;
};


export type QueryMissedCallsArgs = {
  first?: Scalars['Int']['input'];
  waitingOnly?: Scalars['Boolean']['input'];
};


export type QueryRecordingAnalysesArgs = {
  callIds: ReadonlyArray<Scalars['ID']['input']>;
};


export type QueryRecordingAnalysisArgs = {
  callId: Scalars['ID']['input'];
};


export type QueryTeamMembersArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
  search: InputMaybe<Scalars['String']['input']>;
};


export type QueryTemporaryPasswordArgs = {
  memberId: Scalars['ID']['input'];
};

/** A recording, understood. Moments within it are seconds from its beginning. */
export type RecordingAnalysis = {
  readonly __typename?: 'RecordingAnalysis';
  readonly analyzedAt: Scalars['Instant']['output'];
  readonly callId: Scalars['ID']['output'];
  /** Seconds. */
  readonly duration: Scalars['Float']['output'];
  readonly expiresAt: Scalars['Instant']['output'];
  /** What the language model made of it; null where `missing` says why. */
  readonly insights: Maybe<RecordingInsights>;
  /** As the speech provider heard it, `en` or `hi`. */
  readonly language: Maybe<Scalars['String']['output']>;
  readonly longestSilenceSeconds: Scalars['Float']['output'];
  readonly missing: ReadonlyArray<RecordingMissingPart>;
  readonly model: RecordingModels;
  readonly sentiment: Maybe<RecordingSentiment>;
  /** While nobody spoke. */
  readonly silenceSeconds: Scalars['Float']['output'];
  /** SHA-256 of the address it was made from, base64url. */
  readonly sourceHash: Scalars['String']['output'];
  readonly speakers: ReadonlyArray<RecordingSpeaker>;
  readonly summary: Maybe<Scalars['String']['output']>;
  readonly summaryFrom: Maybe<RecordingSummarySource>;
  readonly tokens: RecordingTokens;
  readonly topics: ReadonlyArray<RecordingTopic>;
  readonly utterances: ReadonlyArray<RecordingUtterance>;
};

/** The analysis, or how far it is. */
export type RecordingAnalysisState = RecordingAnalysis | RecordingUnderWay;

/** How a call stood to one of the workspace's phrases and rules. */
export type RecordingCompliance = {
  readonly __typename?: 'RecordingCompliance';
  readonly evidence: ReadonlyArray<Scalars['ID']['output']>;
  readonly reason: Scalars['String']['output'];
  readonly rule: Scalars['String']['output'];
  readonly verdict: RecordingVerdict;
};

export type RecordingFeeling = {
  readonly __typename?: 'RecordingFeeling';
  /** -1 to 1. */
  readonly score: Scalars['Float']['output'];
  readonly sentiment: RecordingFeelingName;
};

export type RecordingFeelingName =
  | 'NEGATIVE'
  | 'NEUTRAL'
  | 'POSITIVE';

export type RecordingFeelingSpan = {
  readonly __typename?: 'RecordingFeelingSpan';
  readonly end: Scalars['Float']['output'];
  readonly score: Scalars['Float']['output'];
  readonly sentiment: RecordingFeelingName;
  readonly start: Scalars['Float']['output'];
};

/** What the language model made of a talk. Every statement cites utterances; what cited none, or wrong ones, is left out. */
export type RecordingInsights = {
  readonly __typename?: 'RecordingInsights';
  readonly compliance: ReadonlyArray<RecordingCompliance>;
  /** How many statements were left out. */
  readonly dropped: Scalars['Int']['output'];
  readonly outcome: Maybe<RecordingOutcome>;
  readonly satisfaction: Maybe<RecordingSatisfaction>;
  readonly toImprove: ReadonlyArray<RecordingStatement>;
  readonly wentWell: ReadonlyArray<RecordingStatement>;
};

export type RecordingMissingPart = {
  readonly __typename?: 'RecordingMissingPart';
  readonly part: RecordingPart;
  readonly why: Scalars['String']['output'];
};

export type RecordingModels = {
  readonly __typename?: 'RecordingModels';
  /** Null where none was asked. */
  readonly language: Maybe<Scalars['String']['output']>;
  readonly speech: Scalars['String']['output'];
};

export type RecordingOutcome = {
  readonly __typename?: 'RecordingOutcome';
  readonly code: RecordingOutcomeCode;
  readonly evidence: ReadonlyArray<Scalars['ID']['output']>;
  readonly text: Scalars['String']['output'];
};

export type RecordingOutcomeCode =
  | 'APPOINTMENT_BOOKED'
  | 'APPOINTMENT_CANCELLED'
  | 'APPOINTMENT_MOVED'
  | 'CALL_BACK_PROMISED'
  | 'COMPLAINT_TAKEN'
  | 'INFORMATION_GIVEN'
  | 'NOT_RESOLVED'
  | 'OTHER'
  | 'PAYMENT_ARRANGED'
  | 'WRONG_NUMBER';

export type RecordingPart =
  | 'INSIGHTS'
  | 'SENTIMENT'
  | 'SPEAKERS'
  | 'SUMMARY'
  | 'TOPICS';

export type RecordingProgress = {
  readonly __typename?: 'RecordingProgress';
  readonly callId: Scalars['ID']['output'];
  /** Why it failed. */
  readonly detail: Maybe<Scalars['String']['output']>;
  readonly stage: RecordingStage;
};

export type RecordingRole =
  | 'AGENT'
  | 'CUSTOMER'
  | 'UNKNOWN';

export type RecordingRoleSource =
  /** Each party has a channel of its own. */
  | 'CHANNEL'
  /** The language model, with evidence. */
  | 'MODEL';

export type RecordingSatisfaction = {
  readonly __typename?: 'RecordingSatisfaction';
  readonly evidence: ReadonlyArray<Scalars['ID']['output']>;
  readonly reason: Scalars['String']['output'];
  /** 1 not at all, 5 fully. */
  readonly score: Scalars['Int']['output'];
};

export type RecordingSentiment = {
  readonly __typename?: 'RecordingSentiment';
  readonly average: RecordingFeeling;
  readonly timeline: ReadonlyArray<RecordingFeelingSpan>;
};

export type RecordingSpeaker = {
  readonly __typename?: 'RecordingSpeaker';
  /** Ids of utterances that show it. */
  readonly evidence: ReadonlyArray<Scalars['ID']['output']>;
  /** How often the speaker cut somebody off. */
  readonly interruptions: Scalars['Int']['output'];
  readonly longestMonologueSeconds: Scalars['Float']['output'];
  /** By what the role was found; null for UNKNOWN. */
  readonly namedBy: Maybe<RecordingRoleSource>;
  readonly role: RecordingRole;
  /** The voice's number, as utterances name it. */
  readonly speaker: Scalars['Int']['output'];
  readonly talkSeconds: Scalars['Float']['output'];
  /** Of all that was said: 0 to 1. */
  readonly talkShare: Scalars['Float']['output'];
};

/** What is done already. */
export type RecordingStage =
  | 'ANALYSED'
  | 'FAILED'
  /** The recording is there and is audio. */
  | 'FETCHED'
  | 'STARTED'
  | 'TRANSCRIBED';

export type RecordingStatement = {
  readonly __typename?: 'RecordingStatement';
  readonly evidence: ReadonlyArray<Scalars['ID']['output']>;
  readonly text: Scalars['String']['output'];
};

export type RecordingSummarySource =
  | 'MODEL'
  | 'SPEECH';

export type RecordingTokens = {
  readonly __typename?: 'RecordingTokens';
  readonly input: Scalars['Int']['output'];
  readonly output: Scalars['Int']['output'];
};

export type RecordingTopic = {
  readonly __typename?: 'RecordingTopic';
  /** 0 to 1. */
  readonly confidence: Scalars['Float']['output'];
  readonly topic: Scalars['String']['output'];
};

/** The recording is being worked on; nothing has to be sent again. */
export type RecordingUnderWay = {
  readonly __typename?: 'RecordingUnderWay';
  readonly callId: Scalars['ID']['output'];
  /** The REST path where the analysis will be. */
  readonly lookAt: Scalars['String']['output'];
  readonly retryAfterSeconds: Scalars['Int']['output'];
  readonly stage: RecordingStage;
  readonly startedAt: Maybe<Scalars['Instant']['output']>;
};

export type RecordingUtterance = {
  readonly __typename?: 'RecordingUtterance';
  readonly end: Scalars['Float']['output'];
  readonly id: Scalars['ID']['output'];
  readonly role: RecordingRole;
  readonly speaker: Scalars['Int']['output'];
  readonly start: Scalars['Float']['output'];
  readonly text: Scalars['String']['output'];
};

export type RecordingVerdict =
  | 'BROKEN'
  | 'MET'
  | 'NOT_APPLICABLE';

export type SessionToken = {
  readonly __typename?: 'SessionToken';
  readonly expiresAt: Scalars['Instant']['output'];
  readonly token: Scalars['String']['output'];
};

export type SessionTokens = {
  readonly __typename?: 'SessionTokens';
  /** Sent as `Authorization: Bearer` with every request. */
  readonly accessToken: SessionToken;
  /** Good for one renewal. */
  readonly refreshToken: SessionToken;
};

export type SessionTokensAnswer = {
  readonly __typename?: 'SessionTokensAnswer';
  readonly tokens: SessionTokens;
};

/** Exactly one of these. */
export type SetupChange =
  { readonly complete: SetupStepName; readonly dismiss?: never; readonly reopen?: never; readonly reset?: never; }
  |  /** Must be true. */
  { readonly complete?: never; readonly dismiss: Scalars['Boolean']['input']; readonly reopen?: never; readonly reset?: never; }
  |  { readonly complete?: never; readonly dismiss?: never; readonly reopen: SetupStepName; readonly reset?: never; }
  |  /** Must be true. Nothing is complete then, and the wizard is not dismissed. */
  { readonly complete?: never; readonly dismiss?: never; readonly reopen?: never; readonly reset: Scalars['Boolean']['input']; };

export type SetupState = {
  readonly __typename?: 'SetupState';
  readonly dismissed: Scalars['Boolean']['output'];
  readonly steps: ReadonlyArray<SetupStep>;
  /** Not dismissed, and a step is incomplete. */
  readonly wizardRequired: Scalars['Boolean']['output'];
};

export type SetupStep = {
  readonly __typename?: 'SetupStep';
  readonly complete: Scalars['Boolean']['output'];
  readonly completedAt: Maybe<Scalars['Instant']['output']>;
  /** The member who completed it. */
  readonly completedBy: Maybe<Scalars['ID']['output']>;
  /** Whether the service itself sees the step done, whatever was marked; null where it cannot see at the moment. */
  readonly detected: Maybe<Scalars['Boolean']['output']>;
  /** What it saw, in words for the manager. */
  readonly found: Scalars['String']['output'];
  readonly step: SetupStepName;
};

export type SetupStepName =
  | 'AI'
  | 'BRAND'
  | 'PLATFORM'
  | 'TEAM'
  | 'TELEPHONY'
  | 'WIDGET';

export type SetupSummary = {
  readonly __typename?: 'SetupSummary';
  /** True for a manager while the setup wizard is neither finished nor dismissed. */
  readonly wizardRequired: Scalars['Boolean']['output'];
};

export type SignedInUser = {
  readonly __typename?: 'SignedInUser';
  readonly email: Scalars['String']['output'];
  readonly firstName: Scalars['String']['output'];
  readonly id: Scalars['ID']['output'];
  readonly lastName: Scalars['String']['output'];
};

export type SignedInWorkspace = {
  readonly __typename?: 'SignedInWorkspace';
  readonly id: Scalars['ID']['output'];
  readonly subdomain: Scalars['String']['output'];
};

export type SipCredentials = {
  readonly __typename?: 'SipCredentials';
  readonly domain: Scalars['String']['output'];
  readonly password: Scalars['String']['output'];
  /** `sip:username@domain` */
  readonly uri: Scalars['String']['output'];
  readonly username: Scalars['String']['output'];
  readonly wsPort: Scalars['Int']['output'];
  /** `wss://domain:wsPort` */
  readonly wsUrl: Scalars['String']['output'];
};

export type Subscription = {
  readonly __typename?: 'Subscription';
  /** Where agents stand: an agent's own, a manager's workspace. As it is now comes first. Over server-sent events. */
  readonly agentStates: AgentPresence;
  /** Calls as they go: an agent's own, a manager's workspace. Those that go on now come first. Over server-sent events. */
  readonly callEvents: CallEvent;
  /** How far a call's recording is, until it is analysed or has failed. */
  readonly recordingProgress: RecordingProgress;
  /** The same as it changes, at most once a second; as it is now comes first. Over server-sent events. */
  readonly supervisionUpdates: Supervision;
};


export type SubscriptionRecordingProgressArgs = {
  callId: Scalars['ID']['input'];
};

/** The closed list of what may be suggested for a lead. */
export type SuggestedAction =
  | 'BOOK_VISIT'
  | 'CALL_BACK'
  | 'CLOSE_LEAD'
  | 'ESCALATE_TO_MANAGER'
  | 'FOLLOW_UP_PAYMENT'
  | 'NO_ACTION'
  | 'SEND_INFORMATION';

export type SupervisedAgent = {
  readonly __typename?: 'SupervisedAgent';
  /** The agent record's id. */
  readonly agentId: Scalars['ID']['output'];
  readonly agentName: Scalars['String']['output'];
  readonly memberId: Scalars['ID']['output'];
  /** The agent's name at the provider. */
  readonly providerAgentId: Scalars['String']['output'];
  /** Why not ready. */
  readonly reason: Maybe<Scalars['String']['output']>;
  readonly signedInAt: Scalars['Instant']['output'];
  /** Since when the agent is in this state. */
  readonly since: Maybe<Scalars['Instant']['output']>;
  /** Null where the provider has said nothing of the agent since the sign-in. */
  readonly state: Maybe<AgentState>;
};

export type SupervisedCall = {
  readonly __typename?: 'SupervisedCall';
  readonly agentId: Maybe<Scalars['ID']['output']>;
  readonly agentName: Maybe<Scalars['String']['output']>;
  readonly campaignName: Maybe<Scalars['String']['output']>;
  readonly direction: CallDirection;
  readonly leadId: Maybe<Scalars['ID']['output']>;
  readonly phase: CallPhase;
  readonly phoneNumber: Maybe<Scalars['String']['output']>;
  /** When it began to ring or, once answered, when it was. */
  readonly since: Maybe<Scalars['Instant']['output']>;
  readonly ucid: Scalars['ID']['output'];
};

export type Supervision = {
  readonly __typename?: 'Supervision';
  /** Whoever has a live session, the longest first. */
  readonly agents: ReadonlyArray<SupervisedAgent>;
  /** The moment that it shows. */
  readonly at: Scalars['Instant']['output'];
  readonly callsNow: CallsNow;
  /** Active doctors with slots that are free from now on, by name. */
  readonly freeSlots: ReadonlyArray<FreeSlots>;
  readonly missedWaiting: MissedWaiting;
  readonly today: CallsToday;
};

/** A member's agent record; no secrets. */
export type TeamAgent = {
  readonly __typename?: 'TeamAgent';
  readonly campaignName: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly name: Scalars['String']['output'];
  readonly providerAgentId: Maybe<Scalars['String']['output']>;
  readonly sipExtension: Maybe<Scalars['String']['output']>;
};

/** What an agent works with. The two passwords are kept here, sealed; nobody can read them, and the platform never gets them. */
export type TeamAgentInput = {
  readonly campaignName?: InputMaybe<Scalars['String']['input']>;
  /** The agent's name at the telephony provider. */
  readonly providerAgentId?: InputMaybe<Scalars['String']['input']>;
  readonly providerAgentPassword?: InputMaybe<Scalars['String']['input']>;
  /** No other agent may have it. */
  readonly sipExtension?: InputMaybe<Scalars['String']['input']>;
  readonly sipPassword?: InputMaybe<Scalars['String']['input']>;
};

/** A member of the workspace as managers see one. */
export type TeamMember = {
  readonly __typename?: 'TeamMember';
  readonly agent: Maybe<TeamAgent>;
  /** The agent record's id; null where the member handles no calls. */
  readonly agentId: Maybe<Scalars['ID']['output']>;
  readonly createdAt: Maybe<Scalars['Instant']['output']>;
  readonly email: Scalars['String']['output'];
  readonly firstName: Scalars['String']['output'];
  /** Whether a temporary password can still be read. */
  readonly hasTemporaryPassword: Scalars['Boolean']['output'];
  /** The id of the workspace's member. */
  readonly id: Scalars['ID']['output'];
  readonly lastName: Scalars['String']['output'];
  /** The label of the member's role on the platform. */
  readonly platformRole: Maybe<Scalars['String']['output']>;
  /** Null where the member's role on the platform is none of the two. */
  readonly role: Maybe<TeamRole>;
  /** The live agent session. */
  readonly session: Maybe<LiveAgentSession>;
  readonly userId: Scalars['ID']['output'];
};

export type TeamMemberAnswer = {
  readonly __typename?: 'TeamMemberAnswer';
  readonly member: TeamMember;
};

export type TeamMemberChange = {
  /** Makes the member an agent, or changes the agent record. */
  readonly agent?: InputMaybe<TeamAgentInput>;
  readonly firstName?: InputMaybe<Scalars['String']['input']>;
  readonly lastName?: InputMaybe<Scalars['String']['input']>;
  readonly role?: InputMaybe<TeamRole>;
};

export type TeamMemberPage = {
  readonly __typename?: 'TeamMemberPage';
  /**
   * Since when the public invite link of the workspace stands open that a creation opened and could not close, for example after a crash.
   * It is closed with the next request of a manager; null where there is none.
   */
  readonly inviteLinkLeftOpenSince: Maybe<Scalars['Instant']['output']>;
  readonly members: ReadonlyArray<TeamMember>;
  /** Hand it in as `after` for the next page; null on the last one. */
  readonly nextCursor: Maybe<Scalars['String']['output']>;
  /** How many there are in all, or that `search` finds. */
  readonly totalCount: Scalars['Int']['output'];
};

/** The two roles of the platform that count here; members with an agent record may take calls in either. */
export type TeamRole =
  | 'MANAGER'
  | 'USER';

export type TelephonySignIn = {
  readonly __typename?: 'TelephonySignIn';
  /** Why not, in words for the agent. */
  readonly reason: Maybe<Scalars['String']['output']>;
  readonly signedIn: Scalars['Boolean']['output'];
};

/** What a new member signs in with for the first time. */
export type TemporaryPassword = {
  readonly __typename?: 'TemporaryPassword';
  readonly createdAt: Scalars['Instant']['output'];
  readonly expiresAt: Scalars['Instant']['output'];
  readonly password: Scalars['String']['output'];
  /** When it first signed in. */
  readonly usedAt: Maybe<Scalars['Instant']['output']>;
};

export type Theme = {
  readonly __typename?: 'Theme';
  readonly brand: ThemeBrand;
  readonly colors: ThemeColors;
  readonly fonts: ThemeFonts;
};

export type ThemeBrand = {
  readonly __typename?: 'ThemeBrand';
  readonly hospitalName: Maybe<Scalars['String']['output']>;
  readonly logoUrl: Maybe<Scalars['String']['output']>;
};

/** Colours as `#rrggbb`. */
export type ThemeColors = {
  readonly __typename?: 'ThemeColors';
  readonly accent: Scalars['String']['output'];
  readonly background: Scalars['String']['output'];
  readonly primary: Scalars['String']['output'];
  readonly text: Scalars['String']['output'];
};

/** Lists of font names, as CSS takes them. */
export type ThemeFonts = {
  readonly __typename?: 'ThemeFonts';
  readonly body: Scalars['String']['output'];
  readonly heading: Scalars['String']['output'];
};

/** Who is asking. */
export type Viewer = {
  readonly __typename?: 'Viewer';
  readonly agent: Maybe<AgentProfile>;
  readonly memberId: Scalars['ID']['output'];
  readonly role: ApplicationRole;
  /** The agent's live session, wherever it was taken. */
  readonly session: Maybe<AgentSession>;
  readonly user: SignedInUser;
  readonly workspace: SignedInWorkspace;
};

/** A public identifier of the workspace's widget: it counts only on pages of its origins. */
export type WidgetKey = {
  readonly __typename?: 'WidgetKey';
  readonly createdAt: Scalars['Instant']['output'];
  readonly key: Scalars['ID']['output'];
  /** In the form in which browsers send them. */
  readonly origins: ReadonlyArray<Scalars['String']['output']>;
  /** Null: until it is rotated or deleted. */
  readonly validUntil: Maybe<Scalars['Instant']['output']>;
};



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
    | ( RecordingAnalysis )
    | ( RecordingUnderWay )
  ;
};


/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  AgentCallCounts: ResolverTypeWrapper<AgentCallCounts>;
  AgentCallsNow: ResolverTypeWrapper<AgentCallsNow>;
  AgentLoginInput: AgentLoginInput;
  AgentLogout: ResolverTypeWrapper<AgentLogout>;
  AgentPresence: ResolverTypeWrapper<AgentPresence>;
  AgentProfile: ResolverTypeWrapper<AgentProfile>;
  AgentSession: ResolverTypeWrapper<AgentSession>;
  AgentSignIn: ResolverTypeWrapper<AgentSignIn>;
  AgentState: AgentState;
  AgentStateChoice: AgentStateChoice;
  AgentStateInput: AgentStateInput;
  AnalyzeRecordingInput: AnalyzeRecordingInput;
  ApplicationRole: ApplicationRole;
  AuditLogActor: ResolverTypeWrapper<AuditLogActor>;
  AuditLogDetail: ResolverTypeWrapper<AuditLogDetail>;
  AuditLogEntry: ResolverTypeWrapper<AuditLogEntry>;
  AuditLogPage: ResolverTypeWrapper<AuditLogPage>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  CallControlAction: CallControlAction;
  CallControls: ResolverTypeWrapper<CallControls>;
  CallCounts: ResolverTypeWrapper<CallCounts>;
  CallDirection: CallDirection;
  CallEnrichment: ResolverTypeWrapper<Enrichment>;
  CallEvent: ResolverTypeWrapper<Omit<CallEvent, 'call'> & { call: ResolversTypes['LiveCall'] }>;
  CallEventKind: CallEventKind;
  CallLookup: ResolverTypeWrapper<LookedUpCall>;
  CallPhase: CallPhase;
  CallSummary: ResolverTypeWrapper<PlatformCall>;
  CallbackKey: ResolverTypeWrapper<CallbackKey>;
  CallsNow: ResolverTypeWrapper<CallsNow>;
  CallsToday: ResolverTypeWrapper<CallsToday>;
  CampaignCallCounts: ResolverTypeWrapper<CampaignCallCounts>;
  CampaignCallsNow: ResolverTypeWrapper<CampaignCallsNow>;
  ConfigurationAction: ConfigurationAction;
  ConfigurationCheck: ResolverTypeWrapper<ConfigurationCheck>;
  ConfigurationDocument: ResolverTypeWrapper<Scalars['ConfigurationDocument']['output']>;
  ConfigurationEditor: ResolverTypeWrapper<ConfigurationEditor>;
  ConfigurationRevision: ResolverTypeWrapper<ConfigurationRevision>;
  ConfigurationSection: ConfigurationSection;
  ConfigurationTest: ResolverTypeWrapper<ConfigurationTest>;
  ControlCallInput: ControlCallInput;
  DeactivatedTeamMember: ResolverTypeWrapper<DeactivatedTeamMember>;
  DeadLetter: ResolverTypeWrapper<DeadLetter>;
  DeadLetterPage: ResolverTypeWrapper<DeadLetterPage>;
  DeadLetterReplay: ResolverTypeWrapper<DeadLetterReplay>;
  DialInput: DialInput;
  DialReceipt: ResolverTypeWrapper<DialReceipt>;
  DialVia: DialVia;
  DirectoryDoctor: ResolverTypeWrapper<DirectoryDoctor>;
  DirectorySlot: ResolverTypeWrapper<DirectorySlot>;
  DirectorySlotState: DirectorySlotState;
  DispositionCallCounts: ResolverTypeWrapper<DispositionCallCounts>;
  DispositionInput: DispositionInput;
  DispositionOutcome: DispositionOutcome;
  DispositionReceipt: ResolverTypeWrapper<DispositionReceipt>;
  DoctorDirectory: ResolverTypeWrapper<DoctorDirectory>;
  DoctorDirectoryFilter: DoctorDirectoryFilter;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  FreeSlots: ResolverTypeWrapper<FreeSlots>;
  HourCallCounts: ResolverTypeWrapper<HourCallCounts>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Instant: ResolverTypeWrapper<Scalars['Instant']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  LeadInsight: ResolverTypeWrapper<LeadInsight>;
  LeadInsightKey: LeadInsightKey;
  LeadMatch: LeadMatch;
  LeadMatchedBy: LeadMatchedBy;
  LeadSummary: ResolverTypeWrapper<ShownLead>;
  LiveAgentSession: ResolverTypeWrapper<LiveAgentSession>;
  LiveCall: ResolverTypeWrapper<KnownCall>;
  LoginTokenInput: LoginTokenInput;
  MissedCall: ResolverTypeWrapper<MissedCall>;
  MissedWaiting: ResolverTypeWrapper<MissedWaiting>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  NewCallbackKey: ResolverTypeWrapper<NewCallbackKey>;
  NewTeamMember: NewTeamMember;
  NewWidgetKey: NewWidgetKey;
  NextVisit: ResolverTypeWrapper<NextVisit>;
  OpenItem: ResolverTypeWrapper<OpenItem>;
  OpenItemKind: OpenItemKind;
  Provisioning: ResolverTypeWrapper<Provisioning>;
  ProvisioningItem: ResolverTypeWrapper<ProvisioningItem>;
  ProvisioningKind: ProvisioningKind;
  ProvisioningState: ProvisioningState;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  RecordingAnalysis: ResolverTypeWrapper<RecordingAnalysis>;
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
  RecordingProgress: ResolverTypeWrapper<RecordingProgress>;
  RecordingRole: RecordingRole;
  RecordingRoleSource: RecordingRoleSource;
  RecordingSatisfaction: ResolverTypeWrapper<RecordingSatisfaction>;
  RecordingSentiment: ResolverTypeWrapper<RecordingSentiment>;
  RecordingSpeaker: ResolverTypeWrapper<RecordingSpeaker>;
  RecordingStage: RecordingStage;
  RecordingStatement: ResolverTypeWrapper<RecordingStatement>;
  RecordingSummarySource: RecordingSummarySource;
  RecordingTokens: ResolverTypeWrapper<RecordingTokens>;
  RecordingTopic: ResolverTypeWrapper<RecordingTopic>;
  RecordingUnderWay: ResolverTypeWrapper<RecordingUnderWay>;
  RecordingUtterance: ResolverTypeWrapper<RecordingUtterance>;
  RecordingVerdict: RecordingVerdict;
  SectionSchema: ResolverTypeWrapper<Scalars['SectionSchema']['output']>;
  SessionToken: ResolverTypeWrapper<SessionToken>;
  SessionTokens: ResolverTypeWrapper<SessionTokens>;
  SessionTokensAnswer: ResolverTypeWrapper<SessionTokensAnswer>;
  SetupChange: SetupChange;
  SetupState: ResolverTypeWrapper<Omit<SetupState, 'steps'> & { steps: ReadonlyArray<ResolversTypes['SetupStep']> }>;
  SetupStep: ResolverTypeWrapper<DetectedStep>;
  SetupStepName: SetupStepName;
  SetupSummary: ResolverTypeWrapper<SetupSummary>;
  SignedInUser: ResolverTypeWrapper<SignedInUser>;
  SignedInWorkspace: ResolverTypeWrapper<SignedInWorkspace>;
  SipCredentials: ResolverTypeWrapper<SipCredentials>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  SuggestedAction: SuggestedAction;
  SupervisedAgent: ResolverTypeWrapper<SupervisedAgent>;
  SupervisedCall: ResolverTypeWrapper<SupervisedCall>;
  Supervision: ResolverTypeWrapper<Supervision>;
  TeamAgent: ResolverTypeWrapper<TeamAgent>;
  TeamAgentInput: TeamAgentInput;
  TeamMember: ResolverTypeWrapper<TeamMember>;
  TeamMemberAnswer: ResolverTypeWrapper<TeamMemberAnswer>;
  TeamMemberChange: TeamMemberChange;
  TeamMemberPage: ResolverTypeWrapper<TeamMemberPage>;
  TeamRole: TeamRole;
  TelephonySignIn: ResolverTypeWrapper<TelephonySignIn>;
  TemporaryPassword: ResolverTypeWrapper<TemporaryPassword>;
  Theme: ResolverTypeWrapper<Theme>;
  ThemeBrand: ResolverTypeWrapper<ThemeBrand>;
  ThemeColors: ResolverTypeWrapper<ThemeColors>;
  ThemeFonts: ResolverTypeWrapper<ThemeFonts>;
  Viewer: ResolverTypeWrapper<Viewer>;
  WidgetKey: ResolverTypeWrapper<WidgetKey>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  AgentCallCounts: AgentCallCounts;
  AgentCallsNow: AgentCallsNow;
  AgentLoginInput: AgentLoginInput;
  AgentLogout: AgentLogout;
  AgentPresence: AgentPresence;
  AgentProfile: AgentProfile;
  AgentSession: AgentSession;
  AgentSignIn: AgentSignIn;
  AgentStateInput: AgentStateInput;
  AnalyzeRecordingInput: AnalyzeRecordingInput;
  AuditLogActor: AuditLogActor;
  AuditLogDetail: AuditLogDetail;
  AuditLogEntry: AuditLogEntry;
  AuditLogPage: AuditLogPage;
  Boolean: Scalars['Boolean']['output'];
  CallControls: CallControls;
  CallCounts: CallCounts;
  CallEnrichment: Enrichment;
  CallEvent: Omit<CallEvent, 'call'> & { call: ResolversParentTypes['LiveCall'] };
  CallLookup: LookedUpCall;
  CallSummary: PlatformCall;
  CallbackKey: CallbackKey;
  CallsNow: CallsNow;
  CallsToday: CallsToday;
  CampaignCallCounts: CampaignCallCounts;
  CampaignCallsNow: CampaignCallsNow;
  ConfigurationCheck: ConfigurationCheck;
  ConfigurationDocument: Scalars['ConfigurationDocument']['output'];
  ConfigurationEditor: ConfigurationEditor;
  ConfigurationRevision: ConfigurationRevision;
  ConfigurationTest: ConfigurationTest;
  ControlCallInput: ControlCallInput;
  DeactivatedTeamMember: DeactivatedTeamMember;
  DeadLetter: DeadLetter;
  DeadLetterPage: DeadLetterPage;
  DeadLetterReplay: DeadLetterReplay;
  DialInput: DialInput;
  DialReceipt: DialReceipt;
  DirectoryDoctor: DirectoryDoctor;
  DirectorySlot: DirectorySlot;
  DispositionCallCounts: DispositionCallCounts;
  DispositionInput: DispositionInput;
  DispositionReceipt: DispositionReceipt;
  DoctorDirectory: DoctorDirectory;
  DoctorDirectoryFilter: DoctorDirectoryFilter;
  Float: Scalars['Float']['output'];
  FreeSlots: FreeSlots;
  HourCallCounts: HourCallCounts;
  ID: Scalars['ID']['output'];
  Instant: Scalars['Instant']['output'];
  Int: Scalars['Int']['output'];
  LeadInsight: LeadInsight;
  LeadInsightKey: LeadInsightKey;
  LeadSummary: ShownLead;
  LiveAgentSession: LiveAgentSession;
  LiveCall: KnownCall;
  LoginTokenInput: LoginTokenInput;
  MissedCall: MissedCall;
  MissedWaiting: MissedWaiting;
  Mutation: Record<PropertyKey, never>;
  NewCallbackKey: NewCallbackKey;
  NewTeamMember: NewTeamMember;
  NewWidgetKey: NewWidgetKey;
  NextVisit: NextVisit;
  OpenItem: OpenItem;
  Provisioning: Provisioning;
  ProvisioningItem: ProvisioningItem;
  Query: Record<PropertyKey, never>;
  RecordingAnalysis: RecordingAnalysis;
  RecordingAnalysisState: ResolversUnionTypes<ResolversParentTypes>['RecordingAnalysisState'];
  RecordingCompliance: RecordingCompliance;
  RecordingFeeling: RecordingFeeling;
  RecordingFeelingSpan: RecordingFeelingSpan;
  RecordingInsights: RecordingInsights;
  RecordingMissingPart: RecordingMissingPart;
  RecordingModels: RecordingModels;
  RecordingOutcome: RecordingOutcome;
  RecordingProgress: RecordingProgress;
  RecordingSatisfaction: RecordingSatisfaction;
  RecordingSentiment: RecordingSentiment;
  RecordingSpeaker: RecordingSpeaker;
  RecordingStatement: RecordingStatement;
  RecordingTokens: RecordingTokens;
  RecordingTopic: RecordingTopic;
  RecordingUnderWay: RecordingUnderWay;
  RecordingUtterance: RecordingUtterance;
  SectionSchema: Scalars['SectionSchema']['output'];
  SessionToken: SessionToken;
  SessionTokens: SessionTokens;
  SessionTokensAnswer: SessionTokensAnswer;
  SetupChange: SetupChange;
  SetupState: Omit<SetupState, 'steps'> & { steps: ReadonlyArray<ResolversParentTypes['SetupStep']> };
  SetupStep: DetectedStep;
  SetupSummary: SetupSummary;
  SignedInUser: SignedInUser;
  SignedInWorkspace: SignedInWorkspace;
  SipCredentials: SipCredentials;
  String: Scalars['String']['output'];
  Subscription: Record<PropertyKey, never>;
  SupervisedAgent: SupervisedAgent;
  SupervisedCall: SupervisedCall;
  Supervision: Supervision;
  TeamAgent: TeamAgent;
  TeamAgentInput: TeamAgentInput;
  TeamMember: TeamMember;
  TeamMemberAnswer: TeamMemberAnswer;
  TeamMemberChange: TeamMemberChange;
  TeamMemberPage: TeamMemberPage;
  TelephonySignIn: TelephonySignIn;
  TemporaryPassword: TemporaryPassword;
  Theme: Theme;
  ThemeBrand: ThemeBrand;
  ThemeColors: ThemeColors;
  ThemeFonts: ThemeFonts;
  Viewer: Viewer;
  WidgetKey: WidgetKey;
};

export type AuthDirectiveArgs = {
  role?: ApplicationRole;
};

export type AuthDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = AuthDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

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

export type AgentPresenceResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AgentPresence'] = ResolversParentTypes['AgentPresence']> = {
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  providerAgentId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  since?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
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
  expiresAt?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
  heartbeatIntervalSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  ip?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lockedAt?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
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

export type AuditLogActorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AuditLogActor'] = ResolversParentTypes['AuditLogActor']> = {
  ip?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  memberId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  userId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type AuditLogDetailResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AuditLogDetail'] = ResolversParentTypes['AuditLogDetail']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AuditLogEntryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AuditLogEntry'] = ResolversParentTypes['AuditLogEntry']> = {
  action?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  actor?: Resolver<ResolversTypes['AuditLogActor'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
  details?: Resolver<ReadonlyArray<ResolversTypes['AuditLogDetail']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  targetId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  targetKind?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AuditLogPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AuditLogPage'] = ResolversParentTypes['AuditLogPage']> = {
  entries?: Resolver<ReadonlyArray<ResolversTypes['AuditLogEntry']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CallControlsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallControls'] = ResolversParentTypes['CallControls']> = {
  held?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  muted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  parties?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  recordingPaused?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type CallCountsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallCounts'] = ResolversParentTypes['CallCounts']> = {
  answered?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  averageHandlingSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  averageTalkSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  averageWrapUpSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  calls?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  missed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  unreached?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type CallEnrichmentResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallEnrichment'] = ResolversParentTypes['CallEnrichment']> = {
  available?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  likelyReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  suggestedOpening?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  whoIsThis?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CallEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallEvent'] = ResolversParentTypes['CallEvent']> = {
  call?: Resolver<ResolversTypes['LiveCall'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['CallEventKind'], ParentType, ContextType>;
};

export type CallLookupResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallLookup'] = ResolversParentTypes['CallLookup']> = {
  call?: Resolver<Maybe<ResolversTypes['LiveCall']>, ParentType, ContextType>;
  candidates?: Resolver<ReadonlyArray<ResolversTypes['LeadSummary']>, ParentType, ContextType>;
  enrichment?: Resolver<ResolversTypes['CallEnrichment'], ParentType, ContextType>;
  lastCalls?: Resolver<ReadonlyArray<ResolversTypes['CallSummary']>, ParentType, ContextType>;
  lead?: Resolver<Maybe<ResolversTypes['LeadSummary']>, ParentType, ContextType>;
  match?: Resolver<ResolversTypes['LeadMatch'], ParentType, ContextType>;
  nextVisit?: Resolver<Maybe<ResolversTypes['NextVisit']>, ParentType, ContextType>;
  openItems?: Resolver<ReadonlyArray<ResolversTypes['OpenItem']>, ParentType, ContextType>;
  phoneNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  unavailable?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CallSummaryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallSummary'] = ResolversParentTypes['CallSummary']> = {
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  direction?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  disposition?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  durationSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
  hasRecording?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  notes?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  startedAt?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  ucid?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type CallbackKeyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallbackKey'] = ResolversParentTypes['CallbackKey']> = {
  createdAt?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type CallsNowResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallsNow'] = ResolversParentTypes['CallsNow']> = {
  byAgent?: Resolver<ReadonlyArray<ResolversTypes['AgentCallsNow']>, ParentType, ContextType>;
  byCampaign?: Resolver<ReadonlyArray<ResolversTypes['CampaignCallsNow']>, ParentType, ContextType>;
  calls?: Resolver<ReadonlyArray<ResolversTypes['SupervisedCall']>, ParentType, ContextType>;
  onCall?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  ringing?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type CallsTodayResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallsToday'] = ResolversParentTypes['CallsToday']> = {
  byAgent?: Resolver<ReadonlyArray<ResolversTypes['AgentCallCounts']>, ParentType, ContextType>;
  byCampaign?: Resolver<ReadonlyArray<ResolversTypes['CampaignCallCounts']>, ParentType, ContextType>;
  byDisposition?: Resolver<ReadonlyArray<ResolversTypes['DispositionCallCounts']>, ParentType, ContextType>;
  byHour?: Resolver<ReadonlyArray<ResolversTypes['HourCallCounts']>, ParentType, ContextType>;
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  date?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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
};

export interface ConfigurationDocumentScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['ConfigurationDocument'], any> {
  name: 'ConfigurationDocument';
}

export type ConfigurationEditorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ConfigurationEditor'] = ResolversParentTypes['ConfigurationEditor']> = {
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ConfigurationRevisionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ConfigurationRevision'] = ResolversParentTypes['ConfigurationRevision']> = {
  action?: Resolver<ResolversTypes['ConfigurationAction'], ParentType, ContextType>;
  changedAt?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
  changedBy?: Resolver<Maybe<ResolversTypes['ConfigurationEditor']>, ParentType, ContextType>;
  fields?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ConfigurationTestResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ConfigurationTest'] = ResolversParentTypes['ConfigurationTest']> = {
  checks?: Resolver<ReadonlyArray<ResolversTypes['ConfigurationCheck']>, ParentType, ContextType>;
  ok?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  section?: Resolver<ResolversTypes['ConfigurationSection'], ParentType, ContextType>;
  testedAt?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
};

export type DeactivatedTeamMemberResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeactivatedTeamMember'] = ResolversParentTypes['DeactivatedTeamMember']> = {
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  sessionEnded?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type DeadLetterResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeadLetter'] = ResolversParentTypes['DeadLetter']> = {
  deadAt?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
  eventId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  key?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  receiver?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  topic?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type DeadLetterPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeadLetterPage'] = ResolversParentTypes['DeadLetterPage']> = {
  deadLetters?: Resolver<ReadonlyArray<ResolversTypes['DeadLetter']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type DeadLetterReplayResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeadLetterReplay'] = ResolversParentTypes['DeadLetterReplay']> = {
  remaining?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type DialReceiptResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DialReceipt'] = ResolversParentTypes['DialReceipt']> = {
  callId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  phoneNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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
  endsAt?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  leadId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  localEndsAt?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  localStartsAt?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  startsAt?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['DirectorySlotState'], ParentType, ContextType>;
  timeZone?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type DispositionCallCountsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DispositionCallCounts'] = ResolversParentTypes['DispositionCallCounts']> = {
  counts?: Resolver<ResolversTypes['CallCounts'], ParentType, ContextType>;
  disposition?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type DispositionReceiptResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DispositionReceipt'] = ResolversParentTypes['DispositionReceipt']> = {
  disposition?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  eventId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  outcome?: Resolver<ResolversTypes['DispositionOutcome'], ParentType, ContextType>;
  ucid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type DoctorDirectoryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DoctorDirectory'] = ResolversParentTypes['DoctorDirectory']> = {
  doctors?: Resolver<ReadonlyArray<ResolversTypes['DirectoryDoctor']>, ParentType, ContextType>;
  slots?: Resolver<ReadonlyArray<ResolversTypes['DirectorySlot']>, ParentType, ContextType>;
  timeZone?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type FreeSlotsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FreeSlots'] = ResolversParentTypes['FreeSlots']> = {
  doctorId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  doctorName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  nextStartsAt?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
  speciality?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  today?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type HourCallCountsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['HourCallCounts'] = ResolversParentTypes['HourCallCounts']> = {
  counts?: Resolver<ResolversTypes['CallCounts'], ParentType, ContextType>;
  hour?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export interface InstantScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Instant'], any> {
  name: 'Instant';
}

export type LeadInsightResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LeadInsight'] = ResolversParentTypes['LeadInsight']> = {
  callBackAt?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
  eventId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  model?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  suggestedAction?: Resolver<Maybe<ResolversTypes['SuggestedAction']>, ParentType, ContextType>;
  summary?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  writtenAt?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
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
  expiresAt?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
  ip?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lastHeartbeatAt?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
  lockedAt?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type LiveCallResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LiveCall'] = ResolversParentTypes['LiveCall']> = {
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  answeredAt?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
  campaignName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  controls?: Resolver<ResolversTypes['CallControls'], ParentType, ContextType>;
  did?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  direction?: Resolver<ResolversTypes['CallDirection'], ParentType, ContextType>;
  disposition?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
  leadId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  phase?: Resolver<ResolversTypes['CallPhase'], ParentType, ContextType>;
  phoneNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  providerAgentId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  startedAt?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
  talkSeconds?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  ucid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type MissedCallResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MissedCall'] = ResolversParentTypes['MissedCall']> = {
  at?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
  calledBackAt?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
  calledBackUcid?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  campaignName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  did?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  leadId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  phoneNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  ucid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type MissedWaitingResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MissedWaiting'] = ResolversParentTypes['MissedWaiting']> = {
  calls?: Resolver<ReadonlyArray<ResolversTypes['MissedCall']>, ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  oldestAt?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
};

export type MutationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  agentLogin?: Resolver<ResolversTypes['AgentSignIn'], ParentType, ContextType, RequireFields<MutationAgentLoginArgs, 'input'>>;
  agentLogout?: Resolver<ResolversTypes['AgentLogout'], ParentType, ContextType, Partial<MutationAgentLogoutArgs>>;
  analyzeRecording?: Resolver<ResolversTypes['RecordingAnalysisState'], ParentType, ContextType, RequireFields<MutationAnalyzeRecordingArgs, 'input'>>;
  controlCall?: Resolver<ResolversTypes['LiveCall'], ParentType, ContextType, RequireFields<MutationControlCallArgs, 'input'>>;
  createTeamMember?: Resolver<ResolversTypes['TeamMemberAnswer'], ParentType, ContextType, RequireFields<MutationCreateTeamMemberArgs, 'input'>>;
  createWidgetKey?: Resolver<ResolversTypes['WidgetKey'], ParentType, ContextType, RequireFields<MutationCreateWidgetKeyArgs, 'input'>>;
  deactivateTeamMember?: Resolver<ResolversTypes['DeactivatedTeamMember'], ParentType, ContextType, RequireFields<MutationDeactivateTeamMemberArgs, 'id'>>;
  deleteWidgetKey?: Resolver<ResolversTypes['WidgetKey'], ParentType, ContextType, RequireFields<MutationDeleteWidgetKeyArgs, 'key'>>;
  dial?: Resolver<ResolversTypes['DialReceipt'], ParentType, ContextType, RequireFields<MutationDialArgs, 'input'>>;
  exchangeLoginToken?: Resolver<ResolversTypes['SessionTokensAnswer'], ParentType, ContextType, RequireFields<MutationExchangeLoginTokenArgs, 'input'>>;
  heartbeat?: Resolver<ResolversTypes['AgentSession'], ParentType, ContextType, Partial<MutationHeartbeatArgs>>;
  provision?: Resolver<ResolversTypes['Provisioning'], ParentType, ContextType, RequireFields<MutationProvisionArgs, 'apply'>>;
  refreshTokens?: Resolver<ResolversTypes['SessionTokensAnswer'], ParentType, ContextType, RequireFields<MutationRefreshTokensArgs, 'refreshToken'>>;
  releaseAgentSession?: Resolver<ResolversTypes['AgentLogout'], ParentType, ContextType, RequireFields<MutationReleaseAgentSessionArgs, 'agentId' | 'reason'>>;
  replayDeadLetter?: Resolver<ResolversTypes['DeadLetterReplay'], ParentType, ContextType, RequireFields<MutationReplayDeadLetterArgs, 'id'>>;
  replayDeadLetters?: Resolver<ResolversTypes['DeadLetterReplay'], ParentType, ContextType>;
  resetConfiguration?: Resolver<ResolversTypes['ConfigurationDocument'], ParentType, ContextType, RequireFields<MutationResetConfigurationArgs, 'section'>>;
  restoreConfiguration?: Resolver<ResolversTypes['ConfigurationDocument'], ParentType, ContextType, RequireFields<MutationRestoreConfigurationArgs, 'section' | 'version'>>;
  rotateCallbackKey?: Resolver<ResolversTypes['NewCallbackKey'], ParentType, ContextType, RequireFields<MutationRotateCallbackKeyArgs, 'provider'>>;
  rotateWidgetKey?: Resolver<ResolversTypes['WidgetKey'], ParentType, ContextType, RequireFields<MutationRotateWidgetKeyArgs, 'key'>>;
  saveConfiguration?: Resolver<ResolversTypes['ConfigurationDocument'], ParentType, ContextType, RequireFields<MutationSaveConfigurationArgs, 'document' | 'section'>>;
  setAgentState?: Resolver<ResolversTypes['AgentPresence'], ParentType, ContextType, RequireFields<MutationSetAgentStateArgs, 'input'>>;
  setupState?: Resolver<ResolversTypes['SetupState'], ParentType, ContextType, RequireFields<MutationSetupStateArgs, 'change'>>;
  setupStep?: Resolver<ResolversTypes['SetupState'], ParentType, ContextType, RequireFields<MutationSetupStepArgs, 'complete' | 'step'>>;
  submitDisposition?: Resolver<ResolversTypes['DispositionReceipt'], ParentType, ContextType, RequireFields<MutationSubmitDispositionArgs, 'input'>>;
  testConfiguration?: Resolver<ResolversTypes['ConfigurationTest'], ParentType, ContextType, RequireFields<MutationTestConfigurationArgs, 'section'>>;
  updateTeamMember?: Resolver<ResolversTypes['TeamMemberAnswer'], ParentType, ContextType, RequireFields<MutationUpdateTeamMemberArgs, 'change' | 'id'>>;
};

export type NewCallbackKeyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['NewCallbackKey'] = ResolversParentTypes['NewCallbackKey']> = {
  createdAt?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
  formerValidUntil?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type NextVisitResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['NextVisit'] = ResolversParentTypes['NextVisit']> = {
  doctorId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  endsAt?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
  localStartsAt?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  slotId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  startsAt?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type OpenItemResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OpenItem'] = ResolversParentTypes['OpenItem']> = {
  dueAt?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['OpenItemKind'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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
  agentSessions?: Resolver<ReadonlyArray<ResolversTypes['LiveAgentSession']>, ParentType, ContextType>;
  auditLog?: Resolver<ResolversTypes['AuditLogPage'], ParentType, ContextType, RequireFields<QueryAuditLogArgs, 'first'>>;
  callLookup?: Resolver<ResolversTypes['CallLookup'], ParentType, ContextType, Partial<QueryCallLookupArgs>>;
  callbackKeys?: Resolver<ReadonlyArray<ResolversTypes['CallbackKey']>, ParentType, ContextType>;
  configuration?: Resolver<ResolversTypes['ConfigurationDocument'], ParentType, ContextType, RequireFields<QueryConfigurationArgs, 'section'>>;
  configurationHistory?: Resolver<ReadonlyArray<ResolversTypes['ConfigurationRevision']>, ParentType, ContextType, RequireFields<QueryConfigurationHistoryArgs, 'section'>>;
  configurationSchema?: Resolver<ResolversTypes['SectionSchema'], ParentType, ContextType, RequireFields<QueryConfigurationSchemaArgs, 'section'>>;
  currentCall?: Resolver<Maybe<ResolversTypes['CallLookup']>, ParentType, ContextType>;
  deadLetters?: Resolver<ResolversTypes['DeadLetterPage'], ParentType, ContextType, RequireFields<QueryDeadLettersArgs, 'first'>>;
  doctorDirectory?: Resolver<ResolversTypes['DoctorDirectory'], ParentType, ContextType, Partial<QueryDoctorDirectoryArgs>>;
  leadInsights?: Resolver<ReadonlyArray<Maybe<ResolversTypes['LeadInsight']>>, ParentType, ContextType, RequireFields<QueryLeadInsightsArgs, 'leads'>>;
  me?: Resolver<ResolversTypes['Viewer'], ParentType, ContextType>;
  missedCalls?: Resolver<ReadonlyArray<ResolversTypes['MissedCall']>, ParentType, ContextType, RequireFields<QueryMissedCallsArgs, 'first' | 'waitingOnly'>>;
  recordingAnalyses?: Resolver<ReadonlyArray<Maybe<ResolversTypes['RecordingAnalysis']>>, ParentType, ContextType, RequireFields<QueryRecordingAnalysesArgs, 'callIds'>>;
  recordingAnalysis?: Resolver<ResolversTypes['RecordingAnalysisState'], ParentType, ContextType, RequireFields<QueryRecordingAnalysisArgs, 'callId'>>;
  setupState?: Resolver<ResolversTypes['SetupState'], ParentType, ContextType>;
  supervision?: Resolver<ResolversTypes['Supervision'], ParentType, ContextType>;
  teamMembers?: Resolver<ResolversTypes['TeamMemberPage'], ParentType, ContextType, RequireFields<QueryTeamMembersArgs, 'first'>>;
  temporaryPassword?: Resolver<ResolversTypes['TemporaryPassword'], ParentType, ContextType, RequireFields<QueryTemporaryPasswordArgs, 'memberId'>>;
  theme?: Resolver<ResolversTypes['Theme'], ParentType, ContextType>;
  widgetKeys?: Resolver<ReadonlyArray<ResolversTypes['WidgetKey']>, ParentType, ContextType>;
};

export type RecordingAnalysisResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingAnalysis'] = ResolversParentTypes['RecordingAnalysis']> = {
  analyzedAt?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
  callId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  duration?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
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
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  rule?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  verdict?: Resolver<ResolversTypes['RecordingVerdict'], ParentType, ContextType>;
};

export type RecordingFeelingResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingFeeling'] = ResolversParentTypes['RecordingFeeling']> = {
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
  language?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  speech?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RecordingOutcomeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingOutcome'] = ResolversParentTypes['RecordingOutcome']> = {
  code?: Resolver<ResolversTypes['RecordingOutcomeCode'], ParentType, ContextType>;
  evidence?: Resolver<ReadonlyArray<ResolversTypes['ID']>, ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RecordingProgressResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingProgress'] = ResolversParentTypes['RecordingProgress']> = {
  callId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  detail?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  stage?: Resolver<ResolversTypes['RecordingStage'], ParentType, ContextType>;
};

export type RecordingSatisfactionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingSatisfaction'] = ResolversParentTypes['RecordingSatisfaction']> = {
  evidence?: Resolver<ReadonlyArray<ResolversTypes['ID']>, ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  score?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type RecordingSentimentResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingSentiment'] = ResolversParentTypes['RecordingSentiment']> = {
  average?: Resolver<ResolversTypes['RecordingFeeling'], ParentType, ContextType>;
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

export type RecordingTokensResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingTokens'] = ResolversParentTypes['RecordingTokens']> = {
  input?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  output?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type RecordingTopicResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingTopic'] = ResolversParentTypes['RecordingTopic']> = {
  confidence?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  topic?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RecordingUnderWayResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordingUnderWay'] = ResolversParentTypes['RecordingUnderWay']> = {
  callId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lookAt?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  retryAfterSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  stage?: Resolver<ResolversTypes['RecordingStage'], ParentType, ContextType>;
  startedAt?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
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

export interface SectionSchemaScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['SectionSchema'], any> {
  name: 'SectionSchema';
}

export type SessionTokenResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SessionToken'] = ResolversParentTypes['SessionToken']> = {
  expiresAt?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
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
  steps?: Resolver<ReadonlyArray<ResolversTypes['SetupStep']>, ParentType, ContextType>;
  wizardRequired?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type SetupStepResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SetupStep'] = ResolversParentTypes['SetupStep']> = {
  complete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  completedAt?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
  completedBy?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  detected?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  found?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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
  agentStates?: SubscriptionResolver<ResolversTypes['AgentPresence'], "agentStates", ParentType, ContextType>;
  callEvents?: SubscriptionResolver<ResolversTypes['CallEvent'], "callEvents", ParentType, ContextType>;
  recordingProgress?: SubscriptionResolver<ResolversTypes['RecordingProgress'], "recordingProgress", ParentType, ContextType, RequireFields<SubscriptionRecordingProgressArgs, 'callId'>>;
  supervisionUpdates?: SubscriptionResolver<ResolversTypes['Supervision'], "supervisionUpdates", ParentType, ContextType>;
};

export type SupervisedAgentResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SupervisedAgent'] = ResolversParentTypes['SupervisedAgent']> = {
  agentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  agentName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  providerAgentId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  signedInAt?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
  since?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
  state?: Resolver<Maybe<ResolversTypes['AgentState']>, ParentType, ContextType>;
};

export type SupervisedCallResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SupervisedCall'] = ResolversParentTypes['SupervisedCall']> = {
  agentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  agentName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  campaignName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  direction?: Resolver<ResolversTypes['CallDirection'], ParentType, ContextType>;
  leadId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  phase?: Resolver<ResolversTypes['CallPhase'], ParentType, ContextType>;
  phoneNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  since?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
  ucid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type SupervisionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Supervision'] = ResolversParentTypes['Supervision']> = {
  agents?: Resolver<ReadonlyArray<ResolversTypes['SupervisedAgent']>, ParentType, ContextType>;
  at?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
  callsNow?: Resolver<ResolversTypes['CallsNow'], ParentType, ContextType>;
  freeSlots?: Resolver<ReadonlyArray<ResolversTypes['FreeSlots']>, ParentType, ContextType>;
  missedWaiting?: Resolver<ResolversTypes['MissedWaiting'], ParentType, ContextType>;
  today?: Resolver<ResolversTypes['CallsToday'], ParentType, ContextType>;
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
  createdAt?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
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

export type TeamMemberPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TeamMemberPage'] = ResolversParentTypes['TeamMemberPage']> = {
  inviteLinkLeftOpenSince?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
  members?: Resolver<ReadonlyArray<ResolversTypes['TeamMember']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type TelephonySignInResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TelephonySignIn'] = ResolversParentTypes['TelephonySignIn']> = {
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  signedIn?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type TemporaryPasswordResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TemporaryPassword'] = ResolversParentTypes['TemporaryPassword']> = {
  createdAt?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
  password?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  usedAt?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
};

export type ThemeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Theme'] = ResolversParentTypes['Theme']> = {
  brand?: Resolver<ResolversTypes['ThemeBrand'], ParentType, ContextType>;
  colors?: Resolver<ResolversTypes['ThemeColors'], ParentType, ContextType>;
  fonts?: Resolver<ResolversTypes['ThemeFonts'], ParentType, ContextType>;
};

export type ThemeBrandResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ThemeBrand'] = ResolversParentTypes['ThemeBrand']> = {
  hospitalName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  logoUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ThemeColorsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ThemeColors'] = ResolversParentTypes['ThemeColors']> = {
  accent?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  background?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  primary?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ThemeFontsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ThemeFonts'] = ResolversParentTypes['ThemeFonts']> = {
  body?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  heading?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ViewerResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Viewer'] = ResolversParentTypes['Viewer']> = {
  agent?: Resolver<Maybe<ResolversTypes['AgentProfile']>, ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['ApplicationRole'], ParentType, ContextType>;
  session?: Resolver<Maybe<ResolversTypes['AgentSession']>, ParentType, ContextType>;
  user?: Resolver<ResolversTypes['SignedInUser'], ParentType, ContextType>;
  workspace?: Resolver<ResolversTypes['SignedInWorkspace'], ParentType, ContextType>;
};

export type WidgetKeyResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WidgetKey'] = ResolversParentTypes['WidgetKey']> = {
  createdAt?: Resolver<ResolversTypes['Instant'], ParentType, ContextType>;
  key?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  origins?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  validUntil?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
};

export type Resolvers<ContextType = RequestContext> = {
  AgentCallCounts?: AgentCallCountsResolvers<ContextType>;
  AgentCallsNow?: AgentCallsNowResolvers<ContextType>;
  AgentLogout?: AgentLogoutResolvers<ContextType>;
  AgentPresence?: AgentPresenceResolvers<ContextType>;
  AgentProfile?: AgentProfileResolvers<ContextType>;
  AgentSession?: AgentSessionResolvers<ContextType>;
  AgentSignIn?: AgentSignInResolvers<ContextType>;
  AuditLogActor?: AuditLogActorResolvers<ContextType>;
  AuditLogDetail?: AuditLogDetailResolvers<ContextType>;
  AuditLogEntry?: AuditLogEntryResolvers<ContextType>;
  AuditLogPage?: AuditLogPageResolvers<ContextType>;
  CallControls?: CallControlsResolvers<ContextType>;
  CallCounts?: CallCountsResolvers<ContextType>;
  CallEnrichment?: CallEnrichmentResolvers<ContextType>;
  CallEvent?: CallEventResolvers<ContextType>;
  CallLookup?: CallLookupResolvers<ContextType>;
  CallSummary?: CallSummaryResolvers<ContextType>;
  CallbackKey?: CallbackKeyResolvers<ContextType>;
  CallsNow?: CallsNowResolvers<ContextType>;
  CallsToday?: CallsTodayResolvers<ContextType>;
  CampaignCallCounts?: CampaignCallCountsResolvers<ContextType>;
  CampaignCallsNow?: CampaignCallsNowResolvers<ContextType>;
  ConfigurationCheck?: ConfigurationCheckResolvers<ContextType>;
  ConfigurationDocument?: GraphQLScalarType;
  ConfigurationEditor?: ConfigurationEditorResolvers<ContextType>;
  ConfigurationRevision?: ConfigurationRevisionResolvers<ContextType>;
  ConfigurationTest?: ConfigurationTestResolvers<ContextType>;
  DeactivatedTeamMember?: DeactivatedTeamMemberResolvers<ContextType>;
  DeadLetter?: DeadLetterResolvers<ContextType>;
  DeadLetterPage?: DeadLetterPageResolvers<ContextType>;
  DeadLetterReplay?: DeadLetterReplayResolvers<ContextType>;
  DialReceipt?: DialReceiptResolvers<ContextType>;
  DirectoryDoctor?: DirectoryDoctorResolvers<ContextType>;
  DirectorySlot?: DirectorySlotResolvers<ContextType>;
  DispositionCallCounts?: DispositionCallCountsResolvers<ContextType>;
  DispositionReceipt?: DispositionReceiptResolvers<ContextType>;
  DoctorDirectory?: DoctorDirectoryResolvers<ContextType>;
  FreeSlots?: FreeSlotsResolvers<ContextType>;
  HourCallCounts?: HourCallCountsResolvers<ContextType>;
  Instant?: GraphQLScalarType;
  LeadInsight?: LeadInsightResolvers<ContextType>;
  LeadSummary?: LeadSummaryResolvers<ContextType>;
  LiveAgentSession?: LiveAgentSessionResolvers<ContextType>;
  LiveCall?: LiveCallResolvers<ContextType>;
  MissedCall?: MissedCallResolvers<ContextType>;
  MissedWaiting?: MissedWaitingResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  NewCallbackKey?: NewCallbackKeyResolvers<ContextType>;
  NextVisit?: NextVisitResolvers<ContextType>;
  OpenItem?: OpenItemResolvers<ContextType>;
  Provisioning?: ProvisioningResolvers<ContextType>;
  ProvisioningItem?: ProvisioningItemResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
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
  RecordingTokens?: RecordingTokensResolvers<ContextType>;
  RecordingTopic?: RecordingTopicResolvers<ContextType>;
  RecordingUnderWay?: RecordingUnderWayResolvers<ContextType>;
  RecordingUtterance?: RecordingUtteranceResolvers<ContextType>;
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
  TeamMemberPage?: TeamMemberPageResolvers<ContextType>;
  TelephonySignIn?: TelephonySignInResolvers<ContextType>;
  TemporaryPassword?: TemporaryPasswordResolvers<ContextType>;
  Theme?: ThemeResolvers<ContextType>;
  ThemeBrand?: ThemeBrandResolvers<ContextType>;
  ThemeColors?: ThemeColorsResolvers<ContextType>;
  ThemeFonts?: ThemeFontsResolvers<ContextType>;
  Viewer?: ViewerResolvers<ContextType>;
  WidgetKey?: WidgetKeyResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = RequestContext> = {
  auth?: AuthDirectiveResolver<any, any, ContextType>;
  public?: PublicDirectiveResolver<any, any, ContextType>;
};
