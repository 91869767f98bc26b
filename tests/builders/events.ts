import type { EventOf } from '../../src/ports/event-catalogue.ts'

/** A `call.completed` event; the id follows from the call unless given. */
export function callCompleted(ucid: string, changes: Partial<EventOf<'call.completed'>> = {}): EventOf<'call.completed'> {
  return {
    id: `completed-${ucid}`,
    type: 'call.completed',
    version: 1,
    workspaceId: 'w1',
    occurredAt: '2025-01-15T09:00:00.000Z',
    ucid,
    callId: null,
    leadId: 'lead-1',
    agentId: null,
    memberId: null,
    disposition: 'Information Given',
    supersedes: null,
    ...changes,
  }
}
