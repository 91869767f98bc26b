import { z } from 'zod'
import { type AgentActivity, agentActivitySchema } from '../../ports/agent-activity.ts'
import type { Ports } from '../../ports/ports.ts'
import { changeJson, readManyJson } from './stored-json.ts'

/** What was reported of an agent, for the timeline of a past day. Errors of all functions: STORE_UNAVAILABLE. */

/** `agentId`: the agent's id at the provider. */
type AgentKey = { readonly workspaceId: string; readonly agentId: string }

const logSchema = z.array(agentActivitySchema)
const dayMs = 86_400_000
const logTtlMs = 35 * dayMs
/** Of an agent's day; what comes later is not stored. A busy agent has some 300. */
const maxReports = 1_000

/** Adds a report. Repeatable. */
export async function logAgentState({ store }: Pick<Ports, 'store'>, agent: AgentKey, activity: AgentActivity): Promise<void> {
  const next = (known: readonly AgentActivity[] | null): AgentActivity[] => {
    const others = (known ?? []).filter(({ since, state }) => since !== activity.since || state !== activity.state)
    return [...others, activity].toSorted(byTime).slice(0, maxReports)
  }
  await changeJson(store, logKey(agent, Date.parse(activity.since)), { schema: logSchema, ttlMs: logTtlMs, next })
}

/** The reports of this time (epoch milliseconds, without the end) and of the day before it, by time. */
export async function readAgentStateLog(
  { store }: Pick<Ports, 'store'>,
  agent: AgentKey,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly AgentActivity[]> {
  const keys: string[] = []
  for (let at = from - dayMs; at < to + dayMs; at += dayMs) keys.push(logKey(agent, Math.min(at, to)))
  const days = await readManyJson(store, [...new Set(keys)], logSchema)
  return days
    .flatMap((day) => day ?? [])
    .filter(({ since }) => Date.parse(since) < to)
    .toSorted(byTime)
}

function byTime(one: AgentActivity, other: AgentActivity): number {
  if (one.since !== other.since) return one.since < other.since ? -1 : 1
  return one.receivedAt - other.receivedAt
}

/** One entry a UTC day. */
function logKey({ workspaceId, agentId }: AgentKey, at: number): string {
  return `agent-states:${workspaceId}:${new Date(at).toISOString().slice(0, 10)}:${agentId}`
}
