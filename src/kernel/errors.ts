import { keysOf } from './typed-keys.ts'

/** All reasons why this service refuses a request or fails, each with its code for clients. */
const reasons = {
  TOKEN_MISSING: { code: 'UNAUTHENTICATED', title: 'Sign in first', retryable: false },
  TOKEN_REFUSED: { code: 'UNAUTHENTICATED', title: 'The token was refused; refresh it or sign in again', retryable: false },
  SIGN_IN_REFUSED: { code: 'UNAUTHENTICATED', title: 'E-mail or password is wrong', retryable: false },
  WIDGET_KEY_REFUSED: { code: 'UNAUTHENTICATED', title: 'The widget key is missing or not known', retryable: false },
  WEBHOOK_REFUSED: { code: 'UNAUTHENTICATED', title: 'The webhook is not of this account', retryable: false },
  ORIGIN_REFUSED: { code: 'FORBIDDEN', title: 'Pages of this site are not allowed here', retryable: false },
  ROLE_MISSING: { code: 'FORBIDDEN', title: 'Not allowed for this role', retryable: false },
  PLATFORM_REFUSED: { code: 'FORBIDDEN', title: 'The platform does not allow this', retryable: false },
  WORKSPACE_NOT_SERVED: { code: 'FORBIDDEN', title: 'This workspace is not served here', retryable: false },
  NOT_YOURS: { code: 'FORBIDDEN', title: 'This belongs to somebody else', retryable: false },
  INVALID_INPUT: { code: 'BAD_USER_INPUT', title: 'The input is not valid', retryable: false },
  // The words by which clients of persisted queries know that they must send the text.
  PERSISTED_QUERY_NOT_SUPPORTED: { code: 'PERSISTED_QUERY_NOT_SUPPORTED', title: 'PersistedQueryNotSupported', retryable: false },
  NOT_FOUND: { code: 'NOT_FOUND', title: 'Not found', retryable: false },
  SESSION_GONE: { code: 'NOT_FOUND', title: 'There is no agent session; sign in again', retryable: false },
  SESSION_LOCKED: { code: 'CONFLICT', title: 'The agent is already signed in', retryable: false },
  SESSION_TAKEN_OVER: { code: 'CONFLICT', title: 'Another device has taken over your agent session', retryable: false },
  SLOT_TAKEN: { code: 'CONFLICT', title: 'This time is taken', retryable: false },
  ALREADY_CLAIMED: { code: 'CONFLICT', title: 'Another agent has claimed this', retryable: false },
  CHANGED_MEANWHILE: { code: 'CONFLICT', title: 'Somebody else changed this in the meantime', retryable: false },
  WRONG_STATE: { code: 'CONFLICT', title: 'Not possible in the current state', retryable: false },
  TOO_MANY_TRIES: { code: 'RATE_LIMITED', title: 'Too many attempts; try again later', retryable: true },
  TOO_MANY_CONNECTIONS: { code: 'RATE_LIMITED', title: 'Too many connections', retryable: true },
  TOO_MANY_SEARCHES: { code: 'RATE_LIMITED', title: 'Too many searches at once', retryable: true },
  TOO_MANY_STREAMS: { code: 'RATE_LIMITED', title: 'Too many event streams', retryable: true },
  NOT_CONFIGURED: { code: 'NOT_CONFIGURED', title: 'This is not configured yet', retryable: false },
  NOT_SUPPORTED: { code: 'NOT_CONFIGURED', title: 'The provider cannot do this', retryable: false },
  ASSISTANT_MISSING: { code: 'NOT_CONFIGURED', title: 'There is no assistant here', retryable: false },
  PROVIDER_REFUSED: { code: 'UPSTREAM_FAILED', title: 'The provider refused the request', retryable: false },
  PROVIDER_ANSWER_INVALID: { code: 'UPSTREAM_FAILED', title: 'The provider gave an answer that cannot be read', retryable: true },
  PROVIDER_UNAVAILABLE: { code: 'UPSTREAM_UNAVAILABLE', title: 'The provider is not available', retryable: true },
  STORE_UNAVAILABLE: { code: 'UPSTREAM_UNAVAILABLE', title: 'The store is not available', retryable: true },
  OVERLOADED: { code: 'UPSTREAM_UNAVAILABLE', title: 'The service is too busy; try again later', retryable: true },
  STOPPING: { code: 'UPSTREAM_UNAVAILABLE', title: 'The service restarts: subscribe again', retryable: true },
  DEADLINE_PASSED: { code: 'TIMEOUT', title: 'It took too long', retryable: true },
  UNKNOWN: { code: 'INTERNAL_SERVER_ERROR', title: 'Something went wrong here', retryable: false },
} as const

