import type { Audit } from '../../ports/audit.ts'
import { pageSize, parseInput } from '../../kernel/input.ts'
import type { Resolvers } from '../../generated.ts'
import { auditLogPage } from './audit-log.ts'
import type { Sessions } from './sessions.ts'

export type SessionUseCases = {
  readonly sessions: Pick<Sessions, 'heartbeat' | 'logOut' | 'list' | 'release'>
  readonly audit: Audit
}

export function createSessionResolvers({ sessions, audit }: SessionUseCases): Resolvers {
  return {
    Query: {
      agentSessions: async (_root, _args, context) => sessions.list(await context.principal()),
      async auditLog(_root, { first, after }, context) {
        const { workspaceId } = await context.principal()
        return auditLogPage(await audit.read(workspaceId, { limit: parseInput(pageSize(100), first, 'first'), cursor: after ?? null }))
      },
    },
    Mutation: {
      heartbeat: async (_root, { lockedAt }, context) => sessions.heartbeat(await context.principal(), lockedAt),
      agentLogout: async (_root, { lockedAt }, context) => sessions.logOut(await context.principal(), lockedAt),
      async releaseAgentSession(_root, { agentId, reason }, context) {
        return sessions.release({ agentId, reason }, { manager: await context.principal(), ip: context.clientAddress })
      },
    },
  }
}
