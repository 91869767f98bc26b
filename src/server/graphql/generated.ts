import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { RequestContext } from '../../auth/request.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null | undefined;
export type ResolverFn<TResult, TParent, TContext, TArgs> = (source: TParent, args: TArgs, context: TContext) => Promise<TResult> | TResult
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** A moment: ISO 8601 in UTC with milliseconds, for example `2026-03-01T09:30:00.000Z`. */
  Instant: { input: string; output: string; }
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

/** What a member may do here, from the role that the platform's profile carries. */
export type ApplicationRole =
  /** Has the User role and an agent record: may take calls. */
  | 'AGENT'
  /** Has the Manager role. */
  | 'MANAGER'
  /** Has the User role and no agent record. */
  | 'USER';

export type CallLookup = {
  readonly __typename?: 'CallLookup';
  /** All leads that have the number, at most 10. */
  readonly candidates: ReadonlyArray<LeadSummary>;
  /** The lead's last calls, newest first, at most 10. */
  readonly lastCalls: ReadonlyArray<CallSummary>;
  /** The lead, where exactly one has the number. */
  readonly lead: Maybe<LeadSummary>;
  /** How many leads have this number. */
  readonly match: LeadMatch;
  /** E.164, for example `+919876543210`. */
  readonly phoneNumber: Scalars['String']['output'];
};

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

