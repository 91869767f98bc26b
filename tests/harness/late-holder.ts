import { systemClock } from '../../src/kernel/clock.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createSecretBox } from '../../src/kernel/secrets.ts'
import type { Store } from '../../src/ports/store.ts'
import { closeSession } from '../../src/features/sessions/close-session.ts'
import { heartbeat } from '../../src/features/sessions/heartbeat.ts'
import { scheduleCheck } from '../../src/features/sessions/session-checks.ts'
import {
  type LockedSession,
  readLock,
  releaseLock,
  renewLock,
  type SessionLock,
  takeLock,
} from '../../src/features/sessions/session-lock.ts'
import { writeSessionRecord } from '../../src/features/sessions/session-records.ts'

/** A lock expires and another session takes it, perhaps of the same member; then the former holder acts late. Returns true if that changed anything. */
export async function lateHolder(store: Store, number: number): Promise<boolean> {
  const ports = createPorts(store)
  const agentKey = { workspaceId: 'w', providerAgentId: `a${number}` }
  const lock: SessionLock = { memberId: 'first', ip: '203.0.113.1', lockedAt: new Date(number).toISOString() }
  const former = { agentKey, lock }
  const newerLock = { ...lock, memberId: number % 2 ? 'first' : 'second', lockedAt: new Date(number + 60_000).toISOString() }
  await begin(ports, former)
  await store.delete(`sessions:w:lock:${agentKey.providerAgentId}`)
  await begin(ports, { agentKey, lock: newerLock })
  const before = await readLock(store, agentKey)
  await Promise.allSettled([
    heartbeat(ports, { principal: { workspaceId: 'w', memberId: lock.memberId } }, lock.lockedAt),
    closeSession(ports, former),
    renewLock(store, former, 9_999_999),
    releaseLock(store, former),
  ])
  const after = await readLock(store, agentKey)
  const hasMoved = Math.abs((after?.expiresAt ?? 0) - (before?.expiresAt ?? 0)) > 1_000
  return JSON.stringify(after?.lock) !== JSON.stringify(newerLock) || hasMoved || ports.signOuts() > 0
}

function createPorts(store: Store) {
  let signOuts = 0
  return {
    store,
    log: createLog('silent'),
    clock: systemClock,
    sessionBox: createSecretBox(new Uint8Array(32)),
    telephonyOf: async () => {
      signOuts += 1
      throw new AppError('NOT_CONFIGURED')
    },
    signOuts: () => signOuts,
  }
}

async function begin(ports: ReturnType<typeof createPorts>, session: LockedSession): Promise<void> {
  const { agentKey, lock } = session
  await takeLock(ports.store, session)
  const credentials = { agentId: agentKey.providerAgentId, password: 'secret' }
  const { memberId, lockedAt } = lock
  await writeSessionRecord(ports, agentKey, {
    agentId: 'r',
    agentName: 'R',
    memberId,
    lockedAt,
    credentials,
    isOver: false,
    takenOverBy: null,
  })
  await scheduleCheck(ports.store, agentKey, ports.clock.now())
}
