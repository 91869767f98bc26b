import { CallLookupDocument, SubmitDispositionDocument } from '../generated.ts'
import { row } from '../row.ts'

export const callRows = [
  row(CallLookupDocument, {
    method: 'POST',
    path: '/api/calls/lookup',
    arguments: { phoneNumber: 'body.phoneNumber' },
    summary: 'Who calls: the lead behind a number, and its last calls',
    refusals: ['PROVIDER_UNAVAILABLE'],
  }),
  row(SubmitDispositionDocument, {
    method: 'POST',
    path: '/api/calls/{ucid}/disposition',
    arguments: { input: 'body', 'input.ucid': 'path.ucid' },
    summary: 'Record the outcome of a call',
    refusals: ['NOT_FOUND', 'NOT_CONFIGURED', 'PROVIDER_REFUSED', 'PROVIDER_UNAVAILABLE'],
  }),
]