export type DispositionInput = {
  /** When to call back. */
  readonly callBackAt?: InputMaybe<Scalars['Instant']['input']>;
  /** The outcome code, one of the account's list. */
  readonly disposition: Scalars['String']['input'];
  /** The lead that the call was about, where the client knows it. */
  readonly leadId?: InputMaybe<Scalars['ID']['input']>;
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

/** What the model made of a lead's activity. */
export type LeadInsight = {
  readonly __typename?: 'LeadInsight';
  readonly suggestedAction: Maybe<SuggestedAction>;
  /** Two or three sentences. */
  readonly summary: Scalars['String']['output'];
  readonly writtenAt: Maybe<Scalars['Instant']['output']>;
};

export type LeadMatch =
  | 'MANY'
  | 'NONE'
  | 'ONE';

export type LeadSummary = {
  readonly __typename?: 'LeadSummary';
  readonly email: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly insight: Maybe<LeadInsight>;
  readonly name: Scalars['String']['output'];
  readonly phoneNumber: Maybe<Scalars['String']['output']>;
  readonly source: Maybe<Scalars['String']['output']>;
  readonly status: Maybe<Scalars['String']['output']>;
};

export type LoginTokenInput = {
  readonly loginToken: Scalars['String']['input'];
  /** The workspace's subdomain. May be left out where the Origin header's host names it. */
  readonly workspace?: InputMaybe<Scalars['String']['input']>;
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
  /** Exchanges a login token of the platform for session tokens. REST: `POST /auth/tokens`. */
  readonly exchangeLoginToken: SessionTokensAnswer;
  /**
   * Renews the caller's agent session for another hour. NOT_FOUND where there is none any more: sign in again. `lockedAt`, when given, must be
   * the session's own: it tells two devices of one member apart. REST: `POST /auth/heartbeat`.
   */
  readonly heartbeat: AgentSession;
  /**
   * Renews the tokens. The refresh token is used up: keep the new one. All who ask with the same token within 30 s get the same answer.
   * REST: `POST /auth/refresh`.
   */
  readonly refreshTokens: SessionTokensAnswer;
  /**
   * Records the outcome of a call at the telephony provider and tells the world with `call.completed`, once per call however often it is
   * sent. REST: `POST /api/calls/{ucid}/disposition`.
   */
  readonly submitDisposition: DispositionReceipt;
};


export type MutationAgentLoginArgs = {
  input: AgentLoginInput;
};


export type MutationAgentLogoutArgs = {
  lockedAt: InputMaybe<Scalars['Instant']['input']>;
};


export type MutationExchangeLoginTokenArgs = {
  input: LoginTokenInput;
};


export type MutationHeartbeatArgs = {
  lockedAt: InputMaybe<Scalars['Instant']['input']>;
};


export type MutationRefreshTokensArgs = {
  refreshToken: Scalars['String']['input'];
};


export type MutationSubmitDispositionArgs = {
  input: DispositionInput;
};

export type Query = {
  readonly __typename?: 'Query';
  /** Who calls: the lead behind a number and its last calls. REST: `POST /api/calls/lookup`. */
  readonly callLookup: CallLookup;
  /** Who the access token belongs to. REST: `GET /auth/me`. */
  readonly me: Viewer;
  /** How far the setup wizard is. REST: `GET /api/config/setup-state`. */
  readonly setupState: SetupState;
};


export type QueryCallLookupArgs = {
  phoneNumber: Scalars['String']['input'];
};

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

/** The closed list of what may be suggested for a lead. */
export type SuggestedAction =
  | 'BOOK_VISIT'
  | 'CALL_BACK'
  | 'CLOSE_LEAD'
  | 'ESCALATE_TO_MANAGER'
  | 'FOLLOW_UP_PAYMENT'
  | 'NO_ACTION'
  | 'SEND_INFORMATION';

export type TelephonySignIn = {
  readonly __typename?: 'TelephonySignIn';
  /** Why not, in words for the agent. */
  readonly reason: Maybe<Scalars['String']['output']>;
  readonly signedIn: Scalars['Boolean']['output'];
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





/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  AgentLoginInput: AgentLoginInput;
  AgentLogout: ResolverTypeWrapper<AgentLogout>;
  AgentProfile: ResolverTypeWrapper<AgentProfile>;
  AgentSession: ResolverTypeWrapper<AgentSession>;
  AgentSignIn: ResolverTypeWrapper<AgentSignIn>;
  ApplicationRole: ApplicationRole;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  CallLookup: ResolverTypeWrapper<CallLookup>;
  CallSummary: ResolverTypeWrapper<CallSummary>;
  DispositionInput: DispositionInput;
  DispositionOutcome: DispositionOutcome;
  DispositionReceipt: ResolverTypeWrapper<DispositionReceipt>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Instant: ResolverTypeWrapper<Scalars['Instant']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  LeadInsight: ResolverTypeWrapper<LeadInsight>;
  LeadMatch: LeadMatch;
  LeadSummary: ResolverTypeWrapper<LeadSummary>;
  LoginTokenInput: LoginTokenInput;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  SessionToken: ResolverTypeWrapper<SessionToken>;
  SessionTokens: ResolverTypeWrapper<SessionTokens>;
  SessionTokensAnswer: ResolverTypeWrapper<SessionTokensAnswer>;
  SetupState: ResolverTypeWrapper<SetupState>;
  SetupStep: ResolverTypeWrapper<SetupStep>;
  SetupStepName: SetupStepName;
  SetupSummary: ResolverTypeWrapper<SetupSummary>;
  SignedInUser: ResolverTypeWrapper<SignedInUser>;
  SignedInWorkspace: ResolverTypeWrapper<SignedInWorkspace>;
  SipCredentials: ResolverTypeWrapper<SipCredentials>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  SuggestedAction: SuggestedAction;
  TelephonySignIn: ResolverTypeWrapper<TelephonySignIn>;
  Viewer: ResolverTypeWrapper<Viewer>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  AgentLoginInput: AgentLoginInput;
  AgentLogout: AgentLogout;
  AgentProfile: AgentProfile;
  AgentSession: AgentSession;
  AgentSignIn: AgentSignIn;
  Boolean: Scalars['Boolean']['output'];
  CallLookup: CallLookup;
  CallSummary: CallSummary;
  DispositionInput: DispositionInput;
  DispositionReceipt: DispositionReceipt;
  ID: Scalars['ID']['output'];
  Instant: Scalars['Instant']['output'];
  Int: Scalars['Int']['output'];
  LeadInsight: LeadInsight;
  LeadSummary: LeadSummary;
  LoginTokenInput: LoginTokenInput;
  Mutation: Record<PropertyKey, never>;
  Query: Record<PropertyKey, never>;
  SessionToken: SessionToken;
  SessionTokens: SessionTokens;
  SessionTokensAnswer: SessionTokensAnswer;
  SetupState: SetupState;
  SetupStep: SetupStep;
  SetupSummary: SetupSummary;
  SignedInUser: SignedInUser;
  SignedInWorkspace: SignedInWorkspace;
  SipCredentials: SipCredentials;
  String: Scalars['String']['output'];
  TelephonySignIn: TelephonySignIn;
  Viewer: Viewer;
};

export type AuthDirectiveArgs = {
  role?: ApplicationRole;
};

export type AuthDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = AuthDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type PublicDirectiveArgs = { };

export type PublicDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = PublicDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type AgentLogoutResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AgentLogout'] = ResolversParentTypes['AgentLogout']> = {
  providerSignedOut?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  released?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
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

export type CallLookupResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CallLookup'] = ResolversParentTypes['CallLookup']> = {
  candidates?: Resolver<ReadonlyArray<ResolversTypes['LeadSummary']>, ParentType, ContextType>;
  lastCalls?: Resolver<ReadonlyArray<ResolversTypes['CallSummary']>, ParentType, ContextType>;
  lead?: Resolver<Maybe<ResolversTypes['LeadSummary']>, ParentType, ContextType>;
  match?: Resolver<ResolversTypes['LeadMatch'], ParentType, ContextType>;
  phoneNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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

export type DispositionReceiptResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DispositionReceipt'] = ResolversParentTypes['DispositionReceipt']> = {
  disposition?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  eventId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  outcome?: Resolver<ResolversTypes['DispositionOutcome'], ParentType, ContextType>;
  ucid?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export interface InstantScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Instant'], any> {
  name: 'Instant';
}

