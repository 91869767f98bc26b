import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { membershipOf } from './callers.ts'
import {
  badArgument,
  forbiddenException,
  internalError,
  invalidRequest,
  unauthenticated,
  userNotFound,
  workspaceNotFound,
  wrongTokenType,
} from './errors.ts'
import { addMember, addUser, userByEmail } from './members.ts'
import { hashPassword, isPassword } from './passwords.ts'
import type { Membership, User } from './state.ts'
import type { Claims, IssuedToken } from './tokens.ts'
import type { LiveWorkspace, World } from './fixtures.ts'

export type TokenPair = { readonly accessOrWorkspaceAgnosticToken: IssuedToken; readonly refreshToken: IssuedToken }

/** The workspace that an `origin` names: its host without the platform's own host is the subdomain. */
export function workspaceOfOrigin(world: World, origin: string, code = 'UNAUTHENTICATED'): LiveWorkspace {
  const subdomain = /^([^.]+)\.localhost$/.exec(hostOf(origin))?.[1]
  const workspace = subdomain === undefined ? undefined : world.workspaceBySubdomain(subdomain)
  if (!workspace) throw workspaceNotFound(code)
  return workspace
}

function hostOf(origin: string): string {
  if (!URL.canParse(origin)) throw internalError('Invalid URL')
  return new URL(origin).hostname
}

const emailForm = z.email()

export function isEmail(email: string): boolean {
  return emailForm.safeParse(email).success
}

/** What the platform checks of sign-in's arguments before it looks anything up. */
export function requireCredentials({ email, password }: Credentials): void {
  const faults = [
    ...(isEmail(email) ? [] : ['email must be an email']),
    ...(email === '' ? ['email should not be empty'] : []),
    ...(password === '' ? ['password should not be empty'] : []),
  ]
  if (faults.length > 0) throw badArgument(faults.join(', '))
}

type Credentials = { readonly email: string; readonly password: string }

/** getLoginTokenFromCredentials: membership is looked at before the password. */
export async function login(world: World, { email, password, origin }: Credentials & { origin: string }): Promise<IssuedToken> {
  requireCredentials({ email, password })
  const workspace = workspaceOfOrigin(world, origin)
  const user = userByEmail(world, email)
  // Unlike sign-up, it compares the address as it came with the stored one, which is in lower case.
  if (user?.email !== email) throw userNotFound()
  if (!membershipOf(world, user.id, workspace.id)) {
    throw forbiddenException('User is not a member of the workspace.', 'User is not a member of the workspace.')
  }
  requirePassword(user, password, 'Wrong password.')
  return issueLoginToken(world, user, workspace)
}

export function requirePassword(user: User, password: string, friendly: string): void {
  if (!isPassword(password, user.passwordHash)) throw forbiddenException('Wrong password', friendly)
}

export function issueLoginToken(world: World, user: User, workspace: LiveWorkspace): Promise<IssuedToken> {
  const claims = { sub: user.id, userId: user.id, workspaceId: workspace.id }
  return world.tokens.issue('LOGIN', claims, { lifetimeMs: world.tokens.lifetimes.loginMs })
}

/** getAuthTokensFromLoginToken; a login token may be used again while it lives. */
export async function exchange(world: World, { loginToken, origin }: { loginToken: string; origin: string }): Promise<TokenPair> {
  if (loginToken === '') throw badArgument('loginToken should not be empty')
  const workspace = workspaceOfOrigin(world, origin)
  const claims = await world.tokens.verify(loginToken)
  if (claims.type !== 'LOGIN') throw wrongTokenType('Expected a login token')
  if (claims.workspaceId !== workspace.id) throw forbiddenException('Token is not valid for this workspace')
  const membership = membershipOf(world, claims.sub, workspace.id)
  if (!membership) throw userNotFound()
  return issuePair(world, claims.sub, membership)
}

async function issuePair(world: World, userId: string, membership: Membership | null): Promise<TokenPair> {
  const { accessMs, refreshMs } = world.tokens.lifetimes
  const claims = { sub: userId, userId, ...(membership ? { workspaceId: membership.workspaceId } : {}) }
  const member = membership ? { workspaceMemberId: membership.memberId, userWorkspaceId: membership.id } : {}
  const [accessOrWorkspaceAgnosticToken, refreshToken] = await Promise.all([
    world.tokens.issue(membership ? 'ACCESS' : 'WORKSPACE_AGNOSTIC', { ...claims, ...member }, { lifetimeMs: accessMs }),
    world.tokens.issue('REFRESH', claims, { lifetimeMs: refreshMs }),
  ])
  const { id } = refreshToken
  world.state.refreshTokens.set(id, { id, userId, workspaceId: membership?.workspaceId ?? null, rotatedAt: null, isRevoked: false })
  return { accessOrWorkspaceAgnosticToken, refreshToken }
}

