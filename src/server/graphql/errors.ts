import { GraphQLError, type GraphQLErrorExtensions, type GraphQLFormattedError } from 'graphql'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { toAppError } from '../http/problem.ts'
import { publicMessage } from './public-message.ts'

export type ErrorScope = { readonly requestId: string; readonly log: Log }

/**
 * The error as a client sees it: `extensions` are `{ code, reason, retryable, requestId, data }`. An AppError is shown as it is, an error of
 * the document or its variables is BAD_USER_INPUT, everything else is masked. Unknown errors and failures of a provider are logged here, once.
 */
export function shownError(error: GraphQLError, scope: ErrorScope): GraphQLError {
  if (typeof error.extensions['requestId'] === 'string') return error
  const app = appErrorBehind(error) ?? inputError(error) ?? toAppError(error.originalError ?? error)
  if (app.reason === 'UNKNOWN' && !isAbort(error.originalError)) {
    scope.log.error({ err: error.originalError ?? error, path: error.path }, 'graphql.unknown-error')
  }
  logProviderFailure(app, scope)
  return new GraphQLError(app.message, {
    ...(error.nodes && { nodes: error.nodes.slice(0, maxLocations) }),
    ...(error.source && { source: error.source }),
    ...(error.positions && !error.nodes && { positions: error.positions }),
    ...(error.path && { path: error.path }),
    extensions: { ...extensionsOf(app, scope.requestId), ...httpOf(error.extensions) },
  })
}

/** One name may be used wrongly in a thousand places. */
const maxLocations = 5

const logged = new WeakSet<AppError>()
const failureCodes: ReadonlySet<string> = new Set(['UPSTREAM_FAILED', 'UPSTREAM_UNAVAILABLE', 'TIMEOUT'])

/** Logs the failure of the platform or another provider, once for each error, however many fields and requests meet it. */
export function logProviderFailure(error: AppError, { log }: Pick<ErrorScope, 'log'>): void {
  // A paused upstream is logged when it is paused, not for each request.
  if (!failureCodes.has(error.code) || logged.has(error) || error.data?.['party'] !== undefined) return
  logged.add(error)
  log.warn({ reason: error.reason }, 'provider.request-failed')
}

/** An AppError as the only error of an answer, for requests that fail before a document is executed. */
export function formattedError(error: AppError, requestId: string): GraphQLFormattedError {
  return { message: error.message, extensions: extensionsOf(error, requestId) }
}

function extensionsOf(error: AppError, requestId: string): GraphQLErrorExtensions {
  const { code, reason, retryable, data } = error
  return data === undefined ? { code, reason, retryable, requestId } : { code, reason, retryable, requestId, data }
}

/** Yoga puts the status of a malformed request there and removes it from the response. We never set it. */
function httpOf(extensions: GraphQLErrorExtensions): GraphQLErrorExtensions {
  return extensions['http'] ? { http: extensions['http'] } : {}
}

function appErrorBehind(error: Error): AppError | null {
  if (error instanceof AppError) return error
  return error instanceof GraphQLError && error.originalError ? appErrorBehind(error.originalError) : null
}

/** Errors of the graphql package about a document: syntax and validation. They have no original error. */
function inputError(error: GraphQLError): AppError | null {
  const { originalError } = error
  if (originalError && !(originalError instanceof GraphQLError)) return null
  return new AppError('INVALID_INPUT', { detail: publicMessage(error.message) })
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
