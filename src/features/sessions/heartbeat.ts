import { isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { type AgentSession, agentSession } from './agent-session.ts'
import { renewLock, sessionLockTtlMs } from './session-lock.ts'
import { type Device, sessionOfDevice } from './session-of-device.ts'
import type { SessionPorts } from './session-ports.ts'
import { writeHeartbeat } from './session-records.ts'

/**
 * Renews the actor's own session for another hour. Errors: SESSION_GONE (an expired lock is never restored), SESSION_TAKEN_OVER,
 * STORE_UNAVAILABLE.
 */
export async function heartbeat(
  ports: Pick<SessionPorts, 'store' | 'sessionBox' | 'clock'>,
  device: Device,
  lockedAt?: string | null,
): Promise<AgentSession> {
  const session = await sessionOfDevice(ports, device, lockedAt)
  if (!session || !(await renewLock(ports.store, session, sessionLockTtlMs))) throw new AppError('SESSION_GONE')
  const now = ports.clock.now()
  await writeHeartbeat(ports, session.agentKey, isoMoment(now))
  return agentSession(session.agentId, session.lock, now + sessionLockTtlMs)
}
