import { isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Member } from '../../ports/agents.ts'
import { type AgentSession, agentSession } from './agent-session.ts'
import { requireSession } from './current-session.ts'
import { renewLock, sessionLockTtlMs } from './session-lock.ts'
import type { SessionPorts } from './session-ports.ts'
import { writeHeartbeat } from './session-records.ts'

/** Renews the actor's own session for another hour. Errors: SESSION_GONE (an expired lock is never restored), STORE_UNAVAILABLE. */
export async function heartbeat(
  ports: Pick<SessionPorts, 'store' | 'sessionBox' | 'clock'>,
  { principal }: { readonly principal: Member },
  lockedAt?: string | null,
): Promise<AgentSession> {
  const session = await requireSession(ports, principal, lockedAt)
  if (!(await renewLock(ports.store, session, sessionLockTtlMs))) throw new AppError('SESSION_GONE')
  const now = ports.clock.now()
  await writeHeartbeat(ports, session.agentKey, isoMoment(now))
  return agentSession(session.agentId, session.lock, now + sessionLockTtlMs)
}
