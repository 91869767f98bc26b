/** The platform's agent record of a member, in our words. The two passwords stand there only in old workspaces. */
export type AgentRecord = {
  readonly id: string
  readonly name: string
  /** The agent's name at the telephony provider. */
  readonly providerAgentId: string | null
  readonly providerAgentPassword: string | null
  readonly sipExtension: string | null
  readonly sipPassword: string | null
  readonly campaignName: string | null
}

export type Member = { readonly workspaceId: string; readonly memberId: string }

/** Reads agent records. */
export interface AgentRecords {
  /**
   * The member's agent record, the oldest where there are several; null where there is none, where the workspace has no such object, and
   * where the member's role may not read it. Reads only, with the given access token. Errors: those of the platform (TOKEN_REFUSED,
   * PROVIDER_UNAVAILABLE, ...).
   */
  ofMember(member: Member, accessToken: string): Promise<AgentRecord | null>
}
