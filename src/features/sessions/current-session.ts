import { AppError } from '../../kernel/errors.ts'
import { type AgentSession, agentSession } from './agent-session.ts'
import type { Member } from '../../ports/agents.ts'
import type { ProviderAgentKey } from './provider-agent-key.ts'
import type { SessionLock, SessionLocks } from './session-lock.ts'
import type { SessionRegister } from './session-records.ts'

export type MemberSession = {
  readonly agentKey: ProviderAgentKey
  readonly lock: SessionLock
  readonly agentId: string
  readonly session: AgentSession
}

/**
 * The member's live session, wherever it was taken; null where there is none. `lockedAt`, when given, must be the session's own. Throws
 * STORE_UNAVAILABLE.
 */
export type CurrentSession = (member: Member, lockedAt?: string | null) => Promise<MemberSession | null>

export function createCurrentSession({ locks, register }: { locks: SessionLocks; register: SessionRegister }): CurrentSession {
  return async (member, lockedAt) => {
    const agentKey = await register.agentKeyOf(member)
    if (!agentKey) return null
    const [standing, read] = await Promise.all([locks.read(agentKey), register.notes(agentKey)])
    if (!standing || standing.lock.memberId !== member.memberId) return null
    if ((lockedAt ?? standing.lock.lockedAt) !== standing.lock.lockedAt) return null
    const agentId = read?.notes.lockedAt === standing.lock.lockedAt ? read.notes.agentId : agentKey.providerAgentId
    return { agentKey, lock: standing.lock, agentId, session: agentSession(agentId, standing.lock, standing.expiresAt) }
  }
}

/** The same, or SESSION_GONE: the client is to sign in again. */
export async function requireSession(current: CurrentSession, member: Member, lockedAt?: string | null): Promise<MemberSession> {
  const session = await current(member, lockedAt)
  if (!session) throw new AppError('SESSION_GONE')
  return session
}
