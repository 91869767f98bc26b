import type { AgentActivity } from '../../ports/agent-activity.ts'
import type { Ports } from '../../ports/ports.ts'
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
import { changeJson, readJson, readManyJson } from './stored-json.ts'

/** The states of agents at the provider, stored for two days. Errors of all functions: STORE_UNAVAILABLE. */

/** `agentId`: the agent's id at the provider. */
export type AgentKey = { readonly workspaceId: string; readonly agentId: string }

export type AgentChange = {
  readonly before: AgentActivity | null
  readonly now: AgentActivity
  readonly presence: AgentPresence
}

const presenceTtlMs = 2 * 86_400_000
const maxAgents = 2_000

/** Null for an agent without a report in the last two days. */
export async function readAgentState({ store }: Pick<Ports, 'store'>, agent: AgentKey): Promise<AgentActivity | null> {
  return activityOf(await readJson(store, presenceKey(agent), agentPresenceSchema))
}

/** The agent's call that began last; null if none is known. */
export async function readLastCall({ store }: Pick<Ports, 'store'>, agent: AgentKey): Promise<AgentCall | null> {
  const presence = await readJson(store, presenceKey(agent), agentPresenceSchema)
  return presence && lastCallOf(presence)
}

/** Whether the agent is known to have finished the wrap-up of a call. */
export async function isWrapUpOver(
  { store }: Pick<Ports, 'store'>,
  agent: AgentKey,
  call: Pick<AgentCall, 'ucid' | 'endedAt'>,
): Promise<boolean> {
  const presence = await readJson(store, presenceKey(agent), agentPresenceSchema)
  return presence !== null && hasLeftCall(presence, call)
}

/** All agents with a report in the last two days, by their id at the provider. */
export async function readAgentStates({ store }: Pick<Ports, 'store'>, workspaceId: string): Promise<ReadonlyMap<string, AgentActivity>> {
  const members = await store.sortedRange(agentList(workspaceId), { limit: maxAgents })
  return readStatesOf(
    { store },
    workspaceId,
    members.map(({ member }) => member),
  )
}

/** With one read; without the agents that have no report in the last two days. */
export async function readStatesOf(
  { store }: Pick<Ports, 'store'>,
  workspaceId: string,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, AgentActivity>> {
  const keys = agentIds.map((agentId) => presenceKey({ workspaceId, agentId }))
  const presences = await readManyJson(store, keys, agentPresenceSchema)
  return new Map(
    agentIds.flatMap((agentId, index) => {
      const activity = activityOf(presences[index] ?? null)
      return activity ? [[agentId, activity] as const] : []
    }),
  )
}

/** Adds a reported activity of an agent. Repeatable. */
export async function addAgentActivity(ports: PresencePorts, agent: AgentKey, activity: AgentActivity): Promise<AgentChange> {
  const { before, after } = await changePresence(ports, agent, (known) => withActivity(known, activity))
  await logAgentState(ports, agent, activity)
  await ports.store.sortedAdd(agentList(agent.workspaceId), agent.agentId, ports.clock.now())
  return { before: activityOf(before), now: activityOf(after) ?? activity, presence: after }
}

/** Adds what we know of an agent's call. Repeatable. */
export async function addAgentCall(ports: PresencePorts, agent: AgentKey, call: AgentCall): Promise<AgentPresence> {
  return (await changePresence(ports, agent, (known) => withCall(known, call))).after
}

type PresencePorts = Pick<Ports, 'store' | 'clock'>

/** A repetition changes nothing, not even the revision. */
function changePresence({ store, clock }: PresencePorts, agent: AgentKey, change: (known: AgentPresence) => AgentPresence) {
  const next = (stored: AgentPresence | null): AgentPresence => {
    const known = stored ?? emptyPresence
    const after = change(known)
    if (JSON.stringify(after) === JSON.stringify(known)) return known
    // Also higher than the revisions of an agent who had the call before.
    return { ...after, revision: Math.max(known.revision + 1, clock.now()) }
  }
  return changeJson(store, presenceKey(agent), { schema: agentPresenceSchema, ttlMs: presenceTtlMs, next })
}

function activityOf(presence: AgentPresence | null): AgentActivity | null {
  return (presence && currentActivity(presence))?.activity ?? null
}

const presenceKey = ({ workspaceId, agentId }: AgentKey): string => `agent-presence:${workspaceId}:${agentId}`
const agentList = (workspaceId: string): string => `agents-reported:${workspaceId}`
