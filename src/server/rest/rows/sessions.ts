import { mutation, query } from '../row.ts'

export const sessionRows = [
  mutation('heartbeat', {
    method: 'POST',
    path: '/auth/heartbeat',
    arguments: { lockedAt: 'body.lockedAt' },
    summary: 'Renew your agent session for another hour',
    refusals: ['SESSION_GONE', 'STORE_UNAVAILABLE'],
  }),
  mutation('agentLogout', {
    method: 'POST',
    path: '/auth/logout',
    arguments: { lockedAt: 'body.lockedAt' },
    summary: 'End your agent session',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  query('agentSessions', {
    method: 'GET',
    path: '/api/sessions',
    summary: 'The live agent sessions. Managers see all, other members only their own',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  mutation('releaseAgentSession', {
    method: 'DELETE',
    path: '/api/sessions/{agentId}',
    arguments: { agentId: 'path.agentId', reason: 'body.reason' },
    summary: "End another agent's session",
    refusals: ['NOT_FOUND', 'STORE_UNAVAILABLE'],
  }),
  query('auditLog', {
    method: 'GET',
    path: '/api/audit',
    arguments: { first: 'query.first', after: 'query.after' },
    summary: 'The audit log: what people did in this service, newest first',
    refusals: ['STORE_UNAVAILABLE'],
  }),
]
