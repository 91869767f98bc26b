/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentValues } from '../../configuration/document-values.ts';
import type { TypedQueryDocumentNode as DocumentNode } from 'graphql';
export type AgentLoginInput = {
  readonly email: string;
  readonly password: string;
  /** The workspace's subdomain. May be left out where the Origin header's host names it. */
  readonly workspace?: string | null | undefined;
};

/** What a member may do here, from the role that the platform's profile carries. */
export type ApplicationRole =
  /** Has the User role and an agent record: may take calls. */
  | 'AGENT'
  /** Has the Manager role. */
  | 'MANAGER'
  /** Has the User role and no agent record. */
  | 'USER';

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

export type DispositionInput = {
  /** When to call back. */
  readonly callBackAt?: string | null | undefined;
  /** The outcome code, one of the account's list. */
  readonly disposition: string;
  /** The lead that the call was about, where the client knows it. */
  readonly leadId?: string | null | undefined;
  readonly notes?: string | null | undefined;
  /** The provider's id of the call: an opaque text, never a number. */
  readonly ucid: string;
};

export type DispositionOutcome =
  /** The call had one already. */
  | 'ALREADY_DISPOSED'
  /** Taken during the call; the provider saves it at its end. */
  | 'QUEUED'
  | 'SAVED';

export type LeadMatch =
  | 'MANY'
  | 'NONE'
  | 'ONE';

