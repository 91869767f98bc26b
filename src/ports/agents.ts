import { z } from 'zod'

/** The platform's agent record of a member. The two passwords are set only in old workspaces. */
export const agentRecordSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The agent's id at the telephony provider. */
  providerAgentId: z.string().nullable(),
  providerAgentPassword: z.string().nullable(),
  sipExtension: z.string().nullable(),
  sipPassword: z.string().nullable(),
  campaignName: z.string().nullable(),
})
export type AgentRecord = Readonly<z.output<typeof agentRecordSchema>>

export type Member = { readonly workspaceId: string; readonly memberId: string }

/** Reads agent records. */
export interface AgentRecords {
  /**
   * The member's agent record, the oldest if there are several. Null if there is none, if the workspace has no such object, or if the
   * member's role may not read it. Uses the given access token. Errors: those of the platform (TOKEN_REFUSED, PROVIDER_UNAVAILABLE, ...).
   */
  ofMember(member: Member, accessToken: string): Promise<AgentRecord | null>
}
