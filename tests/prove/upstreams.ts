import { z } from 'zod'
import type { Answer } from './stage/client.ts'
import { proveParts } from './stage/report.ts'
import type { Desk } from './upstreams/desk.ts'
import { proveHealth } from './upstreams/health.ts'
import { type Party, proveParty } from './upstreams/party.ts'
import { proveSpeech } from './upstreams/speech.ts'

const isOk = ({ status }: Answer): boolean => status === 200
// Needs only the store.
const heartbeat = (desk: Desk) => desk.ask('/auth/heartbeat', { body: {} })
const leads = (desk: Desk) => desk.ask('/graphql', { body: { query: '{ leads(first: 1) { edges { node { id } } } }' } })
const own = (desk: Desk) => desk.ask('/graphql', { body: { query: '{ me { role } }' } })

const enrichmentSchema = z.object({ enrichment: z.object({ available: z.boolean() }) })
/** One for each round, because an answer of the model is cached. */
const knownNumbers = ['+919876543210', '+919812345670', '+919945012345']

const parties: Readonly<Record<'platform' | 'telephony' | 'outbound' | 'models', Party>> = {
  platform: {
    name: 'platform',
    standIn: 'platform',
    members: ['agent1'],
    send: leads,
    isGood: isOk,
    refusedWith: [502, 503],
    others: { heartbeats: heartbeat, 'queries of the service itself': own },
  },
  telephony: {
    name: 'telephony',
    standIn: 'telephony',
    members: ['agent1'],
    send: (desk) => desk.ask('/api/agents/me/state', { method: 'PUT', body: { state: 'READY' } }),
    isGood: isOk,
    refusedWith: [502, 503],
    others: { heartbeats: heartbeat, 'forwarded queries of leads': leads },
  },
  outbound: {
    name: 'outbound',
    standIn: 'outbound',
    // An agent with a call cannot dial.
    repeats: false,
    agents: 8,
    members: [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `load${number}`),
    // One call at a time for each agent: those of other rounds are busy.
    send: (desk, round, index) => {
      const body = { phoneNumber: `+9198450${20_000 + index}`, via: 'OUTBOUND', agentPhoneNumber: '98450 12345' }
      return desk.ask('/api/calls/dial', { body, as: index === 0 ? round : 3 + (index % 5) })
    },
    isGood: isOk,
    refusedWith: [409, 502, 503],
    others: { heartbeats: heartbeat, 'forwarded queries of leads': leads },
  },
  models: {
    name: 'language-model',
    standIn: 'models',
    members: ['agent1'],
    // The agent gets the caller without the model's summary.
    send: (desk, round) => desk.ask('/api/calls/lookup', { body: { phoneNumber: knownNumbers[round] } }),
    isGood: ({ body }) => enrichmentSchema.safeParse(body).data?.enrichment.available === true,
    refusedWith: [200],
    others: { heartbeats: heartbeat, 'forwarded queries of leads': leads },
  },
}

// `npm run prove:upstreams`, or `-- platform speech` for some of them.
await proveParts('Upstreams that fail or stall', {
  health: proveHealth,
  platform: () => proveParty(parties.platform),
  telephony: () => proveParty(parties.telephony),
  outbound: () => proveParty(parties.outbound),
  models: () => proveParty(parties.models),
  speech: proveSpeech,
})
