import type { Actor } from '../../access/actor.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { agentKeysOf } from './session-checks.ts'
import { readLock, readLocks } from './session-lock.ts'
import type { SessionPorts } from './session-ports.ts'
import { readHeartbeats, readSessionRecords } from './session-records.ts'

/** A live session for managers; times in ISO 8601. */
export type ListedSession = {
  readonly agentId: string
  readonly agentName: string
  readonly memberId: string
  readonly ip: string
  readonly lockedAt: string
  /** Null before the first heartbeat. */
  readonly lastHeartbeatAt: string | null
  readonly expiresAt: string
}

/** What all instances need of every session at once, with the agent's id at the provider. */
export type LiveSession = Omit<ListedSession, 'lastHeartbeatAt' | 'expiresAt'> & { readonly providerAgentId: string }

type ListPorts = Pick<SessionPorts, 'store'>

/** The workspace's live sessions, oldest first: a manager gets all, an agent their own. Throws STORE_UNAVAILABLE. */
export async function listSessions({ store }: ListPorts, { principal }: Pick<Actor, 'principal'>): Promise<readonly ListedSession[]> {
  const { workspaceId, role, memberId: ownId } = principal
  const sessions = (await liveSessions({ store }, workspaceId)).filter(({ memberId }) => role === 'MANAGER' || memberId === ownId)
  const agentKeys = sessions.map(({ providerAgentId }) => ({ workspaceId, providerAgentId }))
  const [locks, heartbeats] = await Promise.all([
    Promise.all(agentKeys.map((agentKey) => readLock(store, agentKey))),
    readHeartbeats({ store }, agentKeys),
  ])
  return sessions.flatMap((session, index): ListedSession[] => {
    const held = locks[index]
    // Another session may have begun meanwhile.
    if (held?.lock.lockedAt !== session.lockedAt) return []
    const lastHeartbeatAt = heartbeatSince(heartbeats[index] ?? null, session.lockedAt)
    return [{ ...session, lastHeartbeatAt, expiresAt: isoMoment(held.expiresAt) }]
  })
}

/** The workspace's live sessions, oldest first, with three reads for any number of them. Throws STORE_UNAVAILABLE. */
export async function liveSessions({ store }: ListPorts, workspaceId: string): Promise<readonly LiveSession[]> {
  const agentKeys = await agentKeysOf(store, workspaceId)
  const [locks, records] = await Promise.all([readLocks(store, agentKeys), readSessionRecords({ store }, agentKeys)])
  const sessions = agentKeys.flatMap(({ providerAgentId }, index): LiveSession[] => {
    const lock = locks[index]
    if (!lock) return []
    const { memberId, ip, lockedAt } = lock
    const record = records[index]
    const [agentId, agentName] = record?.lockedAt === lockedAt ? [record.agentId, record.agentName] : [providerAgentId, providerAgentId]
    return [{ agentId, agentName, providerAgentId, memberId, ip, lockedAt }]
  })
  return sessions.sort((a, b) => a.lockedAt.localeCompare(b.lockedAt))
}

/** Null for a heartbeat of an earlier session of the same provider agent. */
function heartbeatSince(at: string | null, lockedAt: string): string | null {
  return at !== null && at >= lockedAt ? at : null
}
