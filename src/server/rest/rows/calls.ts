import { mutation, query } from '../row.ts'

export const callRows = [
  query('callLookup', {
    method: 'POST',
    path: '/api/calls/lookup',
    ignoresUnknownFields: true,
    arguments: { phoneNumber: 'body.phoneNumber', ucid: 'body.ucid' },
    unless: { enrichment: 'query.enrich' },
    summary:
      'The screen pop for a phone number or a call: lead, last calls, open items, and what a language model says. `?enrich=false` leaves the model out',
    refusals: ['NOT_FOUND', 'NOT_YOURS', 'PROVIDER_UNAVAILABLE'],
  }),
  query('currentCall', {
    method: 'GET',
    path: '/api/calls/current',
    onRequest: { enrichment: 'query.enrich' },
    summary: 'The current call, or the last screen pop, for example after a reload of the page',
    refusals: ['PROVIDER_UNAVAILABLE'],
  }),
  query('callSettings', {
    method: 'GET',
    path: '/api/calls/settings',
    summary: 'The dispositions and not-ready reasons that an agent may choose, and what the telephony provider can do',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  query('missedCalls', {
    method: 'GET',
    path: '/api/calls/missed',
    arguments: { first: 'query.first', waitingOnly: 'query.waitingOnly' },
    summary: 'Inbound calls that nobody answered, and whether the caller was called back',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  mutation('dial', {
    method: 'POST',
    path: '/api/calls/dial',
    arguments: { input: 'body' },
    summary: 'Call the agent, then a number. One call per idempotency key',
    refusals: ['SESSION_GONE', 'WRONG_STATE', 'NOT_CONFIGURED', 'PROVIDER_REFUSED', 'PROVIDER_UNAVAILABLE', 'DEADLINE_PASSED'],
  }),
  mutation('controlCall', {
    method: 'POST',
    path: '/api/calls/{ucid}/control',
    arguments: { input: 'body', 'input.ucid': 'path.ucid' },
    summary: 'Hold, mute, add or remove a person, hang up, pause the recording',
    refusals: ['NOT_FOUND', 'NOT_YOURS', 'WRONG_STATE', 'NOT_SUPPORTED', 'NOT_CONFIGURED', 'PROVIDER_REFUSED', 'PROVIDER_UNAVAILABLE'],
  }),
  mutation('submitDisposition', {
    method: 'POST',
    path: '/api/calls/{ucid}/disposition',
    ignoresUnknownFields: true,
    arguments: { input: 'body', 'input.ucid': 'path.ucid' },
    summary: 'Record the outcome of a call',
    refusals: ['NOT_FOUND', 'NOT_YOURS', 'NOT_CONFIGURED', 'PROVIDER_REFUSED', 'PROVIDER_UNAVAILABLE'],
  }),
  mutation('setAgentState', {
    method: 'PUT',
    path: '/api/agents/me/state',
    arguments: { input: 'body' },
    summary: 'Become ready or not ready for calls',
    refusals: ['SESSION_GONE', 'WRONG_STATE', 'NOT_CONFIGURED', 'PROVIDER_REFUSED', 'PROVIDER_UNAVAILABLE'],
  }),
  query('webhookKeys', {
    method: 'GET',
    path: '/api/calls/callback-keys',
    summary: 'When the keys in the webhook addresses were made',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  mutation('rotateWebhookKey', {
    method: 'POST',
    path: '/api/calls/callback-keys',
    arguments: { provider: 'body.provider' },
    summary: 'A new webhook address for a telephony provider, shown only once',
    refusals: ['STORE_UNAVAILABLE'],
  }),
]
