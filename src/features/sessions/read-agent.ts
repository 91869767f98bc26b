import type { Actor } from '../../access/actor.ts'
import { type AgentProfile, agentProfileRecord, type AgentRecord } from '../../ports/records/agent.ts'
import type { TelephonySection } from '../../ports/configuration/telephony.ts'
import type { SessionPorts } from './session-ports.ts'

/** An agent as calls need it. */
export type Agent = {
  /** At most a minute old. */
  readonly record: AgentRecord
  /** The effective one; see `providerAgentIdOf`. */
  readonly providerAgentId: string
  readonly campaignName: string | null
}

/** The actor's agent record with the telephony configuration that applies to it; null without one. Errors: the platform's. */
export async function readAgent(
  ports: Pick<SessionPorts, 'agentRecordCache' | 'configuration'>,
  { principal, accessToken }: Pick<Actor, 'principal' | 'accessToken'>,
): Promise<Agent | null> {
  const { record } = await ports.agentRecordCache.ofMember(principal, accessToken)
  if (!record) return null
  const telephony = await ports.configuration.read(principal.workspaceId, 'telephony')
  return { record, providerAgentId: providerAgentIdOf(record, telephony), campaignName: campaignNameOf(record, telephony) }
}

/** The record's id at the provider, else the configured default, else the record's own id. Two agents may share one. */
export function providerAgentIdOf(record: AgentRecord, { defaultAgentId }: Pick<TelephonySection, 'defaultAgentId'>): string {
  return record.providerAgentId ?? defaultAgentId ?? record.id
}

/** An agent for clients: the record without its passwords, with the campaign that applies. */
export function agentProfile(record: AgentRecord, telephony: TelephonySection): AgentProfile {
  return { ...agentProfileRecord.schema.parse(record), campaignName: campaignNameOf(record, telephony) }
}

function campaignNameOf(record: AgentRecord, telephony: TelephonySection): string | null {
  return telephony.campaignName ?? record.campaignName
}
