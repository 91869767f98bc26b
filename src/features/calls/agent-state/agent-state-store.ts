import type { AgentActivity } from '../../../ports/agent-activity.ts'
import type { Ports } from '../../../ports/ports.ts'
import {
  type AgentCall,
  type AgentPresence,
  agentPresenceSchema,
  currentActivity,
  emptyPresence,
  hasLeftCall,
  lastCallOf,
  withActivity,
  withCall,
} from './agent-presence.ts'
import { logAgentState } from './agent-state-log.ts'
import { Family } from '../../../ports/stored/family.ts'
import { SortedList } from '../../../ports/stored/sorted-list.ts'

/** The states of agents at the provider, stored for two days. Errors of all functions: STORE_UNAVAILABLE. */

/** `agentId`: the agent's id at the provider. */
export type AgentKey = { readonly workspaceId: string; readonly agentId: string }

export type AgentChange = {
  readonly before: AgentActivity | null
  readonly now: AgentActivity
  readonly presence: AgentPresence
}

const twoDays = 2 * 86_400_000
const maxAgents = 2_000

export const presences = new Family({
  name: 'agent-presence',
  key: ({ workspaceId, agentId }: AgentKey) => [workspaceId, agentId],
  schema: agentPresenceSchema,
  lifetime: twoDays,
  about: 'agent',
  what: 'what an agent does',
})

export const reportedAgents = new SortedList({
  name: 'agents-reported',
  key: (workspaceId: string) => [workspaceId],
  lifetime: twoDays,
  about: 'agent',
  what: 'agents with a reported state',
})

/** Null for an agent without a report in the last two days. */
export async function readAgentState(ports: Pick<Ports, 'store'>, agent: AgentKey): Promise<AgentActivity | null> {
  return activityOf(await presences.read(ports, agent))
}

/** The agent's call that began last; null if none is known. */
export async function readLastCall(ports: Pick<Ports, 'store'>, agent: AgentKey): Promise<AgentCall | null> {
  const presence = await presences.read(ports, agent)
  return presence && lastCallOf(presence)
}

/** Whether the agent is known to have finished the wrap-up of a call. */
export async function isWrapUpOver(
  ports: Pick<Ports, 'store'>,
  agent: AgentKey,
  call: Pick<AgentCall, 'ucid' | 'endedAt'>,
): Promise<boolean> {
  const presence = await presences.read(ports, agent)
  return presence !== null && hasLeftCall(presence, call)
}

/** All agents with a report in the last two days, by their id at the provider. */
export async function readAgentStates(ports: Pick<Ports, 'store'>, workspaceId: string): Promise<ReadonlyMap<string, AgentActivity>> {
  const members = await reportedAgents.range(ports, workspaceId, { limit: maxAgents })
  return readStatesOf(
    ports,
    workspaceId,
    members.map(({ member }) => member),
  )
}

/** With one read; without the agents that have no report in the last two days. */
export async function readStatesOf(
  ports: Pick<Ports, 'store'>,
  workspaceId: string,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, AgentActivity>> {
  const found = await presences.readMany(
    ports,
    agentIds.map((agentId) => ({ workspaceId, agentId })),
  )
  return new Map(
    agentIds.flatMap((agentId, index) => {
      const activity = activityOf(found[index] ?? null)
      return activity ? [[agentId, activity] as const] : []
    }),
  )
}

/** Adds a reported activity of an agent. Repeatable. */
export async function addAgentActivity(ports: PresencePorts, agent: AgentKey, activity: AgentActivity): Promise<AgentChange> {
  const { before, after } = await changePresence(ports, agent, (known) => withActivity(known, activity))
  await logAgentState(ports, agent, activity)
  await reportedAgents.add(ports, agent.workspaceId, { member: agent.agentId, score: ports.clock.now() })
  return { before: activityOf(before), now: activityOf(after) ?? activity, presence: after }
}

/** Adds what we know of an agent's call. Repeatable. */
export async function addAgentCall(ports: PresencePorts, agent: AgentKey, call: AgentCall): Promise<AgentPresence> {
  return (await changePresence(ports, agent, (known) => withCall(known, call))).after
}

type PresencePorts = Pick<Ports, 'store' | 'clock'>

/** A repetition changes nothing, not even the revision. */
function changePresence(ports: PresencePorts, agent: AgentKey, change: (known: AgentPresence) => AgentPresence) {
  const next = (stored: AgentPresence | null): AgentPresence => {
    const known = stored ?? emptyPresence
    const after = change(known)
    if (JSON.stringify(after) === JSON.stringify(known)) return known
    // Also higher than the revisions of an agent who had the call before.
    return { ...after, revision: Math.max(known.revision + 1, ports.clock.now()) }
  }
  return presences.change(ports, agent, { next })
}

function activityOf(presence: AgentPresence | null): AgentActivity | null {
  return (presence && currentActivity(presence))?.activity ?? null
}
