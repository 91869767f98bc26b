import type { OpenApiOperation } from './operation.ts'
import type { Parameter } from './request.ts'
import { refusalAnswers } from './refusals.ts'

const text = (example: string) => ({ type: 'string', minLength: 1, maxLength: 200, examples: [example] }) as const
const uuid = { type: 'string', format: 'uuid', examples: ['5f0c6f0e-6a1c-4b7e-9a53-2f7f1f0f7a11'] } as const
const day = { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\d$`, examples: ['2026-11-21'] } as const
const parameter = (name: string, schema: Parameter['schema'], description: string): Parameter => ({
  name,
  in: 'query',
  required: name === 'from' || name === 'to',
  description,
  schema,
})

const exportCalls: OpenApiOperation = {
  operationId: 'historyCallsCsv',
  tags: ['history'],
  summary: 'Call records as a CSV file, newest first, streamed row by row',
  description:
    'All calls of a range that match, as RFC 4180 with a line of names, in UTF-8 with a byte order mark. Times are those of the clinic, with the offset. A text that a spreadsheet would compute begins with an apostrophe. If reading fails after the first page, the connection is closed before the end of the file. Each export is in the audit log. Requires the role MANAGER.',
  parameters: [
    parameter('from', day, "The first day, in the clinic's time zone."),
    parameter('to', day, 'The last day, at most 366 days in all.'),
    parameter('agentId', uuid, 'Only calls of this agent: ID of the agent record.'),
    parameter('campaignName', text('Outpatients'), 'Only calls of this campaign of the provider.'),
    parameter('direction', { type: 'string', enum: ['INBOUND', 'OUTBOUND'] }, 'Only calls in this direction.'),
    parameter('status', { type: 'string', enum: ['RINGING', 'ANSWERED', 'COMPLETED', 'MISSED'] }, 'Only calls that are or ended so.'),
    parameter('disposition', text('Appointment booked'), 'Only calls with this outcome code.'),
    parameter(
      'phoneNumber',
      { ...text('+919876543210'), maxLength: 40 },
      'Only calls with this number, or with these digits if they are no valid number.',
    ),
  ],
  responses: {
    200: {
      description: 'The file',
      content: {
        'text/csv': {
          schema: { type: 'string', examples: ['startedAt,agentName,status\r\n2026-11-22T15:00:00+05:30,Asha Rao,COMPLETED\r\n'] },
        },
      },
    },
    ...refusalAnswers([
      'INVALID_INPUT',
      'TOKEN_MISSING',
      'TOKEN_REFUSED',
      'ROLE_MISSING',
      'PROVIDER_REFUSED',
      'PROVIDER_UNAVAILABLE',
      'STORE_UNAVAILABLE',
    ]),
  },
}

export const csvPaths = { '/api/history/calls.csv': { get: exportCalls } }
