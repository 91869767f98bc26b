import { mutation, query } from '../row.ts'

export const scorecardRows = [
  query('scorecards', {
    method: 'GET',
    path: '/api/scorecards',
    arguments: {
      from: 'query.from',
      to: 'query.to',
      agentId: 'query.agentId',
      correctedOnly: 'query.correctedOnly',
      first: 'query.first',
      after: 'query.after',
    },
    summary: 'Scorecards of the workspace, newest call first',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  query('scorecardAgreement', {
    method: 'GET',
    path: '/api/scorecards/agreement',
    arguments: { from: 'query.from', to: 'query.to', agentId: 'query.agentId' },
    summary: 'How often managers and the language model came to the same verdict',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  query('scorecard', {
    method: 'GET',
    path: '/api/scorecards/{callId}',
    arguments: { callId: 'path.callId' },
    summary: 'The scorecard of a call',
    refusals: ['NOT_FOUND', 'NOT_YOURS', 'STORE_UNAVAILABLE'],
  }),
  mutation('correctScorecard', {
    method: 'PUT',
    path: '/api/scorecards/{callId}/corrections/{criterion}',
    arguments: {
      'input.callId': 'path.callId',
      'input.criterion': 'path.criterion',
      'input.verdict': 'body.verdict',
      'input.reason': 'body.reason',
      'input.version': 'body.version',
    },
    summary: "A manager's verdict on a criterion of a call, beside the language model's; null withdraws it",
    refusals: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'STORE_UNAVAILABLE'],
  }),
]
