import type { Actor } from '../../access/actor.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { agentKeysOf } from './session-checks.ts'
import { readLock } from './session-lock.ts'
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

/** The same with the agent's id at the provider. */
export type LiveSession = ListedSession & { readonly providerAgentId: string }

type ListPorts = Pick<SessionPorts, 'store' | 'sessionBox'>

/** The workspace's live sessions, oldest first: a manager gets all, an agent their own. Throws STORE_UNAVAILABLE. */
export async function listSessions(ports: ListPorts, { principal }: Pick<Actor, 'principal'>): Promise<readonly ListedSession[]> {
  const sessions = await liveSessions(ports, principal.workspaceId)
  return principal.role === 'MANAGER' ? sessions : sessions.filter(({ memberId }) => memberId === principal.memberId)
}

/** The workspace's live sessions, oldest first. Throws STORE_UNAVAILABLE. */
export async function liveSessions(ports: ListPorts, workspaceId: string): Promise<readonly LiveSession[]> {
  const agentKeys = await agentKeysOf(ports.store, workspaceId)
  const [locks, records, heartbeats] = await Promise.all([
    Promise.all(agentKeys.map((agentKey) => readLock(ports.store, agentKey))),
    readSessionRecords(ports, agentKeys),
    readHeartbeats(ports, agentKeys),
  ])
  const sessions = agentKeys.flatMap(({ providerAgentId }, index): LiveSession[] => {
    const held = locks[index]
    if (!held) return []
    const { lock, expiresAt } = held
    const record = records[index]
    const [agentId, agentName] =
      record?.lockedAt === lock.lockedAt ? [record.agentId, record.agentName] : [providerAgentId, providerAgentId]
    const lastHeartbeatAt = heartbeatSince(heartbeats[index] ?? null, lock.lockedAt)
    return [{ agentId, agentName, providerAgentId, ...lock, lastHeartbeatAt, expiresAt: isoMoment(expiresAt) }]
  })
  return sessions.sort((a, b) => a.lockedAt.localeCompare(b.lockedAt))
}

/** Null for a heartbeat of an earlier session of the same provider agent. */
function heartbeatSince(at: string | null, lockedAt: string): string | null {
  return at !== null && at >= lockedAt ? at : null
}
