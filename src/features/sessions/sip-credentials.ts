import type { TelephonySection } from '../../ports/configuration/telephony.ts'
import type { AgentSignIn } from '../../ports/telephony.ts'
import type { AgentConfiguration } from './agent-record-cache.ts'
import type { AgentSecretValues } from './agent-secrets.ts'

/** What the browser phone registers with. */
export type SipCredentials = {
  readonly uri: string
  readonly username: string
  readonly password: string
  readonly domain: string
  readonly wsPort: number
  readonly wsUrl: string
}

/** Null where a part is missing. Our own passwords stand before those on the platform's record. */
export async function sipCredentials(agent: AgentConfiguration, secrets: AgentSecretValues): Promise<SipCredentials | null> {
  const [domain, wsPort] = await Promise.all([agent.sipDomain(), agent.wsPort()])
  const username = agent.record.sipExtension
  const password = secrets.sipPassword ?? agent.record.sipPassword
  if (!username || !password || !domain) return null
  return { uri: `sip:${username}@${domain}`, username, password, domain, wsPort, wsUrl: `wss://${domain}:${wsPort}` }
}

/** What the agent signs in with at the provider; the configured default stands in where the record names no provider agent. */
export function providerSignIn(
  { record }: AgentConfiguration,
  secrets: AgentSecretValues,
  telephony: TelephonySection,
): AgentSignIn | null {
  const agentId = record.providerAgentId ?? telephony.defaultAgentId
  const isDefault = agentId !== null && agentId === telephony.defaultAgentId
  const own = secrets.providerAgentPassword ?? record.providerAgentPassword
  const password = own ?? (isDefault ? telephony.defaultAgentPassword : null)
  const phoneNumber = record.sipExtension ?? (isDefault ? telephony.sipId : null)
  return agentId && password && phoneNumber ? { agentId, password, phoneNumber } : null
}
