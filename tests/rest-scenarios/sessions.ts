import type { Asked, World } from '../harness/graphql-and-rest.ts'
import { inSequence, type Scenarios } from './scenario.ts'

const both = (values: Readonly<Record<string, unknown>>): Asked => ({ body: values, variables: values })
const release = (agentId: string, reason: string): Asked => ({ path: { agentId }, body: { reason }, variables: { agentId, reason } })
const agentIdOf = ({ agent }: World): string => agent.agentId ?? 'none'

export const sessionScenarios: Scenarios = {
  'POST /auth/session': {
    sample: both({ takeOver: true, lockedAt: '2025-01-15T09:00:00.000Z' }),
    results: ['SESSION_LOCKED', 'SESSION_LOCKED', 'OK', 'OK', 'TOKEN_REFUSED', 'NOT_FOUND', 'ROLE_MISSING'],
    play: (ask, { app, agent, manager, user }) =>
      inSequence(
        () => ask({}, agent.token),
        () => ask(both({ takeOver: true, lockedAt: '2025-01-15T08:00:00.000Z' }), agent.token),
        () => ask(both({ takeOver: true }), agent.token),
        () => ask(both({ takeOver: true }), agent.token),
        async () => {
          await app.rest('POST', '/auth/logout', { token: agent.token })
          return ask({}, agent.token)
        },
        () => ask({}, manager.token),
        () => ask({}, user.token),
      ),
  },
  'POST /auth/heartbeat': {
    sample: both({ lockedAt: '2025-01-15T09:00:00.000Z' }),
    results: ['OK', 'OK', 'SESSION_GONE', 'OK', 'SESSION_GONE'],
    play: (ask, { agent, user }) =>
      inSequence(
        () => ask({}, agent.token),
        () => ask(both({ lockedAt: agent.lockedAt }), agent.token),
        () => ask(both({ lockedAt: '2025-01-15T08:00:00.000Z' }), agent.token),
        () => ask(both({ lockedAt: null }), agent.token),
        () => ask({}, user.token),
      ),
  },
  'POST /auth/logout': {
    sample: both({ lockedAt: '2025-01-15T09:00:00.000Z' }),
    results: ['OK', 'OK', 'TOKEN_REFUSED', 'OK'],
    play: (ask, { agent, user }) =>
      inSequence(
        () => ask(both({ lockedAt: '2025-01-15T08:00:00.000Z' }), agent.token),
        () => ask({}, agent.token),
        () => ask({}, agent.token),
        () => ask({}, user.token),
      ),
  },
  'GET /api/sessions': {
    sample: {},
    results: ['OK', 'OK', 'OK'],
    play: (ask, { manager, agent, user }) =>
      inSequence(
        () => ask({}, manager.token),
        () => ask({}, agent.token),
        () => ask({}, user.token),
      ),
  },
  'DELETE /api/sessions/{agentId}': {
    sample: release('3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64', 'for the test'),
    results: ['INVALID_INPUT', 'OK', 'NOT_FOUND'],
    play: (ask, world) =>
      inSequence(
        () => ask(release(agentIdOf(world), ''), world.manager.token),
        () => ask(release(agentIdOf(world), 'The laptop broke'), world.manager.token),
        () => ask(release(agentIdOf(world), 'Once more'), world.manager.token),
      ),
  },
  'GET /api/audit': {
    sample: { query: { first: '2' }, variables: { first: 2 } },
    results: ['OK', 'OK', 'INVALID_INPUT', 'INVALID_INPUT'],
    play: async (ask, world) => {
      await world.app.rest('DELETE', `/api/sessions/${agentIdOf(world)}`, {
        token: world.manager.token,
        body: { reason: 'To have an entry' },
      })
      return inSequence(
        () => ask({}, world.manager.token),
        () => ask({ query: { first: '1' }, variables: { first: 1 } }, world.manager.token),
        () => ask({ query: { first: '0' }, variables: { first: 0 } }, world.manager.token),
        () => ask({ query: { after: 'no cursor' }, variables: { after: 'no cursor' } }, world.manager.token),
      )
    },
  },
}
