/**
 * What an agent session occupies: one agent of the telephony provider. Two members whose records name the same provider agent share
 * a seat, and so exclude each other.
 */
export type ProviderAgentKey = { readonly workspaceId: string; readonly providerAgentId: string }

/** Store keys of a seat; `what` names one of the things kept about it. */
export function agentStoreKey({ workspaceId, providerAgentId }: ProviderAgentKey, what: 'lock' | 'notes' | 'beat' | 'turn'): string {
  return `sessions:${workspaceId}:${what}:${providerAgentId}`
}