/** Why a request was refused or failed. More specific than the code, and stable for clients. */
export type ErrorReason = keyof typeof reasons
/** What to do, for errors that say nothing more exact. The titles of the others say it. */
const help: Readonly<Partial<Record<ErrorReason, string>>> = {
  TOO_MANY_SEARCHES: 'Wait until one of your searches has ended, then try again',
  TOKEN_MISSING: 'Send the access token: Authorization: Bearer <token>',
  SIGN_IN_REFUSED: 'Check both, and the workspace; the password can be reset on the page of the platform, or by an administrator',
  WIDGET_KEY_REFUSED: 'A manager of the hospital has the key of this site',
  WEBHOOK_REFUSED: 'Its account and key must be those of the telephony configuration: correct them there, or at the provider',
  PLATFORM_REFUSED: 'An administrator of the platform can give your role the right',
  WORKSPACE_NOT_SERVED: 'Check its name (the first part of its address), or ask an administrator',
  NOT_FOUND: 'Check the ID: it may have been deleted, or belong to another workspace',
  CHANGED_MEANWHILE: 'Read it again, then repeat your change',
  WRONG_STATE: 'Read the current state, then try again',
  NOT_CONFIGURED: 'A manager can do it: GET /api/setup shows what is missing',
  NOT_SUPPORTED: "Do it in the provider's own console",
  PROVIDER_REFUSED: 'A manager can test the connection in the configuration; the log has the code of the provider',
  PROVIDER_ANSWER_INVALID: 'Try again; if it stays so, let an administrator look at the log',
  PROVIDER_UNAVAILABLE: 'Try again later; an administrator can see in /health what does not work',
  STORE_UNAVAILABLE: 'Try again in some seconds; an administrator can see in /health what does not work',
  DEADLINE_PASSED: 'Try again; if it stays so, an administrator can see in /health what is slow',
  UNKNOWN: 'Try again; if it happens again, give an administrator the requestId',
}
/** All reasons. */
export const errorReasons: readonly ErrorReason[] = keysOf(reasons)
/** The error code that GraphQL clients see. It also determines the REST status. */
export type ErrorCode = (typeof reasons)[ErrorReason]['code']

export function isErrorReason(text: unknown): text is ErrorReason {
  return typeof text === 'string' && Object.hasOwn(reasons, text)
}

/** One invalid field of the input. `path` is dotted; `allowed` lists the allowed values if there are only a few. */
export type FieldFault = { readonly path: string; readonly message: string; readonly allowed?: readonly string[] }

/** What a client receives besides the message. It must hold only what that client may see. */
export type ErrorData = {
  readonly fields?: readonly FieldFault[]
  readonly retryAfterSeconds?: number
  readonly [name: string]: unknown
}

export type ErrorOptions = { readonly detail?: string; readonly data?: ErrorData; readonly cause?: unknown }

/** The largest number of invalid fields, or of errors, that an answer names. */
export const maxErrors = 50
/** Paths have names that the client chose. */
const maxPathChars = 120
const maxFieldChars = 300
const maxMessageChars = 2_000

/**
 * An error that a client may see. `message` (the detail) is written for the client; `cause` stays in the log.
 * The HTTP handlers mask every other error. Message and fields are cut to a bounded size, because a client's input may be in them.
 */
export class AppError extends Error {
  readonly reason: ErrorReason
  readonly data: ErrorData | undefined

  constructor(reason: ErrorReason, options: ErrorOptions = {}) {
    super(cut(options.detail ?? usualDetail(reason), maxMessageChars), options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.reason = reason
    this.data = options.data?.fields ? { ...options.data, fields: boundedFields(options.data.fields) } : options.data
  }

  get code(): ErrorCode {
    return reasons[this.reason].code
  }

  get title(): string {
    return reasons[this.reason].title
  }

  /** Also whatever says when to ask again, such as a recording that is not ready: it is not found yet. */
  get retryable(): boolean {
    return reasons[this.reason].retryable || this.data?.retryAfterSeconds !== undefined
  }
}

function usualDetail(reason: ErrorReason): string {
  const { title } = reasons[reason]
  return help[reason] === undefined ? title : `${title}. ${help[reason]}`
}

/** The text, or its beginning if it is longer. */
export function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`
}

function boundedFields(fields: readonly FieldFault[]): readonly FieldFault[] {
  return fields
    .slice(0, maxErrors)
    .map((field) => ({ ...field, path: cut(field.path, maxPathChars), message: cut(field.message, maxFieldChars) }))
}

/** Bad input in these fields. */
export function invalidFields(fields: readonly FieldFault[]): AppError {
  const data = { fields: boundedFields(fields) }
  return new AppError('INVALID_INPUT', { detail: messageOf(data.fields), data })
}

/** The message of an error that has invalid fields only. */
function messageOf(fields: readonly FieldFault[]): string {
  return cut(fields.map(({ path, message }) => `${path}: ${message}`).join('; '), maxMessageChars)
}

/** The error with other fields; its message names them if it named nothing else. */
export function withFields(error: AppError, changed: (field: FieldFault) => FieldFault): AppError {
  const { fields = [], ...data } = error.data ?? {}
  const renamed = fields.map(changed)
  const detail = error.message === messageOf(fields) ? messageOf(renamed) : error.message
  return new AppError(error.reason, { detail, data: { ...data, fields: renamed }, cause: error.cause })
}

/** Bad input in one field: `path` is the field's dotted path, `message` says what is allowed. */
export function invalidInput(path: string, message: string, allowed?: readonly string[]): AppError {
  return invalidFields([allowed ? { path, message, allowed } : { path, message }])
}
