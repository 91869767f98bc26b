import { type ClosedSession, closeSession } from './close-session.ts'
import { currentSession, type MemberSession } from './current-session.ts'
import { publishSessionState } from './session-events.ts'
import { type Device, sessionOfDevice } from './session-of-device.ts'
import type { SessionPorts } from './session-ports.ts'

/**
 * Signs the actor out: ends their own session, signs the agent out at the provider, drops the cached agent record, and refuses the tokens of the
 * sign-in. `released` is false if no session ended. If `lockedAt` names another session than the one that the sign-in has, nothing ends. Errors:
 * SESSION_TAKEN_OVER, STORE_UNAVAILABLE; then the tokens still work, to try again.
 */
export async function endSession(ports: SessionPorts, device: Device, lockedAt?: string | null): Promise<ClosedSession> {
  const session = await sessionOfDevice(ports, device, lockedAt)
  const notClosed = { released: false, providerSignedOut: false }
  if (!session && typeof lockedAt === 'string' && (await hasLiveSession(ports, device))) return notClosed
  const closed = session ? await closeOwnSession(ports, device, session) : notClosed
  if (device.accessToken !== undefined) await ports.signIns.end(device.accessToken, 'SIGN_OUT')
  // The session may have begun on another device.
  if (session?.record?.signIn) await ports.signIns.endByKey(session.agentKey.workspaceId, session.record.signIn, 'SIGN_OUT')
  return closed
}

/** Whether the live session has the sign-in of this device: another tab has begun it. */
async function hasLiveSession(ports: SessionPorts, { principal, accessToken }: Device): Promise<boolean> {
  const live = (await currentSession(ports, principal))?.record?.signIn
  return live !== undefined && live !== null && accessToken !== undefined && live.id === (await ports.signIns.keyOf(accessToken))?.id
}

async function closeOwnSession(ports: SessionPorts, { principal }: Device, session: MemberSession): Promise<ClosedSession> {
  const { agentKey, agentId, lock } = session
  const closed = await closeSession(ports, session)
  await ports.agentRecordCache.forget(principal)
  if (closed.released) await publishSessionState(ports, agentKey, { agentId, lockedAt: lock.lockedAt, state: 'SIGNED_OUT' })
  return closed
}
