import { z } from 'zod'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import type { MemberDirectory, MemberPage, MemberRecord, SignUp, TeamAccess } from '../../ports/members.ts'
import type { PlatformEndpoint, PlatformRequest } from './endpoint.ts'
import { platformErrorOf } from './failure.ts'
import { type Filter, withId } from './filter.ts'
import { createRoleFields } from './role-fields.ts'
import { signUpError } from './sign-up-failure.ts'

/** Members, roles and sign-up of the platform (Twenty 1.3 to 2.21). Records on `/graphql`, everything else on `/metadata`. */
export function createPlatformMembers(endpoint: PlatformEndpoint): MemberDirectory {
  const ask = <Schema extends z.ZodType>({ accessToken, signal }: TeamAccess, request: Asked<Schema>): Promise<z.output<Schema>> =>
    endpoint.request({ ...request, accessToken, ...(signal && { signal }) }).catch((error: unknown) => {
      throw withOwnReason(error)
    })
  const roleFields = createRoleFields()
  const find = async (access: TeamAccess, filter: Filter, first = 1): Promise<readonly MemberRecord[]> =>
    (await ask(access, { endpoint: 'records', document: membersDocument, variables: { filter, first }, answer: pageAnswer })).members.map(
      ({ node }) => node,
    )

  return {
    async findByEmail(access, email) {
      // Ignores case, but escapes patterns: `_` is common in addresses.
      const found = await find(access, { userEmail: { ilike: literal(email) } }, 10)
      return found.find((member) => member.email === email.toLowerCase()) ?? null
    },
    async byId(access, memberId) {
      const filter = withId(memberId)
      const [member] = filter ? await find(access, filter) : []
      return member ?? null
    },
    async page(access, { first, after, search }) {
      const variables = { filter: searchFilter(search), first, after }
      const request = { endpoint: 'records', document: membersDocument, variables, answer: pageAnswer } as const
      return ask(access, request).catch((error: unknown) => {
        throw isBadCursor(error) ? invalidInput('after', 'must be a cursor of this list') : error
      })
    },
    roles: (access) =>
      roleFields.ask((fields) => ask(access, { endpoint: 'metadata', document: rolesDocument(fields), answer: rolesAnswer })),
    async setRole(access, memberId, roleId) {
      const variables = { memberId, roleId }
      await ask(access, { endpoint: 'metadata', document: roleDocument, variables, answer: doneAnswer })
    },
    async setName(access, memberId, { firstName, lastName }) {
      const variables = { id: memberId, data: { name: { firstName, lastName } } }
      const { done } = await ask(access, { endpoint: 'records', document: nameDocument, variables, answer: doneOrNullAnswer })
      if (!done) throw new AppError('NOT_FOUND', { detail: 'This member is gone' })
    },
    async remove(access, memberId) {
      const request = { endpoint: 'metadata', document: removeDocument, variables: { memberId }, answer: doneAnswer } as const
      const removed = await ask(access, request).catch((error: unknown) => {
        if (isMemberUnknown(error)) return null
        throw error
      })
      return removed !== null
    },
    inviteLink: (access) => ask(access, { endpoint: 'metadata', document: linkDocument, answer: linkAnswer }),
    async setInviteLink(access, isEnabled) {
      const variables = { data: { isPublicInviteLinkEnabled: isEnabled } }
      await ask(access, { endpoint: 'metadata', document: setLinkDocument, variables, answer: doneAnswer })
    },
    isInviteHashValid: (inviteHash, signal) => isInviteHashValid(endpoint, inviteHash, signal),
    signUp: (account, signal) => signUp(endpoint, account, signal),
  }
}

type Asked<Schema extends z.ZodType> = Omit<PlatformRequest<Schema>, 'accessToken' | 'signal'>

async function isInviteHashValid(endpoint: PlatformEndpoint, inviteHash: string, signal: AbortSignal | undefined): Promise<boolean> {
  const request = {
    endpoint: 'metadata',
    document: hashDocument,
    variables: { inviteHash },
    accessToken: null,
    answer: hashAnswer,
  } as const
  return endpoint.request({ ...request, ...(signal && { signal }) })
}

async function signUp(endpoint: PlatformEndpoint, account: SignUp, signal: AbortSignal | undefined): Promise<string> {
  const request = { endpoint: 'metadata', document: signUpDocument, variables: account, accessToken: null, answer: signUpAnswer } as const
  return endpoint.request({ ...request, ...(signal && { signal }) }).catch((error: unknown) => {
    throw signUpError(error)
  })
}

/** The platform's message about a manager's rights is shown to that manager. */
function withOwnReason(error: unknown): unknown {
  const platformError = platformErrorOf(error)
  if (!platformError || !(error instanceof AppError)) return error
  if (isMemberUnknown(error)) return new AppError('NOT_FOUND', { detail: 'This member is gone', cause: platformError })
  if (error.reason !== 'PLATFORM_REFUSED') return error
  return new AppError('PLATFORM_REFUSED', {
    detail: `The platform does not allow this: ${platformError.platformMessage().slice(0, 300)}`,
    cause: platformError,
  })
}

