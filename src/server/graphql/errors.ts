import { GraphQLError, type GraphQLErrorExtensions, type GraphQLFormattedError } from 'graphql'
import { AppError, type FieldFault } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { toAppError } from '../http/problem.ts'

export type ErrorScope = { readonly requestId: string; readonly log: Log }

/**
 * What a client sees of an error of ours: `extensions` are `{ code, reason, retryable, requestId, data }`. An AppError is shown as it is;
 * a fault of the document or its variables is BAD_USER_INPUT; everything else is masked. What is unknown, or the fault of a provider, is
 * logged here, once.
 */
export function shownError(error: GraphQLError, scope: ErrorScope): GraphQLError {
  if (typeof error.extensions['requestId'] === 'string') return error
  const app = appErrorBehind(error) ?? inputFault(error) ?? toAppError(error.originalError ?? error)
  if (app.reason === 'UNKNOWN' && !isAbort(error.originalError)) {
    scope.log.error({ err: error.originalError ?? error, path: error.path }, 'an unknown error was masked')
  }
  logProviderFault(app, scope)
  return new GraphQLError(app.message, {
    ...(error.nodes && { nodes: error.nodes }),
    ...(error.source && { source: error.source }),
    ...(error.positions && !error.nodes && { positions: error.positions }),
    ...(error.path && { path: error.path }),
    extensions: { ...extensionsOf(app, scope.requestId), ...httpOf(error.extensions) },
  })
}

const logged = new WeakSet<AppError>()
const faultCodes: ReadonlySet<string> = new Set(['UPSTREAM_FAILED', 'UPSTREAM_UNAVAILABLE', 'TIMEOUT'])

/** Says once of an error, however many fields and requests meet it, that the platform or another provider is at fault. */
export function logProviderFault(error: AppError, { log }: Pick<ErrorScope, 'log'>): void {
  if (!faultCodes.has(error.code) || logged.has(error)) return
  logged.add(error)
  log.warn({ reason: error.reason }, 'a provider did not answer as it should')
}

/** An AppError as the one error of an answer, for what fails before a document is executed. */
export function formattedError(error: AppError, requestId: string): GraphQLFormattedError {
  return { message: error.message, extensions: extensionsOf(error, requestId) }
}

function extensionsOf(error: AppError, requestId: string): GraphQLErrorExtensions {
  const { code, reason, retryable, data } = error
  return data === undefined ? { code, reason, retryable, requestId } : { code, reason, retryable, requestId, data }
}

/** Yoga says there with which status a malformed request is answered, and takes it out again; nothing of ours sets it. */
function httpOf(extensions: GraphQLErrorExtensions): GraphQLErrorExtensions {
  return extensions['http'] ? { http: extensions['http'] } : {}
}

function appErrorBehind(error: Error): AppError | null {
  if (error instanceof AppError) return error
  return error instanceof GraphQLError && error.originalError ? appErrorBehind(error.originalError) : null
}

/** Errors that graphql itself raises for a document: syntax, validation, variables. They have no other error behind them. */
function inputFault(error: GraphQLError): AppError | null {
  const { originalError } = error
  if (originalError && !(originalError instanceof GraphQLError)) return null
  const field = fieldFault(error.message)
  if (field) return new AppError('INVALID_INPUT', { detail: `${field.path}: ${field.message}`, data: { fields: [field] } })
  return new AppError('INVALID_INPUT', { detail: plainWords(error.message) })
}

const coercion = /^Variable "\$(\w+)" (?:got invalid value .*?(?: at "([^"]+)")?; (.+)|of (?:required|non-null) type "[^"]+" (.+))$/s

/** The field that a coercion error names, without the value that was sent: it may be a secret. */
function fieldFault(message: string): FieldFault | null {
  const found = coercion.exec(message)
  if (!found) return null
  const [, variable = '', path, invalid, missing] = found
  return { path: path ?? variable, message: plainWords(invalid ?? missing ?? message) }
}

/** "Did you mean ..." tells names of the schema to those who guess; a value that "cannot be represented" may be a secret. */
function plainWords(message: string): string {
  return message.replaceAll(/ ?Did you mean .+?\?/gs, '').replace(/(cannot represent (?:an? )?[\w -]*?)(?: value)?: .*$/s, '$1')
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
