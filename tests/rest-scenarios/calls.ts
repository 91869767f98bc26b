import type { Asked } from '../harness/two-doors.ts'
import { inTurn, type Scenarios } from './scenario.ts'

const number = (phoneNumber: string): Asked => ({ body: { phoneNumber }, variables: { phoneNumber } })
const outcome = (ucid: string, rest: Readonly<Record<string, unknown>>): Asked => ({
  path: { ucid },
  body: rest,
  variables: { input: { ucid, ...rest } },
})

export const callScenarios: Scenarios = {
  'POST /api/calls/lookup': {
    sample: number('+919876543210'),
    comesTo: ['OK', 'OK', 'INVALID_INPUT'],
    play: (ask, { agent, user }) =>
      inTurn(
        () => ask(number('98765 43210'), agent.token),
        () => ask(number('+14155550123'), user.token),
        () => ask(number('12'), agent.token),
      ),
  },
  'POST /api/calls/{ucid}/disposition': {
    sample: outcome('31736931600000003', {
      disposition: 'Complaint',
      notes: 'n',
      leadId: '3f0c9a52-6d1e-8c4b-9a77-0b5d2e8f1c64',
      callBackAt: '2025-01-16T09:00:00.000Z',
    }),
    comesTo: ['OK', 'OK', 'NOT_FOUND', 'INVALID_INPUT', 'ROLE_MISSING'],
    play: (ask, { app, agent, user }) => {
      const { ucid } = app.standIns.telephony.inboundCall({ from: '+919876543210', agentId: 'agent1' })
      return inTurn(
        () =>
          ask(outcome(ucid, { disposition: 'Call Back Later', notes: 'Tomorrow', callBackAt: '2025-01-16T15:00:00+05:30' }), agent.token),
        () => ask(outcome(ucid, { disposition: 'Complaint' }), agent.token),
        () => ask(outcome('31736931600999999', { disposition: 'Complaint' }), agent.token),
        () => ask(outcome(ucid, { disposition: 'Complaint', leadId: '3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64' }), agent.token),
        () => ask(outcome(ucid, { disposition: 'Complaint' }), user.token),
      )
    },
  },
}
