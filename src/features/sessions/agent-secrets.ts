import { z } from 'zod'
import { secretDestinations } from '../configuration/secret-destinations.ts'
import type { SessionPorts } from './session-ports.ts'

const secretsSchema = z.object({ sipPassword: z.string().nullable(), providerAgentPassword: z.string().nullable() })
/** The passwords of an agent that this service stores: nobody can read them on the platform. */
export type AgentSecrets = z.output<typeof secretsSchema>

const storedSchema = secretsSchema.extend({ sentTo: z.object({ sip: z.string(), provider: z.string() }) })

type AgentRef = { readonly workspaceId: string; readonly agentId: string }
type SecretPorts = Pick<SessionPorts, 'store' | 'sessionBox' | 'configuration' | 'schemas'>

/**
 * The agent's stored passwords; null if there is none. A password is returned only while its destination is the one that it was set for:
 * after a change of the provider's address or of the SIP server it must be set again. Throws STORE_UNAVAILABLE.
 */
export async function readAgentSecrets(ports: SecretPorts, agent: AgentRef): Promise<AgentSecrets> {
  const key = secretsKey(agent)
  const sealed = await ports.store.get(key)
  if (sealed === null) return { sipPassword: null, providerAgentPassword: null }
  const { sentTo, ...stored } = storedSchema.parse(JSON.parse(ports.sessionBox.open(sealed, key)))
  const now = await secretDestinations(ports, agent.workspaceId)
  return {
    sipPassword: now.sip === sentTo.sip ? stored.sipPassword : null,
    providerAgentPassword: now.provider === sentTo.provider ? stored.providerAgentPassword : null,
  }
}

/** Replaces the agent's passwords, for the destinations of now; deletes the entry if both are null. Throws STORE_UNAVAILABLE. */
export async function writeAgentSecrets(ports: SecretPorts, agent: AgentRef, secrets: AgentSecrets): Promise<void> {
  const key = secretsKey(agent)
  if (secrets.sipPassword === null && secrets.providerAgentPassword === null) {
    await ports.store.delete(key)
    return
  }
  const sentTo = await secretDestinations(ports, agent.workspaceId)
  await ports.store.set(key, ports.sessionBox.seal(JSON.stringify({ ...secrets, sentTo }), key))
}

function secretsKey({ workspaceId, agentId }: AgentRef): string {
  return `agents:${workspaceId}:secrets:${agentId}`
}
