import { DueList } from '../../ports/due/due-list.ts'
import { compareSorted, SortedList } from '../../ports/stored/sorted-list.ts'
import type { Store } from '../../ports/store.ts'
import type { ProviderAgentKey } from './provider-agent-key.ts'

/** When the session of each provider agent is checked. All functions throw STORE_UNAVAILABLE. */

/** More agents than any workspace has. */
const maxAgents = 10_000
const minute = 60_000

export const sessionChecks = new DueList({
  name: 'session-checks',
  storedAs: 'sessions:*:checks',
  about: 'agent',
  what: 'when the session of an agent is checked',
  retry: { firstMs: minute, longestMs: 10 * minute },
  giveUpAfterMs: 24 * 60 * minute,
  batch: 200,
})

export const formerSessionWorkspaces = new SortedList({
  name: 'sessions:workspaces',
  scope: 'installation',
  key: () => [],
  lifetime: 30 * 24 * 60 * minute,
  about: 'workspace',
  what: 'workspaces with agent sessions, of an earlier version',
})

/**
 * Has the agent's session checked at `at` (epoch milliseconds) or soon after it; replaces the time that was set before.
 */
export function scheduleCheck(store: Store, { workspaceId, providerAgentId }: ProviderAgentKey, at: number): Promise<void> {
  return sessionChecks.add({ store }, { workspaceId, id: providerAgentId }, at)
}

export function cancelCheck(store: Store, { workspaceId, providerAgentId }: ProviderAgentKey): Promise<void> {
  return sessionChecks.remove({ store }, { workspaceId, id: providerAgentId })
}

/** How many agents of all workspaces have a session, or had one that is not cleaned up. */
export async function countSessions(store: Store): Promise<number> {
  const workspaces = await sessionChecks.workspaces({ store })
  const counts = await Promise.all(workspaces.map((workspaceId) => sessionChecks.items.count({ store }, workspaceId)))
  return counts.reduce((sum, count) => sum + count, 0)
}

/**
 * The agents of a workspace that have a session, or had one that is not cleaned up; in the order of their checks, then
 * of their ids.
 */
export async function agentKeysOf(store: Store, workspaceId: string): Promise<readonly ProviderAgentKey[]> {
  const entries = await sessionChecks.items.range({ store }, workspaceId, { limit: maxAgents })
  // Within a millisecond, a due list has no order.
  const ordered = entries.map(({ member, score }) => ({ member, score: Math.ceil(score) })).toSorted(compareSorted)
  return ordered.map(({ member }) => ({ workspaceId, providerAgentId: member }))
}

/** Earlier versions had a list of workspaces in the place of the index. */
export async function carryOverChecks(store: Store, now: number): Promise<void> {
  for (const { member } of await formerSessionWorkspaces.range({ store }, null, { limit: maxAgents })) {
    await sessionChecks.found({ store }, member, now)
    await formerSessionWorkspaces.remove({ store }, null, member)
  }
}
