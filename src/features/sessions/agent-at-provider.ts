import type { AgentCredentials, AgentSignIn, Telephony } from '../../ports/telephony.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { ProviderAgentKey } from './provider-agent-key.ts'

/** Whether the agent is signed in at the telephony provider, and why not, in words for the agent. */
export type TelephonySignIn = { readonly signedIn: boolean; readonly reason: string | null }

/** Signs agents in and out at the workspace's telephony provider. Never throws: work on the platform goes on without a phone. */
export interface AgentAtProvider {
  signIn(agentKey: ProviderAgentKey, agent: AgentSignIn | null): Promise<TelephonySignIn>
  /** True where the agent is signed out now; also where there is nothing to be signed out of. */
  signOut(agentKey: ProviderAgentKey, credentials: AgentCredentials | null): Promise<boolean>
}

export type AgentAtProviderOptions = { readonly telephonyOf: (workspaceId: string) => Promise<Telephony>; readonly log: Log }

export function createAgentAtProvider({ telephonyOf, log }: AgentAtProviderOptions): AgentAtProvider {
  return {
    async signIn(agentKey, agent) {
      try {
        const telephony = await telephonyOf(agentKey.workspaceId)
        if (!agent) return { signedIn: false, reason: 'This agent has no name, password or extension for the telephony provider' }
        await telephony.signIn(agent)
        return { signedIn: true, reason: null }
      } catch (error) {
        log.warn({ err: error, workspaceId: agentKey.workspaceId }, 'an agent could not be signed in at the telephony provider')
        return { signedIn: false, reason: reasonOf(error) }
      }
    },
    async signOut(agentKey, credentials) {
      if (!credentials) return true
      try {
        await (await telephonyOf(agentKey.workspaceId)).signOut(credentials)
        return true
      } catch (error) {
        if (isReason(error, 'NOT_CONFIGURED') || isReason(error, 'SIGN_IN_REFUSED')) return true
        log.warn({ err: error, workspaceId: agentKey.workspaceId }, 'an agent could not be signed out at the telephony provider')
        return false
      }
    },
  }
}

function isReason(error: unknown, reason: AppError['reason']): boolean {
  return error instanceof AppError && error.reason === reason
}

function reasonOf(error: unknown): string {
  if (isReason(error, 'NOT_CONFIGURED')) return 'Telephony is not configured'
  if (isReason(error, 'SIGN_IN_REFUSED')) return 'The telephony provider does not accept this agent'
  return error instanceof AppError ? error.message : 'The telephony provider could not be used'
}
