import { mutation, query } from '../row.ts'

export const sessionRows = [
  mutation('startAgentSession', {
    method: 'POST',
    path: '/auth/session',
    arguments: { takeOver: 'body.takeOver', lockedAt: 'body.lockedAt' },
    summary:
      'Start your agent session with an access token, for example after single sign-on. Can take over your own one from another device',
    refusals: ['NOT_FOUND', 'NOT_YOURS', 'SESSION_LOCKED', 'SESSION_TAKEN_OVER', 'STORE_UNAVAILABLE', 'OVERLOADED'],
  }),
  mutation('heartbeat', {
    method: 'POST',
    path: '/auth/heartbeat',
    ignoresUnknownFields: true,
    arguments: { lockedAt: 'body.lockedAt' },
    summary: 'Renew your agent session for another hour',
    refusals: ['SESSION_GONE', 'SESSION_TAKEN_OVER', 'STORE_UNAVAILABLE'],
  }),
  mutation('agentLogout', {
    method: 'POST',
    path: '/auth/logout',
    ignoresUnknownFields: true,
    arguments: { lockedAt: 'body.lockedAt' },
    summary: 'Sign out: end your agent session, and refuse the tokens of this sign-in',
    refusals: ['SESSION_TAKEN_OVER', 'STORE_UNAVAILABLE'],
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
    arguments: {
      first: 'query.first',
      after: 'query.after',
      memberId: 'query.memberId',
      targetId: 'query.targetId',
      action: 'query.action',
      from: 'query.from',
      to: 'query.to',
    },
    listName: 'entries',
    summary: 'The audit log: what people did in this service, newest first',
    refusals: ['STORE_UNAVAILABLE'],
  }),
]
