import { z } from 'zod'
import type { Asked, World } from '../harness/graphql-and-rest.ts'
import { analysedCall } from './recordings.ts'
import { inSequence, type Scenarios } from './scenario.ts'

const noCall = '3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64'
const list = { query: { first: '5', correctedOnly: 'false' }, variables: { first: 5, correctedOnly: false } }
const range = (from: string, to: string): Asked => ({ query: { from, to }, variables: { from, to } })
const wrongRange = range('2026-01-02T00:00:00.000Z', '2026-01-01T00:00:00.000Z')
const read = (callId: string): Asked => ({ path: { callId }, variables: { callId } })
const correct = (callId: string, criterion: string, body: { verdict: string | null; reason: string; version: number }): Asked => ({
  path: { callId, criterion },
  body,
  variables: { input: { callId, criterion, ...body } },
})

/** A scorecard that exists. */
async function scored(world: World): Promise<{ readonly callId: string; readonly version: number }> {
  const callId = await analysedCall(world)
  const { body } = await world.app.rest('GET', `/api/scorecards/${callId}`, { token: world.manager.token })
  return { callId, version: z.object({ version: z.int() }).parse(body).version }
}

export const scorecardScenarios: Scenarios = {
  'GET /api/scorecards': {
    sample: list,
    results: ['OK', 'INVALID_INPUT'],
    play: async (ask, world) => {
      await scored(world)
      return inSequence(
        () => ask(list, world.manager.token),
        () => ask(wrongRange, world.manager.token),
      )
    },
  },
  'GET /api/scorecards/agreement': {
    sample: range('2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'),
    results: ['OK', 'INVALID_INPUT'],
    play: async (ask, world) =>
      inSequence(
        () => ask({ variables: {} }, world.manager.token),
        () => ask(wrongRange, world.manager.token),
      ),
  },
  'GET /api/scorecards/{callId}': {
    sample: read(noCall),
    results: ['OK', 'NOT_FOUND'],
    play: async (ask, world) => {
      const { callId } = await scored(world)
      return inSequence(
        () => ask(read(callId), world.manager.token),
        () => ask(read(noCall), world.manager.token),
      )
    },
  },
  'PUT /api/scorecards/{callId}/corrections/{criterion}': {
    sample: correct(noCall, 'greeting', { verdict: 'MET', reason: 'I listened', version: 1 }),
    results: ['OK', 'CHANGED_MEANWHILE', 'NOT_FOUND', 'INVALID_INPUT', 'OK'],
    play: async (ask, world) => {
      const { callId, version } = await scored(world)
      const { token } = world.manager
      const body = { verdict: 'MET', reason: 'I listened', version }
      return inSequence(
        () => ask(correct(callId, 'greeting', body), token),
        () => ask(correct(callId, 'greeting', body), token),
        () => ask(correct(noCall, 'greeting', body), token),
        () => ask(correct(callId, 'unknown', { ...body, version: version + 1 }), token),
        () => ask(correct(callId, 'greeting', { verdict: null, reason: 'A mistake', version: version + 1 }), token),
      )
    },
  },
}
