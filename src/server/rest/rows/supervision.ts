import { query } from '../row.ts'

export const supervisionRows = [
  query('supervision', {
    method: 'GET',
    path: '/api/supervisor/overview',
    summary: 'Signed-in agents, current calls, figures of today, callers who wait for a callback, free visit slots',
    refusals: ['STORE_UNAVAILABLE'],
  }),
]
