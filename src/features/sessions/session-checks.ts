import type { Store } from '../../ports/store.ts'
import type { ProviderAgentKey } from './provider-agent-key.ts'

/** When the session of each provider agent is due for a check by the cleanup job. All functions throw STORE_UNAVAILABLE. */
const workspacesKey = 'sessions:workspaces'
const checksKey = (workspaceId: string): string => `sessions:${workspaceId}:checks`

const maxWorkspaces = 10_000
/** More agents than any workspace has. */
const maxAgents = 10_000

/** Has the agent's session checked at `at` (epoch milliseconds) or soon after it; replaces the time that was set before. */
export async function scheduleCheck(store: Store, { workspaceId, providerAgentId }: ProviderAgentKey, at: number): Promise<void> {
  await Promise.all([store.sortedAdd(workspacesKey, workspaceId, at), store.sortedAdd(checksKey(workspaceId), providerAgentId, at)])
}

export async function cancelCheck(store: Store, { workspaceId, providerAgentId }: ProviderAgentKey): Promise<void> {
  await store.sortedRemove(checksKey(workspaceId), providerAgentId)
}

/** The agents of all workspaces whose check is due at `now`, at most `limit` of each workspace. */
export async function dueAgentKeys(store: Store, now: number, limit: number): Promise<readonly ProviderAgentKey[]> {
  const workspaces = await store.sortedRange(workspacesKey, { limit: maxWorkspaces })
  const due = await Promise.all(workspaces.map(({ member }) => agentKeysIn(store, member, { max: now, limit })))
  return due.flat()
}

/** How many agents of all workspaces have a session, or had one that the cleanup job has not finished. */
export async function countSessions(store: Store): Promise<number> {
  const workspaces = await store.sortedRange(workspacesKey, { limit: maxWorkspaces })
  const counts = await Promise.all(workspaces.map(({ member }) => store.sortedCount(checksKey(member))))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The agents of a workspace that have a session, or had one that the cleanup job has not finished. */
export function agentKeysOf(store: Store, workspaceId: string): Promise<readonly ProviderAgentKey[]> {
  return agentKeysIn(store, workspaceId, { limit: maxAgents })
}

async function agentKeysIn(
  store: Store,
  workspaceId: string,
  range: { readonly max?: number; readonly limit: number },
): Promise<readonly ProviderAgentKey[]> {
  const entries = await store.sortedRange(checksKey(workspaceId), range)
  return entries.map(({ member }) => ({ workspaceId, providerAgentId: member }))
}
