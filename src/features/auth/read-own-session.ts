import type { Actor } from '../../access/actor.ts'
import type { AgentSession } from '../sessions/agent-session.ts'
import { currentSession } from '../sessions/current-session.ts'
import type { AgentProfile } from '../../ports/records/agent.ts'
import { agentProfile } from '../sessions/read-agent.ts'
import type { AuthPorts } from './auth-ports.ts'

/** The actor's agent record; null without one. Errors: the platform's. */
export async function readOwnAgent(
  { agentRecordCache, configuration }: Pick<AuthPorts, 'agentRecordCache' | 'configuration'>,
  { principal, accessToken }: Actor,
): Promise<AgentProfile | null> {
  if (principal.agentId === null) return null
  const { record } = await agentRecordCache.ofMember(principal, accessToken)
  return record && agentProfile(record, await configuration.read(principal.workspaceId, 'telephony'))
}

/** The actor's live session, on whichever device it was started; null without one. Throws STORE_UNAVAILABLE. */
export async function readOwnSession(
  ports: Pick<AuthPorts, 'store' | 'sessionBox'>,
  { principal }: Pick<Actor, 'principal'>,
): Promise<AgentSession | null> {
  if (principal.agentId === null) return null
  return (await currentSession(ports, principal))?.session ?? null
}
