/**
 * Identifies an agent of the telephony provider. An agent session occupies one. Two members whose records name the same provider agent
 * exclude each other.
 */
export type ProviderAgentKey = { readonly workspaceId: string; readonly providerAgentId: string }

/** The store key of what is stored per provider agent. */
export function agentStoreKey({ workspaceId, providerAgentId }: ProviderAgentKey, what: 'lock' | 'record' | 'heartbeat' | 'lease'): string {
  return `sessions:${workspaceId}:${what}:${providerAgentId}`
}
