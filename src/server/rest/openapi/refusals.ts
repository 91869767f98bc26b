import { AppError, type ErrorReason } from '../../../kernel/errors.ts'
import { UnsupportedMediaType } from '../../http/json-body.ts'
import { statusOf } from '../../http/problem.ts'
import type { BoundRow } from '../bound-row.ts'
import type { SchemaOfBody } from './json-schema.ts'
import { exampleReference } from './problem-examples.ts'

export type Answer = {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: SchemaOfBody }>>
  readonly content: Readonly<Record<string, Content>>
}

type Content = { readonly schema: SchemaOfBody; readonly examples?: Readonly<Record<string, { readonly $ref: string }>> }

/** The error with an example of each reason. */
function contentOf(reasons: readonly ErrorReason[]): Answer['content'] {
  const examples = Object.fromEntries(reasons.map((reason) => [reason, exampleReference(reason)]))
  return { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, examples } }
}

/** The errors of a row by status: those of its input and its role, those that the row names, and any other. */
export function refusalsOf({ bound, method, refusals }: BoundRow, { needsRole }: { needsRole: boolean }): Readonly<Record<string, Answer>> {
  const readsBody = method !== 'GET'
  const reasons: readonly ErrorReason[] = [
    ...(bound.length > 0 || readsBody ? (['INVALID_INPUT'] as const) : []),
    ...(needsRole ? (['TOKEN_MISSING', 'TOKEN_REFUSED', 'ROLE_MISSING'] as const) : []),
    ...refusals,
  ]
  return { ...(readsBody ? bodyRefusals : {}), ...refusalAnswers(reasons) }
}

/** Of every operation that may have a body, besides 400. */
export const bodyRefusals: Readonly<Record<string, Answer>> = {
  413: { description: '`INVALID_INPUT`: The request body is too large', content: contentOf(['INVALID_INPUT']) },
  415: { description: `\`INVALID_INPUT\`: ${new UnsupportedMediaType().message}`, content: contentOf(['INVALID_INPUT']) },
}

/** The errors by status, and any other. */
export function refusalAnswers(reasons: readonly ErrorReason[]): Readonly<Record<string, Answer>> {
  const byStatus = Map.groupBy([...new Set(reasons)], (reason) => String(statusOf[new AppError(reason).code]))
  return {
    ...Object.fromEntries(
      [...byStatus].map(([status, group]) => [status, { description: group.map(lineOf).join('\n'), content: contentOf(group) }]),
    ),
    default: { description: 'Any other error', content: contentOf(['UNKNOWN']) },
  }
}

function lineOf(reason: ErrorReason): string {
  return `\`${reason}\`: ${new AppError(reason).title}`
}
