import { inSequence, type Scenarios } from './scenario.ts'

const nobody = '3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64'
const of = (query: Readonly<Record<string, string>>) => ({ query, variables: query })
/** Days without calls: two worlds have other ones. */
const days = { from: '2099-01-01', to: '2099-01-02' }
const timeline = (agentId: string, date: string) => ({ path: { agentId, date }, variables: { agentId, date } })

export const historyScenarios: Scenarios = {
  'GET /api/history': {
    sample: of(days),
    results: ['OK', 'OK', 'OK', 'INVALID_INPUT', 'INVALID_INPUT', 'INVALID_INPUT', 'NOT_YOURS', 'ROLE_MISSING'],
    play: (ask, { manager, agent, user }) =>
      inSequence(
        () => ask(of(days), manager.token),
        () => ask(of({ ...days, groupBy: 'DAY_AND_AGENT', agentId: nobody, campaignName: 'Main' }), manager.token),
        () => ask(of({ ...days, groupBy: 'HOUR' }), agent.token),
        () => ask(of({ ...days, to: '2098-12-31' }), manager.token),
        () => ask(of({ ...days, to: '2100-01-02' }), manager.token),
        () => ask(of({ ...days, from: '2099-02-30' }), manager.token),
        () => ask(of({ ...days, agentId: nobody }), agent.token),
        () => ask(of(days), user.token),
      ),
  },
  'GET /api/history/agents/{agentId}/{date}': {
    sample: timeline(nobody, '2099-01-01'),
    results: ['OK', 'NOT_YOURS', 'INVALID_INPUT', 'ROLE_MISSING'],
    play: (ask, { manager, agent, user }) =>
      inSequence(
        () => ask(timeline(nobody, '2099-01-01'), manager.token),
        () => ask(timeline(nobody, '2099-01-01'), agent.token),
        () => ask(timeline(nobody, '01.01.2099'), manager.token),
        () => ask(timeline(nobody, '2099-01-01'), user.token),
      ),
  },
  'GET /api/history/calls': {
    sample: of(days),
    results: ['OK', 'OK', 'INVALID_INPUT', 'INVALID_INPUT', 'NOT_YOURS', 'ROLE_MISSING'],
    play: (ask, { manager, agent, user }) =>
      inSequence(
        () => ask(of({ ...days, direction: 'INBOUND', status: 'MISSED', disposition: 'Booked', campaignName: 'Main' }), manager.token),
        () => ask(of(days), agent.token),
        () => ask(of({ ...days, after: 'no cursor' }), manager.token),
        () => ask(of({ ...days, direction: 'SIDEWAYS' }), manager.token),
        () => ask(of({ ...days, agentId: nobody }), agent.token),
        () => ask(of(days), user.token),
      ),
  },
}
