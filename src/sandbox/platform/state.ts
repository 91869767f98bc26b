import { z } from 'zod'
import { newId } from '../ids.ts'
import { type DocumentStorage, openMap } from './storage.ts'

const text = z.string()
const textOrNull = text.nullish().transform((value) => value ?? null)
const stamped = z.object({ id: text, createdAt: text })
const ofWorkspace = stamped.extend({ workspaceId: text })

const userSchema = stamped.extend({ email: text, firstName: text, lastName: text, passwordHash: text, isEmailVerified: z.boolean() })
export type User = z.output<typeof userSchema>

const workspaceSchema = stamped.extend({
  subdomain: text,
  displayName: text,
  inviteHash: text,
  isPublicInviteLinkEnabled: z.boolean(),
  defaultRoleId: text,
})
export type Workspace = z.output<typeof workspaceSchema>
/** What a client may change of a workspace. */
export const workspaceChange = z.object({
  displayName: text.exactOptional(),
  inviteHash: text.exactOptional(),
  isPublicInviteLinkEnabled: z.boolean().exactOptional(),
})

/** A user's place in a workspace; `memberId` is the workspaceMember record. */
const membershipSchema = ofWorkspace.extend({ userId: text, memberId: text, roleId: text })
export type Membership = z.output<typeof membershipSchema>

const granted = z
  .boolean()
  .nullish()
  .transform((value) => value ?? null)
export const objectPermissionSchema = z.object({
  objectMetadataId: text,
  canReadObjectRecords: granted,
  canUpdateObjectRecords: granted,
  canSoftDeleteObjectRecords: granted,
  canDestroyObjectRecords: granted,
})
export type ObjectPermission = z.output<typeof objectPermissionSchema>

/** A role as a client gives it; what it leaves out is refused. */
export const roleInput = z.object({
  label: text,
  description: textOrNull,
  icon: textOrNull,
  canBeAssignedToUsers: z.boolean().default(true),
  canBeAssignedToAgents: z.boolean().default(true),
  canBeAssignedToApiKeys: z.boolean().default(true),
  canUpdateAllSettings: z.boolean().default(false),
  canAccessAllTools: z.boolean().default(false),
  canReadAllObjectRecords: z.boolean().default(false),
  canUpdateAllObjectRecords: z.boolean().default(false),
  canSoftDeleteAllObjectRecords: z.boolean().default(false),
  canDestroyAllObjectRecords: z.boolean().default(false),
})
export const roleSchema = roleInput.extend({
  id: text.default(newId),
  workspaceId: text,
  isEditable: z.boolean().default(true),
  objectPermissions: z.array(objectPermissionSchema).default([]),
})
export type Role = z.output<typeof roleSchema>

const apiKeySchema = ofWorkspace.extend({ name: text, expiresAt: text, revokedAt: text.nullable(), roleId: text })
export type ApiKey = z.output<typeof apiKeySchema>

/** A refresh token that was handed out; `rotatedAt` is when it was first used. */
const refreshTokenSchema = z.object({
  id: text,
  userId: text,
  workspaceId: text.nullable(),
  rotatedAt: z.number().nullable(),
  isRevoked: z.boolean(),
})

const invitationSchema = z.object({ id: text, workspaceId: text, email: text, token: text, roleId: textOrNull, expiresAt: text })
export type Invitation = z.output<typeof invitationSchema>

const passwordResetSchema = z.object({ id: text, userId: text, createdAt: z.number(), isUsed: z.boolean() })

/** A webhook as a client gives it. */
export const webhookInput = z.object({
  targetUrl: z.url(),
  operations: z.array(text),
  description: textOrNull,
  secret: text.nullish().transform((value) => value ?? ''),
})
const webhookSchema = ofWorkspace.extend(webhookInput.shape)
export type Webhook = z.output<typeof webhookSchema>

/** Everything the platform knows beside the records. */
export type PlatformState = ReturnType<typeof openState>

export function openState(storage: DocumentStorage) {
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
    /** Single texts: the signing key, the seeded API keys. */
    texts: openMap(storage, 'text', text),
  }
}
