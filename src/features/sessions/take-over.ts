import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Member } from '../../ports/agents.ts'
import type { Store } from '../../ports/store.ts'
import { Family } from '../../ports/stored/family.ts'
import { leaseProviderAgent } from './agent-at-provider.ts'
import { type LockedSession, provisionalLockTtlMs, renewLock, replaceLock, type SessionLock, sessionLockTtlMs } from './session-lock.ts'
import { type StoredLock } from './session-lock.ts'
import type { SessionPorts } from './session-ports.ts'
import type { SignInKey } from './sign-ins/sign-ins.ts'
import { type SessionRecord, writeSessionRecord } from './session-records.ts'

/**
 * A session that another device of the same member took over. `record`: null if it was not stored yet. `signIns`: whose tokens end with it; also of
 * sessions before it, whose take-over was not confirmed.
 */
export type ReplacedSession = StoredLock & { readonly record: SessionRecord | null; readonly signIns: readonly SignInKey[] }

/** Longer than a request to the provider that a sign-in may still have under way. */
const leaseWaitMs = 12_000

/** Gives the agent back to the session that was taken over, unless a newer one has it by now. Throws STORE_UNAVAILABLE. */
export async function undoTakeOver(
  ports: Pick<SessionPorts, 'store' | 'sessionBox' | 'clock' | 'log'>,
  session: LockedSession,
  { lock, expiresAt, record }: Omit<ReplacedSession, 'signIns'>,
): Promise<void> {
  const { agentKey } = session
  await using lease = await leaseProviderAgent(ports, agentKey, leaseWaitMs)
  if (!lease || !(await renewLock(ports.store, session, provisionalLockTtlMs))) return
  if (record) await writeSessionRecord(ports, agentKey, record)
  const ttlMs = timeLeft(ports.clock, { lock, expiresAt })
  await replaceLock(ports.store, { agentKey, lock }, { from: session.lock, ttlMs })
}

/** How long a lock would have lasted, in milliseconds; at least a second. */
export function timeLeft(clock: Clock, { expiresAt }: StoredLock): number {
  return Math.max(1_000, Math.min(sessionLockTtlMs, expiresAt - clock.now()))
}

const takeOverSchema = z.object({ memberId: z.string(), lockedAt: z.string(), tokenHash: z.string() })
/** `lockedAt`: of the new session. `tokenHash`: of the access token that took over. */
export type TakeOver = z.output<typeof takeOverSchema>

export const takeOvers = new Family({
  name: 'sessions:*:taken-over',
  key: ({ workspaceId, memberId }: Member) => [workspaceId, memberId],
  schema: takeOverSchema,
  lifetime: sessionLockTtlMs,
  about: 'agent',
  what: 'which device lost a session',
})

/** Subscribers get a `TakeOver` as JSON. */
export const takeOverTopic = 'session.taken-over'

/** Reports a take-over to the streams of the member on every instance; also stored, for those that miss the notification. Never throws. */
export async function announceTakeOver(
  ports: Pick<SessionPorts, 'store' | 'notifications' | 'log'>,
  workspaceId: string,
  takeOver: TakeOver,
): Promise<void> {
  const payload = JSON.stringify(takeOver)
  const announcing = [
    takeOvers.write(ports, { workspaceId, memberId: takeOver.memberId }, { value: takeOver }),
    ports.notifications.publish({ topic: takeOverTopic, workspaceId, payload, audience: [takeOver.memberId] }),
  ]
  for (const result of await Promise.allSettled(announcing)) {
    if (result.status === 'rejected') ports.log.error({ err: result.reason, workspaceId }, 'session.take-over-not-announced')
  }
}

/** The member's last take-over within an hour. Throws STORE_UNAVAILABLE. */
export function readTakeOver(ports: { readonly store: Pick<Store, 'get'> }, member: Member): Promise<TakeOver | null> {
  return takeOvers.read(ports, member)
}

export function parseTakeOver(text: string): TakeOver {
  return takeOverSchema.parse(JSON.parse(text))
}

/** What the device that lost its session receives. */
export function takenOver({ lockedAt }: Pick<SessionLock, 'lockedAt'>): AppError {
  return new AppError('SESSION_TAKEN_OVER', {
    detail: 'Another device has taken over your agent session. If this is the device that did, send the lockedAt of its session',
    data: { lockedAt },
  })
}
