export const metadataOperations = /* GraphQL */ `
  type Query {
    apiKeys: [ApiKey!]!
    checkUserExists(email: String!, captchaToken: String): CheckUserExist!
    checkWorkspaceInviteHashIsValid(inviteHash: String!): WorkspaceInviteHashValid!
    currentUser: User!
    currentWorkspace: Workspace!
    field(id: UUID!): Field!
    fields(filter: FieldFilter! = {}, paging: CursorPaging! = { first: 10 }): FieldConnection!
    findWorkspaceFromInviteHash(inviteHash: String!): Workspace!
    findWorkspaceInvitations: [WorkspaceInvitation!]!
    getPublicWorkspaceDataByDomain(origin: String): PublicWorkspaceData!
    getRoles: [Role!]!
    object(id: UUID!): Object!
    objects(filter: ObjectFilter! = {}, paging: CursorPaging! = { first: 10 }): ObjectConnection!
    validatePasswordResetToken(passwordResetToken: String!): ValidatePasswordResetToken!
    webhooks: [Webhook!]!
  }

  type Mutation {
    createApiKey(input: CreateApiKeyInput!): ApiKey!
    createOneField(input: CreateOneFieldMetadataInput!): Field!
    createOneObject(input: CreateOneObjectInput!): Object!
    createOneRole(createRoleInput: CreateRoleInput!): Role!
    createWebhook(input: CreateWebhookInput!): Webhook!
    deleteUserFromWorkspace(workspaceMemberIdToDelete: String!): UserWorkspace!
    deleteWebhook(id: UUID!): Webhook!
    deleteWorkspaceInvitation(appTokenId: String!): String!
    emailPasswordResetLink(email: String!, workspaceId: UUID): EmailPasswordResetLink!
    generateApiKeyToken(apiKeyId: UUID!, expiresAt: String!): ApiKeyToken!
    getAuthTokensFromLoginToken(loginToken: String!, origin: String!): AuthTokens!
    getLoginTokenFromCredentials(
      captchaToken: String
      email: String!
      locale: String
      origin: String!
      password: String!
      verifyEmailRedirectPath: String
    ): LoginToken!
    renewToken(appToken: String!): AuthTokens!
    revokeApiKey(input: RevokeApiKeyInput!): ApiKey
    sendInvitations(emails: [String!]!, roleId: UUID): SendInvitations!
    signIn(
      captchaToken: String
      email: String!
      locale: String
      password: String!
      verifyEmailRedirectPath: String
    ): AvailableWorkspacesAndAccessTokens!
    signUp(
      captchaToken: String
      email: String!
      locale: String
      password: String!
      verifyEmailRedirectPath: String
    ): AvailableWorkspacesAndAccessTokens!
    signUpInWorkspace(
      captchaToken: String
      email: String!
      locale: String
      password: String!
      verifyEmailRedirectPath: String
      workspaceId: UUID
      workspaceInviteHash: String
      workspacePersonalInviteToken: String
    ): SignUp!
    updatePasswordViaResetToken(newPassword: String!, passwordResetToken: String!): InvalidatePassword!
    updateWorkspace(data: UpdateWorkspaceInput!): Workspace!
    updateWorkspaceMemberRole(roleId: UUID!, workspaceMemberId: UUID!): WorkspaceMember!
    updateWorkspaceMemberSettings(input: UpdateWorkspaceMemberSettingsInput!): Boolean!
    upsertObjectPermissions(upsertObjectPermissionsInput: UpsertObjectPermissionsInput!): [ObjectPermission!]!
  }
`

