import { z } from 'zod'
import type { Ports } from '../../../ports/ports.ts'
import { Family } from '../../../ports/stored/family.ts'

export const wantedComparisons = new Family({
  name: 'call-reconciliation-wanted',
  key: (workspaceId: string) => [workspaceId],
  schema: z.literal(1),
  // Longer than a provider's outage for which it is worth to wait.
  lifetime: 60 * 60_000,
  about: 'workspace',
  what: 'a comparison that is wanted soon',
})

/** Has the workspace's calls compared with the provider's records at once. One comparison answers for all. Errors: STORE_UNAVAILABLE. */
export async function compareSoon(ports: Pick<Ports, 'store'>, workspaceId: string): Promise<void> {
  await wantedComparisons.write(ports, workspaceId, { value: 1 })
}

export async function isComparisonWanted(ports: Pick<Ports, 'store'>, workspaceId: string): Promise<boolean> {
  return (await wantedComparisons.read(ports, workspaceId)) !== null
}

/** A new comparison has begun. */
export async function forgetWanted(ports: Pick<Ports, 'store'>, workspaceId: string): Promise<void> {
  await wantedComparisons.delete(ports, workspaceId)
}
