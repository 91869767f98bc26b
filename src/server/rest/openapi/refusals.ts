import { AppError, type ErrorReason } from '../../../kernel/errors.ts'
import { statusOf } from '../../http/problem.ts'
import type { BoundRow } from '../bound-row.ts'
import type { JsonSchema } from './json-schema.ts'

export type Answer = { readonly description: string; readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }

const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }

/** The errors of a row by status: those that its input and its role bring, those that the row names, and the rest. */
export function refusalsOf({ bound, refusals }: BoundRow, { needsRole }: { needsRole: boolean }): Readonly<Record<string, Answer>> {
  const reasons: readonly ErrorReason[] = [
    ...(bound.length > 0 ? (['INVALID_INPUT'] as const) : []),
    ...(needsRole ? (['TOKEN_MISSING', 'TOKEN_REFUSED', 'ROLE_MISSING'] as const) : []),
    ...refusals,
  ]
  const byStatus = Map.groupBy([...new Set(reasons)], (reason) => String(statusOf[new AppError(reason).code]))
  return {
    ...Object.fromEntries([...byStatus].map(([status, group]) => [status, { description: group.map(inWords).join('\n'), content }])),
    default: { description: 'Anything else that went wrong', content },
  }
}

function inWords(reason: ErrorReason): string {
  return `\`${reason}\`: ${new AppError(reason).title}`
}

export const problemSchema: JsonSchema = {
  type: 'object',
  description: 'An error (RFC 9457), with the members that GraphQL errors have in their extensions.',
  properties: {
    type: { type: 'string', examples: ['about:blank'] },
    title: { type: 'string', description: 'Always the same for one reason.' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'This case in words.' },
    code: { type: 'string', enum: Object.keys(statusOf), description: 'What kind of error it is; the status follows from it.' },
    reason: { type: 'string', description: 'Finer than the code.' },
    retryable: { type: 'boolean', description: 'Whether the same request may succeed later.' },
    requestId: { type: 'string', description: 'Stands in the log too, and in the header `x-request-id`.' },
    data: {
      type: 'object',
      description: 'What belongs to the reason, such as the address and the moment of a session that stands in the way.',
      properties: {
        fields: {
          type: 'array',
          description: 'The fields of the input that are not as they must be.',
          items: {
            type: 'object',
            properties: { path: { type: 'string' }, message: { type: 'string' }, allowed: { type: 'array', items: { type: 'string' } } },
            required: ['path', 'message'],
          },
        },
        retryAfterSeconds: { type: 'number', description: 'As the header `Retry-After`.' },
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'reason', 'retryable', 'requestId'],
}
