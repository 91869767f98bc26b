import type { Ports } from '../../../ports/ports.ts'

/** Longer than a provider's outage for which it is worth to wait. */
const ttlMs = 60 * 60_000

/** Has the workspace's calls compared with the provider's records at once. One comparison answers for all. Errors: STORE_UNAVAILABLE. */
export async function compareSoon({ store }: Pick<Ports, 'store'>, workspaceId: string): Promise<void> {
  await store.set(wantedKey(workspaceId), '1', { ttlMs })
}

export async function isComparisonWanted({ store }: Pick<Ports, 'store'>, workspaceId: string): Promise<boolean> {
  return (await store.get(wantedKey(workspaceId))) !== null
}

/** A new comparison has begun. */
export async function forgetWanted({ store }: Pick<Ports, 'store'>, workspaceId: string): Promise<void> {
  await store.delete(wantedKey(workspaceId))
}

const wantedKey = (workspaceId: string): string => `call-reconciliation-wanted:${workspaceId}`
