import { forbiddenResource, invalidTokenType, permissionDenied, platformError, PlatformError, unauthenticated } from './errors.ts'
import type { Actor } from './records.ts'
import type { ApiKey, Membership, Role, User } from './state.ts'
import { isJsonObject, textOf } from './json.ts'
import type { LiveWorkspace, World } from './fixtures.ts'

export type UserCaller = {
  readonly kind: 'user'
  readonly user: User
  readonly membership: Membership
  readonly workspace: LiveWorkspace
  readonly role: Role
}
export type KeyCaller = { readonly kind: 'apiKey'; readonly apiKey: ApiKey; readonly workspace: LiveWorkspace; readonly role: Role }
/** Who sends a request: nobody, a user of a workspace, an API key, or a user without a workspace. */
export type Caller = UserCaller | KeyCaller | { readonly kind: 'agnostic'; readonly user: User } | { readonly kind: 'nobody' }

/** The caller by the Authorization header; throws the platform's error for a bad token, even if no token is needed. */
export async function callerOf(world: World, authorization: string | undefined): Promise<Caller> {
  const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) return { kind: 'nobody' }
  const claims = await world.tokens.verify(token)
  switch (claims.type) {
    case 'ACCESS':
      return userCaller(world, claims.userId ?? claims.sub, claims.workspaceId ?? '')
    case 'API_KEY':
      return keyCaller(world, claims.jti)
    case 'WORKSPACE_AGNOSTIC':
      return { kind: 'agnostic', user: world.state.users.get(claims.sub) ?? goneUser() }
    case 'LOGIN':
    case 'REFRESH':
      if (world.version === '1.3') throw unauthenticated('Token invalid.')
      throw invalidTokenType('Invalid token')
  }
}

function goneUser(): never {
  throw platformError('User or user workspace not found', 'UNAUTHENTICATED', {
    subCode: 'USER_NOT_FOUND',
    friendly: { id: 'l9dlVi', message: 'User does not have access to this workspace' },
  })
}

function userCaller(world: World, userId: string, workspaceId: string): UserCaller {
  const user = world.state.users.get(userId)
  const membership = membershipOf(world, userId, workspaceId)
  const workspace = world.workspace(workspaceId)
  const role = membership && world.state.roles.get(membership.roleId)
  if (!user || !membership || !workspace || !role) return goneUser()
  return { kind: 'user', user, membership, workspace, role }
}

function keyCaller(world: World, keyId: string): KeyCaller {
  const apiKey = world.state.apiKeys.get(keyId)
  const workspace = apiKey && world.workspace(apiKey.workspaceId)
  const role = apiKey && world.state.roles.get(apiKey.roleId)
  if (!apiKey || !workspace || !role || apiKey.revokedAt !== null) {
    const friendly = { id: 'q5OVn+', message: 'You do not have permission to perform this action.' }
    throw platformError('This API Key is revoked', 'FORBIDDEN', { subCode: 'FORBIDDEN_EXCEPTION', friendly })
  }
  return { kind: 'apiKey', apiKey, workspace, role }
}

export function membershipOf(world: World, userId: string, workspaceId: string): Membership | undefined {
  return world.state.memberships.get(membershipKey(userId, workspaceId))
}

/** Memberships are stored by user and workspace. Clients see their `id`. */
export function membershipKey(userId: string, workspaceId: string): string {
  return `${userId}:${workspaceId}`
}

export function requireUser(caller: Caller): UserCaller {
  if (caller.kind === 'user') return caller
  throw forbiddenResource()
}

export function requireWorkspace(caller: Caller): UserCaller | KeyCaller {
  if (caller.kind === 'user' || caller.kind === 'apiKey') return caller
  throw forbiddenResource()
}

/** A caller whose role may change settings. */
export function requireSettings<Known extends UserCaller | KeyCaller>(caller: Known): Known {
  if (caller.role.canUpdateAllSettings) return caller
  throw permissionDenied()
}

/** Whom records remember as the writer. */
export function actorOf(caller: UserCaller | KeyCaller): Actor {
  if (caller.kind === 'apiKey') return { source: 'API', name: caller.apiKey.name, workspaceMemberId: null, context: {} }
  const member = caller.workspace.records.read('workspaceMember', caller.membership.memberId)
  const name = isJsonObject(member?.['name']) ? Object.values(member['name']).map((part) => textOf(part ?? '')) : []
  return { source: 'MANUAL', name: name.join(' ').trim(), workspaceMemberId: caller.membership.memberId, context: {} }
}

/** An error as the platform's token check reports it: the friendly text comes as an object there. */
export function asBearerError(error: unknown): unknown {
  if (!(error instanceof PlatformError) || error.extensions['subCode'] !== 'UNAUTHENTICATED') return error
  const friendly = { id: 'z+7x/s', message: error.extensions['userFriendlyMessage'] }
  return new PlatformError(error.message, { ...error.extensions, userFriendlyMessage: friendly })
}
