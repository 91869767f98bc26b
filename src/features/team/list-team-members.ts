import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { type Connection, type PageRequest, readConnection, withNodes } from '../../kernel/connection.ts'
import { closeLeftOpenLink } from './left-open-links.ts'
import { leftOpenSince } from './with-open-invite-link.ts'
import { describeMembers, teamAccess } from './describe-members.ts'
import type { TeamMember } from './team-member.ts'
import type { TeamPorts } from './team-ports.ts'

export type TeamMemberPage = Connection<TeamMember> & {
  readonly totalCount: number
  /** When a creation opened the public invite link that it could not close; null if no link was left open. */
  readonly inviteLinkLeftOpenSince: string | null
}
export type TeamQuestion = PageRequest & { readonly search?: string | null | undefined; readonly signal: AbortSignal }

/** A page of the workspace's members, newest first. Errors: INVALID_INPUT, STORE_UNAVAILABLE, those of the platform. */
export async function listTeamMembers(ports: TeamPorts, actor: Actor, { search, signal, ...page }: TeamQuestion): Promise<TeamMemberPage> {
  const access = teamAccess(actor, signal)
  const { workspaceId } = access
  await closeLeftOpenLink(ports, actor)
  let totalCount = 0
  const [found, since] = await Promise.all([
    readConnection({ name: 'team', workspaceId, position: z.string() }, page, async (after, first) => {
      const answer = await ports.members.page(access, { first, after, search: search?.trim() ?? null })
      totalCount = answer.totalCount
      return { entries: answer.members }
    }),
    leftOpenSince(ports.store, workspaceId),
  ])
  const members = await describeMembers(ports, actor, { access, members: found.nodes })
  return { ...withNodes(found, members), totalCount, inviteLinkLeftOpenSince: since === null ? null : isoMoment(since) }
}
