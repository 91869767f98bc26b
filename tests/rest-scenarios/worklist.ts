import { z } from 'zod'
import type { Asked, World } from '../harness/graphql-and-rest.ts'
import { inSequence, type Scenarios } from './scenario.ts'

const unknown = '3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64'
const dueAt = '2025-01-16T10:00:00.000Z'

const person = (id: string, body?: Readonly<Record<string, unknown>>): Asked => ({
  path: { id },
  ...(body && { body }),
  variables: { id, ...body },
})

/** The agent has scheduled a callback; the same call however often it is played. */
async function listed({ app, agent: { token } }: World): Promise<string> {
  const body = { phoneNumber: '98765 43210', via: 'TELEPHONY', idempotencyKey: 'one' }
  const { ucid } = z.object({ ucid: z.string() }).parse((await app.rest('POST', '/api/calls/dial', { token, body })).body)
  const disposition = { disposition: 'Call Back Later', callBackAt: '2025-01-16T09:00:00.000Z' }
  await app.rest('POST', `/api/calls/${ucid}/disposition`, { token, body: disposition })
  const { body: entries } = await app.rest('GET', '/api/calls/worklist?includeLater=true', { token })
  const [entry] = z.array(z.object({ id: z.string() })).parse(entries)
  return entry?.id ?? 'nobody'
}

export const worklistScenarios: Scenarios = {
  'GET /api/calls/worklist': {
    sample: { query: { first: '5' }, variables: { first: 5 } },
    results: ['OK', 'OK', 'INVALID_INPUT', 'ROLE_MISSING'],
    async play(ask, world) {
      await listed(world)
      return inSequence(
        () => ask({}, world.agent.token),
        () => ask({ query: { first: '5', includeLater: 'true' }, variables: { first: 5, includeLater: true } }, world.agent.token),
        () => ask({ query: { first: '500' }, variables: { first: 500 } }, world.agent.token),
        () => ask({}, world.user.token),
      )
    },
  },
  'PUT /api/calls/worklist/{id}/assignee': {
    sample: person(unknown, { agentId: unknown, endClaim: true, message: 'You know them' }),
    results: ['OK', 'INVALID_INPUT', 'NOT_FOUND'],
    async play(ask, world) {
      const id = await listed(world)
      return inSequence(
        () => ask(person(id, { agentId: null }), world.manager.token),
        () => ask(person(id, { agentId: unknown }), world.manager.token),
        () => ask(person(unknown, { agentId: null }), world.manager.token),
      )
    },
  },
  'PUT /api/calls/worklist/{id}/due': {
    sample: person(unknown, { dueAt }),
    results: ['OK', 'INVALID_INPUT', 'NOT_FOUND'],
    async play(ask, world) {
      const id = await listed(world)
      return inSequence(
        () => ask(person(id, { dueAt }), world.manager.token),
        () => ask(person(id, { dueAt: '2024-01-16T10:00:00.000Z' }), world.manager.token),
        () => ask(person(unknown, { dueAt }), world.manager.token),
      )
    },
  },
  'POST /api/calls/worklist/{id}/claim': {
    sample: person(unknown),
    results: ['OK', 'NOT_FOUND', 'ROLE_MISSING'],
    async play(ask, world) {
      const id = await listed(world)
      return inSequence(
        () => ask(person(id), world.agent.token),
        () => ask(person(unknown), world.agent.token),
        () => ask(person(id), world.user.token),
      )
    },
  },
  'DELETE /api/calls/worklist/{id}/claim': {
    sample: person(unknown, { message: 'Others wait' }),
    results: ['OK', 'OK', 'NOT_FOUND'],
    async play(ask, world) {
      const id = await listed(world)
      return inSequence(
        () => ask(person(id), world.agent.token),
        () => ask(person(id), world.agent.token),
        () => ask(person(unknown), world.agent.token),
      )
    },
  },
  'POST /api/calls/worklist/{id}/done': {
    sample: person(unknown, { outcome: 'NOT_NEEDED' }),
    results: ['OK', 'OK', 'NOT_FOUND', 'INVALID_INPUT'],
    async play(ask, world) {
      const id = await listed(world)
      return inSequence(
        () => ask(person(id, { outcome: 'GAVE_UP' }), world.agent.token),
        () => ask(person(id, { outcome: 'REACHED' }), world.agent.token),
        () => ask(person(unknown, { outcome: 'REACHED' }), world.agent.token),
        () => ask(person(id, { outcome: 'SOMETHING' }), world.agent.token),
      )
    },
  },
}
