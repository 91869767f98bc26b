import { z } from 'zod'
import type { Asked, World } from '../harness/graphql-and-rest.ts'
import { inSequence, type Scenarios } from './scenario.ts'

const number = (phoneNumber: string): Asked => ({ body: { phoneNumber }, variables: { phoneNumber } })
const outcome = (ucid: string, rest: Readonly<Record<string, unknown>>): Asked => ({
  path: { ucid },
  body: rest,
  variables: { input: { ucid, ...rest } },
})

const byCall = (ucid: string): Asked => ({ body: { ucid }, variables: { ucid } })
const input = (values: Readonly<Record<string, unknown>>): Asked => ({ body: values, variables: { input: values } })
const control = (ucid: string, action: string): Asked => ({ path: { ucid }, body: { action }, variables: { input: { ucid, action } } })
const transferOf = (ucid: string): Asked => ({ path: { ucid }, variables: { ucid } })
const orderOf = (agentId: string, state: Readonly<Record<string, unknown>>, message: string | null): Asked => ({
  path: { agentId },
  body: { ...state, message },
  variables: { agentId, input: state, message },
})
const noLead = '3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64'
const webhookFilter = { provider: 'ozonetel', verdict: 'REFUSED', ucid: '31736931600999999', from: '2025-01-14T00:00:00.000Z' }
const filtered: Asked = { query: webhookFilter, variables: webhookFilter }

/** The clock stands still, so several notices would have no order. */
async function leaveOneNotice({ app, agent: { token, agentId }, manager }: World): Promise<void> {
  const { body } = await app.rest('GET', '/api/agents/me/notices', { token })
  const ids = z
    .array(z.object({ id: z.string() }))
    .parse(body)
    .map(({ id }) => id)
  await app.rest('POST', '/api/agents/me/notices/confirm', { token, body: { ids } })
  await app.rest('PUT', `/api/agents/${agentId}/state`, { token: manager.token, body: { state: 'READY', message: 'Go on' } })
}

