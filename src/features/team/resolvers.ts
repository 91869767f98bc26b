import type { Resolvers } from '../../generated.ts'
import { AppError } from '../../kernel/errors.ts'
import { createTeamMember } from './create-team-member.ts'
import { deactivateTeamMember } from './deactivate-team-member.ts'
import { listTeamMembers } from './list-team-members.ts'
import { readTemporaryPassword } from './read-temporary-password.ts'
import type { TeamPorts } from './team-ports.ts'
import { haveTemporaryPasswords } from './temporary-passwords.ts'
import { updateTeamMember } from './update-team-member.ts'

export function teamResolvers(ports: TeamPorts): Resolvers {
  return {
    Query: {
      teamMembers: async (_root, question, context) =>
        listTeamMembers(ports, await context.actor(), { ...question, signal: context.signal }),
      temporaryPassword: async (_root, { memberId }, context) => ({
        id: memberId,
        ...(await readTemporaryPassword(ports, await context.actor(), { memberId, signal: context.signal })),
      }),
    },
    Viewer: {
      async hasTemporaryPassword(_viewer, _args, context) {
        const { workspaceId, email } = await context.principal()
        const owner = { workspaceId, email: email.toLowerCase() }
        const [has] = await haveTemporaryPasswords(ports, [owner]).catch((error: unknown) => {
          // The rest of `me` needs no store.
          if (error instanceof AppError && error.reason === 'STORE_UNAVAILABLE') return []
          throw error
        })
        return has === true
      },
    },
    Mutation: {
      createTeamMember: async (_root, { input }, context) => ({ member: await createTeamMember(ports, await context.actor(), input) }),
      updateTeamMember: async (_root, { id, change }, context) => ({
        member: await updateTeamMember(ports, await context.actor(), { memberId: id, change }),
      }),
      deactivateTeamMember: async (_root, { id }, context) => deactivateTeamMember(ports, await context.actor(), id),
    },
  }
}
