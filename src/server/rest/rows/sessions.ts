import { mutation, query } from '../row.ts'

export const sessionRows = [
  mutation('heartbeat', {
    method: 'POST',
    path: '/auth/heartbeat',
    arguments: { lockedAt: 'body.lockedAt' },
    summary: "Renew the caller's agent session for another hour",
    refusals: ['SESSION_GONE', 'STORE_UNAVAILABLE'],
  }),
  mutation('agentLogout', {
    method: 'POST',
    path: '/auth/logout',
    arguments: { lockedAt: 'body.lockedAt' },
    summary: "End the caller's agent session",
    refusals: ['STORE_UNAVAILABLE'],
  }),
  query('agentSessions', {
    method: 'GET',
    path: '/api/sessions',
    summary: 'The live agent sessions; for all but managers, their own alone',
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
    summary: 'Who did what here, newest first',
    refusals: ['STORE_UNAVAILABLE'],
  }),
]