export const metadataTypes = /* GraphQL */ `
  scalar ConnectionCursor
  scalar DateTime
  scalar JSON
  scalar UUID

  type AuthToken {
    expiresAt: DateTime!
    token: String!
  }
  type AuthTokenPair {
    accessOrWorkspaceAgnosticToken: AuthToken!
    refreshToken: AuthToken!
  }
  type AuthTokens {
    tokens: AuthTokenPair!
  }
  type LoginToken {
    loginToken: AuthToken!
  }
  type SignUp {
    loginToken: AuthToken!
    workspace: WorkspaceUrlsAndId!
  }
  type AvailableWorkspacesAndAccessTokens {
    availableWorkspaces: AvailableWorkspaces!
    tokens: AuthTokenPair!
  }
  type AvailableWorkspaces {
    availableWorkspacesForSignIn: [AvailableWorkspace!]!
    availableWorkspacesForSignUp: [AvailableWorkspace!]!
  }
  type AvailableWorkspace {
    displayName: String
    id: UUID!
    inviteHash: String
    loginToken: String
    logo: String
    personalInviteToken: String
    sso: [SSOConnection!]!
    workspaceUrls: WorkspaceUrls!
  }
  type SSOConnection {
    id: UUID!
  }
  type SSOIdentityProvider {
    id: UUID!
  }
  type WorkspaceUrls {
    customUrl: String
    subdomainUrl: String!
  }
  type WorkspaceUrlsAndId {
    id: UUID!
    workspaceUrls: WorkspaceUrls!
  }
  type CheckUserExist {
    availableWorkspacesCount: Float!
    exists: Boolean!
    isEmailVerified: Boolean!
  }
  type WorkspaceInviteHashValid {
    isValid: Boolean!
  }
  type EmailPasswordResetLink {
    success: Boolean!
  }
  type InvalidatePassword {
    success: Boolean!
  }
  type ValidatePasswordResetToken {
    email: String!
    hasPassword: Boolean!
    id: UUID!
  }
  type AuthProviders {
    google: Boolean!
    magicLink: Boolean!
    microsoft: Boolean!
    password: Boolean!
    sso: [SSOIdentityProvider!]!
  }
  type PublicWorkspaceData {
    authProviders: AuthProviders!
    displayName: String
    id: UUID!
    logo: String
    workspaceUrls: WorkspaceUrls!
  }
  type FullName {
    firstName: String!
    lastName: String!
  }
  type User {
    availableWorkspaces: AvailableWorkspaces!
    createdAt: DateTime!
    currentUserWorkspace: UserWorkspace
    currentWorkspace: Workspace
    email: String!
    firstName: String!
    hasPassword: Boolean!
    id: UUID!
    isEmailVerified: Boolean!
    lastName: String!
    locale: String!
    onboardingStatus: OnboardingStatus
    userWorkspaces: [UserWorkspace!]!
    workspaceMember: WorkspaceMember
    workspaceMembers: [WorkspaceMember!]
    workspaces: [UserWorkspace!]!
  }
  enum OnboardingStatus {
    APPS_INSTALLATION
    COMPLETED
    INVITE_TEAM
    PLAN_REQUIRED
    PROFILE_CREATION
    SYNC_EMAIL
    WORKSPACE_ACTIVATION
  }
  type UserWorkspace {
    createdAt: DateTime!
    id: UUID!
    locale: String!
    objectPermissions: [ObjectPermission!]
    objectsPermissions: [ObjectPermission!]
    permissionFlags: [String!]
    userId: UUID!
  }
  type WorkspaceMember {
    avatarUrl: String
    colorScheme: String!
    id: UUID!
    locale: String
    name: FullName!
    roles: [Role!]
    timeZone: String
    userEmail: String!
    userWorkspaceId: UUID
  }
  type Workspace {
    activationStatus: WorkspaceActivationStatus!
    allowImpersonation: Boolean!
    createdAt: DateTime!
    customDomain: String
    defaultRole: Role
    displayName: String
    id: UUID!
    inviteHash: String
    isPublicInviteLinkEnabled: Boolean!
    logo: String
    metadataVersion: Float!
    subdomain: String!
    workspaceMembersCount: Float
    workspaceUrls: WorkspaceUrls!
  }
  enum WorkspaceActivationStatus {
    ACTIVE
    INACTIVE
    ONGOING_CREATION
    PENDING_CREATION
    SUSPENDED
  }
  type Role {
    canAccessAllTools: Boolean!
    canBeAssignedToAgents: Boolean!
    canBeAssignedToApiKeys: Boolean!
    canBeAssignedToUsers: Boolean!
    canDestroyAllObjectRecords: Boolean!
    canReadAllObjectRecords: Boolean!
    canSoftDeleteAllObjectRecords: Boolean!
    canUpdateAllObjectRecords: Boolean!
    canUpdateAllSettings: Boolean!
    description: String
    icon: String
    id: UUID!
    isEditable: Boolean!
    label: String!
    objectPermissions: [ObjectPermission!]
    permissionFlags: [RolePermissionFlag!]
    workspaceMembers: [WorkspaceMember!]!
  }
  type RolePermissionFlag {
    flag: String!
    id: UUID!
    roleId: UUID!
  }
  type ObjectPermission {
    canDestroyObjectRecords: Boolean
    canReadObjectRecords: Boolean
    canSoftDeleteObjectRecords: Boolean
    canUpdateObjectRecords: Boolean
    objectMetadataId: UUID!
  }
  type WorkspaceInvitation {
    email: String!
    expiresAt: DateTime!
    id: UUID!
    roleId: UUID
  }
  type SendInvitations {
    errors: [String!]!
    result: [WorkspaceInvitation!]!
    success: Boolean!
  }
  type ApiKey {
    createdAt: DateTime!
    expiresAt: DateTime!
    id: UUID!
    name: String!
    revokedAt: DateTime
    role: Role!
  }
  type ApiKeyToken {
    token: String!
  }
  type Webhook {
    createdAt: DateTime!
    description: String
    id: UUID!
    operations: [String!]!
    secret: String!
    targetUrl: String!
  }
  type PageInfo {
    endCursor: ConnectionCursor
    hasNextPage: Boolean
    hasPreviousPage: Boolean
    startCursor: ConnectionCursor
  }
  type Object {
    description: String
    fields(filter: FieldFilter! = {}, paging: CursorPaging! = { first: 10 }): FieldConnection!
    fieldsList: [Field!]!
    icon: String
    id: UUID!
    isActive: Boolean!
    isCustom: Boolean!
    isRemote: Boolean!
    isSearchable: Boolean!
    isSystem: Boolean!
    labelIdentifierFieldMetadataId: UUID
    labelPlural: String!
    labelSingular: String!
    namePlural: String!
    nameSingular: String!
  }
  type ObjectEdge {
    cursor: ConnectionCursor!
    node: Object!
  }
  type ObjectConnection {
    edges: [ObjectEdge!]!
    pageInfo: PageInfo!
  }
  type Field {
    defaultValue: JSON
    description: String
    icon: String
    id: UUID!
    isActive: Boolean
    isNullable: Boolean
    isSystem: Boolean
    isUnique: Boolean
    label: String!
    name: String!
    object: Object
    objectMetadataId: UUID!
    options: JSON
    relation: Relation
    settings: JSON
    type: String!
  }
  type FieldEdge {
    cursor: ConnectionCursor!
    node: Field!
  }
  type FieldConnection {
    edges: [FieldEdge!]!
    pageInfo: PageInfo!
  }
  type Relation {
    sourceFieldMetadata: Field!
    sourceObjectMetadata: Object!
    targetFieldMetadata: Field!
    targetObjectMetadata: Object!
    type: RelationType!
  }
  enum RelationType {
    MANY_TO_ONE
    ONE_TO_MANY
  }
`