export type LeadInsightResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LeadInsight'] = ResolversParentTypes['LeadInsight']> = {
  suggestedAction?: Resolver<Maybe<ResolversTypes['SuggestedAction']>, ParentType, ContextType>;
  summary?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  writtenAt?: Resolver<Maybe<ResolversTypes['Instant']>, ParentType, ContextType>;
};

export type LeadSummaryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LeadSummary'] = ResolversParentTypes['LeadSummary']> = {
  email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  insight?: Resolver<Maybe<ResolversTypes['LeadInsight']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  phoneNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  source?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MutationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  agentLogin?: Resolver<ResolversTypes['AgentSignIn'], ParentType, ContextType, RequireFields<MutationAgentLoginArgs, 'input'>>;
  agentLogout?: Resolver<ResolversTypes['AgentLogout'], ParentType, ContextType, Partial<MutationAgentLogoutArgs>>;
  exchangeLoginToken?: Resolver<ResolversTypes['SessionTokensAnswer'], ParentType, ContextType, RequireFields<MutationExchangeLoginTokenArgs, 'input'>>;
  heartbeat?: Resolver<ResolversTypes['AgentSession'], ParentType, ContextType, Partial<MutationHeartbeatArgs>>;
  refreshTokens?: Resolver<ResolversTypes['SessionTokensAnswer'], ParentType, ContextType, RequireFields<MutationRefreshTokensArgs, 'refreshToken'>>;
  submitDisposition?: Resolver<ResolversTypes['DispositionReceipt'], ParentType, ContextType, RequireFields<MutationSubmitDispositionArgs, 'input'>>;
};

export type QueryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  callLookup?: Resolver<ResolversTypes['CallLookup'], ParentType, ContextType, RequireFields<QueryCallLookupArgs, 'phoneNumber'>>;
  me?: Resolver<ResolversTypes['Viewer'], ParentType, ContextType>;
  setupState?: Resolver<ResolversTypes['SetupState'], ParentType, ContextType>;
};

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

export type TelephonySignInResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TelephonySignIn'] = ResolversParentTypes['TelephonySignIn']> = {
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  signedIn?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ViewerResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Viewer'] = ResolversParentTypes['Viewer']> = {
  agent?: Resolver<Maybe<ResolversTypes['AgentProfile']>, ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['ApplicationRole'], ParentType, ContextType>;
  session?: Resolver<Maybe<ResolversTypes['AgentSession']>, ParentType, ContextType>;
  user?: Resolver<ResolversTypes['SignedInUser'], ParentType, ContextType>;
  workspace?: Resolver<ResolversTypes['SignedInWorkspace'], ParentType, ContextType>;
};

export type Resolvers<ContextType = RequestContext> = {
  AgentLogout?: AgentLogoutResolvers<ContextType>;
  AgentProfile?: AgentProfileResolvers<ContextType>;
  AgentSession?: AgentSessionResolvers<ContextType>;
  AgentSignIn?: AgentSignInResolvers<ContextType>;
  CallLookup?: CallLookupResolvers<ContextType>;
  CallSummary?: CallSummaryResolvers<ContextType>;
  DispositionReceipt?: DispositionReceiptResolvers<ContextType>;
  Instant?: GraphQLScalarType;
  LeadInsight?: LeadInsightResolvers<ContextType>;
  LeadSummary?: LeadSummaryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  SessionToken?: SessionTokenResolvers<ContextType>;
  SessionTokens?: SessionTokensResolvers<ContextType>;
  SessionTokensAnswer?: SessionTokensAnswerResolvers<ContextType>;
  SetupState?: SetupStateResolvers<ContextType>;
  SetupStep?: SetupStepResolvers<ContextType>;
  SetupSummary?: SetupSummaryResolvers<ContextType>;
  SignedInUser?: SignedInUserResolvers<ContextType>;
  SignedInWorkspace?: SignedInWorkspaceResolvers<ContextType>;
  SipCredentials?: SipCredentialsResolvers<ContextType>;
  TelephonySignIn?: TelephonySignInResolvers<ContextType>;
  Viewer?: ViewerResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = RequestContext> = {
  auth?: AuthDirectiveResolver<any, any, ContextType>;
  public?: PublicDirectiveResolver<any, any, ContextType>;
};
