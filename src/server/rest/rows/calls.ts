import { mutation, query } from '../row.ts'

export const callRows = [
  query('callLookup', {
    method: 'POST',
    path: '/api/calls/lookup',
    arguments: { phoneNumber: 'body.phoneNumber', ucid: 'body.ucid' },
    onRequest: { enrichment: 'query.enrich' },
    summary: 'The screen pop, by a number or a call: the lead, its last calls, what is open; `?enrich=true` asks a model too',
    refusals: ['NOT_FOUND', 'NOT_YOURS', 'PROVIDER_UNAVAILABLE'],
  }),
  query('currentCall', {
    method: 'GET',
    path: '/api/calls/current',
    onRequest: { enrichment: 'query.enrich' },
    summary: 'The call at hand, or the last screen pop again, after a reload',
    refusals: ['PROVIDER_UNAVAILABLE'],
  }),
  query('missedCalls', {
    method: 'GET',
    path: '/api/calls/missed',
    arguments: { first: 'query.first', waitingOnly: 'query.waitingOnly' },
    summary: 'Inbound calls that nobody took, and whether the caller was called back',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  mutation('dial', {
    method: 'POST',
    path: '/api/calls/dial',
    arguments: { input: 'body' },
    summary: 'Ring the agent, then a number; one call per idempotency key',
    refusals: ['SESSION_GONE', 'WRONG_STATE', 'NOT_CONFIGURED', 'PROVIDER_REFUSED', 'PROVIDER_UNAVAILABLE', 'DEADLINE_PASSED'],
  }),
  mutation('controlCall', {
    method: 'POST',
    path: '/api/calls/{ucid}/control',
    arguments: { input: 'body', 'input.ucid': 'path.ucid' },
    summary: 'Hold, mute, confer, kick, hang up, pause the recording',
    refusals: ['NOT_FOUND', 'NOT_YOURS', 'WRONG_STATE', 'NOT_CONFIGURED', 'PROVIDER_REFUSED', 'PROVIDER_UNAVAILABLE'],
  }),
  mutation('submitDisposition', {
    method: 'POST',
    path: '/api/calls/{ucid}/disposition',
    arguments: { input: 'body', 'input.ucid': 'path.ucid' },
    summary: 'Record the outcome of a call',
    refusals: ['NOT_FOUND', 'NOT_YOURS', 'NOT_CONFIGURED', 'PROVIDER_REFUSED', 'PROVIDER_UNAVAILABLE'],
  }),
  mutation('setAgentState', {
    method: 'PUT',
    path: '/api/agents/me/state',
    arguments: { input: 'body' },
    summary: 'Be ready for calls, or not, and why',
    refusals: ['SESSION_GONE', 'WRONG_STATE', 'NOT_CONFIGURED', 'PROVIDER_REFUSED', 'PROVIDER_UNAVAILABLE'],
  }),
  query('callbackKeys', {
    method: 'GET',
    path: '/api/calls/callback-keys',
    summary: 'When the keys of the callback addresses were made',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  mutation('rotateCallbackKey', {
    method: 'POST',
    path: '/api/calls/callback-keys',
    arguments: { provider: 'body.provider' },
    summary: "A new address for a telephony provider's callbacks, shown this once",
    refusals: ['STORE_UNAVAILABLE'],
  }),
]
