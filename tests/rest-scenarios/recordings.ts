import { z } from 'zod'
import type { TestApp } from '../harness/app.ts'
import type { Asked, World } from '../harness/graphql-and-rest.ts'
import { inSequence, type Scenarios } from './scenario.ts'

const analyse = (input: Readonly<Record<string, unknown>>): Asked => ({ body: input, variables: { input } })
const read = (callId: string): Asked => ({ path: { callId }, variables: { callId } })
const noCall = '3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64'

const found = z.object({ lastCalls: z.array(z.object({ id: z.string(), hasRecording: z.boolean() })) })

/** A call whose recording the sandbox keeps. */
async function recordedCall({ app, manager }: { app: TestApp; manager: World['manager'] }): Promise<string> {
  const { body } = await app.rest('POST', '/api/calls/lookup', { token: manager.token, body: { phoneNumber: '+919876543210' } })
  const call = found.parse(body).lastCalls.find(({ hasRecording }) => hasRecording)
  if (!call) throw new Error('the lead has no recorded call')
  return call.id
}

/** Such a call, analysed. */
export async function analysedCall(world: World): Promise<string> {
  const callId = await recordedCall(world)
  await world.app.rest('POST', '/api/recordings/analyze', { token: world.manager.token, body: { callId } })
  return callId
}

export const recordingScenarios: Scenarios = {
  'POST /api/recordings/analyze': {
    sample: analyse({ callId: noCall, recordingUrl: 'https://recordings.example/a.wav', force: false, waitSeconds: 1 }),
    results: ['OK', 'NOT_FOUND', 'INVALID_INPUT'],
    play: async (ask, world) => {
      const callId = await recordedCall(world)
      const { token } = world.manager
      return inSequence(
        () => ask(analyse({ callId }), token),
        () => ask(analyse({ callId: noCall }), token),
        () => ask(analyse({ callId, waitSeconds: 99 }), token),
      )
    },
  },
  'GET /api/recordings/{callId}/analysis': {
    sample: read(noCall),
    results: ['OK', 'NOT_FOUND'],
    play: async (ask, world) => {
      const callId = await analysedCall(world)
      return inSequence(
        () => ask(read(callId), world.manager.token),
        () => ask(read(noCall), world.manager.token),
      )
    },
  },
  'GET /api/recordings/search': {
    sample: {
      query: { text: 'hello', first: '5', from: '2026-01-01T00:00:00.000Z' },
      variables: { text: 'hello', first: 5, from: '2026-01-01T00:00:00.000Z' },
    },
    results: ['OK', 'OK', 'INVALID_INPUT'],
    play: async (ask, world) => {
      await analysedCall(world)
      const { token } = world.manager
      return inSequence(
        () => ask({ query: { text: 'thank', first: '1' }, variables: { text: 'thank', first: 1 } }, token),
        () => ask({ query: { outcome: 'PAYMENT_ARRANGED' }, variables: { outcome: 'PAYMENT_ARRANGED' } }, token),
        () => ask({ query: { text: '?!' }, variables: { text: '?!' } }, token),
      )
    },
  },
  'GET /api/recordings/{callId}/status': {
    sample: read(noCall),
    results: ['OK', 'NOT_FOUND'],
    play: async (ask, world) => {
      const callId = await recordedCall(world)
      return inSequence(
        () => ask(read(callId), world.manager.token),
        () => ask(read(noCall), world.manager.token),
      )
    },
  },
}
