import type { Store } from '../kernel/store.ts'
import { type AgentActivity, agentActivitySchema, newerActivity } from './agent-activity.ts'
import { createStoredJson } from './stored-json.ts'

/** Where agents stand, by their names at the provider; kept for two days. Errors of all methods: STORE_UNAVAILABLE. */
export interface AgentBook {
  read(workspaceId: string, agentId: string): Promise<AgentActivity | null>
  /** All agents that were heard of lately. */
  all(workspaceId: string): Promise<ReadonlyMap<string, AgentActivity>>
  /** Keeps the newer one. */
  add(
    workspaceId: string,
    agentId: string,
    heard: AgentActivity,
  ): Promise<{ readonly before: AgentActivity | null; readonly now: AgentActivity }>
}

const keptMs = 2 * 86_400_000
const mostAgents = 2_000

export function createAgentBook(store: Store, now: () => number): AgentBook {
  const activities = createStoredJson(store, { schema: agentActivitySchema, ttlMs: keptMs })
  const keyOf = (workspaceId: string, agentId: string): string => `agent-activity:${workspaceId}:${agentId}`
  const listOf = (workspaceId: string): string => `agents-heard:${workspaceId}`

  return {
    read: (workspaceId, agentId) => activities.read(keyOf(workspaceId, agentId)),
    async all(workspaceId) {
      await store.sortedTrim(listOf(workspaceId), now() - keptMs)
      const heard = (await store.sortedRange(listOf(workspaceId), { limit: mostAgents })).map(({ member }) => member)
      const found = await activities.readMany(heard.map((agentId) => keyOf(workspaceId, agentId)))
      return new Map(heard.flatMap((agentId, index) => (found[index] ? [[agentId, found[index]] as const] : [])))
    },
    async add(workspaceId, agentId, heard) {
      const { before, after } = await activities.change(keyOf(workspaceId, agentId), (known) => newerActivity(known, heard))
      await store.sortedAdd(listOf(workspaceId), agentId, now())
      return { before, now: after }
    },
  }
}
