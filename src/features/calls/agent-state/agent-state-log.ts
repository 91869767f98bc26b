import { z } from 'zod'
import { type AgentActivity, agentActivitySchema } from '../../../ports/agent-activity.ts'
import type { Ports } from '../../../ports/ports.ts'
import { Family } from '../../../ports/stored/family.ts'

/** What was reported of an agent, for the timeline of a past day. Errors of all functions: STORE_UNAVAILABLE. */

/** `agentId`: the agent's id at the provider. */
type AgentKey = { readonly workspaceId: string; readonly agentId: string }

const logSchema = z.array(agentActivitySchema)
const dayMs = 86_400_000
/** Of an agent's day; what comes later is not stored. A busy agent has some 300. */
const maxReports = 1_000

/** One value a UTC day (`2026-11-21`). */
export const agentStateLog = new Family({
  name: 'agent-states',
  key: ({ workspaceId, agentId, day }: AgentKey & { readonly day: string }) => [workspaceId, day, agentId],
  schema: logSchema,
  lifetime: 35 * dayMs,
  about: 'agent',
  what: 'what was reported of an agent in a day',
})

/** Adds a report. Repeatable. */
export async function logAgentState(ports: Pick<Ports, 'store'>, agent: AgentKey, activity: AgentActivity): Promise<void> {
  const next = (known: readonly AgentActivity[] | null): AgentActivity[] => {
    const others = (known ?? []).filter(({ since, state }) => since !== activity.since || state !== activity.state)
    return [...others, activity].toSorted(byTime).slice(0, maxReports)
  }
  await agentStateLog.change(ports, { ...agent, day: dayOf(Date.parse(activity.since)) }, { next })
}

/** The reports of this time (epoch milliseconds, without the end) and of the day before it, by time. */
export async function readAgentStateLog(
  ports: Pick<Ports, 'store'>,
  agent: AgentKey,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly AgentActivity[]> {
  const dates = new Set<string>()
  for (let at = from - dayMs; at < to + dayMs; at += dayMs) dates.add(dayOf(Math.min(at, to)))
  const days = await agentStateLog.readMany(
    ports,
    [...dates].map((day) => ({ ...agent, day })),
  )
  return days
    .flatMap((day) => day ?? [])
    .filter(({ since }) => Date.parse(since) < to)
    .toSorted(byTime)
}

function byTime(one: AgentActivity, other: AgentActivity): number {
  if (one.since !== other.since) return one.since < other.since ? -1 : 1
  return one.receivedAt - other.receivedAt
}

/** The UTC day. */
function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
