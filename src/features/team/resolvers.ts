import type { Actor } from '../../access/actor.ts'
import type { RequestContext } from '../../access/request-context.ts'
import type { Resolvers } from '../../generated.ts'
import type { Team } from './team.ts'

export type TeamUseCases = Pick<Team, 'create' | 'update' | 'deactivate' | 'list' | 'readTemporaryPassword'>

export function createTeamResolvers(team: TeamUseCases): Resolvers {
  return {
    Query: {
      teamMembers: async (_root, { first, after, search }, context) =>
        team.list(await context.actor(), { first, after, search }, context.signal),
      temporaryPassword: async (_root, { memberId }, context) =>
        team.readTemporaryPassword(await callerOf(context), memberId, context.signal),
    },
    Mutation: {
      createTeamMember: async (_root, { input }, context) => ({ member: await team.create(await callerOf(context), input) }),
      updateTeamMember: async (_root, { id, change }, context) => ({ member: await team.update(await callerOf(context), id, change) }),
      deactivateTeamMember: async (_root, { id }, context) => team.deactivate(await callerOf(context), id),
    },
  }
}

async function callerOf(context: RequestContext): Promise<Actor> {
  return { ...(await context.actor()), clientAddress: context.clientAddress }
}
