import type { AuditActor } from '../../ports/audit.ts'
import type { TeamCaller } from './team-member.ts'

export function auditActor({ principal: { userId, memberId }, clientAddress }: TeamCaller): AuditActor {
  return { userId, memberId, ip: clientAddress }
}
