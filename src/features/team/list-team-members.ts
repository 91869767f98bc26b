import type { Actor } from '../../access/actor.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { parseInput } from '../../kernel/input.ts'
import type { InviteLinks } from './invite-link.ts'
import type { MemberDirectory } from '../../ports/members.ts'
import { pageInput } from './team-input.ts'
import { accessOf, type DescribeMembers, type TeamMember } from './team-member.ts'

export type TeamMemberPage = {
  readonly members: readonly TeamMember[]
  readonly totalCount: number
  readonly nextCursor: string | null
  /** Since when the public invite link stands open that a creation opened and could not close; null where none does. */
  readonly inviteLinkLeftOpenSince: string | null
}

/** A page of the workspace's members, newest first. Errors: INVALID_INPUT, STORE_UNAVAILABLE, those of the platform. */
export type ListTeamMembers = (caller: Actor, page: unknown, signal: AbortSignal) => Promise<TeamMemberPage>

export type ListTeamMembersOptions = {
  readonly directory: MemberDirectory
  readonly describe: DescribeMembers
  readonly links: InviteLinks
  /** Never throws. */
  readonly closeLeftOpen: (caller: Actor) => Promise<void>
}

export function createListTeamMembers({ directory, describe, links, closeLeftOpen }: ListTeamMembersOptions): ListTeamMembers {
  return async (caller, page, signal) => {
    const { first, after, search } = parseInput(pageInput, page)
    const access = accessOf(caller, signal)
    await closeLeftOpen(caller)
    const [found, since] = await Promise.all([
      directory.page(access, { first, after: after ?? null, search: search ?? null }),
      links.leftOpenSince(access.workspaceId),
    ])
    const { members, totalCount, nextCursor } = found
    const inviteLinkLeftOpenSince = since === null ? null : isoMoment(since)
    return { members: await describe(caller, access, members), totalCount, nextCursor, inviteLinkLeftOpenSince }
  }
}