export const callScenarios: Scenarios = {
  'POST /api/calls/lookup': {
    sample: { body: { phoneNumber: '+919876543210', ucid: null }, variables: { phoneNumber: '+919876543210', ucid: null } },
    results: ['OK', 'OK', 'INVALID_INPUT', 'INVALID_INPUT', 'NOT_FOUND', 'OK'],
    play: (ask, { agent, user }) =>
      inSequence(
        () => ask(number('98765 43210'), agent.token),
        () => ask(number('+14155550123'), user.token),
        () => ask(number('12'), agent.token),
        () => ask({}, agent.token),
        () => ask(byCall('31736931600999999'), agent.token),
        () =>
          ask(
            { ...number('98765 43210'), query: { enrich: 'false' }, variables: { phoneNumber: '98765 43210', enrich: false } },
            agent.token,
          ),
      ),
  },
  'POST /api/leads/summaries': {
    sample: { body: { ids: [noLead] }, variables: { ids: [noLead] } },
    results: ['OK', 'OK', 'INVALID_INPUT'],
    play: async (ask, { app, agent }) => {
      const { body } = await app.rest('POST', '/api/calls/lookup', { token: agent.token, body: { phoneNumber: '+919876543210' } })
      const { lead } = z.object({ lead: z.object({ id: z.string() }) }).parse(body)
      const some = (ids: readonly string[]): Asked => ({ body: { ids }, variables: { ids } })
      return inSequence(
        () => ask(some([lead.id, noLead]), agent.token),
        () => ask(some([]), agent.token),
        () => ask(some(['first']), agent.token),
      )
    },
  },
  'GET /api/calls/current': {
    sample: {},
    results: ['OK', 'OK'],
    play: (ask, { agent, user }) =>
      inSequence(
        () => ask({}, agent.token),
        () => ask({}, user.token),
      ),
  },
  'GET /api/webhooks': {
    sample: { query: { first: '5' }, variables: { first: 5 } },
    results: ['OK', 'OK', 'INVALID_INPUT', 'INVALID_INPUT', 'ROLE_MISSING'],
    play: (ask, { agent, manager }) =>
      inSequence(
        () => ask({}, manager.token),
        () => ask(filtered, manager.token),
        () => ask({ query: { verdict: 'LOST' }, variables: { verdict: 'LOST' } }, manager.token),
        () => ask({ query: { after: 'no cursor' }, variables: { after: 'no cursor' } }, manager.token),
        () => ask({}, agent.token),
      ),
  },
  'GET /api/webhooks/status': {
    sample: {},
    results: ['OK', 'ROLE_MISSING'],
    play: (ask, { agent, manager }) =>
      inSequence(
        () => ask({}, manager.token),
        () => ask({}, agent.token),
      ),
  },
  'POST /api/webhooks/replay': {
    sample: {},
    results: ['OK'],
    play: (ask, { manager }) => inSequence(() => ask({}, manager.token)),
  },
  'POST /api/webhooks/{id}/replay': {
    sample: { path: { id: noLead }, variables: { id: noLead } },
    results: ['NOT_FOUND', 'INVALID_INPUT'],
    play: (ask, { manager }) =>
      inSequence(
        () => ask({ path: { id: noLead }, variables: { id: noLead } }, manager.token),
        () => ask({ path: { id: 'no id' }, variables: { id: 'no id' } }, manager.token),
      ),
  },
  'GET /api/calls/settings': {
    sample: {},
    results: ['OK', 'OK', 'ROLE_MISSING'],
    play: (ask, { agent, manager, user }) =>
      inSequence(
        () => ask({}, agent.token),
        () => ask({}, manager.token),
        () => ask({}, user.token),
      ),
  },
  'GET /api/calls/missed': {
    sample: { query: { first: '5' }, variables: { first: 5 } },
    results: ['OK', 'OK', 'INVALID_INPUT'],
    play: (ask, { agent }) =>
      inSequence(
        () => ask({}, agent.token),
        () => ask({ query: { first: '5', waitingOnly: 'false' }, variables: { first: 5, waitingOnly: false } }, agent.token),
        () => ask({ query: { first: '500' }, variables: { first: 500 } }, agent.token),
      ),
  },
  'GET /api/calls/live-events': {
    sample: {},
    results: ['OK', 'ROLE_MISSING'],
    play: (ask, { agent, manager }) =>
      inSequence(
        () => ask({}, manager.token),
        () => ask({}, agent.token),
      ),
  },
  'POST /api/calls/dial': {
    sample: input({
      phoneNumber: '+919876543210',
      leadId: noLead,
      via: 'TELEPHONY',
      agentPhoneNumber: '+919845012345',
      idempotencyKey: 'sample',
      overrideClaim: false,
    }),
    results: ['OK', 'OK', 'WRONG_STATE', 'INVALID_INPUT', 'ROLE_MISSING'],
    play: (ask, { agent, user }) =>
      inSequence(
        () => ask(input({ phoneNumber: '98765 43210', via: 'TELEPHONY', idempotencyKey: 'one' }), agent.token),
        () => ask(input({ phoneNumber: '98765 43210', via: 'TELEPHONY', idempotencyKey: 'one' }), agent.token),
        () => ask(input({ phoneNumber: '98765 43210', via: 'TELEPHONY' }), agent.token),
        () => ask(input({ phoneNumber: '12' }), agent.token),
        () => ask(input({ phoneNumber: '98765 43210' }), user.token),
      ),
  },
  'POST /api/calls/{ucid}/control': {
    sample: {
      path: { ucid: '31736931600000003' },
      body: { action: 'HOLD', phoneNumber: '+919876543210' },
      variables: { input: { ucid: '31736931600000003', action: 'HOLD', phoneNumber: '+919876543210' } },
    },
    results: ['NOT_FOUND', 'ROLE_MISSING'],
    play: (ask, { agent, user }) =>
      inSequence(
        () => ask(control('31736931600999999', 'HOLD'), agent.token),
        () => ask(control('31736931600999999', 'HOLD'), user.token),
      ),
  },
  'POST /api/calls/{ucid}/transfer': {
    sample: outcome('31736931600000003', {
      phoneNumber: '+919845012345',
      providerAgentId: null,
      queue: null,
      holdCustomer: true,
      idempotencyKey: 'sample',
    }),
    results: ['NOT_FOUND', 'INVALID_INPUT', 'ROLE_MISSING'],
    play: (ask, { agent, user }) =>
      inSequence(
        () => ask(outcome('31736931600999999', { phoneNumber: '98450 12345' }), agent.token),
        () => ask(outcome('31736931600999999', { phoneNumber: '9'.repeat(41) }), agent.token),
        () => ask(outcome('31736931600999999', { phoneNumber: '98450 12345' }), user.token),
      ),
  },
  'POST /api/calls/{ucid}/transfer/complete': {
    sample: transferOf('31736931600000003'),
    results: ['NOT_FOUND', 'ROLE_MISSING'],
    play: (ask, { agent, user }) =>
      inSequence(
        () => ask(transferOf('31736931600999999'), agent.token),
        () => ask(transferOf('31736931600999999'), user.token),
      ),
  },
  'POST /api/calls/{ucid}/transfer/cancel': {
    sample: transferOf('31736931600000003'),
    results: ['NOT_FOUND', 'ROLE_MISSING'],
    play: (ask, { agent, user }) =>
      inSequence(
        () => ask(transferOf('31736931600999999'), agent.token),
        () => ask(transferOf('31736931600999999'), user.token),
      ),
  },
  'PUT /api/agents/me/state': {
    sample: input({ state: 'NOT_READY', reason: 'Lunch' }),
    results: ['OK', 'OK', 'INVALID_INPUT', 'ROLE_MISSING'],
    play: (ask, { agent, user }) =>
      inSequence(
        () => ask(input({ state: 'READY' }), agent.token),
        () => ask(input({ state: 'NOT_READY', reason: 'Lunch' }), agent.token),
        () => ask(input({ state: 'NOT_READY', reason: 'Boredom' }), agent.token),
        () => ask(input({ state: 'READY' }), user.token),
      ),
  },
  'PUT /api/calls/{ucid}/notes': {
    sample: {
      path: { ucid: '31736931600999999' },
      body: { notes: 'Asks for Dr. Rao', disposition: 'Call Back Later', callBackAt: '2025-01-16T09:00:00.000Z' },
      variables: {
        ucid: '31736931600999999',
        notes: 'Asks for Dr. Rao',
        disposition: 'Call Back Later',
        callBackAt: '2025-01-16T09:00:00.000Z',
      },
    },
    results: ['NOT_FOUND', 'INVALID_INPUT', 'ROLE_MISSING'],
    play: (ask, { agent, user }) => {
      const save = (notes: string): Asked => ({
        path: { ucid: '31736931600999999' },
        body: { notes },
        variables: { ucid: '31736931600999999', notes },
      })
      return inSequence(
        () => ask(save('Asks for Dr. Rao'), agent.token),
        () => ask(save('a'.repeat(8_001)), agent.token),
        () => ask(save(''), user.token),
      )
    },
  },
  'PUT /api/agents/{agentId}/state': {
    sample: orderOf(noLead, { state: 'NOT_READY', reason: 'Lunch' }, 'Time for lunch'),
    results: ['OK', 'INVALID_INPUT', 'INVALID_INPUT', 'NOT_FOUND'],
    play: (ask, { agent: { agentId }, manager }) =>
      inSequence(
        () => ask(orderOf(agentId ?? '', { state: 'NOT_READY', reason: 'Lunch' }, 'Time for lunch'), manager.token),
        () => ask(orderOf(agentId ?? '', { state: 'NOT_READY', reason: 'Boredom' }, null), manager.token),
        () => ask(orderOf(agentId ?? '', { state: 'READY' }, ' '), manager.token),
        () => ask(orderOf(noLead, { state: 'READY' }, null), manager.token),
      ),
  },
  'GET /api/agents/me/notices': {
    sample: {},
    results: ['OK', 'OK', 'ROLE_MISSING'],
    play: async (ask, world) => {
      await leaveOneNotice(world)
      return inSequence(
        () => ask({}, world.agent.token),
        () => ask({}, world.manager.token),
        () => ask({}, world.user.token),
      )
    },
  },
  'POST /api/agents/me/notices/confirm': {
    sample: { body: { ids: [noLead] }, variables: { ids: [noLead] } },
    results: ['OK', 'INVALID_INPUT', 'ROLE_MISSING'],
    play: async (ask, world) => {
      await leaveOneNotice(world)
      return inSequence(
        () => ask({ body: { ids: [noLead] }, variables: { ids: [noLead] } }, world.agent.token),
        () => ask({ body: { ids: ['all'] }, variables: { ids: ['all'] } }, world.agent.token),
        () => ask({ body: { ids: [] }, variables: { ids: [] } }, world.user.token),
      )
    },
  },
  'GET /api/calls/callback-keys': {
    sample: {},
    results: ['OK'],
    play: (ask, { manager }) => inSequence(() => ask({}, manager.token)),
  },
  'POST /api/calls/callback-keys': {
    sample: { body: { provider: 'ozonetel' }, variables: { provider: 'ozonetel' } },
    results: ['OK', 'INVALID_INPUT'],
    play: (ask, { manager }) =>
      inSequence(
        () => ask({ body: { provider: 'ozonetel' }, variables: { provider: 'ozonetel' } }, manager.token),
        () => ask({ body: { provider: 'nobody' }, variables: { provider: 'nobody' } }, manager.token),
      ),
  },
  'POST /api/calls/{ucid}/disposition': {
    sample: outcome('31736931600000003', {
      disposition: 'Complaint',
      notes: 'n',
      leadId: '3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64',
      callBackAt: '2025-01-16T09:00:00.000Z',
      supersedes: '3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64',
      next: { state: 'READY' },
      automatic: true,
    }),
    results: ['OK', 'OK', 'NOT_FOUND', 'INVALID_INPUT', 'NOT_YOURS', 'ROLE_MISSING'],
    play: (ask, { app, agent, user }) => {
      const { ucid } = app.standIns.telephony.inboundCall({ from: '+919876543210', agentId: 'agent1' })
      const undisposed = app.standIns.telephony.inboundCall({ from: '+919876543210', agentId: 'agent1' })
      return inSequence(
        () =>
          ask(outcome(ucid, { disposition: 'Call Back Later', notes: 'Tomorrow', callBackAt: '2025-01-16T15:00:00+05:30' }), agent.token),
        () => ask(outcome(ucid, { disposition: 'Complaint' }), agent.token),
        () => ask(outcome('31736931600999999', { disposition: 'Complaint' }), agent.token),
        () => ask(outcome(ucid, { disposition: 'Complaint', leadId: '3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64' }), agent.token),
        () => ask(outcome(ucid, { disposition: 'Complaint' }), user.token),
        () => ask(outcome(undisposed.ucid, { disposition: 'Complaint' }), user.token),
      )
    },
  },
}
