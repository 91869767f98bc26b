import type { AgentRecord } from '../../ports/records/agent.ts'
import { sipSocketUrl, type TelephonySection } from '../../ports/configuration/telephony.ts'
import type { AgentSignIn } from '../../ports/telephony.ts'
import type { AgentSecrets } from './agent-secrets.ts'

/** What the browser phone registers with. */
export type SipCredentials = {
  readonly uri: string
  readonly username: string
  readonly password: string
  readonly domain: string
  readonly wsPort: number
  readonly wsUrl: string
}

type AgentSettings = { readonly record: AgentRecord; readonly secrets: AgentSecrets; readonly telephony: TelephonySection }

/** Null if a part is missing. Passwords stored here win over those of the platform's record. */
export function sipCredentials({ record, secrets, telephony }: AgentSettings): SipCredentials | null {
  const { domain, wsPort } = telephony.sip
  const wsUrl = sipSocketUrl(telephony.sip)
  const username = record.sipExtension
  const password = secrets.sipPassword ?? record.sipPassword
  if (!username || !password || !domain || !wsUrl) return null
  return { uri: `sip:${username}@${domain}`, username, password, domain, wsPort, wsUrl }
}

/** What the agent signs in with at the provider; the configured default applies if the record names no provider agent. */
export function providerSignIn({ record, secrets, telephony }: AgentSettings): AgentSignIn | null {
  const agentId = record.providerAgentId ?? telephony.defaultAgentId
  const isDefault = agentId !== null && agentId === telephony.defaultAgentId
  const own = secrets.providerAgentPassword ?? record.providerAgentPassword
  const password = own ?? (isDefault ? telephony.defaultAgentPassword : null)
  const phoneNumber = record.sipExtension ?? (isDefault ? telephony.sipId : null)
  return agentId && password && phoneNumber ? { agentId, password, phoneNumber } : null
}
