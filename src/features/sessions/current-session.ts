import { AppError } from '../../kernel/errors.ts'
import type { Member } from '../../ports/agents.ts'
import { type AgentSession, agentSession } from './agent-session.ts'
import { type LockedSession, readLock } from './session-lock.ts'
import type { SessionPorts } from './session-ports.ts'
import { agentKeyOfMember, readSessionRecord, type SessionRecord } from './session-records.ts'

export type MemberSession = LockedSession & {
  readonly agentId: string
  readonly session: AgentSession
  /** Null while the sign-in is under way: then no device has its answer yet. */
  readonly record: SessionRecord | null
}
export type CurrentSessionPorts = Pick<SessionPorts, 'store' | 'sessionBox'>

/** The member's live session, on whichever device it was started; null if there is none. Throws STORE_UNAVAILABLE. */
export async function currentSession(ports: CurrentSessionPorts, member: Member): Promise<MemberSession | null> {
  const agentKey = await agentKeyOfMember(ports, member)
  if (!agentKey) return null
  const [held, stored] = await Promise.all([readLock(ports.store, agentKey), readSessionRecord(ports, agentKey)])
  if (!held || held.lock.memberId !== member.memberId) return null
  const { lock, expiresAt } = held
  const record = stored?.record.lockedAt === lock.lockedAt ? stored.record : null
  const agentId = record?.agentId ?? agentKey.providerAgentId
  return { agentKey, lock, agentId, session: agentSession(agentId, lock, expiresAt), record }
}

/** The same; throws SESSION_GONE if there is none: the client must sign in again. */
export async function requireSession(ports: CurrentSessionPorts, member: Member): Promise<MemberSession> {
  const session = await currentSession(ports, member)
  if (!session) throw new AppError('SESSION_GONE')
  return session
}
