import type { Store } from '../../ports/store.ts'
import type { AgentActivity } from '../../ports/agent-activity.ts'
import {
  type AgentCall,
  type AgentPresence,
  agentPresenceSchema,
  callBefore,
  nothingReceived,
  type Standing,
  standingOf,
  withActivity,
  withCall,
} from './agent-presence.ts'
import { createStoredJson } from './stored-json.ts'

/** Where agents stand, by their names at the provider; kept for two days. Errors of all methods: STORE_UNAVAILABLE. */
export interface AgentStateStore {
  read(workspaceId: string, agentId: string): Promise<AgentActivity | null>
  /** All agents that were heard of lately. */
  all(workspaceId: string): Promise<ReadonlyMap<string, AgentActivity>>
  /** Adds what was heard of an agent. */
  add(workspaceId: string, agentId: string, heard: AgentActivity): Promise<AgentChange>
  /** Adds what is known of an agent's call; null where nothing was heard of the agent's state. */
  addCall(workspaceId: string, agentId: string, call: AgentCall): Promise<Standing | null>
}

export type AgentChange = {
  readonly before: AgentActivity | null
  readonly now: AgentActivity
  /** The agent's call that what was heard follows. */
  readonly callBefore: AgentCall | null
}

const keptMs = 2 * 86_400_000
const mostAgents = 2_000

export function createAgentStateStore(store: Store, now: () => number): AgentStateStore {
  const presences = createStoredJson(store, { schema: agentPresenceSchema, ttlMs: keptMs })
  const keyOf = (workspaceId: string, agentId: string): string => `agent-presence:${workspaceId}:${agentId}`
  const listOf = (workspaceId: string): string => `agents-heard:${workspaceId}`
  const activityOf = (presence: AgentPresence | null): AgentActivity | null => (presence && standingOf(presence))?.activity ?? null

  return {
    read: async (workspaceId, agentId) => activityOf(await presences.read(keyOf(workspaceId, agentId))),
    async all(workspaceId) {
      await store.sortedTrim(listOf(workspaceId), now() - keptMs)
      const heard = (await store.sortedRange(listOf(workspaceId), { limit: mostAgents })).map(({ member }) => member)
      const found = await presences.readMany(heard.map((agentId) => keyOf(workspaceId, agentId)))
      return new Map(
        heard.flatMap((agentId, index) => {
          const activity = activityOf(found[index] ?? null)
          return activity ? [[agentId, activity] as const] : []
        }),
      )
    },
    async add(workspaceId, agentId, heard) {
      const change = await presences.change(keyOf(workspaceId, agentId), (known) => withActivity(known ?? nothingReceived, heard))
      await store.sortedAdd(listOf(workspaceId), agentId, now())
      return {
        before: activityOf(change.before),
        now: activityOf(change.after) ?? heard,
        callBefore: callBefore(change.after, heard.since),
      }
    },
    async addCall(workspaceId, agentId, call) {
      const { after } = await presences.change(keyOf(workspaceId, agentId), (known) => withCall(known ?? nothingReceived, call))
      return standingOf(after)
    },
  }
}
