import type { OpenApiOperation } from './operation.ts'
import { refusalAnswers } from './refusals.ts'
import type { Parameter } from './request.ts'

const moment = { type: 'string', format: 'date-time', examples: ['2026-11-01T00:00:00.000Z'] } as const
const parameter = (name: string, schema: Parameter['schema'], description: string): Parameter => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
})

const exportScorecards: OpenApiOperation = {
  operationId: 'scorecardsCsv',
  tags: ['scorecards'],
  summary: 'Scorecards as a CSV file, a row for each criterion',
  description:
    'The list of `GET /api/scorecards` as a whole, as RFC 4180 with a line of names, in UTF-8 with a byte order mark; times are in UTC. A text that a spreadsheet would compute begins with an apostrophe. If reading fails later, the connection is closed before the end of the file. Each export is in the audit log. Requires the role MANAGER.',
  parameters: [
    parameter('from', moment, 'Calls that began at this moment or later.'),
    parameter('to', moment, 'Calls that began at this moment or earlier.'),
    parameter(
      'agentId',
      { type: 'string', format: 'uuid', examples: ['7c1d2b34-9e0f-4a56-8b7c-1d2e3f4a5b31'] },
      'Only calls of this agent: ID of the agent record.',
    ),
    parameter(
      'correctedOnly',
      { type: 'boolean', default: false },
      'Only scorecards with a correction, also those whose analysis has ended.',
    ),
  ],
  responses: {
    200: { description: 'The file', content: { 'text/csv': { schema: { type: 'string', examples: ['callId,agentId,at'] } } } },
    ...refusalAnswers(['INVALID_INPUT', 'TOKEN_MISSING', 'TOKEN_REFUSED', 'ROLE_MISSING', 'STORE_UNAVAILABLE']),
  },
}

export const scorecardsCsvPaths = { '/api/scorecards.csv': { get: exportScorecards } }
