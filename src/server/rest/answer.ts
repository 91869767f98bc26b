import type { ExecutionResult, GraphQLError } from 'graphql'
import { AppError, type ErrorData, type FieldFault, isErrorReason } from '../../kernel/errors.ts'
import { isObject } from './input-errors.ts'
import { type BoundArgument, wholeBody } from './bound-argument.ts'
import type { BoundRow } from './bound-row.ts'
import { inWords } from './variables.ts'

export type Outcome = { readonly error: AppError } | { readonly error: null; readonly answer: unknown }

/** What an operation came to: its root field's value, or the first of its errors, in the words of the request. */
export function outcomeOf({ rootField, bound }: BoundRow, result: unknown): Outcome {
  if (!isResult(result)) throw new TypeError('An operation gave no result')
  const [error] = result.errors ?? []
  if (error) return { error: inRequestWords(fromShown(error), bound) }
  return { error: null, answer: result.data?.[rootField] }
}

function isResult(value: unknown): value is ExecutionResult {
  return isObject(value) && ('data' in value || 'errors' in value)
}

/** The error that the pipeline has given its client's form, as an AppError again. */
function fromShown({ message, extensions }: GraphQLError): AppError {
  const { reason, data } = extensions
  return new AppError(isErrorReason(reason) ? reason : 'UNKNOWN', isObject(data) ? { detail: message, data } : { detail: message })
}

/** Use cases name fields as GraphQL has them (`input.notes`); a REST client knows them by their place in its request (`notes`). */
function inRequestWords(error: AppError, all: readonly BoundArgument[]): AppError {
  const fields = error.data?.fields
  if (!fields) return error
  const renamed = fields.map((field): FieldFault => ({ ...field, path: requestPath(field.path, all) }))
  const data: ErrorData = { ...error.data, fields: renamed }
  return new AppError(error.reason, { detail: error.message === inWords(fields) ? inWords(renamed) : error.message, data })
}

function requestPath(path: string, all: readonly BoundArgument[]): string {
  for (const { variable, field, from } of all.toReversed()) {
    const target = field === null ? variable : `${variable}.${field}`
    if (path === target) return from.name === wholeBody ? 'body' : from.name
    if (path.startsWith(`${target}.`)) return [from.name, path.slice(target.length + 1)].filter((part) => part !== wholeBody).join('.')
  }
  return path
}
