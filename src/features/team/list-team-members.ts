import type { Actor } from '../../access/actor.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { parseInput } from '../../kernel/input.ts'
import { closeLeftOpenLink } from './left-open-links.ts'
import { leftOpenSince } from './with-open-invite-link.ts'
import { pageInput } from './team-input.ts'
import { describeMembers, teamAccess } from './describe-members.ts'
import type { TeamMember } from './team-member.ts'
import type { TeamPorts } from './team-ports.ts'

export type TeamMemberPage = {
  readonly members: readonly TeamMember[]
  readonly totalCount: number
  readonly nextCursor: string | null
  /** When a creation opened the public invite link that it could not close; null if no link was left open. */
  readonly inviteLinkLeftOpenSince: string | null
}

/** A page of the workspace's members, newest first. Errors: INVALID_INPUT, STORE_UNAVAILABLE, those of the platform. */
export async function listTeamMembers(
  ports: TeamPorts,
  actor: Actor,
  { page, signal }: { readonly page: unknown; readonly signal: AbortSignal },
): Promise<TeamMemberPage> {
  const { first, after, search } = parseInput(pageInput, page)
  const access = teamAccess(actor, signal)
  await closeLeftOpenLink(ports, actor)
  const [found, since] = await Promise.all([
    ports.members.page(access, { first, after: after ?? null, search: search ?? null }),
    leftOpenSince(ports.store, access.workspaceId),
  ])
  const { members, totalCount, nextCursor } = found
  const inviteLinkLeftOpenSince = since === null ? null : isoMoment(since)
  return { members: await describeMembers(ports, actor, { access, members }), totalCount, nextCursor, inviteLinkLeftOpenSince }
}
