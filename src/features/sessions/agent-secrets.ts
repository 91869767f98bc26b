import { z } from 'zod'
import { changedPaths, secretDestinations } from '../configuration/secret-destinations.ts'
import { Family } from '../../ports/stored/family.ts'
import type { SessionPorts } from './session-ports.ts'

const secretsSchema = z.object({ sipPassword: z.string().nullable(), providerAgentPassword: z.string().nullable() })
/** The passwords of an agent that this service stores: nobody can read them on the platform. */
export type AgentSecrets = z.output<typeof secretsSchema>

const hashesSchema = z.record(z.string(), z.string())
const storedSchema = secretsSchema.extend({
  belongsTo: z.object({
    account: hashesSchema,
    provider: hashesSchema,
    /** Missing in entries of earlier versions: the first member who signs in with it becomes its member. */
    memberId: z.string().optional(),
  }),
})

/** `reason`: which password must be entered again, and why; null if none. */
export type UsableSecrets = { readonly secrets: AgentSecrets; readonly reason: string | null }

/** Longer than any leave. Each sign-in renews it; the removal of the member ends it at once. */
const unusedForMs = 365 * 86_400_000

/** `memberId`: the member whose agent record it is. */
type AgentRef = { readonly workspaceId: string; readonly agentId: string; readonly memberId: string }
type SecretPorts = Pick<SessionPorts, 'store' | 'sessionBox' | 'configuration' | 'schemas'>

export const agentSecrets = new Family({
  name: 'agents:*:secrets',
  key: ({ workspaceId, agentId }: Omit<AgentRef, 'memberId'>) => [workspaceId, agentId],
  schema: storedSchema,
  sealedBy: ({ sessionBox }: Pick<SecretPorts, 'sessionBox'>) => sessionBox,
  lifetime: unusedForMs,
  about: 'agent',
  what: 'passwords of an agent, sealed; renewed at each sign-in; ends when the member is removed',
})

/**
 * The agent's stored passwords; null if there is none. A SIP password belongs to the account at the telephony provider, a password for the
 * provider also to its addresses, and both to the member for whom a manager set them: who may write agent records on the platform can link
 * another agent's record to themselves. After a change of these it is not returned and must be set again. Throws STORE_UNAVAILABLE.
 */
export async function readAgentSecrets(ports: SecretPorts, agent: AgentRef): Promise<UsableSecrets> {
  const found = await agentSecrets.readStored(ports, agent)
  if (found.value === null) return { secrets: { sipPassword: null, providerAgentPassword: null }, reason: null }
  const { belongsTo: then, ...stored } = found.value
  const isOthers = then.memberId !== undefined && then.memberId !== agent.memberId
  if (isOthers) return { secrets: { sipPassword: null, providerAgentPassword: null }, reason: recordMoved }
  const owned = { ...found.value, belongsTo: { ...then, memberId: agent.memberId } }
  if (then.memberId === undefined) await agentSecrets.replace(ports, agent, { version: found.version, value: owned })
  else await agentSecrets.replaceText(ports, agent, found)
  const now = await secretDestinations(ports, agent.workspaceId)
  // A SIP password that was stored before any account was configured belongs to the first one.
  const hadAccount = Object.keys(then.account).length > 0
  const movedSip = stored.sipPassword !== null && hadAccount ? changedPaths(then.account, now.account) : []
  const movedProvider = stored.providerAgentPassword === null ? [] : changedPaths(then.provider, now.provider)
  const reasons = [reasonFor('sipPassword', movedSip), reasonFor('providerAgentPassword', movedProvider)].filter((one) => one !== null)
  return {
    secrets: {
      sipPassword: movedSip.length === 0 ? stored.sipPassword : null,
      providerAgentPassword: movedProvider.length === 0 ? stored.providerAgentPassword : null,
    },
    reason: reasons.length === 0 ? null : reasons.join('. '),
  }
}

const recordMoved =
  "A manager must enter the agent's passwords again (updateTeamMember), because they were stored for the member to whom the agent record belonged before"

function reasonFor(password: keyof AgentSecrets, moved: readonly string[]): string | null {
  if (moved.length === 0) return null
  return `A manager must enter the agent's ${password} again (updateTeamMember), because it was stored for another account: ${moved.join(', ')} changed`
}

/** Replaces the agent's passwords, for the destinations of now; deletes the entry if both are null. Throws STORE_UNAVAILABLE. */
export async function writeAgentSecrets(ports: SecretPorts, agent: AgentRef, secrets: AgentSecrets): Promise<void> {
  if (secrets.sipPassword === null && secrets.providerAgentPassword === null) {
    await agentSecrets.delete(ports, agent)
    return
  }
  const { account, provider } = await secretDestinations(ports, agent.workspaceId)
  const value = { ...secrets, belongsTo: { account, provider, memberId: agent.memberId } }
  await agentSecrets.write(ports, agent, { value })
}
