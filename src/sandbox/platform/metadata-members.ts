import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isoMoment } from '../clock.ts'
import { newId } from '../ids.ts'
import { membershipOf, requireSettings, requireUser, requireWorkspace } from './callers.ts'
import { badArgument, internalError, notInSandbox, platformError, type PlatformError } from './errors.ts'
import { membershipByMember, membershipsOf, removeMember, requireRole, roleByLabel, roleOf, setRole, userByEmail } from './members.ts'
import type { MetadataResolvers } from './metadata-context.ts'
import { memberView, roleView, workspaceView } from './metadata-views.ts'
import { validationFailed } from './model-rules.ts'
import { addRole, mayDo, permissionsOf } from './roles.ts'
import { isEmail } from './sign-in.ts'
import { type Invitation, objectPermissionSchema, type Role, roleInput, workspaceChange } from './state.ts'
import type { LiveWorkspace } from './fixtures.ts'

const invitationMs = 30 * 86_400_000

const permissionsInput = z.object({ roleId: z.string(), objectPermissions: z.array(objectPermissionSchema) })

/** Roles, members, invitations and the workspace's own settings. Roles and invitations want a user: API keys are refused. */
export const memberResolvers: MetadataResolvers = {
  getRoles(_args, { world, caller }) {
    const { workspace } = requireSettings(requireWorkspace(caller))
    const roles = [...world.state.roles.values()].filter(({ workspaceId }) => workspaceId === workspace.id)
    return roles.map((role) => roleView(world, workspace, role))
  },
  createOneRole(args, { world, caller }) {
    const { workspace } = requireSettings(requireWorkspace(caller))
    const { createRoleInput } = z.object({ createRoleInput: roleInput }).parse(args)
    if (roleByLabel(world, workspace.id, createRoleInput.label)) throw labelTaken(createRoleInput.label)
    return roleView(world, workspace, addRole(world.state.roles, workspace.id, createRoleInput))
  },
  deleteOneRole(args, { world, caller }) {
    const { workspace } = requireSettings(requireUser(caller))
    const { roleId } = z.object({ roleId: z.string() }).parse(args)
    if (world.state.roles.get(roleId)?.workspaceId === workspace.id) throw notInSandbox('Deleting a role')
    throw platformError('Role not found', 'NOT_FOUND', {
      subCode: 'ROLE_NOT_FOUND',
      friendly: 'The role you are looking for could not be found. It may have been deleted or you may not have access to it.',
    })
  },
  upsertObjectPermissions(args, { world, caller }) {
    const { workspace } = requireSettings(requireWorkspace(caller))
    const { roleId, objectPermissions } = z
      .object({ upsertObjectPermissionsInput: permissionsInput })
      .parse(args).upsertObjectPermissionsInput
    if (objectPermissions.length === 0) throw badArgument('objectPermissions must contain at least 1 elements')
    const role = requireRole(world, workspace.id, roleId)
    const changed = new Set(objectPermissions.map(({ objectMetadataId }) => objectMetadataId))
    const kept = role.objectPermissions.filter(({ objectMetadataId }) => !changed.has(objectMetadataId))
    const updated = { ...role, objectPermissions: [...kept, ...objectPermissions] }
    requirePermissions(workspace, updated, objectPermissions)
    world.state.roles.set(role.id, updated)
    return objectPermissions.map(({ objectMetadataId }) => permissionsOf(updated, objectMetadataId))
  },
  updateWorkspaceMemberRole(args, { world, caller }) {
    const { workspace, membership: own } = requireSettings(requireUser(caller))
    const { workspaceMemberId, roleId } = z.object({ workspaceMemberId: z.string(), roleId: z.string() }).parse(args)
    if (workspaceMemberId === own.memberId) {
      throw platformError('Cannot update self role', 'FORBIDDEN', {
        subCode: 'CANNOT_UPDATE_SELF_ROLE',
        friendly: 'You cannot change your own role. Please ask another administrator to update your role.',
      })
    }
    const membership = membershipByMember(world, workspace.id, workspaceMemberId)
    if (!membership) throw internalError('Workspace member not found')
    return memberView(world, workspace, setRole(world, membership, requireRole(world, workspace.id, roleId).id))
  },
  deleteUserFromWorkspace(args, { world, caller }) {
    const { workspace } = requireSettings(requireUser(caller))
    const { workspaceMemberIdToDelete } = z.object({ workspaceMemberIdToDelete: z.string() }).parse(args)
    const membership = membershipByMember(world, workspace.id, workspaceMemberIdToDelete)
    if (!membership) {
      const message = 'Workspace member to delete not found in workspace'
      throw platformError(message, 'GRAPHQL_VALIDATION_FAILED', { response: { message, error: 'Bad Request', statusCode: 400 } })
    }
    const admins = membershipsOf(world, workspace.id).filter((other) => roleOf(world, other).label === 'Admin')
    if (admins.length === 1 && admins[0]?.id === membership.id) {
      throw platformError('Cannot delete account: user is the unique admin of a workspace', 'FORBIDDEN', {
        subCode: 'CANNOT_DELETE_LAST_ADMIN_USER',
        friendly: 'Cannot delete account: you are the only admin. Assign another admin or delete the workspace(s) first.',
      })
    }
    removeMember(world, workspace, membership)
    return { ...membership, locale: 'en' }
  },
  updateWorkspace(args, { world, caller }) {
    const { workspace } = requireSettings(requireWorkspace(caller))
    const { data } = z.object({ data: workspaceChange }).parse(args)
    world.state.workspaces.set(workspace.id, { ...workspace.row(), ...data })
    return workspaceView(world, workspace)
  },
  sendInvitations(args, { world, caller }) {
    const { workspace } = requireSettings(requireUser(caller))
    const { emails, roleId } = z.object({ emails: z.array(z.string()), roleId: z.string().nullish() }).parse(args)
    if (!emails.every(isEmail)) throw badArgument('each value in emails must be an email')
    if (new Set(emails).size < emails.length) throw badArgument("All emails's elements must be unique")
    const isMember = (email: string): boolean => {
      const user = userByEmail(world, email)
      return user !== undefined && membershipOf(world, user.id, workspace.id) !== undefined
    }
    const result = emails
      .filter((email) => !isMember(email))
      .map((email): Invitation => ({
        id: newId(),
        workspaceId: workspace.id,
        email: email.toLowerCase(),
        token: randomBytes(32).toString('hex'),
        roleId: roleId ?? null,
        expiresAt: isoMoment(world.clock.now() + invitationMs),
      }))
    for (const invitation of result) world.state.invitations.set(invitation.id, invitation)
    const errors = emails.filter(isMember).map((email) => `${email} is already in the workspace`)
    return { success: errors.length === 0, errors, result }
  },
  findWorkspaceInvitations(_args, { world, caller }) {
    const { workspace } = requireSettings(requireUser(caller))
    return [...world.state.invitations.values()].filter(({ workspaceId }) => workspaceId === workspace.id)
  },
  deleteWorkspaceInvitation(args, { world, caller }) {
    const { workspace } = requireSettings(requireUser(caller))
    const { appTokenId } = z.object({ appTokenId: z.string() }).parse(args)
    if (world.state.invitations.get(appTokenId)?.workspaceId !== workspace.id) throw internalError('Invitation not found')
    world.state.invitations.delete(appTokenId)
    return 'success'
  },
}

function labelTaken(label: string): PlatformError {
  const message = 'A role with this label already exists'
  return validationFailed('role', [{ code: 'ROLE_LABEL_ALREADY_EXISTS', message, userFriendlyMessage: `${message}.` }], { label })
}

function requirePermissions(workspace: LiveWorkspace, role: Role, changed: Role['objectPermissions']): void {
  for (const { objectMetadataId: id } of changed) {
    if (!workspace.model.objectById(id)) {
      throw platformError('Object metadata id not found', 'NOT_FOUND', {
        subCode: 'OBJECT_METADATA_NOT_FOUND_PERMISSIONS',
        friendly: 'The object you are trying to set permissions for could not be found. It may have been deleted.',
      })
    }
    if (mayDo(role, 'read', id) || !mayDo(role, 'update', id)) continue
    throw platformError('Cannot give update permission to non-readable object', 'BAD_USER_INPUT', {
      subCode: 'CANNOT_GIVE_WRITING_PERMISSION_ON_NON_READABLE_OBJECT',
      friendly: 'You cannot grant edit permissions without also granting read permissions. Please enable read access first.',
    })
  }
}
