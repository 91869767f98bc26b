import { DeadLettersDocument, ReplayDeadLetterDocument, ReplayDeadLettersDocument } from '../generated.ts'
import { row } from '../row.ts'

export const eventRows = [
  row(DeadLettersDocument, {
    method: 'GET',
    path: '/api/events/dead',
    arguments: { first: 'query.first', after: 'query.after' },
    summary: 'Events that a consumer gave up, newest first',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  row(ReplayDeadLettersDocument, {
    method: 'POST',
    path: '/api/events/dead/replay',
    summary: 'Hand every dead letter to its consumer again',
    refusals: ['STORE_UNAVAILABLE', 'PROVIDER_UNAVAILABLE'],
  }),
  row(ReplayDeadLetterDocument, {
    method: 'POST',
    path: '/api/events/dead/{id}/replay',
    arguments: { id: 'path.id' },
    summary: 'Hand one dead letter to its consumer again',
    refusals: ['NOT_FOUND', 'STORE_UNAVAILABLE', 'PROVIDER_UNAVAILABLE'],
  }),
]
