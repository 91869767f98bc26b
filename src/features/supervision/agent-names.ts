import type { AgentEntry } from '../../ports/call-records.ts'

export type NamedAgent = { readonly agentId: string | null; readonly agentName: string | null }
/** Finds an agent by any of the ids that calls and sessions use. */
export type AgentNames = {
  find(agent: { readonly providerAgentId: string | null; readonly recordId: string | null } | null): NamedAgent
}

type NamedEntry = Omit<AgentEntry, 'sipExtension'>
type SessionAgent = { readonly providerAgentId: string; readonly agentId: string; readonly agentName: string }

/** Uses the platform's agent records and, if those cannot be read, the sessions; otherwise the id at the provider is the name. */
export function agentNames(entries: readonly NamedEntry[], sessions: readonly SessionAgent[]): AgentNames {
  const signedIn = sessions.map(({ agentId, agentName, providerAgentId }): NamedEntry => ({
    id: agentId,
    name: agentName,
    providerAgentId,
  }))
  const all = [...signedIn, ...entries]
  const byProvider = new Map(all.map((entry) => [entry.providerAgentId, entry]))
  const byRecord = new Map(all.map((entry) => [entry.id, entry]))
  return {
    find(agent) {
      if (!agent) return { agentId: null, agentName: null }
      const { providerAgentId, recordId } = agent
      const entry = byProvider.get(providerAgentId ?? '') ?? byRecord.get(recordId ?? '')
      if (!entry) return { agentId: recordId ?? providerAgentId, agentName: providerAgentId }
      return { agentId: entry.id, agentName: entry.name ?? entry.providerAgentId }
    },
  }
}
