import {
  AgentLogoutDocument,
  AgentSessionsDocument,
  AuditLogDocument,
  HeartbeatDocument,
  ReleaseAgentSessionDocument,
} from '../generated.ts'
import { row } from '../row.ts'

export const sessionRows = [
  row(HeartbeatDocument, {
    method: 'POST',
    path: '/auth/heartbeat',
    arguments: { lockedAt: 'body.lockedAt' },
    summary: "Renew the caller's agent session for another hour",
    refusals: ['SESSION_GONE', 'STORE_UNAVAILABLE'],
  }),
  row(AgentLogoutDocument, {
    method: 'POST',
    path: '/auth/logout',
    arguments: { lockedAt: 'body.lockedAt' },
    summary: "End the caller's agent session",
    refusals: ['STORE_UNAVAILABLE'],
  }),
  row(AgentSessionsDocument, {
    method: 'GET',
    path: '/api/sessions',
    summary: 'The live agent sessions; for all but managers, their own alone',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  row(ReleaseAgentSessionDocument, {
    method: 'DELETE',
    path: '/api/sessions/{agentId}',
    arguments: { agentId: 'path.agentId', reason: 'body.reason' },
    summary: "End another agent's session",
    refusals: ['NOT_FOUND', 'STORE_UNAVAILABLE'],
  }),
  row(AuditLogDocument, {
    method: 'GET',
    path: '/api/audit',
    arguments: { first: 'query.first', after: 'query.after' },
    summary: 'Who did what here, newest first',
    refusals: ['STORE_UNAVAILABLE'],
  }),
]
