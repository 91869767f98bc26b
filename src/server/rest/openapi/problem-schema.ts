import { statusOf } from '../../http/problem.ts'
import { withExample } from './examples.ts'
import type { JsonSchema } from './json-schema.ts'

const moment: JsonSchema = { type: 'string', format: 'date-time' }

const fault = objectOf({
  title: 'FieldFault',
  required: ['path', 'message'],
  properties: {
    path: { type: 'string', description: 'The field as the request has it; parts of objects and lists follow a dot.' },
    message: { type: 'string', description: 'What is allowed.' },
    allowed: { type: 'array', items: { type: 'string' }, description: 'The allowed values, if there are only a few.' },
  },
})

const claimant = objectOf({
  title: 'Claimant',
  required: ['agentId', 'name'],
  properties: {
    agentId: { type: 'string', description: 'ID of the agent record (UUID).' },
    name: { type: 'string', description: "The agent's name." },
  },
})

const data = objectOf({
  title: 'ProblemData',
  description: 'Facts about the error. Which ones there are depends on the reason; further ones may be added.',
  properties: {
    fields: { type: 'array', description: 'With INVALID_INPUT: the invalid fields of the input.', items: fault },
    retryAfterSeconds: { type: 'number', description: 'Seconds to wait before the next request, as in the header `Retry-After`.' },
    ip: { type: 'string', description: 'With SESSION_LOCKED: the IP address from which the agent is signed in.' },
    lockedAt: {
      ...moment,
      description: 'With SESSION_LOCKED and SESSION_TAKEN_OVER: when that session was started.',
    },
    own: { type: 'boolean', description: 'With SESSION_LOCKED: whether the session is your own, so that you can take it over.' },
    claimedBy: { ...claimant, description: 'With ALREADY_CLAIMED: who has claimed the person.' },
    until: { ...moment, description: 'With ALREADY_CLAIMED: when the claim ends.' },
  },
})

/** One code is of GraphQL alone: its answers have the status 200. */
const codes = Object.entries(statusOf).flatMap(([code, status]) => (status < 400 ? [] : code))

/** An error answer of every path. */
export const problemSchema: JsonSchema = objectOf({
  title: 'Problem',
  description: 'An error (RFC 9457). The additional members are those that GraphQL errors have in `extensions`.',
  required: ['type', 'title', 'status', 'detail', 'code', 'reason', 'retryable', 'requestId'],
  properties: {
    type: { type: 'string', examples: ['about:blank'] },
    title: { type: 'string', description: 'A short text that is the same for all errors with this reason.' },
    status: { type: 'integer', description: 'The status of the answer.' },
    detail: { type: 'string', description: 'What is wrong, and what is allowed or what to do.' },
    code: { type: 'string', enum: codes, description: 'The kind of error. It decides the status.' },
    reason: { type: 'string', description: 'A more precise kind than `code`. New ones may be added.' },
    retryable: { type: 'boolean', description: 'True if the same request may succeed later.' },
    requestId: { type: 'string', description: 'Also in the log and in the header `x-request-id`.' },
    data,
  },
})

type Parts = Required<Pick<JsonSchema, 'title' | 'properties'>> & Pick<JsonSchema, 'description' | 'required'>

function objectOf({ title, properties, ...rest }: Parts): JsonSchema {
  const exemplified = Object.entries(properties).map(([name, schema]): [string, JsonSchema] => [name, withExample(schema, name, title)])
  return { title, type: 'object', ...rest, properties: Object.fromEntries(exemplified) }
}
