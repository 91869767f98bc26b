import type { Resolvers } from '../../generated.ts'
import { endSession } from './end-session.ts'
import { heartbeat } from './heartbeat.ts'
import { listSessions } from './list-sessions.ts'
import { readAuditLog } from './read-audit-log.ts'
import { releaseSession } from './release-session.ts'
import type { SessionPorts } from './session-ports.ts'

export function sessionResolvers(ports: SessionPorts): Resolvers {
  return {
    AgentSession: { id: ({ agentId }) => agentId },
    LiveAgentSession: { id: ({ agentId }) => agentId },
    AuditLogEntry: { actor: ({ id, actor }) => ({ ...actor, id }) },
    Query: {
      agentSessions: async (_root, _args, context) => listSessions(ports, await context.actor()),
      auditLog: async (_root, page, context) => readAuditLog(ports, await context.actor(), page),
    },
    Mutation: {
      heartbeat: async (_root, { lockedAt }, context) => heartbeat(ports, await context.actor(), lockedAt),
      agentLogout: async (_root, { lockedAt }, context) => endSession(ports, await context.actor(), lockedAt),
      releaseAgentSession: async (_root, { agentId, reason }, context) => releaseSession(ports, await context.actor(), { agentId, reason }),
    },
  }
}