function isMemberUnknown(error: unknown): boolean {
  // A role's change and a removal have different messages.
  return /^Workspace member (to delete )?not found/i.test(platformErrorOf(error)?.platformMessage() ?? '')
}

function isBadCursor(error: unknown): boolean {
  const platformError = platformErrorOf(error)
  return platformError !== null && (platformError.facts.subCode === 'INVALID_CURSOR' || /cursor/i.test(platformError.platformMessage()))
}

/** Escapes a text for a LIKE pattern. */
function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}

function searchFilter(search: string | null): Filter {
  const words = (search ?? '').split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return {}
  return {
    and: words.map((word) => {
      const ilike = { ilike: `%${literal(word)}%` }
      return { or: [{ name: { firstName: ilike } }, { name: { lastName: ilike } }, { userEmail: ilike }] }
    }),
  }
}

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const memberSchema = z
  .object({
    id: z.string(),
    userId: z.string(),
    userEmail: text,
    createdAt: z.string().nullish(),
    name: z.object({ firstName: text, lastName: text }).nullish(),
  })
  .transform(({ id, userId, userEmail, createdAt, name }): MemberRecord => ({
    id,
    userId,
    email: userEmail.toLowerCase(),
    firstName: name?.firstName ?? '',
    lastName: name?.lastName ?? '',
    createdAt: createdAt ? new Date(createdAt).toISOString() : null,
  }))
const pageAnswer = z
  .object({
    workspaceMembers: z.object({
      totalCount: z.int(),
      edges: z.array(z.object({ cursor: z.string(), node: memberSchema })),
    }),
  })
  .transform(({ workspaceMembers: { totalCount, edges } }): MemberPage => ({
    totalCount,
    members: edges.map(({ node, cursor }) => ({ node, position: cursor })),
  }))
const membersDocument = `query TeamMembers($filter: WorkspaceMemberFilterInput, $first: Int, $after: String) {
  workspaceMembers(filter: $filter, first: $first, after: $after, orderBy: [{ createdAt: DescNullsLast }]) {
    totalCount
    edges { cursor node { id userId userEmail createdAt name { firstName lastName } } }
  }
}`

const rolesDocument = (fields: string): string => `query Roles { roles: getRoles { id ${fields} workspaceMembers { id } } }`
const rolesAnswer = z
  .object({
    roles: z.array(
      z.object({
        id: z.string(),
        label: z.string(),
        canUpdateAllSettings: z.boolean().nullish(),
        workspaceMembers: z.array(z.object({ id: z.string() })).nullish(),
      }),
    ),
  })
  .transform(({ roles }) =>
    roles.map(({ id, label, canUpdateAllSettings, workspaceMembers }) => ({
      id,
      label,
      mayChangeSettings: canUpdateAllSettings === true,
      memberIds: (workspaceMembers ?? []).map((member) => member.id),
    })),
  )

const doneAnswer = z.object({ done: z.object({ id: z.string() }) })
const doneOrNullAnswer = z.object({ done: z.object({ id: z.string() }).nullable() })
const roleDocument = `mutation SetRole($memberId: UUID!, $roleId: UUID!) {
  done: updateWorkspaceMemberRole(workspaceMemberId: $memberId, roleId: $roleId) { id }
}`
const nameDocument = `mutation SetName($id: UUID!, $data: WorkspaceMemberUpdateInput!) { done: updateWorkspaceMember(id: $id, data: $data) { id } }`
const removeDocument = `mutation RemoveMember($memberId: String!) { done: deleteUserFromWorkspace(workspaceMemberIdToDelete: $memberId) { id } }`

const linkDocument = 'query InviteLink { workspace: currentWorkspace { id inviteHash isPublicInviteLinkEnabled } }'
const linkAnswer = z
  .object({ workspace: z.object({ id: z.string(), inviteHash: z.string().nullish(), isPublicInviteLinkEnabled: z.boolean() }) })
  .transform(({ workspace: { id, inviteHash, isPublicInviteLinkEnabled } }) => ({
    workspaceId: id,
    inviteHash: inviteHash || null,
    isEnabled: isPublicInviteLinkEnabled,
  }))
const setLinkDocument = 'mutation SetInviteLink($data: UpdateWorkspaceInput!) { done: updateWorkspace(data: $data) { id } }'
const hashDocument =
  'query InviteHash($inviteHash: String!) { checked: checkWorkspaceInviteHashIsValid(inviteHash: $inviteHash) { isValid } }'
const hashAnswer = z.object({ checked: z.object({ isValid: z.boolean() }) }).transform(({ checked }) => checked.isValid)
const signUpDocument = `mutation SignUp($email: String!, $password: String!, $workspaceId: UUID!, $inviteHash: String!) {
  signUp: signUpInWorkspace(email: $email, password: $password, workspaceId: $workspaceId, workspaceInviteHash: $inviteHash) {
    workspace { id }
  }
}`
const signUpAnswer = z
  .object({ signUp: z.object({ workspace: z.object({ id: z.string() }) }) })
  .transform(({ signUp: { workspace } }) => workspace.id)
