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
  heardAt: z.number(),
})
/** What an agent does, and since when. */
export type AgentActivity = z.output<typeof agentActivitySchema>

/**
 * The newer of the two: by the provider's moment (whole seconds), within a second by what was heard last. It does not matter in what
 * order they are put together, or how often.
 */
export function newerActivity(one: AgentActivity | null, other: AgentActivity): AgentActivity {
  return one && isNewer(one, other) ? one : other
}

function isNewer(candidate: AgentActivity, known: AgentActivity): boolean {
  if (candidate.since !== known.since) return candidate.since > known.since
  if (candidate.heardAt !== known.heardAt) return candidate.heardAt > known.heardAt
  if (candidate.state !== known.state) return agentStates.indexOf(candidate.state) > agentStates.indexOf(known.state)
  return String(candidate.reason) > String(known.reason)
}
