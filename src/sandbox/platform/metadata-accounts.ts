import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isoMoment } from '../clock.ts'
import { requireUser } from './callers.ts'
import { badArgument, forbiddenException, forbiddenResource, internalError, invalidRequest, platformError, userNotFound } from './errors.ts'
import { addUser, memberRecord, userByEmail } from './members.ts'
import type { MetadataResolvers } from './metadata-context.ts'
import { availableWorkspaces, urlsOf, userView, workspaceOf, workspaceView } from './metadata-views.ts'
import { hashPassword } from './passwords.ts'
import {
  exchange,
  isEmail,
  issueAgnosticPair,
  login,
  renew,
  requireCredentials,
  requirePassword,
  requireStrongPassword,
  signUpForm,
  signUpInWorkspace,
  workspaceByHash,
  workspaceOfOrigin,
} from './sign-in.ts'
import type { World } from './fixtures.ts'

const credentials = z.object({ email: z.string(), password: z.string() })
const byHash = z.object({ inviteHash: z.string() })
const byEmail = z.object({ email: z.string() })
const byResetToken = z.object({ passwordResetToken: z.string() })

/** Time between two mails with a reset link, and how long a link lives. */
const resetWaitMs = 300_000

/** Sign-in, tokens, sign-up and passwords, and who is signed in. */
export const accountResolvers: MetadataResolvers = {
  async getLoginTokenFromCredentials(args, { world }) {
    return { loginToken: await login(world, credentials.extend({ origin: z.string() }).parse(args)) }
  },
  async getAuthTokensFromLoginToken(args, { world }) {
    return { tokens: await exchange(world, z.object({ loginToken: z.string(), origin: z.string() }).parse(args)) }
  },
  async renewToken(args, { world }) {
    return { tokens: await renew(world, z.object({ appToken: z.string() }).parse(args).appToken) }
  },
  async signUpInWorkspace(args, { world }) {
    const { loginToken, workspace } = await signUpInWorkspace(world, signUpForm.parse(args))
    return { loginToken, workspace: { id: workspace.id, workspaceUrls: urlsOf(world, workspace) } }
  },
  async signIn(args, { world }) {
    const { email, password } = credentials.parse(args)
    const user = userByEmail(world, email)
    if (!user) throw userNotFound()
    requirePassword(user, password, 'Wrong password.')
    return { availableWorkspaces: await availableWorkspaces(world, user), tokens: await issueAgnosticPair(world, user.id) }
  },
  async signUp(args, { world }) {
    const { email, password } = credentials.parse(args)
    requireCredentials({ email, password })
    requireStrongPassword(password)
    if (userByEmail(world, email)) throw invalidRequest('User already exists', 'User already exists')
    const user = addUser(world, { email, passwordHash: hashPassword(password), isEmailVerified: false })
    return { availableWorkspaces: await availableWorkspaces(world, user), tokens: await issueAgnosticPair(world, user.id) }
  },
  currentUser(_args, { world, caller }) {
    if (caller.kind === 'user' || caller.kind === 'agnostic') return userView(world, caller)
    throw forbiddenResource()
  },
  currentWorkspace: (_args, { world, caller }) => workspaceView(world, workspaceOf(caller)),
  getPublicWorkspaceDataByDomain(args, { world }) {
    const { origin } = z.object({ origin: z.string().nullish() }).parse(args)
    if (!origin) throw internalError("Invalid UUID: 'default-workspace'")
    const workspace = workspaceOfOrigin(world, origin, 'NOT_FOUND')
    return {
      id: workspace.id,
      displayName: workspace.row().displayName,
      logo: '',
      workspaceUrls: urlsOf(world, workspace),
      authProviders: { password: true, google: false, magicLink: false, microsoft: false, sso: [] },
    }
  },
  async checkUserExists(args, { world }) {
    const { email } = byEmail.parse(args)
    const message = 'The provided email address is not valid. Please use a standard email format (e.g., user@example.com).'
    if (!isEmail(email)) throw platformError(message, 'BAD_USER_INPUT', { friendly: message })
    const user = userByEmail(world, email)
    const workspaces = [...world.state.memberships.values()].filter(({ userId }) => userId === user?.id)
    return { exists: user !== undefined, availableWorkspacesCount: workspaces.length, isEmailVerified: user?.isEmailVerified ?? false }
  },
  checkWorkspaceInviteHashIsValid: (args, { world }) => ({ isValid: workspaceByHash(world, byHash.parse(args).inviteHash) !== undefined }),
  findWorkspaceFromInviteHash(args, { world }) {
    const { inviteHash } = byHash.parse(args)
    if (inviteHash.length < 10) throw badArgument('inviteHash must be longer than or equal to 10 characters')
    const workspace = workspaceByHash(world, inviteHash)
    if (!workspace) throw invalidRequest('Workspace does not exist', 'Workspace does not exist.')
    return workspaceView(world, workspace)
  },
  emailPasswordResetLink(args, { world }) {
    const user = userByEmail(world, byEmail.parse(args).email)
    if (!user) throw invalidRequest('User not found', 'User not found.')
    const now = world.clock.now()
    const isRecent = [...world.state.passwordResets.values()].some(
      (reset) => reset.userId === user.id && now < reset.createdAt + resetWaitMs,
    )
    if (isRecent) {
      const wait = 'has already been generated. Please wait for 5 minutes to generate again.'
      throw invalidRequest(`Token ${wait}`, `Password reset token ${wait}`)
    }
    const id = randomBytes(32).toString('hex')
    world.state.passwordResets.set(id, { id, userId: user.id, createdAt: now, isUsed: false })
    return { success: true }
  },
  validatePasswordResetToken(args, { world }) {
    const { id, email } = userOfReset(world, byResetToken.parse(args).passwordResetToken)
    return { id, email, hasPassword: true }
  },
  updatePasswordViaResetToken(args, { world }) {
    const { passwordResetToken, newPassword } = byResetToken.extend({ newPassword: z.string() }).parse(args)
    const user = userOfReset(world, passwordResetToken)
    requireStrongPassword(newPassword)
    world.state.users.set(user.id, { ...user, passwordHash: hashPassword(newPassword) })
    const reset = world.state.passwordResets.get(passwordResetToken)
    if (reset) world.state.passwordResets.set(reset.id, { ...reset, isUsed: true })
    return { success: true }
  },
  updateWorkspaceMemberSettings(args, { caller }) {
    const { workspace, membership } = requireUser(caller)
    const { input } = z.object({ input: z.object({ workspaceMemberId: z.string(), update: z.looseObject({}) }) }).parse(args)
    if (input.workspaceMemberId !== membership.memberId) throw forbiddenException('You can only update your own settings')
    const record = memberRecord(workspace, membership)
    const changed = { ...record, ...input.update, id: record.id, updatedAt: isoMoment(Date.parse(record.updatedAt)) }
    workspace.records.table(workspace.model.knownObject('workspaceMember')).put(changed)
    return true
  },
}

function userOfReset(world: World, token: string) {
  const reset = world.state.passwordResets.get(token)
  const user = reset && !reset.isUsed ? world.state.users.get(reset.userId) : undefined
  if (!user) throw forbiddenException('Token is invalid')
  return user
}