export type LoginTokenInput = {
  readonly loginToken: string;
  /** The workspace's subdomain. May be left out where the Origin header's host names it. */
  readonly workspace?: string | null | undefined;
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

export type SetupStepName =
  | 'AI'
  | 'BRAND'
  | 'PLATFORM'
  | 'TEAM'
  | 'TELEPHONY'
  | 'WIDGET';

/** The closed list of what may be suggested for a lead. */
export type SuggestedAction =
  | 'BOOK_VISIT'
  | 'CALL_BACK'
  | 'CLOSE_LEAD'
  | 'ESCALATE_TO_MANAGER'
  | 'FOLLOW_UP_PAYMENT'
  | 'NO_ACTION'
  | 'SEND_INFORMATION';

export type AgentLoginMutationVariables = Exact<{
  input: AgentLoginInput;
}>;


export type AgentLoginMutation = { readonly agentLogin: { readonly role: ApplicationRole | null, readonly memberId: string, readonly tokens: { readonly accessToken: { readonly token: string, readonly expiresAt: string }, readonly refreshToken: { readonly token: string, readonly expiresAt: string } }, readonly user: { readonly id: string, readonly email: string, readonly firstName: string, readonly lastName: string }, readonly workspace: { readonly id: string, readonly subdomain: string }, readonly session: { readonly agentId: string, readonly memberId: string, readonly ip: string, readonly lockedAt: string, readonly expiresAt: string, readonly heartbeatIntervalSeconds: number } | null, readonly agent: { readonly id: string, readonly name: string, readonly providerAgentId: string | null, readonly campaignName: string | null } | null, readonly sip: { readonly uri: string, readonly username: string, readonly password: string, readonly domain: string, readonly wsPort: number, readonly wsUrl: string } | null, readonly telephony: { readonly signedIn: boolean, readonly reason: string | null } | null, readonly setup: { readonly wizardRequired: boolean } } };

export type ExchangeLoginTokenMutationVariables = Exact<{
  input: LoginTokenInput;
}>;


export type ExchangeLoginTokenMutation = { readonly exchangeLoginToken: { readonly tokens: { readonly accessToken: { readonly token: string, readonly expiresAt: string }, readonly refreshToken: { readonly token: string, readonly expiresAt: string } } } };

export type RefreshTokensMutationVariables = Exact<{
  refreshToken: string;
}>;


export type RefreshTokensMutation = { readonly refreshTokens: { readonly tokens: { readonly accessToken: { readonly token: string, readonly expiresAt: string }, readonly refreshToken: { readonly token: string, readonly expiresAt: string } } } };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { readonly me: { readonly role: ApplicationRole, readonly memberId: string, readonly user: { readonly id: string, readonly email: string, readonly firstName: string, readonly lastName: string }, readonly workspace: { readonly id: string, readonly subdomain: string }, readonly session: { readonly agentId: string, readonly memberId: string, readonly ip: string, readonly lockedAt: string, readonly expiresAt: string, readonly heartbeatIntervalSeconds: number } | null, readonly agent: { readonly id: string, readonly name: string, readonly providerAgentId: string | null, readonly campaignName: string | null } | null } };

export type TokensFragment = { readonly accessToken: { readonly token: string, readonly expiresAt: string }, readonly refreshToken: { readonly token: string, readonly expiresAt: string } };

export type UserFragment = { readonly id: string, readonly email: string, readonly firstName: string, readonly lastName: string };

export type WorkspaceFragment = { readonly id: string, readonly subdomain: string };

export type AgentFragment = { readonly id: string, readonly name: string, readonly providerAgentId: string | null, readonly campaignName: string | null };

export type CallLookupQueryVariables = Exact<{
  phoneNumber: string;
}>;


export type CallLookupQuery = { readonly callLookup: { readonly phoneNumber: string, readonly match: LeadMatch, readonly lead: { readonly id: string, readonly name: string, readonly status: string | null, readonly source: string | null, readonly phoneNumber: string | null, readonly email: string | null, readonly insight: { readonly summary: string, readonly suggestedAction: SuggestedAction | null, readonly writtenAt: string | null } | null } | null, readonly candidates: ReadonlyArray<{ readonly id: string, readonly name: string, readonly status: string | null, readonly source: string | null, readonly phoneNumber: string | null, readonly email: string | null, readonly insight: { readonly summary: string, readonly suggestedAction: SuggestedAction | null, readonly writtenAt: string | null } | null }>, readonly lastCalls: ReadonlyArray<{ readonly id: string, readonly ucid: string | null, readonly direction: string | null, readonly status: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly durationSeconds: number | null, readonly disposition: string | null, readonly notes: string | null, readonly agentId: string | null, readonly hasRecording: boolean }> } };

export type SubmitDispositionMutationVariables = Exact<{
  input: DispositionInput;
}>;


export type SubmitDispositionMutation = { readonly submitDisposition: { readonly ucid: string, readonly disposition: string, readonly outcome: DispositionOutcome, readonly eventId: string } };

export type LeadFragment = { readonly id: string, readonly name: string, readonly status: string | null, readonly source: string | null, readonly phoneNumber: string | null, readonly email: string | null, readonly insight: { readonly summary: string, readonly suggestedAction: SuggestedAction | null, readonly writtenAt: string | null } | null };

export type CallFragment = { readonly id: string, readonly ucid: string | null, readonly direction: string | null, readonly status: string | null, readonly startedAt: string | null, readonly endedAt: string | null, readonly durationSeconds: number | null, readonly disposition: string | null, readonly notes: string | null, readonly agentId: string | null, readonly hasRecording: boolean };

export type ReadConfigurationQueryVariables = Exact<{
  section: ConfigurationSection;
}>;


export type ReadConfigurationQuery = { readonly configuration: DocumentValues };

export type ConfigurationSchemaQueryVariables = Exact<{
  section: ConfigurationSection;
}>;


export type ConfigurationSchemaQuery = { readonly configurationSchema: DocumentValues };

export type ConfigurationHistoryQueryVariables = Exact<{
  section: ConfigurationSection;
}>;


export type ConfigurationHistoryQuery = { readonly configurationHistory: ReadonlyArray<{ readonly version: number, readonly changedAt: string, readonly action: ConfigurationAction, readonly fields: ReadonlyArray<string>, readonly changedBy: { readonly memberId: string, readonly name: string } | null }> };

export type SaveConfigurationMutationVariables = Exact<{
  section: ConfigurationSection;
  document: DocumentValues;
  ifVersion?: number | null | undefined;
}>;


export type SaveConfigurationMutation = { readonly saveConfiguration: DocumentValues };

export type ResetConfigurationMutationVariables = Exact<{
  section: ConfigurationSection;
  ifVersion?: number | null | undefined;
}>;


export type ResetConfigurationMutation = { readonly resetConfiguration: DocumentValues };

export type RestoreConfigurationMutationVariables = Exact<{
  section: ConfigurationSection;
  version: number;
  ifVersion?: number | null | undefined;
}>;


export type RestoreConfigurationMutation = { readonly restoreConfiguration: DocumentValues };

export type TestConfigurationMutationVariables = Exact<{
  section: ConfigurationSection;
  document?: DocumentValues | null | undefined;
}>;


export type TestConfigurationMutation = { readonly testConfiguration: { readonly section: ConfigurationSection, readonly ok: boolean, readonly testedAt: string, readonly checks: ReadonlyArray<{ readonly name: string, readonly ok: boolean, readonly tried: string, readonly found: string, readonly advice: string | null }> } };

export type AgentSessionsQueryVariables = Exact<{ [key: string]: never; }>;


export type AgentSessionsQuery = { readonly agentSessions: ReadonlyArray<{ readonly agentId: string, readonly agentName: string, readonly memberId: string, readonly ip: string, readonly lockedAt: string, readonly lastHeartbeatAt: string | null, readonly expiresAt: string }> };

export type AuditLogQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type AuditLogQuery = { readonly auditLog: { readonly nextCursor: string | null, readonly entries: ReadonlyArray<{ readonly id: string, readonly at: string, readonly action: string, readonly targetKind: string | null, readonly targetId: string | null, readonly actor: { readonly userId: string, readonly memberId: string | null, readonly ip: string | null }, readonly details: ReadonlyArray<{ readonly name: string, readonly value: string | null }> }> } };

export type HeartbeatMutationVariables = Exact<{
  lockedAt?: string | null | undefined;
}>;


export type HeartbeatMutation = { readonly heartbeat: { readonly agentId: string, readonly memberId: string, readonly ip: string, readonly lockedAt: string, readonly expiresAt: string, readonly heartbeatIntervalSeconds: number } };

export type AgentLogoutMutationVariables = Exact<{
  lockedAt?: string | null | undefined;
}>;


export type AgentLogoutMutation = { readonly agentLogout: { readonly released: boolean, readonly providerSignedOut: boolean } };

export type ReleaseAgentSessionMutationVariables = Exact<{
  agentId: string;
  reason: string;
}>;


export type ReleaseAgentSessionMutation = { readonly releaseAgentSession: { readonly released: boolean, readonly providerSignedOut: boolean } };

export type SessionFragment = { readonly agentId: string, readonly memberId: string, readonly ip: string, readonly lockedAt: string, readonly expiresAt: string, readonly heartbeatIntervalSeconds: number };

export type SetupStateQueryVariables = Exact<{ [key: string]: never; }>;


export type SetupStateQuery = { readonly setupState: { readonly dismissed: boolean, readonly wizardRequired: boolean, readonly steps: ReadonlyArray<{ readonly step: SetupStepName, readonly complete: boolean, readonly completedAt: string | null, readonly completedBy: string | null, readonly detected: boolean | null, readonly found: string }> } };

export type SetupStepMutationVariables = Exact<{
  step: SetupStepName;
  complete: boolean;
}>;


export type SetupStepMutation = { readonly setupStep: { readonly dismissed: boolean, readonly wizardRequired: boolean, readonly steps: ReadonlyArray<{ readonly step: SetupStepName, readonly complete: boolean, readonly completedAt: string | null, readonly completedBy: string | null, readonly detected: boolean | null, readonly found: string }> } };

export type DismissSetupMutationVariables = Exact<{ [key: string]: never; }>;


export type DismissSetupMutation = { readonly setupState: { readonly dismissed: boolean, readonly wizardRequired: boolean, readonly steps: ReadonlyArray<{ readonly step: SetupStepName, readonly complete: boolean, readonly completedAt: string | null, readonly completedBy: string | null, readonly detected: boolean | null, readonly found: string }> } };

export type ResetSetupMutationVariables = Exact<{ [key: string]: never; }>;


export type ResetSetupMutation = { readonly setupState: { readonly dismissed: boolean, readonly wizardRequired: boolean, readonly steps: ReadonlyArray<{ readonly step: SetupStepName, readonly complete: boolean, readonly completedAt: string | null, readonly completedBy: string | null, readonly detected: boolean | null, readonly found: string }> } };

export type ProvisionMutationVariables = Exact<{
  apply?: boolean;
}>;


export type ProvisionMutation = { readonly provision: { readonly applied: boolean, readonly complete: boolean, readonly items: ReadonlyArray<{ readonly kind: ProvisioningKind, readonly name: string, readonly state: ProvisioningState, readonly detail: string | null }> } };

export type SetupFragment = { readonly dismissed: boolean, readonly wizardRequired: boolean, readonly steps: ReadonlyArray<{ readonly step: SetupStepName, readonly complete: boolean, readonly completedAt: string | null, readonly completedBy: string | null, readonly detected: boolean | null, readonly found: string }> };

export const TokensFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Tokens"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SessionTokens"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accessToken"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"refreshToken"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]} as unknown as DocumentNode<TokensFragment, unknown>;
export const UserFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"User"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SignedInUser"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"firstName"}},{"kind":"Field","name":{"kind":"Name","value":"lastName"}}]}}]} as unknown as DocumentNode<UserFragment, unknown>;
export const WorkspaceFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Workspace"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SignedInWorkspace"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"subdomain"}}]}}]} as unknown as DocumentNode<WorkspaceFragment, unknown>;
export const AgentFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Agent"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AgentProfile"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"providerAgentId"}},{"kind":"Field","name":{"kind":"Name","value":"campaignName"}}]}}]} as unknown as DocumentNode<AgentFragment, unknown>;
export const LeadFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Lead"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"LeadSummary"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"phoneNumber"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"insight"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"summary"}},{"kind":"Field","name":{"kind":"Name","value":"suggestedAction"}},{"kind":"Field","name":{"kind":"Name","value":"writtenAt"}}]}}]}}]} as unknown as DocumentNode<LeadFragment, unknown>;
export const CallFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Call"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CallSummary"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"ucid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"disposition"}},{"kind":"Field","name":{"kind":"Name","value":"notes"}},{"kind":"Field","name":{"kind":"Name","value":"agentId"}},{"kind":"Field","name":{"kind":"Name","value":"hasRecording"}}]}}]} as unknown as DocumentNode<CallFragment, unknown>;
export const SessionFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Session"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AgentSession"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"agentId"}},{"kind":"Field","name":{"kind":"Name","value":"memberId"}},{"kind":"Field","name":{"kind":"Name","value":"ip"}},{"kind":"Field","name":{"kind":"Name","value":"lockedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"heartbeatIntervalSeconds"}}]}}]} as unknown as DocumentNode<SessionFragment, unknown>;
export const SetupFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Setup"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SetupState"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"step"}},{"kind":"Field","name":{"kind":"Name","value":"complete"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedBy"}},{"kind":"Field","name":{"kind":"Name","value":"detected"}},{"kind":"Field","name":{"kind":"Name","value":"found"}}]}},{"kind":"Field","name":{"kind":"Name","value":"dismissed"}},{"kind":"Field","name":{"kind":"Name","value":"wizardRequired"}}]}}]} as unknown as DocumentNode<SetupFragment, unknown>;
export const AgentLoginDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AgentLogin"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AgentLoginInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"agentLogin"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tokens"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Tokens"}}]}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"User"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memberId"}},{"kind":"Field","name":{"kind":"Name","value":"workspace"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Workspace"}}]}},{"kind":"Field","name":{"kind":"Name","value":"session"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Session"}}]}},{"kind":"Field","name":{"kind":"Name","value":"agent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Agent"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sip"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uri"}},{"kind":"Field","name":{"kind":"Name","value":"username"}},{"kind":"Field","name":{"kind":"Name","value":"password"}},{"kind":"Field","name":{"kind":"Name","value":"domain"}},{"kind":"Field","name":{"kind":"Name","value":"wsPort"}},{"kind":"Field","name":{"kind":"Name","value":"wsUrl"}}]}},{"kind":"Field","name":{"kind":"Name","value":"telephony"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"signedIn"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}},{"kind":"Field","name":{"kind":"Name","value":"setup"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"wizardRequired"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Tokens"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SessionTokens"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accessToken"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"refreshToken"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"User"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SignedInUser"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"firstName"}},{"kind":"Field","name":{"kind":"Name","value":"lastName"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Workspace"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SignedInWorkspace"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"subdomain"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Agent"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AgentProfile"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"providerAgentId"}},{"kind":"Field","name":{"kind":"Name","value":"campaignName"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Session"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AgentSession"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"agentId"}},{"kind":"Field","name":{"kind":"Name","value":"memberId"}},{"kind":"Field","name":{"kind":"Name","value":"ip"}},{"kind":"Field","name":{"kind":"Name","value":"lockedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"heartbeatIntervalSeconds"}}]}}]} as unknown as DocumentNode<AgentLoginMutation, AgentLoginMutationVariables>;
export const ExchangeLoginTokenDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ExchangeLoginToken"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"LoginTokenInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"exchangeLoginToken"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tokens"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Tokens"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Tokens"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SessionTokens"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accessToken"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"refreshToken"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]} as unknown as DocumentNode<ExchangeLoginTokenMutation, ExchangeLoginTokenMutationVariables>;
export const RefreshTokensDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RefreshTokens"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"refreshToken"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refreshTokens"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"refreshToken"},"value":{"kind":"Variable","name":{"kind":"Name","value":"refreshToken"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tokens"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Tokens"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Tokens"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SessionTokens"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accessToken"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"refreshToken"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]} as unknown as DocumentNode<RefreshTokensMutation, RefreshTokensMutationVariables>;
export const MeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"User"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memberId"}},{"kind":"Field","name":{"kind":"Name","value":"workspace"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Workspace"}}]}},{"kind":"Field","name":{"kind":"Name","value":"session"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Session"}}]}},{"kind":"Field","name":{"kind":"Name","value":"agent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Agent"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"User"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SignedInUser"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"firstName"}},{"kind":"Field","name":{"kind":"Name","value":"lastName"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Workspace"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SignedInWorkspace"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"subdomain"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Agent"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AgentProfile"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"providerAgentId"}},{"kind":"Field","name":{"kind":"Name","value":"campaignName"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Session"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AgentSession"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"agentId"}},{"kind":"Field","name":{"kind":"Name","value":"memberId"}},{"kind":"Field","name":{"kind":"Name","value":"ip"}},{"kind":"Field","name":{"kind":"Name","value":"lockedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"heartbeatIntervalSeconds"}}]}}]} as unknown as DocumentNode<MeQuery, MeQueryVariables>;
export const CallLookupDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CallLookup"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"phoneNumber"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"callLookup"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"phoneNumber"},"value":{"kind":"Variable","name":{"kind":"Name","value":"phoneNumber"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"phoneNumber"}},{"kind":"Field","name":{"kind":"Name","value":"match"}},{"kind":"Field","name":{"kind":"Name","value":"lead"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Lead"}}]}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Lead"}}]}},{"kind":"Field","name":{"kind":"Name","value":"lastCalls"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Call"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Lead"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"LeadSummary"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"phoneNumber"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"insight"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"summary"}},{"kind":"Field","name":{"kind":"Name","value":"suggestedAction"}},{"kind":"Field","name":{"kind":"Name","value":"writtenAt"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Call"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CallSummary"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"ucid"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"disposition"}},{"kind":"Field","name":{"kind":"Name","value":"notes"}},{"kind":"Field","name":{"kind":"Name","value":"agentId"}},{"kind":"Field","name":{"kind":"Name","value":"hasRecording"}}]}}]} as unknown as DocumentNode<CallLookupQuery, CallLookupQueryVariables>;
export const SubmitDispositionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SubmitDisposition"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DispositionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"submitDisposition"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"ucid"}},{"kind":"Field","name":{"kind":"Name","value":"disposition"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"eventId"}}]}}]}}]} as unknown as DocumentNode<SubmitDispositionMutation, SubmitDispositionMutationVariables>;
export const ReadConfigurationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ReadConfiguration"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"section"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ConfigurationSection"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"configuration"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"section"},"value":{"kind":"Variable","name":{"kind":"Name","value":"section"}}}]}]}}]} as unknown as DocumentNode<ReadConfigurationQuery, ReadConfigurationQueryVariables>;
export const ConfigurationSchemaDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ConfigurationSchema"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"section"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ConfigurationSection"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"configurationSchema"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"section"},"value":{"kind":"Variable","name":{"kind":"Name","value":"section"}}}]}]}}]} as unknown as DocumentNode<ConfigurationSchemaQuery, ConfigurationSchemaQueryVariables>;
export const ConfigurationHistoryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ConfigurationHistory"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"section"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ConfigurationSection"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"configurationHistory"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"section"},"value":{"kind":"Variable","name":{"kind":"Name","value":"section"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"changedAt"}},{"kind":"Field","name":{"kind":"Name","value":"changedBy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"memberId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"action"}},{"kind":"Field","name":{"kind":"Name","value":"fields"}}]}}]}}]} as unknown as DocumentNode<ConfigurationHistoryQuery, ConfigurationHistoryQueryVariables>;
export const SaveConfigurationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SaveConfiguration"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"section"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ConfigurationSection"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"document"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ConfigurationDocument"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ifVersion"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"saveConfiguration"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"section"},"value":{"kind":"Variable","name":{"kind":"Name","value":"section"}}},{"kind":"Argument","name":{"kind":"Name","value":"document"},"value":{"kind":"Variable","name":{"kind":"Name","value":"document"}}},{"kind":"Argument","name":{"kind":"Name","value":"ifVersion"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ifVersion"}}}]}]}}]} as unknown as DocumentNode<SaveConfigurationMutation, SaveConfigurationMutationVariables>;
export const ResetConfigurationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ResetConfiguration"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"section"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ConfigurationSection"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ifVersion"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resetConfiguration"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"section"},"value":{"kind":"Variable","name":{"kind":"Name","value":"section"}}},{"kind":"Argument","name":{"kind":"Name","value":"ifVersion"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ifVersion"}}}]}]}}]} as unknown as DocumentNode<ResetConfigurationMutation, ResetConfigurationMutationVariables>;
export const RestoreConfigurationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RestoreConfiguration"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"section"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ConfigurationSection"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"version"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ifVersion"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"restoreConfiguration"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"section"},"value":{"kind":"Variable","name":{"kind":"Name","value":"section"}}},{"kind":"Argument","name":{"kind":"Name","value":"version"},"value":{"kind":"Variable","name":{"kind":"Name","value":"version"}}},{"kind":"Argument","name":{"kind":"Name","value":"ifVersion"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ifVersion"}}}]}]}}]} as unknown as DocumentNode<RestoreConfigurationMutation, RestoreConfigurationMutationVariables>;
export const TestConfigurationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"TestConfiguration"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"section"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ConfigurationSection"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"document"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ConfigurationDocument"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"testConfiguration"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"section"},"value":{"kind":"Variable","name":{"kind":"Name","value":"section"}}},{"kind":"Argument","name":{"kind":"Name","value":"document"},"value":{"kind":"Variable","name":{"kind":"Name","value":"document"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"section"}},{"kind":"Field","name":{"kind":"Name","value":"ok"}},{"kind":"Field","name":{"kind":"Name","value":"testedAt"}},{"kind":"Field","name":{"kind":"Name","value":"checks"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"ok"}},{"kind":"Field","name":{"kind":"Name","value":"tried"}},{"kind":"Field","name":{"kind":"Name","value":"found"}},{"kind":"Field","name":{"kind":"Name","value":"advice"}}]}}]}}]}}]} as unknown as DocumentNode<TestConfigurationMutation, TestConfigurationMutationVariables>;
export const AgentSessionsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AgentSessions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"agentSessions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"agentId"}},{"kind":"Field","name":{"kind":"Name","value":"agentName"}},{"kind":"Field","name":{"kind":"Name","value":"memberId"}},{"kind":"Field","name":{"kind":"Name","value":"ip"}},{"kind":"Field","name":{"kind":"Name","value":"lockedAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastHeartbeatAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]} as unknown as DocumentNode<AgentSessionsQuery, AgentSessionsQueryVariables>;
export const AuditLogDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AuditLog"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"auditLog"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entries"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"action"}},{"kind":"Field","name":{"kind":"Name","value":"actor"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"memberId"}},{"kind":"Field","name":{"kind":"Name","value":"ip"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targetKind"}},{"kind":"Field","name":{"kind":"Name","value":"targetId"}},{"kind":"Field","name":{"kind":"Name","value":"details"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"nextCursor"}}]}}]}}]} as unknown as DocumentNode<AuditLogQuery, AuditLogQueryVariables>;
export const HeartbeatDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Heartbeat"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"lockedAt"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Instant"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"heartbeat"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"lockedAt"},"value":{"kind":"Variable","name":{"kind":"Name","value":"lockedAt"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Session"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Session"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AgentSession"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"agentId"}},{"kind":"Field","name":{"kind":"Name","value":"memberId"}},{"kind":"Field","name":{"kind":"Name","value":"ip"}},{"kind":"Field","name":{"kind":"Name","value":"lockedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"heartbeatIntervalSeconds"}}]}}]} as unknown as DocumentNode<HeartbeatMutation, HeartbeatMutationVariables>;
export const AgentLogoutDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AgentLogout"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"lockedAt"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Instant"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"agentLogout"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"lockedAt"},"value":{"kind":"Variable","name":{"kind":"Name","value":"lockedAt"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"released"}},{"kind":"Field","name":{"kind":"Name","value":"providerSignedOut"}}]}}]}}]} as unknown as DocumentNode<AgentLogoutMutation, AgentLogoutMutationVariables>;
export const ReleaseAgentSessionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ReleaseAgentSession"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"agentId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"reason"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"releaseAgentSession"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"agentId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"agentId"}}},{"kind":"Argument","name":{"kind":"Name","value":"reason"},"value":{"kind":"Variable","name":{"kind":"Name","value":"reason"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"released"}},{"kind":"Field","name":{"kind":"Name","value":"providerSignedOut"}}]}}]}}]} as unknown as DocumentNode<ReleaseAgentSessionMutation, ReleaseAgentSessionMutationVariables>;
export const SetupStateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SetupState"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setupState"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Setup"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Setup"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SetupState"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"step"}},{"kind":"Field","name":{"kind":"Name","value":"complete"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedBy"}},{"kind":"Field","name":{"kind":"Name","value":"detected"}},{"kind":"Field","name":{"kind":"Name","value":"found"}}]}},{"kind":"Field","name":{"kind":"Name","value":"dismissed"}},{"kind":"Field","name":{"kind":"Name","value":"wizardRequired"}}]}}]} as unknown as DocumentNode<SetupStateQuery, SetupStateQueryVariables>;
export const SetupStepDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SetupStep"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"step"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetupStepName"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"complete"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setupStep"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"step"},"value":{"kind":"Variable","name":{"kind":"Name","value":"step"}}},{"kind":"Argument","name":{"kind":"Name","value":"complete"},"value":{"kind":"Variable","name":{"kind":"Name","value":"complete"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Setup"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Setup"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SetupState"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"step"}},{"kind":"Field","name":{"kind":"Name","value":"complete"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedBy"}},{"kind":"Field","name":{"kind":"Name","value":"detected"}},{"kind":"Field","name":{"kind":"Name","value":"found"}}]}},{"kind":"Field","name":{"kind":"Name","value":"dismissed"}},{"kind":"Field","name":{"kind":"Name","value":"wizardRequired"}}]}}]} as unknown as DocumentNode<SetupStepMutation, SetupStepMutationVariables>;
export const DismissSetupDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DismissSetup"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setupState"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"change"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"dismiss"},"value":{"kind":"BooleanValue","value":true}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Setup"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Setup"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SetupState"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"step"}},{"kind":"Field","name":{"kind":"Name","value":"complete"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedBy"}},{"kind":"Field","name":{"kind":"Name","value":"detected"}},{"kind":"Field","name":{"kind":"Name","value":"found"}}]}},{"kind":"Field","name":{"kind":"Name","value":"dismissed"}},{"kind":"Field","name":{"kind":"Name","value":"wizardRequired"}}]}}]} as unknown as DocumentNode<DismissSetupMutation, DismissSetupMutationVariables>;
export const ResetSetupDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ResetSetup"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setupState"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"change"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"reset"},"value":{"kind":"BooleanValue","value":true}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Setup"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Setup"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SetupState"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"step"}},{"kind":"Field","name":{"kind":"Name","value":"complete"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedBy"}},{"kind":"Field","name":{"kind":"Name","value":"detected"}},{"kind":"Field","name":{"kind":"Name","value":"found"}}]}},{"kind":"Field","name":{"kind":"Name","value":"dismissed"}},{"kind":"Field","name":{"kind":"Name","value":"wizardRequired"}}]}}]} as unknown as DocumentNode<ResetSetupMutation, ResetSetupMutationVariables>;
export const ProvisionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Provision"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"apply"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}},"defaultValue":{"kind":"BooleanValue","value":true}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"provision"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"apply"},"value":{"kind":"Variable","name":{"kind":"Name","value":"apply"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"applied"}},{"kind":"Field","name":{"kind":"Name","value":"complete"}},{"kind":"Field","name":{"kind":"Name","value":"items"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"detail"}}]}}]}}]}}]} as unknown as DocumentNode<ProvisionMutation, ProvisionMutationVariables>;