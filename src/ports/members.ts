import type { PersonAccess } from './record-access.ts'
import type { AgentProfile, AgentValues } from './records/agent.ts'

/** A manager's own token, and what ends the work early. API keys may not do any of this on the platform. */
export type TeamAccess = PersonAccess & { readonly signal?: AbortSignal }

/** A member of the workspace as the platform has it. */
export type MemberRecord = {
  readonly id: string
  readonly userId: string
  /** In small letters. */
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  /** ISO 8601, UTC. */
  readonly createdAt: string | null
}

export type PersonName = Pick<MemberRecord, 'firstName' | 'lastName'>
export type MemberPage = { readonly members: readonly MemberRecord[]; readonly totalCount: number; readonly nextCursor: string | null }
export type PlatformRole = { readonly id: string; readonly label: string; readonly memberIds: readonly string[] }
/** The public invite link of a workspace. */
export type InviteLink = { readonly workspaceId: string; readonly inviteHash: string | null; readonly isEnabled: boolean }
export type SignUp = { readonly email: string; readonly password: string; readonly workspaceId: string; readonly inviteHash: string }

/**
 * The platform's members and roles, asked with a manager's token. Errors of all methods: TOKEN_REFUSED, PLATFORM_REFUSED (with the
 * platform's own reason), PROVIDER_UNAVAILABLE, PROVIDER_ANSWER_INVALID, DEADLINE_PASSED (10 s each). None is sent twice by itself; all
 * but `signUp` may be repeated.
 */
export interface MemberDirectory {
  findByEmail(access: TeamAccess, email: string): Promise<MemberRecord | null>
  byId(access: TeamAccess, memberId: string): Promise<MemberRecord | null>
  /** Newest first; `search` finds every word in the name or the e-mail address. INVALID_INPUT for a cursor that is none. */
  page(access: TeamAccess, page: { first: number; after: string | null; search: string | null }): Promise<MemberPage>
  roles(access: TeamAccess): Promise<readonly PlatformRole[]>
  setRole(access: TeamAccess, memberId: string, roleId: string): Promise<void>
  setName(access: TeamAccess, memberId: string, name: PersonName): Promise<void>
  /** True where the member was there. */
  remove(access: TeamAccess, memberId: string): Promise<boolean>
  inviteLink(access: TeamAccess): Promise<InviteLink>
  setInviteLink(access: TeamAccess, isEnabled: boolean): Promise<void>
  isInviteHashValid(inviteHash: string, signal?: AbortSignal): Promise<boolean>
  /**
   * Makes an account that joins by the public link; answers the id of the workspace that it joined. Carries no token. Errors:
   * WRONG_STATE (the e-mail has an account of its own already), PLATFORM_REFUSED (the password is too weak for it, it wants the e-mail
   * verified, the link is closed).
   */
  signUp(account: SignUp, signal?: AbortSignal): Promise<string>
}

/** Agent records, written by a manager's token; never a password. Errors as MemberDirectory. */
export interface TeamAgents {
  /** Whether the workspace has agent records at all. */
  areThere(access: TeamAccess): Promise<boolean>
  /** The agent of each of these members that has one, the oldest where there are several. At most 100 members. */
  ofMembers(access: TeamAccess, memberIds: readonly string[]): Promise<ReadonlyMap<string, AgentProfile>>
  withExtension(access: TeamAccess, sipExtension: string): Promise<readonly AgentProfile[]>
  /** Repeatable: the id follows from the member. Answers the record's id. */
  create(access: TeamAccess, memberId: string, values: AgentValues): Promise<string>
  update(access: TeamAccess, agentId: string, values: AgentValues): Promise<void>
  /** The record stays for the calls that name it, but belongs to nobody. */
  unlink(access: TeamAccess, agentId: string): Promise<void>
}