export const issueAgnosticPair = (world: World, userId: string): Promise<TokenPair> => issuePair(world, userId, null)

/** renewToken: rotates; the old refresh token works on for the time of grace. */
export async function renew(world: World, appToken: string): Promise<TokenPair> {
  if (appToken === '') throw badArgument('appToken should not be empty')
  const claims = await world.tokens.verify(appToken)
  if (claims.type !== 'REFRESH')
    throw world.version === '1.3' ? unauthenticated('Token invalid.') : wrongTokenType('Expected a refresh token')
  rotate(world, claims)
  if (claims.workspaceId === undefined) return issuePair(world, claims.sub, null)
  const membership = membershipOf(world, claims.sub, claims.workspaceId)
  if (!membership) throw userNotFound()
  return issuePair(world, claims.sub, membership)
}

function rotate(world: World, claims: Claims): void {
  const { refreshTokens } = world.state
  const kept = refreshTokens.get(claims.jti)
  if (!kept) throw forbiddenException('This refresh token does not exist')
  const isLate = kept.rotatedAt !== null && world.clock.now() > kept.rotatedAt + world.tokens.lifetimes.refreshGraceMs
  if (isLate && world.version === '1.3') revokeAll(world, kept.userId)
  if (isLate || kept.isRevoked) throw forbiddenException('This refresh token has been revoked.')
  if (kept.rotatedAt === null) refreshTokens.set(kept.id, { ...kept, rotatedAt: world.clock.now() })
}

/** Older versions take a late second use for theft. */
function revokeAll(world: World, userId: string): void {
  for (const token of world.state.refreshTokens.values()) {
    if (token.userId === userId) world.state.refreshTokens.set(token.id, { ...token, isRevoked: true })
  }
}

const optionalText = z.string().nullish()
export const signUpForm = z.object({
  email: z.string(),
  password: z.string(),
  workspaceId: optionalText,
  workspaceInviteHash: optionalText,
  workspacePersonalInviteToken: optionalText,
})
type SignUpInput = z.output<typeof signUpForm>

/** signUpInWorkspace: a new or known user joins by the public invite link or by a personal invitation. */
export async function signUpInWorkspace(world: World, input: SignUpInput): Promise<{ loginToken: IssuedToken; workspace: LiveWorkspace }> {
  requireCredentials(input)
  requireStrongPassword(input.password)
  const workspace = targetWorkspace(world, input)
  const invitation = [...world.state.invitations.values()].find(
    ({ token, email, workspaceId }) =>
      token === input.workspacePersonalInviteToken && email === input.email.toLowerCase() && workspaceId === workspace.id,
  )
  const known = userByEmail(world, input.email)
  if (known) requirePassword(known, input.password, 'Wrong password')
  if (!invitation) requirePublicLink(workspace, input)
  const user = known ?? addUser(world, { ...input, passwordHash: hashPassword(input.password), isEmailVerified: invitation !== undefined })
  addMember(world, workspace, { user, roleId: invitation?.roleId ?? null })
  if (invitation) world.state.invitations.delete(invitation.id)
  return { loginToken: await issueLoginToken(world, user, workspace), workspace }
}

export function requireStrongPassword(password: string): void {
  if (!/^.{8,50}$/.test(password)) throw invalidRequest('Password too weak')
}

export function workspaceByHash(world: World, hash: string): LiveWorkspace | undefined {
  const row = [...world.state.workspaces.values()].find(({ inviteHash }) => inviteHash === hash)
  return row && world.workspace(row.id)
}

function targetWorkspace(world: World, { workspaceInviteHash: hash, workspaceId }: SignUpInput): LiveWorkspace {
  const workspace = hash ? workspaceByHash(world, hash) : world.workspace(workspaceId ?? '')
  if (workspace) return workspace
  if (world.version !== '1.3') throw invalidRequest('Workspace name is required')
  return world.addWorkspace(`new-${randomBytes(4).toString('hex')}`, { displayName: '', isCallCenter: false })
}

function requirePublicLink(workspace: LiveWorkspace, { workspaceInviteHash }: SignUpInput): void {
  if (!workspaceInviteHash) {
    throw forbiddenException('User does not have access to this workspace', 'User does not have access to this workspace')
  }
  if (!workspace.row().isPublicInviteLinkEnabled) throw forbiddenException('Public invite link is disabled for this workspace')
}
