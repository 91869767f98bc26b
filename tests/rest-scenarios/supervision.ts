import { overviewSchema } from '../harness/supervision.ts'
import { waitFor } from '../harness/wait-for.ts'
import { inSequence, type Scenarios } from './scenario.ts'

export const supervisionScenarios: Scenarios = {
  'GET /api/supervisor/overview': {
    sample: {},
    results: ['OK', 'ROLE_MISSING', 'ROLE_MISSING'],
    async play(ask, { app, manager, agent, user }) {
      // A scheduled job reads the day from the platform. Before that, two worlds may differ.
      const isComplete = async () => {
        const { body } = await app.rest('GET', '/api/supervisor/overview', { token: manager.token })
        const { complete, total } = overviewSchema.parse(body).today
        return complete && total.answered > 1
      }
      await waitFor(isComplete, { what: 'a complete day' })
      return inSequence(
        () => ask({}, manager.token),
        () => ask({}, agent.token),
        () => ask({}, user.token),
      )
    },
  },
}
