import type { AgentConfiguration } from './agent-record-cache.ts'

/** An agent as clients may see one: no secrets. */
export type AgentProfile = {
  readonly id: string
  readonly name: string
  readonly providerAgentId: string | null
  readonly campaignName: string | null
}

export async function agentProfile(agent: AgentConfiguration): Promise<AgentProfile> {
  const { id, name, providerAgentId } = agent.record
  return { id, name, providerAgentId, campaignName: await agent.campaignName() }
}
