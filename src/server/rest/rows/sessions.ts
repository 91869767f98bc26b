import { AgentLogoutDocument, HeartbeatDocument } from '../generated.ts'
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
]
