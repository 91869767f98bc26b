import { inSequence, type Scenarios } from './scenario.ts'

export const supervisionScenarios: Scenarios = {
  'GET /api/supervisor/overview': {
    sample: {},
    results: ['OK', 'ROLE_MISSING', 'ROLE_MISSING'],
    play: (ask, { manager, agent, user }) =>
      inSequence(
        () => ask({}, manager.token),
        () => ask({}, agent.token),
        () => ask({}, user.token),
      ),
  },
}
