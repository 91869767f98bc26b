import { isoMoment } from '../clock.ts'
import { newId } from '../ids.ts'
import { membershipKey, membershipOf } from './callers.ts'
import { internalError } from './errors.ts'
import type { Membership, Role, User } from './state.ts'
import type { StoredRecord } from './record-table.ts'
import { type LiveWorkspace, systemActor, type World } from './fixtures.ts'

type NewUser = {
  readonly email: string
  readonly passwordHash: string
  readonly firstName?: string
  readonly lastName?: string
  readonly isEmailVerified: boolean
}

export function userByEmail(world: World, email: string): User | undefined {
  const wanted = email.toLowerCase()
  return [...world.state.users.values()].find((user) => user.email === wanted)
}

export function addUser(world: World, { email, passwordHash, firstName = '', lastName = '', isEmailVerified }: NewUser): User {
  const user: User = {
    id: newId(),
    email: email.toLowerCase(),
    firstName,
    lastName,
    isEmailVerified,
    passwordHash,
    createdAt: isoMoment(world.clock.now()),
  }
  world.state.users.set(user.id, user)
  return user
}

/** Makes a user a member of a workspace: a membership with a role, and the workspaceMember record. */
export function addMember(world: World, workspace: LiveWorkspace, { user, roleId }: { user: User; roleId: string | null }): Membership {
  const known = membershipOf(world, user.id, workspace.id)
  if (known) return known
  const record = workspace.records.create(workspace.model.knownObject('workspaceMember'), {
    data: {
      name: { firstName: user.firstName, lastName: user.lastName },
      userId: user.id,
      userEmail: user.email,
      locale: 'en',
      timeZone: 'system',
      colorScheme: 'System',
    },
    actor: systemActor,
  })
  const membership: Membership = {
    id: newId(),
    userId: user.id,
    workspaceId: workspace.id,
    memberId: record.id,
    roleId: roleId ?? workspace.row().defaultRoleId,
    createdAt: isoMoment(world.clock.now()),
  }
  world.state.memberships.set(membershipKey(user.id, workspace.id), membership)
  return membership
}

export function membershipByMember(world: World, workspaceId: string, memberId: string): Membership | undefined {
  return membershipsOf(world, workspaceId).find((membership) => membership.memberId === memberId)
}

export function membershipsOf(world: World, workspaceId: string): Membership[] {
  return [...world.state.memberships.values()].filter((membership) => membership.workspaceId === workspaceId)
}

export function setRole(world: World, membership: Membership, roleId: string): Membership {
  const changed = { ...membership, roleId }
  world.state.memberships.set(membershipKey(membership.userId, membership.workspaceId), changed)
  return changed
}

/** Ends a membership. A user who is in no other workspace is deleted. */
export function removeMember(world: World, workspace: LiveWorkspace, membership: Membership): void {
  world.state.memberships.delete(membershipKey(membership.userId, membership.workspaceId))
  workspace.records.destroy(workspace.model.knownObject('workspaceMember'), { id: membership.memberId, actor: systemActor })
  const isElsewhere = [...world.state.memberships.values()].some(({ userId }) => userId === membership.userId)
  if (!isElsewhere) world.state.users.delete(membership.userId)
}

export function roleOf(world: World, membership: Membership): Role {
  const role = world.state.roles.get(membership.roleId)
  if (!role) throw internalError('Role not found')
  return role
}

export function requireRole(world: World, workspaceId: string, roleId: string): Role {
  const role = world.state.roles.get(roleId)
  if (role?.workspaceId !== workspaceId) throw internalError('Could not find role for given roleId')
  return role
}

export function roleByLabel(world: World, workspaceId: string, label: string): Role | undefined {
  return [...world.state.roles.values()].find((role) => role.workspaceId === workspaceId && role.label === label)
}

export function memberRecord(workspace: LiveWorkspace, membership: Membership): StoredRecord {
  const record = workspace.records.read('workspaceMember', membership.memberId)
  if (!record) throw internalError('Workspace member not found')
  return record
}
