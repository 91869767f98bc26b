import type { ExecutionResult, GraphQLError } from 'graphql'
import { AppError, type FieldFault, isErrorReason, withFields } from '../../kernel/errors.ts'
import { isObject } from '../graphql/input-faults.ts'
import { type BoundArgument, wholeBody } from './bound-argument.ts'
import type { BoundRow } from './bound-row.ts'

export type Outcome = { readonly error: AppError } | { readonly error: null; readonly answer: unknown }

/** The result of an operation: the value of its root field, or its first error with the field paths of the request. */
export function outcomeOf({ rootField, bound }: BoundRow, result: unknown): Outcome {
  if (!isResult(result)) throw new TypeError('The operation returned no result')
  const [error] = result.errors ?? []
  if (error) return { error: withRequestPaths(toAppError(error), bound) }
  return { error: null, answer: result.data?.[rootField] }
}

function isResult(value: unknown): value is ExecutionResult {
  return isObject(value) && ('data' in value || 'errors' in value)
}

/** Makes an AppError of an error that the GraphQL pipeline has formatted for clients. */
function toAppError({ message, extensions }: GraphQLError): AppError {
  const { reason, data } = extensions
  return new AppError(isErrorReason(reason) ? reason : 'UNKNOWN', isObject(data) ? { detail: message, data } : { detail: message })
}

/** Use cases name fields by their GraphQL path (`input.notes`). A REST client knows them by their place in the request (`notes`). */
function withRequestPaths(error: AppError, all: readonly BoundArgument[]): AppError {
  if (!error.data?.fields) return error
  return withFields(error, (field): FieldFault => ({ ...field, path: requestPath(field.path, all) }))
}

function requestPath(path: string, all: readonly BoundArgument[]): string {
  for (const { variable, field, from } of all.toReversed()) {
    const target = field === null ? variable : `${variable}.${field}`
    if (path === target) return from.name === wholeBody ? 'body' : from.name
    if (path.startsWith(`${target}.`)) return [from.name, path.slice(target.length + 1)].filter((part) => part !== wholeBody).join('.')
  }
  return path
}
