import type { AgentActivity } from '../../ports/agent-activity.ts'
import type { Ports } from '../../ports/ports.ts'
import {
  type AgentCall,
  type AgentPresence,
  agentPresenceSchema,
  callBefore,
  type CurrentActivity,
  currentActivity,
  emptyPresence,
  withActivity,
  withCall,
} from './agent-presence.ts'
import { changeJson, readJson, readManyJson } from './stored-json.ts'

/** The states of agents at the provider, stored for two days. Errors of all functions: STORE_UNAVAILABLE. */

/** `agentId`: the agent's id at the provider. */
export type AgentKey = { readonly workspaceId: string; readonly agentId: string }

export type AgentChange = {
  readonly before: AgentActivity | null
  readonly now: AgentActivity
  /** The last call of the agent that began before the reported activity. */
  readonly callBefore: AgentCall | null
}

const presenceTtlMs = 2 * 86_400_000
const maxAgents = 2_000

/** Null for an agent without a report in the last two days. */
export async function readAgentState({ store }: Pick<Ports, 'store'>, agent: AgentKey): Promise<AgentActivity | null> {
  return activityOf(await readJson(store, presenceKey(agent), agentPresenceSchema))
}

/** The agent's call that began last; null if none is known. */
export async function readLastCall({ store }: Pick<Ports, 'store'>, agent: AgentKey): Promise<AgentCall | null> {
  return (await readJson(store, presenceKey(agent), agentPresenceSchema))?.lastCall ?? null
}

/** All agents with a report in the last two days, by their id at the provider. */
export async function readAgentStates(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  workspaceId: string,
): Promise<ReadonlyMap<string, AgentActivity>> {
  await store.sortedTrim(agentList(workspaceId), clock.now() - presenceTtlMs)
  const members = await store.sortedRange(agentList(workspaceId), { limit: maxAgents })
  const agentIds = members.map(({ member }) => member)
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
export async function addAgentActivity(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  agent: AgentKey,
  activity: AgentActivity,
): Promise<AgentChange> {
  const next = (known: AgentPresence | null): AgentPresence => withActivity(known ?? emptyPresence, activity)
  const { before, after } = await changeJson(store, presenceKey(agent), { schema: agentPresenceSchema, ttlMs: presenceTtlMs, next })
  await store.sortedAdd(agentList(agent.workspaceId), agent.agentId, clock.now())
  return { before: activityOf(before), now: activityOf(after) ?? activity, callBefore: callBefore(after, activity.since) }
}

/** Adds what we know of an agent's call; null if no activity of the agent is known. Repeatable. */
export async function addAgentCall({ store }: Pick<Ports, 'store'>, agent: AgentKey, call: AgentCall): Promise<CurrentActivity | null> {
  const next = (known: AgentPresence | null): AgentPresence => withCall(known ?? emptyPresence, call)
  const { after } = await changeJson(store, presenceKey(agent), { schema: agentPresenceSchema, ttlMs: presenceTtlMs, next })
  return currentActivity(after)
}

function activityOf(presence: AgentPresence | null): AgentActivity | null {
  return (presence && currentActivity(presence))?.activity ?? null
}

const presenceKey = ({ workspaceId, agentId }: AgentKey): string => `agent-presence:${workspaceId}:${agentId}`
const agentList = (workspaceId: string): string => `agents-reported:${workspaceId}`
