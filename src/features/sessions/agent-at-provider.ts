import { AppError } from '../../kernel/errors.ts'
import type { Lease } from '../../ports/lease.ts'
import type { Ports } from '../../ports/ports.ts'
import { LeaseOf } from '../../ports/stored/lease-of.ts'
import type { AgentCredentials, AgentSignIn } from '../../ports/telephony.ts'
import { byAgent, type ProviderAgentKey } from './provider-agent-key.ts'

/** Whether the agent is signed in at the telephony provider; if not, `reason` tells the agent why. */
export type TelephonySignIn = { readonly signedIn: boolean; readonly reason: string | null }

/** Longer than one request to the provider with the store around it. */
const leaseMs = 30_000

export const providerAgentLease = new LeaseOf({
  name: 'sessions:*:lease',
  key: byAgent,
  lifetime: leaseMs,
  what: 'a sign-in or sign-out under way',
})

/**
 * Lets one process at a time sign this agent in or out at the provider, so that the sign-out of an old session never reaches the provider
 * after the sign-in of a newer one. Null if another process holds it for longer than `waitMs`. Throws STORE_UNAVAILABLE.
 */
export function leaseProviderAgent(ports: Pick<Ports, 'store' | 'log'>, agentKey: ProviderAgentKey, waitMs: number): Promise<Lease | null> {
  return providerAgentLease.acquire(ports, agentKey, { waitMs, log: ports.log })
}

/**
 * Signs an agent in at the workspace's telephony provider. `missing`: which password must be entered again, if that is known. Never throws: work
 * on the platform goes on without a phone.
 */
export async function signInAtProvider(
  { telephonyOf, log }: Pick<Ports, 'telephonyOf' | 'log'>,
  { workspaceId }: ProviderAgentKey,
  { agent, missing }: { readonly agent: AgentSignIn | null; readonly missing: string | null },
): Promise<TelephonySignIn> {
  try {
    const telephony = await telephonyOf(workspaceId)
    if (!agent) return { signedIn: false, reason: missing ?? 'The agent record has no provider agent id, password or SIP extension' }
    await telephony.signIn(agent)
    return { signedIn: true, reason: null }
  } catch (error) {
    log.warn({ err: error, workspaceId }, 'session.provider-sign-in-failed')
    return { signedIn: false, reason: reasonOf(error) }
  }
}

/** Signs an agent out. Returns true if the agent is signed out now, or if there is nothing to sign out of. Never throws. */
export async function signOutAtProvider(
  { telephonyOf, log }: Pick<Ports, 'telephonyOf' | 'log'>,
  { workspaceId }: ProviderAgentKey,
  credentials: AgentCredentials | null,
): Promise<boolean> {
  if (!credentials) return true
  try {
    await (await telephonyOf(workspaceId)).signOut(credentials)
    return true
  } catch (error) {
    if (hasReason(error, 'NOT_CONFIGURED') || hasReason(error, 'SIGN_IN_REFUSED')) return true
    log.warn({ err: error, workspaceId }, 'session.provider-sign-out-failed')
    return false
  }
}

function reasonOf(error: unknown): string {
  if (hasReason(error, 'NOT_CONFIGURED')) return 'Telephony is not configured'
  if (hasReason(error, 'SIGN_IN_REFUSED')) return 'The telephony provider refused the agent id or the password'
  return error instanceof AppError ? error.message : 'The telephony provider did not answer as expected'
}

function hasReason(error: unknown, reason: AppError['reason']): boolean {
  return error instanceof AppError && error.reason === reason
}