export const metadataInputs = /* GraphQL */ `
  input CursorPaging {
    after: ConnectionCursor
    before: ConnectionCursor
    first: Int
    last: Int
  }
  input UUIDFilterComparison {
    eq: UUID
    in: [UUID!]
  }
  input BooleanFieldComparison {
    is: Boolean
    isNot: Boolean
  }
  input FieldFilter {
    id: UUIDFilterComparison
    isActive: BooleanFieldComparison
    isSystem: BooleanFieldComparison
    objectMetadataId: UUIDFilterComparison
  }
  input ObjectFilter {
    id: UUIDFilterComparison
    isActive: BooleanFieldComparison
    isSystem: BooleanFieldComparison
  }
  input UpdateWorkspaceInput {
    allowImpersonation: Boolean
    defaultRoleId: UUID
    displayName: String
    inviteHash: String
    isPublicInviteLinkEnabled: Boolean
    logo: String
    subdomain: String
  }
  input UpdateWorkspaceMemberSettingsInput {
    update: JSON!
    workspaceMemberId: UUID!
  }
  input CreateRoleInput {
    canAccessAllTools: Boolean
    canBeAssignedToAgents: Boolean
    canBeAssignedToApiKeys: Boolean
    canBeAssignedToUsers: Boolean
    canDestroyAllObjectRecords: Boolean
    canReadAllObjectRecords: Boolean
    canSoftDeleteAllObjectRecords: Boolean
    canUpdateAllObjectRecords: Boolean
    canUpdateAllSettings: Boolean
    description: String
    icon: String
    id: String
    label: String!
  }
  input ObjectPermissionInput {
    canDestroyObjectRecords: Boolean
    canReadObjectRecords: Boolean
    canSoftDeleteObjectRecords: Boolean
    canUpdateObjectRecords: Boolean
    objectMetadataId: UUID!
  }
  input UpsertObjectPermissionsInput {
    objectPermissions: [ObjectPermissionInput!]!
    roleId: UUID!
  }
  input CreateApiKeyInput {
    expiresAt: String!
    name: String!
    revokedAt: String
    roleId: UUID!
  }
  input RevokeApiKeyInput {
    id: UUID!
  }
  input CreateWebhookInput {
    description: String
    id: UUID
    operations: [String!]!
    secret: String
    targetUrl: String!
  }
  input CreateOneObjectInput {
    object: CreateObjectInput!
  }
  input CreateObjectInput {
    color: String
    description: String
    icon: String
    isLabelSyncedWithName: Boolean
    isRemote: Boolean
    labelPlural: String!
    labelSingular: String!
    namePlural: String!
    nameSingular: String!
    shortcut: String
    skipNameField: Boolean
  }
  input CreateOneFieldMetadataInput {
    field: CreateFieldInput!
  }
  input CreateFieldInput {
    defaultValue: JSON
    description: String
    icon: String
    isActive: Boolean
    isLabelSyncedWithName: Boolean
    isNullable: Boolean
    isSystem: Boolean
    isUnique: Boolean
    label: String!
    name: String!
    objectMetadataId: UUID!
    options: JSON
    relationCreationPayload: JSON
    settings: JSON
    type: String!
  }
`
