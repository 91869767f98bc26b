import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { type AgentSession, agentSession } from './agent-session.ts'
import type { Member } from '../../ports/agents.ts'
import { type CurrentSession, requireSession } from './current-session.ts'
import { type SessionLocks, sessionMs } from './session-lock.ts'
import type { SessionRegister } from './session-records.ts'

/** Renews the member's own session for another hour. Errors: SESSION_GONE (a lock that is gone never comes back), STORE_UNAVAILABLE. */
export type Heartbeat = (member: Member, lockedAt?: string | null) => Promise<AgentSession>

export type HeartbeatOptions = {
  readonly current: CurrentSession
  readonly locks: SessionLocks
  readonly register: SessionRegister
  readonly clock: Clock
}

export function createHeartbeat({ current, locks, register, clock }: HeartbeatOptions): Heartbeat {
  return async (member, lockedAt) => {
    const { agentKey, lock, agentId } = await requireSession(current, member, lockedAt)
    if (!(await locks.renew(agentKey, lock, sessionMs))) throw new AppError('SESSION_GONE')
    await register.heard(agentKey, isoMoment(clock.now()), sessionMs)
    return agentSession(agentId, lock, clock.now() + sessionMs)
  }
}
