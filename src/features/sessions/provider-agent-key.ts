/**
 * Identifies an agent of the telephony provider. An agent session occupies one. Two members whose records name the same provider agent
 * exclude each other.
 */
export type ProviderAgentKey = { readonly workspaceId: string; readonly providerAgentId: string }

/** The key of what is stored for each of them. */
export const byAgent = ({ workspaceId, providerAgentId }: ProviderAgentKey): readonly string[] => [workspaceId, providerAgentId]
