import type { Principal } from '../../access/principal.ts'
import { isoMoment } from '../../kernel/clock.ts'
import type { SessionLocks } from './session-lock.ts'
import type { SessionRegister } from './session-records.ts'

/** A live session as a manager sees it; moments in ISO 8601. */
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

/** The same with the agent's name at the provider. */
export type LiveSession = ListedSession & { readonly providerAgentId: string }

/** The workspace's live sessions, oldest first. Throws STORE_UNAVAILABLE. */
export type LiveSessions = (workspaceId: string) => Promise<readonly LiveSession[]>

/** The workspace's live sessions, oldest first: all of them for a manager, one's own for an agent. Throws STORE_UNAVAILABLE. */
export type ListSessions = (actor: Principal) => Promise<readonly ListedSession[]>

/** More agents than any workspace has. */
const limit = 10_000

export function createLiveSessions({ locks, register }: { locks: SessionLocks; register: SessionRegister }): LiveSessions {
  return async (workspaceId) => {
    const agentKeys = await register.agentKeys(workspaceId, limit)
    const [standing, notes, heard] = await Promise.all([
      locks.readMany(agentKeys),
      register.notesOf(agentKeys),
      register.lastReceived(agentKeys),
    ])
    const sessions = agentKeys.flatMap((agentKey, index): LiveSession[] => {
      const held = standing[index]
      const known = notes[index]
      if (!held) return []
      const isSame = known?.lockedAt === held.lock.lockedAt
      const { providerAgentId } = agentKey
      const [agentId, agentName] = known && isSame ? [known.agentId, known.agentName] : [providerAgentId, providerAgentId]
      const lastHeartbeatAt = receivedSince(heard[index] ?? null, held.lock.lockedAt)
      return [{ agentId, agentName, providerAgentId, ...held.lock, lastHeartbeatAt, expiresAt: isoMoment(held.expiresAt) }]
    })
    return sessions.sort((a, b) => a.lockedAt.localeCompare(b.lockedAt))
  }
}

export function createListSessions(live: LiveSessions): ListSessions {
  return async ({ workspaceId, memberId, role }) => {
    const sessions = await live(workspaceId)
    return role === 'MANAGER' ? sessions : sessions.filter((session) => session.memberId === memberId)
  }
}

/** A heartbeat of an earlier session on the same seat is none of this one. */
function receivedSince(at: string | null, lockedAt: string): string | null {
  return at !== null && at >= lockedAt ? at : null
}
