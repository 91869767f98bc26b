import type { PersonAccess } from './record-access.ts'
import type { AgentProfile, AgentValues } from './records/agent.ts'

/** A manager's own token, and a signal that stops the work. The platform allows API keys none of this. */
export type TeamAccess = PersonAccess & { readonly signal?: AbortSignal }

/** A member of the workspace on the platform. */
export type MemberRecord = {
  readonly id: string
  readonly userId: string
  /** Lower case. */
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  /** ISO 8601, UTC. */
  readonly createdAt: string | null
}

export type PersonName = Pick<MemberRecord, 'firstName' | 'lastName'>
/** `position`: the platform's cursor of the member. */
export type MemberPage = {
  readonly members: readonly { readonly node: MemberRecord; readonly position: string }[]
  readonly totalCount: number
}
export type PlatformRole = {
  readonly id: string
  readonly label: string
  /** Whether its holders may change all settings of the workspace. */
  readonly mayChangeSettings: boolean
  readonly memberIds: readonly string[]
}
/** The public invite link of a workspace. */
export type InviteLink = { readonly workspaceId: string; readonly inviteHash: string | null; readonly isEnabled: boolean }
export type SignUp = { readonly email: string; readonly password: string; readonly workspaceId: string; readonly inviteHash: string }

/**
 * The platform's members and roles, with a manager's token. Errors of all methods: TOKEN_REFUSED, PLATFORM_REFUSED (with the platform's own
 * reason), PROVIDER_UNAVAILABLE, PROVIDER_ANSWER_INVALID, DEADLINE_PASSED (10 s each). No request is retried; all but `signUp` are
 * repeatable.
 */
export interface MemberDirectory {
  findByEmail(access: TeamAccess, email: string): Promise<MemberRecord | null>
  byId(access: TeamAccess, memberId: string): Promise<MemberRecord | null>
  /** Newest first; `search` finds every word in the name or the e-mail address. Throws INVALID_INPUT for an invalid cursor. */
  page(access: TeamAccess, page: { first: number; after: string | null; search: string | null }): Promise<MemberPage>
  roles(access: TeamAccess): Promise<readonly PlatformRole[]>
  setRole(access: TeamAccess, memberId: string, roleId: string): Promise<void>
  setName(access: TeamAccess, memberId: string, name: PersonName): Promise<void>
  /** False if there was no such member. */
  remove(access: TeamAccess, memberId: string): Promise<boolean>
  inviteLink(access: TeamAccess): Promise<InviteLink>
  setInviteLink(access: TeamAccess, isEnabled: boolean): Promise<void>
  isInviteHashValid(inviteHash: string, signal?: AbortSignal): Promise<boolean>
  /**
   * Creates an account that joins by the public link; returns the id of the joined workspace. Sends no token. Errors: WRONG_STATE (the
   * e-mail address has an account already), PLATFORM_REFUSED (the password is too weak, the e-mail address must be verified, the link is
   * closed).
   */
  signUp(account: SignUp, signal?: AbortSignal): Promise<string>
}

/** Agent records, written with a manager's token; never a password. Errors: those of MemberDirectory. */
export interface TeamAgents {
  /** Whether the workspace has agent records. */
  areThere(access: TeamAccess): Promise<boolean>
  /** The agent of each of these members that has one; the oldest if there are several. At most 100 members. */
  ofMembers(access: TeamAccess, memberIds: readonly string[]): Promise<ReadonlyMap<string, AgentProfile>>
  /** Null if there is no such agent. */
  byId(access: TeamAccess, agentId: string): Promise<AgentProfile | null>
  /** The agents that have this extension, or this ID at the provider. */
  withValue(access: TeamAccess, field: 'sipExtension' | 'providerAgentId', value: string): Promise<readonly AgentProfile[]>
  /** Returns the record's id. Repeatable, because the id is derived from the member. */
  create(access: TeamAccess, memberId: string, values: AgentValues): Promise<string>
  update(access: TeamAccess, agentId: string, values: AgentValues): Promise<void>
  /** The record stays for its calls, but belongs to no member. */
  unlink(access: TeamAccess, agentId: string): Promise<void>
}
