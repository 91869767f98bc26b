import { type ClosedSession, closeSession } from './close-session.ts'
import { publishSessionState } from './session-events.ts'
import { type Device, sessionOfDevice } from './session-of-device.ts'
import type { SessionPorts } from './session-ports.ts'

/**
 * Ends the actor's own session, signs the agent out at the provider and drops the cached agent record. Without a session, or if `lockedAt` is
 * given and names another one, nothing happens and `released` is false. Errors: SESSION_TAKEN_OVER, STORE_UNAVAILABLE.
 */
export async function endSession(ports: SessionPorts, device: Device, lockedAt?: string | null): Promise<ClosedSession> {
  const session = await sessionOfDevice(ports, device, lockedAt)
  if (!session) return { released: false, providerSignedOut: false }
  const { agentKey, agentId, lock } = session
  const closed = await closeSession(ports, session)
  await ports.agentRecordCache.forget(device.principal)
  if (closed.released) await publishSessionState(ports, agentKey, { agentId, lockedAt: lock.lockedAt, state: 'SIGNED_OUT' })
  return closed
}
