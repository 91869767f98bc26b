import { setTimeout as pause } from 'node:timers/promises'
import { leaseProviderAgent, signOutAtProvider } from './agent-at-provider.ts'
import { cancelCheck, scheduleCheck } from './session-checks.ts'
import { type LockedSession, provisionalLockTtlMs, releaseLock, renewLock } from './session-lock.ts'
import type { SessionPorts } from './session-ports.ts'
import { deleteSessionRecord, markSessionOver, readSessionRecord, type StoredSessionRecord } from './session-records.ts'

/** `released`: false if the session had ended before. `providerSignedOut`: false if the provider has not confirmed it yet. */
export type ClosedSession = { readonly released: boolean; readonly providerSignedOut: boolean }
export type ClosingPorts = Pick<SessionPorts, 'store' | 'sessionBox' | 'telephonyOf' | 'clock' | 'log'>

/** How long to wait for another process that signs the same agent in or out. */
const leaseWaitMs = 3_000
/** How long the provider may delay the release of the lock. */
const providerWaitMs = 3_000

/**
 * Ends exactly the session of this lock: signs the agent out at the provider and then releases the lock, so that the next sign-in finds a
 * free agent. If the provider is down or slow, the lock is released nevertheless and the cleanup job signs the agent out later. Does nothing
 * if the lock is gone. Throws STORE_UNAVAILABLE.
 */
export async function closeSession(ports: ClosingPorts, session: LockedSession): Promise<ClosedSession> {
  await using held = new AsyncDisposableStack()
  const lease = await leaseProviderAgent(ports, session.agentKey, leaseWaitMs)
  if (lease) held.use(lease)
  // From now on the lock expires soon if this process dies.
  if (!(await renewLock(ports.store, session, provisionalLockTtlMs))) return { released: false, providerSignedOut: false }
  const stored = await markOver(ports, session)
  if (stored === 'UNREAD') await leaveToCleanup(ports, session)
  else if (lease) return signOutAndRelease(ports, session, { stored, lease: held.move() })
  return { released: await releaseLock(ports.store, session), providerSignedOut: false }
}

type Closing = { readonly stored: StoredSessionRecord | null; readonly lease: AsyncDisposable }

async function signOutAndRelease(ports: ClosingPorts, session: LockedSession, { stored, lease }: Closing): Promise<ClosedSession> {
  const credentials = stored?.record.credentials ?? null
  const signingOut = signOutAtProvider(ports, session.agentKey, credentials)
  // The lease lasts as long as the sign-out, also when nobody waits for it any more.
  const finished = signingOut
    .then((isDone) => afterSignOut(ports, session, isDone ? { stored } : null))
    .catch((error: unknown) => ports.log.warn({ err: error }, 'session.left-to-cleanup'))
    .finally(() => lease[Symbol.asyncDispose]())
  const signedOut = await Promise.race([signingOut, pause(providerWaitMs, false, { ref: false })])
  const released = await releaseLock(ports.store, session)
  if (signedOut) await finished
  return { released, providerSignedOut: signedOut && credentials !== null }
}

/** `done`: null if the provider did not confirm the sign-out. */
async function afterSignOut(
  ports: ClosingPorts,
  { agentKey }: LockedSession,
  done: { readonly stored: StoredSessionRecord | null } | null,
): Promise<void> {
  if (!done) return scheduleCheck(ports.store, agentKey, ports.clock.now())
  if (done.stored) await deleteSessionRecord(ports, agentKey, done.stored)
  await cancelCheck(ports.store, agentKey)
}

/** The record may name an agent who is still signed in at the provider. */
async function leaveToCleanup({ store, clock, log }: ClosingPorts, { agentKey }: LockedSession): Promise<void> {
  await scheduleCheck(store, agentKey, clock.now()).catch((error: unknown) => log.warn({ err: error }, 'session.left-to-cleanup'))
}

/** Null if there is no record of this session; UNREAD if nobody knows. A failure here must not keep the lock. */
async function markOver(ports: ClosingPorts, { agentKey, lock }: LockedSession): Promise<StoredSessionRecord | null | 'UNREAD'> {
  let stored: StoredSessionRecord | null | 'UNREAD' = 'UNREAD'
  try {
    stored = await readSessionRecord(ports, agentKey)
    if (stored?.record.memberId !== lock.memberId || stored.record.lockedAt !== lock.lockedAt) return null
    const over = await markSessionOver(ports, agentKey, stored)
    await scheduleCheck(ports.store, agentKey, ports.clock.now() + provisionalLockTtlMs)
    return over
  } catch (error) {
    ports.log.warn({ err: error }, 'session.closed-without-record')
    return stored
  }
}
