import { LRUCache } from 'lru-cache'
import type { Actor } from '../../access/actor.ts'
import { asPerson } from '../../ports/record-access.ts'
import type { Principals } from '../auth/principals.ts'
import { closeInviteLink, leftOpenLinks, leftOpenSince } from './with-open-invite-link.ts'
import { ifTeamIsFree } from './team-lease.ts'
import type { TeamPorts } from './team-ports.ts'

type Requester = Pick<Actor, 'principal' | 'accessToken'>

/** How often the requests of managers check for an open link, per workspace and instance. */
const checkEveryMs = 10_000
const reportAfterMs = 60_000

/**
 * Closes the workspace's public invite link, with the manager's token, if a crash left it open. A link that a running creation uses stays
 * open. Never throws.
 */
export async function closeLeftOpenLink(ports: TeamPorts, { principal: { workspaceId }, accessToken }: Requester): Promise<void> {
  const { store, log } = ports
  try {
    if ((await leftOpenSince(store, workspaceId)) === null) return
    await ifTeamIsFree(ports, workspaceId, async (signal) => {
      if ((await leftOpenSince(store, workspaceId)) === null) return
      const closed = await closeInviteLink(ports, { ...asPerson(workspaceId, accessToken), signal })
      if (closed) log.warn({ workspaceId }, 'team.left-open-link-closed')
    })
  } catch (error) {
    log.warn({ err: error, workspaceId }, 'team.open-link-check-failed')
  }
}

/** The principals; in addition, each request of a manager closes a link that was left open, in the background. */
export function closingLeftOpenLinks(ports: TeamPorts, principals: Principals): Principals {
  const checkedAt = new LRUCache<string, number>({ max: 1_000 })
  const check = (requester: Requester): void => {
    const { role, workspaceId } = requester.principal
    const now = ports.clock.now()
    if (role !== 'MANAGER' || now - (checkedAt.get(workspaceId) ?? Number.NEGATIVE_INFINITY) < checkEveryMs) return
    checkedAt.set(workspaceId, now)
    void closeLeftOpenLink(ports, requester)
  }
  return {
    ...principals,
    async resolve(accessToken) {
      const principal = await principals.resolve(accessToken)
      check({ principal, accessToken })
      return principal
    },
  }
}

/** Logs every link that has been open for more than a minute. Throws STORE_UNAVAILABLE. */
export async function reportLeftOpenLinks({ store, clock, log }: Pick<TeamPorts, 'store' | 'clock' | 'log'>): Promise<void> {
  for (const { workspaceId, since } of await leftOpenLinks(store)) {
    if (clock.now() - since > reportAfterMs) {
      log.error({ workspaceId, since }, 'team.invite-link-left-open')
    }
  }
}
