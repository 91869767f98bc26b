import { z } from 'zod'

export const agentStates = ['SIGNED_OUT', 'NOT_READY', 'READY', 'ON_CALL', 'WRAP_UP'] as const
/** The state of an agent at the provider. */
export type AgentState = (typeof agentStates)[number]

export const agentActivitySchema = z.object({
  state: z.enum(agentStates),
  /** The not-ready reason, one of the account's. */
  reason: z.string().nullable(),
  since: z.iso.datetime(),
  /** When we received the report, epoch milliseconds. */
  receivedAt: z.number(),
})
/** What an agent does, and since when. */
export type AgentActivity = z.output<typeof agentActivitySchema>
