import type { Actor } from '../../access/actor.ts'
import { hashOf } from '../../kernel/ids.ts'
import type { Member } from '../../ports/agents.ts'
import { type CurrentSessionPorts, currentSession, type MemberSession } from './current-session.ts'
import { takenOver } from './take-over.ts'

/** Who asks. Without a token, only `lockedAt` can name a session that was taken over. */
export type Device = { readonly principal: Member } & Partial<Pick<Actor, 'accessToken'>>

/**
 * The live session that the actor's device means: the one with this `lockedAt`. Without `lockedAt` it is the member's only one, but after a
 * take-over this is not enough: then the access token must be the one that took over. Null if there is no such session. Errors:
 * SESSION_TAKEN_OVER (`data.lockedAt`), STORE_UNAVAILABLE.
 */
export async function sessionOfDevice(
  ports: CurrentSessionPorts,
  { principal, accessToken }: Device,
  lockedAt: string | null | undefined,
): Promise<MemberSession | null> {
  const session = await currentSession(ports, principal)
  if (!session) return null
  const now = session.lock.lockedAt
  if (lockedAt === now) return session
  const takenOverBy = session.record?.takenOverBy ?? null
  if (typeof lockedAt === 'string') {
    if (takenOverBy !== null && lockedAt < now) throw takenOver({ lockedAt: now })
    return null
  }
  if (takenOverBy !== null && (accessToken === undefined || hashOf(accessToken) !== takenOverBy)) throw takenOver({ lockedAt: now })
  return session.record && session
}
