import type { AgentRecord } from './records/agent.ts'

export type Member = { readonly workspaceId: string; readonly memberId: string }

/** Reads agent records. */
export interface AgentRecords {
  /**
   * The member's agent record, the oldest if there are several. Null if there is none, if the workspace has no agent object, or if the
   * member's role may not read it. Reads only, with the given access token. Errors: those of the platform (TOKEN_REFUSED,
   * PROVIDER_UNAVAILABLE, ...).
   */
  ofMember(member: Member, accessToken: string): Promise<AgentRecord | null>
}
