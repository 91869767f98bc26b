import type { Resolvers } from '../server/graphql/generated.ts'
import type { LogOut } from './end-session.ts'
import type { Heartbeat } from './heartbeat.ts'

export type SessionUseCases = { readonly heartbeat: Heartbeat; readonly logOut: LogOut }

export function createSessionResolvers({ heartbeat, logOut }: SessionUseCases): Resolvers {
  return {
    Mutation: {
      heartbeat: async (_root, { lockedAt }, context) => heartbeat(await context.principal(), lockedAt),
      agentLogout: async (_root, { lockedAt }, context) => logOut(await context.principal(), lockedAt),
    },
  }
}
