import type { EventOf, Topic } from '../../ports/event-catalogue.ts'

const envelope = {
  id: 'e7f8a9b0-1c2d-4e3f-8a4b-5c6d7e8f9071',
  version: 1.1,
  workspaceId: '4a5b6c7d-8e9f-4a0b-9c1d-2e3f4a5b6c81',
  occurredAt: '2026-11-22T09:33:12.000Z',
}
const call = {
  ucid: '31763803800000002',
  callId: '7c1d2b34-9e0f-4a56-8b7c-1d2e3f4a5b31',
  leadId: '0b8f6d0a-3c54-4f0e-8d9c-7b1f5f2a9c21',
}
const agentId = '5f0c6f0e-6a1c-4b7e-9a53-2f7f1f0f7a11'
const memberId = '3e9a7c52-1f4b-4d68-a7c9-5b6d7e8f9a41'

/** One event of each topic, as it is published. */
export const eventExamples: { readonly [Name in Topic]: EventOf<Name> } = {
  'call.completed': {
    ...envelope,
    type: 'call.completed',
    ...call,
    agentId,
    memberId,
    disposition: 'Appointment booked',
    supersedes: null,
  },
  'call.missed': { ...envelope, version: 1, type: 'call.missed', ...call },
  'call.transferred': { ...envelope, version: 1, type: 'call.transferred', ...call, agentId, memberId, target: 'NUMBER' },
  'call.recorded': { ...envelope, version: 1, type: 'call.recorded', ...call, agentId },
  'call.analysed': { ...envelope, version: 1, type: 'call.analysed', ...call, agentId },
  'agent.state': { ...envelope, version: 1, type: 'agent.state', agentId, state: 'READY' },
}
