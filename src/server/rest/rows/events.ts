import { mutation, query } from '../row.ts'

export const eventRows = [
  query('deadLetters', {
    method: 'GET',
    path: '/api/events/dead',
    arguments: { first: 'query.first', after: 'query.after' },
    listName: 'deadLetters',
    summary: 'Events that a consumer could not process, newest first',
    refusals: ['STORE_UNAVAILABLE'],
  }),
  mutation('replayDeadLetters', {
    method: 'POST',
    path: '/api/events/dead/replay',
    summary: 'Send all dead letters to their consumers again',
    refusals: ['STORE_UNAVAILABLE', 'PROVIDER_UNAVAILABLE'],
  }),
  mutation('replayDeadLetter', {
    method: 'POST',
    path: '/api/events/dead/{id}/replay',
    arguments: { id: 'path.id' },
    summary: 'Send one dead letter to its consumer again',
    refusals: ['NOT_FOUND', 'STORE_UNAVAILABLE', 'PROVIDER_UNAVAILABLE'],
  }),
]
