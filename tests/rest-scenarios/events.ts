import type { Asked } from '../harness/graphql-and-rest.ts'
import { inSequence, type Scenarios } from './scenario.ts'

const page = (first: number): Asked => ({ query: { first: String(first) }, variables: { first } })
const one = (id: string): Asked => ({ path: { id }, variables: { id } })

export const eventScenarios: Scenarios = {
  'GET /api/events/dead': {
    sample: page(2),
    results: ['OK', 'OK', 'INVALID_INPUT'],
    play: (ask, { manager }) =>
      inSequence(
        () => ask({}, manager.token),
        () => ask(page(5), manager.token),
        () => ask({ query: { after: 'no cursor' }, variables: { after: 'no cursor' } }, manager.token),
      ),
  },
  'POST /api/events/dead/replay': {
    sample: {},
    results: ['OK'],
    play: (ask, { manager }) => inSequence(() => ask({}, manager.token)),
  },
  'POST /api/events/dead/{id}/replay': {
    sample: one('3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64'),
    results: ['NOT_FOUND', 'INVALID_INPUT'],
    play: (ask, { manager }) =>
      inSequence(
        () => ask(one('3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64'), manager.token),
        () => ask(one('no id'), manager.token),
      ),
  },
}
