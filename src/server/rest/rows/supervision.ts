import { query } from '../row.ts'

export const supervisionRows = [
  query('supervision', {
    method: 'GET',
    path: '/api/supervisor/overview',
    summary: "Who is there, what goes on, what today came to, who waits for a call, doctors' free slots",
    refusals: ['STORE_UNAVAILABLE'],
  }),
]
