import { AppError, type ErrorReason } from '../../../kernel/errors.ts'
import { statusOf } from '../../http/problem.ts'
import type { BoundRow } from '../bound-row.ts'
import type { JsonSchema, SchemaOfBody } from './json-schema.ts'

export type Answer = { readonly description: string; readonly content: Readonly<Record<string, { readonly schema: SchemaOfBody }>> }

const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }

/** The errors of a row by status: those of its input and its role, those that the row names, and any other. */
export function refusalsOf({ bound, refusals }: BoundRow, { needsRole }: { needsRole: boolean }): Readonly<Record<string, Answer>> {
  const reasons: readonly ErrorReason[] = [
    ...(bound.length > 0 ? (['INVALID_INPUT'] as const) : []),
    ...(needsRole ? (['TOKEN_MISSING', 'TOKEN_REFUSED', 'ROLE_MISSING'] as const) : []),
    ...refusals,
  ]
  return refusalAnswers(reasons)
}

/** The errors by status, and any other. */
export function refusalAnswers(reasons: readonly ErrorReason[]): Readonly<Record<string, Answer>> {
  const byStatus = Map.groupBy([...new Set(reasons)], (reason) => String(statusOf[new AppError(reason).code]))
  return {
    ...Object.fromEntries([...byStatus].map(([status, group]) => [status, { description: group.map(lineOf).join('\n'), content }])),
    default: { description: 'Any other error', content },
  }
}

function lineOf(reason: ErrorReason): string {
  return `\`${reason}\`: ${new AppError(reason).title}`
}

export const problemSchema: JsonSchema = {
  type: 'object',
  description: 'An error (RFC 9457). The additional members are those that GraphQL errors have in `extensions`.',
  properties: {
    type: { type: 'string', examples: ['about:blank'] },
    title: { type: 'string', description: 'A short text that is the same for all errors with this reason.' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What is wrong, and what is allowed or what to do.' },
    code: { type: 'string', enum: Object.keys(statusOf), description: 'The kind of error. It decides the status.' },
    reason: { type: 'string', description: 'A more precise kind than `code`.' },
    retryable: { type: 'boolean', description: 'True if the same request may succeed later.' },
    requestId: { type: 'string', description: 'Also in the log and in the header `x-request-id`.' },
    data: {
      type: 'object',
      description: 'Facts about the error, such as the IP address and the start of a session that prevents a sign-in.',
      properties: {
        fields: {
          type: 'array',
          description: 'The invalid fields of the input.',
          items: {
            type: 'object',
            properties: { path: { type: 'string' }, message: { type: 'string' }, allowed: { type: 'array', items: { type: 'string' } } },
            required: ['path', 'message'],
          },
        },
        retryAfterSeconds: { type: 'number', description: 'Seconds to wait before the next request, as in the header `Retry-After`.' },
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'reason', 'retryable', 'requestId'],
}
