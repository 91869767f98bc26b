import { z } from 'zod'
import { type DocumentStorage, type KeptMap, openMap } from './storage.ts'

const userSchema = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  passwordHash: z.string(),
  isEmailVerified: z.boolean(),
  createdAt: z.string(),
})
export type User = z.output<typeof userSchema>

const workspaceSchema = z.object({
  id: z.string(),
  subdomain: z.string(),
  displayName: z.string(),
  inviteHash: z.string(),
  isPublicInviteLinkEnabled: z.boolean(),
  defaultRoleId: z.string(),
  createdAt: z.string(),
})
export type Workspace = z.output<typeof workspaceSchema>

/** A user's place in a workspace; `memberId` is the workspaceMember record. */
const membershipSchema = z.object({
  id: z.string(),
  userId: z.string(),
  workspaceId: z.string(),
  memberId: z.string(),
  roleId: z.string(),
  createdAt: z.string(),
})
export type Membership = z.output<typeof membershipSchema>

const objectPermissionSchema = z.object({
  objectMetadataId: z.string(),
  canReadObjectRecords: z.boolean().nullable(),
  canUpdateObjectRecords: z.boolean().nullable(),
  canSoftDeleteObjectRecords: z.boolean().nullable(),
  canDestroyObjectRecords: z.boolean().nullable(),
})
export type ObjectPermission = z.output<typeof objectPermissionSchema>

const roleSchema = z.object({
  id: z.string(),
  workspaceId: z.string(),
  label: z.string(),
  description: z.string().nullable(),
  icon: z.string().nullable(),
  isEditable: z.boolean(),
  canBeAssignedToUsers: z.boolean(),
  canBeAssignedToAgents: z.boolean(),
  canBeAssignedToApiKeys: z.boolean(),
  canUpdateAllSettings: z.boolean(),
  canAccessAllTools: z.boolean(),
  canReadAllObjectRecords: z.boolean(),
  canUpdateAllObjectRecords: z.boolean(),
  canSoftDeleteAllObjectRecords: z.boolean(),
  canDestroyAllObjectRecords: z.boolean(),
  objectPermissions: z.array(objectPermissionSchema),
})
export type Role = z.output<typeof roleSchema>

const apiKeySchema = z.object({
  id: z.string(),
  workspaceId: z.string(),
  name: z.string(),
  expiresAt: z.string(),
  revokedAt: z.string().nullable(),
  roleId: z.string(),
  createdAt: z.string(),
})
export type ApiKey = z.output<typeof apiKeySchema>

/** A refresh token that was handed out; `rotatedAt` is when it was first used. */
const refreshTokenSchema = z.object({
  id: z.string(),
  userId: z.string(),
  workspaceId: z.string().nullable(),
  rotatedAt: z.number().nullable(),
  isRevoked: z.boolean(),
})

const invitationSchema = z.object({
  id: z.string(),
  workspaceId: z.string(),
  email: z.string(),
  token: z.string(),
  roleId: z.string().nullable(),
  expiresAt: z.string(),
})
export type Invitation = z.output<typeof invitationSchema>

const passwordResetSchema = z.object({ id: z.string(), userId: z.string(), createdAt: z.number(), isUsed: z.boolean() })

const webhookSchema = z.object({
  id: z.string(),
  workspaceId: z.string(),
  targetUrl: z.string(),
  operations: z.array(z.string()),
  description: z.string().nullable(),
  secret: z.string(),
  createdAt: z.string(),
})
export type Webhook = z.output<typeof webhookSchema>

/** Everything the platform knows beside the records. */
export type PlatformState = {
  readonly users: KeptMap<User>
  readonly workspaces: KeptMap<Workspace>
  readonly memberships: KeptMap<Membership>
  readonly roles: KeptMap<Role>
  readonly apiKeys: KeptMap<ApiKey>
  readonly refreshTokens: KeptMap<z.output<typeof refreshTokenSchema>>
  readonly invitations: KeptMap<Invitation>
  readonly passwordResets: KeptMap<z.output<typeof passwordResetSchema>>
  readonly webhooks: KeptMap<Webhook>
  /** Single texts: the signing key, the seeded API keys. */
  readonly texts: KeptMap<string>
}

export function openState(storage: DocumentStorage): PlatformState {
  return {
    users: openMap(storage, 'user', userSchema),
    workspaces: openMap(storage, 'workspace', workspaceSchema),
    memberships: openMap(storage, 'membership', membershipSchema),
    roles: openMap(storage, 'role', roleSchema),
    apiKeys: openMap(storage, 'apiKey', apiKeySchema),
    refreshTokens: openMap(storage, 'refreshToken', refreshTokenSchema),
    invitations: openMap(storage, 'invitation', invitationSchema),
    passwordResets: openMap(storage, 'passwordReset', passwordResetSchema),
    webhooks: openMap(storage, 'webhook', webhookSchema),
    texts: openMap(storage, 'text', z.string()),
  }
}
