import type { Asked } from '../harness/graphql-and-rest.ts'
import { inSequence, type Scenarios } from './scenario.ts'

const step = (name: string, complete: boolean): Asked => ({
  path: { step: name.toLowerCase() },
  body: { complete },
  variables: { step: name, complete },
})

export const setupScenarios: Scenarios = {
  'GET /api/config/setup-state': { sample: {}, results: ['OK'], play: (ask, { manager }) => inSequence(() => ask({}, manager.token)) },
  'PUT /api/config/setup-state/steps/{step}': {
    sample: step('BRAND', true),
    results: ['OK', 'OK', 'OK', 'INVALID_INPUT'],
    play: (ask, { manager }) =>
      inSequence(
        () => ask(step('BRAND', true), manager.token),
        () => ask(step('TEAM', true), manager.token),
        () => ask(step('BRAND', false), manager.token),
        () => ask(step('ELSE', true), manager.token),
      ),
  },
  'POST /api/config/setup-state/dismiss': {
    sample: {},
    results: ['OK'],
    play: (ask, { manager }) => inSequence(() => ask({}, manager.token)),
  },
  'POST /api/config/setup-state/reset': {
    sample: {},
    results: ['OK'],
    play: async (ask, { app, manager }) => {
      await app.rest('POST', '/api/config/setup-state/dismiss', { token: manager.token })
      return inSequence(() => ask({}, manager.token))
    },
  },
  'POST /api/setup/provision': {
    sample: { body: { apply: false }, variables: { apply: false } },
    results: ['OK'],
    play: (ask, { manager }) => inSequence(() => ask({ body: { apply: false }, variables: { apply: false } }, manager.token)),
  },
}
