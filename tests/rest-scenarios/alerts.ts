import { inSequence, type Scenarios } from './scenario.ts'

const none = { path: { id: '3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64' }, variables: { id: '3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64' } }

export const alertScenarios: Scenarios = {
  'GET /api/alerts': {
    sample: { query: { first: '5' }, variables: { first: 5 } },
    results: ['OK', 'OK', 'INVALID_INPUT', 'ROLE_MISSING'],
    play: (ask, { agent, manager }) =>
      inSequence(
        () => ask({}, manager.token),
        () => ask({ query: { activeOnly: 'true' }, variables: { activeOnly: true } }, manager.token),
        () => ask({ query: { after: 'no cursor' }, variables: { after: 'no cursor' } }, manager.token),
        () => ask({}, agent.token),
      ),
  },
  'POST /api/alerts/{id}/acknowledge': {
    sample: none,
    results: ['NOT_FOUND', 'ROLE_MISSING'],
    play: (ask, { agent, manager }) =>
      inSequence(
        () => ask(none, manager.token),
        () => ask(none, agent.token),
      ),
  },
}
