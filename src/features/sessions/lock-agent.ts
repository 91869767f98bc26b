import type { Actor } from '../../access/actor.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { ProviderAgentKey } from './provider-agent-key.ts'
import { type LockedSession, provisionalLockTtlMs, replaceLock, type SessionLock, type StoredLock, takeLock } from './session-lock.ts'
import type { SessionPorts } from './session-ports.ts'
import type { SignInKey } from './sign-ins/sign-ins.ts'
import { readSessionRecord, type StoredSessionRecord } from './session-records.ts'
import { type ReplacedSession, timeLeft } from './take-over.ts'

/** `replaced`: the actor's own session that was taken over; null if the agent was free. */
export type LockedAgent = { readonly session: LockedSession; readonly replaced: ReplacedSession | null }
/** Whether the member's own session is taken over; with `lockedAt` only that one, so that no device does it by itself to another. */
export type TakeOverWish = { readonly takeOver: boolean; readonly lockedAt?: string | null | undefined }
type Wanted = { readonly agentKey: ProviderAgentKey; readonly wanted?: TakeOverWish }

/**
 * Takes the agent's lock provisionally, if it is free or if the actor takes over their own session. Of any number of concurrent requests one
 * gets a lock. Errors: SESSION_LOCKED (`data.own` unless `wanted` is undefined), STORE_UNAVAILABLE.
 */
export async function lockAgent(
  ports: Pick<SessionPorts, 'store' | 'sessionBox' | 'clock' | 'figures'>,
  actor: Actor,
  wanted: Wanted,
): Promise<LockedAgent> {
  const { sessionLocks } = ports.figures
  try {
    const locked = await tryToLock(ports, actor, wanted)
    sessionLocks[locked.replaced ? 'taken_over' : 'taken'] += 1
    return locked
  } catch (error) {
    if (error instanceof AppError && error.reason === 'SESSION_LOCKED') sessionLocks.refused += 1
    throw error
  }
}

async function tryToLock(
  ports: Pick<SessionPorts, 'store' | 'sessionBox' | 'clock'>,
  actor: Actor,
  { agentKey, wanted }: Wanted,
): Promise<LockedAgent> {
  const { memberId } = actor.principal
  const lock: SessionLock = { memberId, ip: actor.clientAddress, lockedAt: isoMoment(ports.clock.now()), id: newId() }
  const session = { agentKey, lock }
  const holder = await takeLock(ports.store, session)
  if (!holder) return { session, replaced: null }
  if (!isWanted(holder, actor, wanted)) throw lockedBy(holder, actor, wanted)
  const taken = await takeOverLock(ports, session, holder)
  if (taken) return taken
  // The session ended in the meantime, or another device took it over.
  const next = await takeLock(ports.store, session)
  if (next) throw lockedBy(next, actor, wanted)
  return { session, replaced: null }
}

/**
 * Puts a new provisional lock in the place of the member's own one. Null if that one changed meanwhile. The new lock's time is later than that
 * of the lock before, so that the two always differ.
 */
async function takeOverLock(
  ports: Pick<SessionPorts, 'store' | 'sessionBox' | 'clock'>,
  { agentKey, lock: wanted }: LockedSession,
  held: StoredLock,
): Promise<LockedAgent | null> {
  const lockedAt = isoMoment(Math.max(ports.clock.now(), Date.parse(held.lock.lockedAt) + 1))
  const session: LockedSession = { agentKey, lock: { ...wanted, lockedAt } }
  const stored = await readSessionRecord(ports, agentKey)
  const record = stored?.record.lockedAt === held.lock.lockedAt ? stored.record : null
  try {
    const isTaken = await replaceLock(ports.store, session, { from: held.lock, ttlMs: provisionalLockTtlMs })
    return isTaken ? { session, replaced: { ...held, record, signIns: signInsOf(stored, held.lock.memberId) } } : null
  } catch (error) {
    // The lock may have been replaced although the answer was lost.
    const back = { from: session.lock, ttlMs: timeLeft(ports.clock, held) }
    void replaceLock(ports.store, { agentKey, lock: held.lock }, back).catch(() => undefined)
    throw error
  }
}

/** Also of the session before, if the one that is taken over now had not stored its record yet. */
function signInsOf(stored: StoredSessionRecord | null, memberId: string): readonly SignInKey[] {
  if (!stored || stored.record.isOver || stored.record.memberId !== memberId) return []
  const { signIn, replaces = [] } = stored.record
  return signIn ? [...replaces, signIn] : replaces
}

function isWanted({ lock }: StoredLock, { principal }: Actor, wanted: TakeOverWish | undefined): boolean {
  if (wanted?.takeOver !== true || lock.memberId !== principal.memberId) return false
  return (wanted.lockedAt ?? lock.lockedAt) === lock.lockedAt
}

function lockedBy({ lock: { memberId, ip, lockedAt } }: StoredLock, { principal }: Actor, wanted: TakeOverWish | undefined): AppError {
  const own = memberId === principal.memberId
  const detail = `Agent is already signed in from ${ip}`
  if (!wanted) return new AppError('SESSION_LOCKED', { detail, data: { ip, lockedAt } })
  const advice = own ? '. It is your own session: send takeOver: true, without another lockedAt, to take it over' : ''
  return new AppError('SESSION_LOCKED', { detail: `${detail}${advice}`, data: { ip, lockedAt, own } })
}
