import { z } from 'zod'
import type { Asked, World } from '../harness/graphql-and-rest.ts'
import { inSequence, type Scenarios } from './scenario.ts'

const nobody = '3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64'
const agent = {
  sipExtension: '7100',
  sipPassword: 'a-password-of-the-phone',
  providerAgentId: 'leela',
  providerAgentPassword: 'a-password-there',
  campaignName: 'Inbound_Billing',
}
const person = (email: string) => ({ email, firstName: 'Leela', lastName: 'Rao', role: 'USER' })
const make = (input: Readonly<Record<string, unknown>>): Asked => ({ body: input, variables: { input } })
const change = (id: string, body: Readonly<Record<string, unknown>>): Asked => ({ path: { id }, body, variables: { id, change: body } })
const of = (id: string): Asked => ({ path: { id }, variables: { id } })
const passwordOf = (id: string): Asked => ({ path: { id }, variables: { memberId: id } })
const find = (query: Readonly<Record<string, string>>): Asked => ({ query, variables: query })

/** The id of a member made for the purpose. */
const madeMember = async ({ app, manager }: World, email: string): Promise<string> => {
  const { body } = await app.rest('POST', '/api/team/members', { token: manager.token, body: person(email) })
  return z.object({ member: z.object({ id: z.string() }) }).parse(body).member.id
}

export const teamScenarios: Scenarios = {
  'GET /api/team/members': {
    sample: find({ search: 'asha' }),
    results: ['OK', 'OK', 'INVALID_INPUT', 'INVALID_INPUT', 'ROLE_MISSING'],
    play: (ask, { manager, user }) =>
      inSequence(
        () => ask(find({ search: 'asha menon' }), manager.token),
        () => ask({ query: { first: '1', search: 'nobody at all' }, variables: { first: 1, search: 'nobody at all' } }, manager.token),
        () => ask({ query: { first: '101' }, variables: { first: 101 } }, manager.token),
        () => ask(find({ after: 'no cursor' }), manager.token),
        () => ask({}, user.token),
      ),
  },
  'POST /api/team/members': {
    sample: make({ ...person('leela@demo.example'), agent }),
    results: ['OK', 'OK', 'WRONG_STATE', 'WRONG_STATE', 'INVALID_INPUT', 'INVALID_INPUT'],
    play: (ask, { manager: { token } }) =>
      inSequence(
        () => ask(make({ ...person('leela@demo.example'), agent }), token),
        () => ask(make({ ...person('leela@demo.example'), agent }), token),
        () => ask(make({ ...person('leela@demo.example'), role: 'MANAGER' }), token),
        () => ask(make(person('agent1@acme.example')), token),
        () => ask(make({ ...person('no address'), firstName: ' ' }), token),
        () => ask(make({ ...person('other@demo.example'), agent: { sipExtension: '5231' } }), token),
      ),
  },
  'PUT /api/team/members/{id}': {
    sample: change(nobody, { firstName: 'Mira', lastName: 'Sen', role: 'USER', agent }),
    results: ['OK', 'OK', 'INVALID_INPUT', 'NOT_FOUND', 'PLATFORM_REFUSED'],
    play: async (ask, world) => {
      const { token, memberId } = world.manager
      const id = await madeMember(world, 'mira@demo.example')
      return inSequence(
        () => ask(change(id, { firstName: 'Mira', role: 'MANAGER', agent: { sipExtension: '7200' } }), token),
        () => ask(change(id, {}), token),
        () => ask(change(id, { lastName: 'x'.repeat(300) }), token),
        () => ask(change(nobody, { firstName: 'Mira' }), token),
        () => ask(change(memberId, { role: 'USER' }), token),
      )
    },
  },
  'DELETE /api/team/members/{id}': {
    sample: of(nobody),
    results: ['OK', 'NOT_FOUND', 'WRONG_STATE'],
    play: async (ask, world) => {
      const { token, memberId } = world.manager
      const id = await madeMember(world, 'leaving@demo.example')
      return inSequence(
        () => ask(of(id), token),
        () => ask(of(id), token),
        () => ask(of(memberId), token),
      )
    },
  },
  'GET /api/team/members/{id}/temporary-password': {
    sample: passwordOf(nobody),
    results: ['OK', 'NOT_FOUND', 'NOT_FOUND'],
    play: async (ask, world) => {
      const id = await madeMember(world, 'new@demo.example')
      return inSequence(
        () => ask(passwordOf(id), world.manager.token),
        () => ask(passwordOf(world.manager.memberId), world.manager.token),
        () => ask(passwordOf(nobody), world.manager.token),
      )
    },
  },
}
