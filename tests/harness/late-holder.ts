import { systemClock } from '../../src/kernel/clock.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createSecretBox } from '../../src/kernel/secrets.ts'
import type { Store } from '../../src/ports/store.ts'
import { createCurrentSession } from '../../src/features/sessions/current-session.ts'
import { createHeartbeat } from '../../src/features/sessions/heartbeat.ts'
import { createProviderTurns } from '../../src/features/sessions/provider-lease.ts'
import type { ProviderAgentKey } from '../../src/features/sessions/provider-agent-key.ts'
import { createEndSession } from '../../src/features/sessions/close-session.ts'
import { createSessionLocks, type SessionLock } from '../../src/features/sessions/session-lock.ts'
import { createSessionRegister } from '../../src/features/sessions/session-records.ts'

const log = createLog('silent')

/** A lock runs out and is taken by another, or by the same member elsewhere; its former holder acts late. True where that changed anything. */
export async function lateHolder(store: Store, number: number): Promise<boolean> {
  const parts = sessionParts(store)
  const agentKey: ProviderAgentKey = { workspaceId: 'w', providerAgentId: `a${number}` }
  const former: SessionLock = { memberId: 'first', ip: '203.0.113.1', lockedAt: new Date(number).toISOString() }
  const newer: SessionLock = { ...former, memberId: number % 2 ? 'first' : 'second', lockedAt: new Date(number + 60_000).toISOString() }
  await parts.begin(agentKey, former)
  await store.delete(`sessions:w:lock:${agentKey.providerAgentId}`)
  await parts.begin(agentKey, newer)
  const before = await parts.locks.read(agentKey)
  const member = { workspaceId: 'w', memberId: former.memberId }
  await Promise.allSettled([
    parts.heartbeat(member, former.lockedAt),
    parts.endSession(agentKey, former),
    parts.locks.renew(agentKey, former, 9_999_999),
    parts.locks.release(agentKey, former),
  ])
  const after = await parts.locks.read(agentKey)
  const hasMoved = Math.abs((after?.expiresAt ?? 0) - (before?.expiresAt ?? 0)) > 1_000
  return JSON.stringify(after?.lock) !== JSON.stringify(newer) || hasMoved || parts.signOuts() > 0
}

function sessionParts(store: Store) {
  const locks = createSessionLocks(store)
  const register = createSessionRegister(store, createSecretBox(new Uint8Array(32)))
  const clock = systemClock
  let signOuts = 0
  const provider = {
    signIn: async () => ({ signedIn: true, reason: null }),
    signOut: async () => {
      signOuts += 1
      return true
    },
  }
  const current = createCurrentSession({ locks, register })
  return {
    locks,
    signOuts: () => signOuts,
    heartbeat: createHeartbeat({ current, locks, register, clock }),
    endSession: createEndSession({ locks, register, turns: createProviderTurns(store), provider, clock, log }),
    async begin(agentKey: ProviderAgentKey, lock: SessionLock): Promise<void> {
      await locks.take(agentKey, lock)
      const { memberId, lockedAt } = lock
      await register.begin(agentKey, { agentId: 'r', agentName: 'R', memberId, lockedAt, credentials: null, isOver: false }, clock.now())
    },
  }
}
