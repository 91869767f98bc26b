import { z } from 'zod'

export const agentStates = ['SIGNED_OUT', 'NOT_READY', 'READY', 'ON_CALL', 'WRAP_UP'] as const
/** Where an agent stands at the provider. */
export type AgentState = (typeof agentStates)[number]

export const agentActivitySchema = z.object({
  state: z.enum(agentStates),
  /** Why not ready, one of the account's reasons. */
  reason: z.string().nullable(),
  since: z.iso.datetime(),
  /** When we heard of it, epoch milliseconds. */
  receivedAt: z.number(),
})
/** What an agent does, and since when. */
export type AgentActivity = z.output<typeof agentActivitySchema>
