import { mutation, query } from '../row.ts'

export const alertRows = [
  query('alerts', {
    method: 'GET',
    path: '/api/alerts',
    arguments: { activeOnly: 'query.activeOnly', first: 'query.first', after: 'query.after' },
    summary: 'Alerts of the last 30 days, newest first',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  mutation('acknowledgeAlert', {
    method: 'POST',
    path: '/api/alerts/{id}/acknowledge',
    arguments: { id: 'path.id' },
    summary: 'Say that you have seen an alert',
    refusals: ['NOT_FOUND', 'STORE_UNAVAILABLE'],
  }),
]
