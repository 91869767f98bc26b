import { AppError, cut } from './errors.ts'
import { refusalOf } from './refusal.ts'

/** What the log shows of an error. */
export type LoggedError = {
  readonly type: string
  readonly message?: string
  readonly code?: string
  readonly reason?: string
  /** Only the places, because a stack begins with the message. */
  readonly stack?: string
  readonly cause?: LoggedError
  readonly errors?: readonly LoggedError[]
}

const maxDepth = 4
const maxPlaces = 8
const maxErrors = 3
const maxMessageChars = 500
/** What is searched for secrets: one that the cut goes through would not be found. */
const maxSearchedChars = 1_000
const identifier = /^[\w.:-]{1,60}$/
/** Of the system, Node and undici: their messages have addresses and paths of this service only. */
const systemCode = /^(E[A-Z0-9]{2,}|ERR_[A-Z0-9_]+|UND_ERR_[A-Z0-9_]+)$/
/** Errors of ours, and of the language. Others may quote what a provider answered, or what we sent it. */
const ownNames: ReadonlySet<string> = new Set([
  'AbortError',
  'AggregateError',
  'AppError',
  'Error',
  'NonRetryableError',
  'RangeError',
  'ReferenceError',
  'Refusal',
  'StartError',
  'TimeoutError',
  'TypeError',
  'UsageError',
])

/**
 * An error for the log: its kind, message, codes, places and causes, and no other property. Errors of libraries carry requests, headers, bodies and
 * answers as properties. A message is left out unless it is ours, the language's or the system's, and secrets in it are hidden.
 */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error && typeof error.code === 'string' && identifier.test(error.code) ? error.code : null
  const message = loggedMessage(error)
  const places = placesOf(error.stack ?? '')
  const inner = depth < maxDepth
  return {
    type: nameOf(error),
    ...(message !== null && { message }),
    ...(code !== null && { code }),
    ...(error instanceof AppError && { reason: error.reason }),
    ...(places !== '' && { stack: places }),
    ...(inner && error.cause instanceof Error && { cause: loggedError(error.cause, depth + 1) }),
    ...(inner && error instanceof AggregateError && { errors: error.errors.slice(0, maxErrors).map((one) => loggedError(one, depth + 1)) }),
  }
}

/** Why something failed, in one line: the reason of an AppError, else the kind of error with its message if that may be shown. */
export function loggedReason(error: unknown): string {
  if (error instanceof AppError) return error.reason
  if (!(error instanceof Error)) return 'unknown'
  const message = loggedMessage(error)
  return message === null ? nameOf(error) : `${nameOf(error)}: ${message}`
}

function loggedMessage(error: Error): string | null {
  const code = 'code' in error ? error.code : null
  const isShown = ownNames.has(error.name) || (typeof code === 'string' && systemCode.test(code))
  if (!isShown) return null
  // The detail of a refusal is for the person who asked, and may quote the other system.
  const message = error instanceof AppError && refusalOf(error) ? error.title : error.message
  return cut(withoutSecrets(cut(message, maxSearchedChars)), maxMessageChars)
}

function nameOf({ name }: Error): string {
  return identifier.test(name) ? name : 'Error'
}

function placesOf(stack: string): string {
  return stack
    .split('\n', 50)
    .filter((line) => line.startsWith('    at '))
    .slice(0, maxPlaces)
    .join('\n')
}

const token = /\beyJ[\w-]+(\.[\w-]+)*/g
const credentials = /\b(Bearer|Basic|Token)\s[\w.~+/=-]+/gi
const address = /\b(https?|wss?|rediss?|postgres|amqp):\/\/[^\s"'`<>]+/gi
const mailAddress = /[^\s"'@]+@[^\s"'@]+/g
const phoneNumber = /\+\d[\d ()-]{6,18}\d|(?<![\w-])\d{10,15}(?![\w-])/g
const opaque = /[\w+=-]{20,}/g
const quoted = /"[^"]*"|'[^']*'/g
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const plainQuoted = /^.[A-Za-z_$]{0,40}.$/

/** A text of an error without tokens, keys, credentials, phone numbers and e-mail addresses; of an address its host remains. */
export function withoutSecrets(text: string): string {
  return text
    .replaceAll(address, hostOf)
    .replaceAll(credentials, '$1 [secret]')
    .replaceAll(token, '[secret]')
    .replaceAll(mailAddress, '[e-mail]')
    .replaceAll(phoneNumber, '[number]')
    .replaceAll(opaque, (run) => (/\d/.test(run) && !uuid.test(run) ? '[secret]' : run))
    .replaceAll(quoted, (run) => (plainQuoted.test(run) ? run : '[value]'))
}

function hostOf(found: string): string {
  if (!URL.canParse(found)) return '[address]'
  const { protocol, host } = new URL(found)
  return `${protocol}//${host}`
}
