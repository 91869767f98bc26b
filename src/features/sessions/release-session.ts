import { z } from 'zod'
import type { Principal } from '../../access/principal.ts'
import type { Audit } from '../../ports/audit.ts'
import { AppError } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input.ts'
import type { Member } from '../../ports/agents.ts'
import type { Announce } from './session-events.ts'
import type { AgentLogout } from './end-session.ts'
import type { ProviderAgentKey } from './provider-agent-key.ts'
import type { EndSession } from './close-session.ts'
import type { SessionLock, SessionLocks } from './session-lock.ts'
import type { SessionRegister } from './session-records.ts'

export type Actor = { readonly manager: Principal; readonly ip: string }

/**
 * Ends an agent's session for somebody else, for example after a crashed laptop: signs out at the provider, releases the lock, and keeps
 * who did it and why. Errors: INVALID_INPUT, NOT_FOUND (no such session in the manager's workspace), STORE_UNAVAILABLE.
 */
export type ReleaseSession = (input: { agentId: string; reason: string }, releasing: Actor) => Promise<AgentLogout>

export type ReleaseSessionOptions = {
  readonly locks: SessionLocks
  readonly register: SessionRegister
  readonly endSession: EndSession
  readonly forgetConfiguration: (member: Member) => Promise<void>
  readonly announce: Announce
  readonly audit: Audit
}

const inputSchema = z.strictObject({
  agentId: z.string().min(1, 'must not be empty').max(100, 'is too long for an id'),
  reason: z.string().trim().min(1, 'must say why').max(500, 'must have at most 500 characters'),
})

export function createReleaseSession(options: ReleaseSessionOptions): ReleaseSession {
  const { endSession, forgetConfiguration, announce, audit } = options
  return async (input, { manager, ip }) => {
    const { agentId, reason } = parseInput(inputSchema, input)
    const { workspaceId } = manager
    const { agentKey, lock } = await sessionOfAgent(options, workspaceId, agentId)
    const { released, providerSignedOut } = await endSession(agentKey, lock)
    if (released) {
      await audit.record(workspaceId, {
        actor: { userId: manager.userId, memberId: manager.memberId, ip },
        action: 'session.released',
        target: { kind: 'agent', id: agentId },
        details: { reason, memberId: lock.memberId, lockedAt: lock.lockedAt, providerSignedOut },
      })
      await forgetConfiguration({ workspaceId, memberId: lock.memberId })
      await announce(agentKey, { agentId, lockedAt: lock.lockedAt, state: 'SIGNED_OUT' })
    }
    return { released, providerSignedOut }
  }
}

async function sessionOfAgent(
  { locks, register }: ReleaseSessionOptions,
  workspaceId: string,
  agentId: string,
): Promise<{ agentKey: ProviderAgentKey; lock: SessionLock }> {
  const agentKeys = await register.agentKeys(workspaceId, 10_000)
  const notes = await register.notesOf(agentKeys)
  for (const [index, agentKey] of agentKeys.entries()) {
    if (notes[index]?.agentId !== agentId) continue
    const standing = await locks.read(agentKey)
    if (standing && standing.lock.lockedAt === notes[index]?.lockedAt) return { agentKey, lock: standing.lock }
  }
  throw new AppError('NOT_FOUND', { detail: 'This agent has no session' })
}
