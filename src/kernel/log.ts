import { pino, stdTimeFunctions } from 'pino'
import type { LogLine } from './log-events.ts'
import type { LogOutput } from './log-output.ts'
import { loggedError } from './logged-error.ts'
import { traceIds } from './tracing.ts'

export type Log = Record<'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal', LogLine> & {
  level: string
  isLevelEnabled(level: string): boolean
  /** A log whose lines all have this field. pino does not search the fields of a child, so it takes no other. */
  child(field: { readonly requestId: string }): Log
}

/** Names of fields that might pass a secret to the log by mistake. Their values are hidden. */
const secretNames: ReadonlySet<string> = new Set([
  'accessToken',
  'apiKey',
  'api_key',
  'Apikey',
  'apiToken',
  'authorization',
  'Authorization',
  'body',
  'cookie',
  'credentials',
  'defaultAgentPassword',
  'headers',
  'key',
  'loginToken',
  'password',
  'providerAgentPassword',
  'redisUrl',
  'refreshToken',
  'secret',
  'secretsKey',
  'sipPassword',
  'temporaryPassword',
  'token',
  'variables',
  'widgetKey',
  'x-api-key',
  'x-widget-key',
])
/** What is nested deeper is not shown. */
const maxNesting = 5

/**
 * Structured log: one line of JSON for each event, whose name is in `msg`. Never log a request body, headers or a token: redaction is only the last
 * line of defence. `output`: default is standard output, written at once. `isTraced`: lines that belong to a trace have its ids.
 */
export function createLog(level: string, output?: Pick<LogOutput, 'write' | 'onLost'>, isTraced = false): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: loggedError },
    ...(isTraced && { mixin: () => ({ ...traceIds() }) }),
    formatters: { log: (fields: Fields) => hideSecrets(fields) },
  }
  if (!output) return pino(options)
  const log = pino(options, output)
  output.onLost((lines) => log.error({ lines }, 'log.lines-lost'))
  return log
}

/**
 * The fields without the values of secret names; the same object if it has none. pino's own `redact` costs many times the line for so many names,
 * because it needs a path for each name and level.
 */
function hideSecrets(fields: Fields, nesting = 0): Fields {
  let hidden: Fields | null = null
  for (const name in fields) {
    const value = fields[name]
    // `err` has a serializer, which needs the error itself.
    if (value === undefined || value === null || (nesting === 0 && name === 'err')) continue
    const shown = secretNames.has(name) ? '[secret]' : hideInside(value, nesting + 1)
    if (shown !== value) (hidden ??= { ...fields })[name] = shown
  }
  return hidden ?? fields
}

function hideInside(value: unknown, nesting: number): unknown {
  if (nesting > maxNesting && isFields(value)) return '[nested too deeply]'
  if (Array.isArray(value)) return value.map((item) => hideInside(item, nesting + 1))
  return isFields(value) ? hideSecrets(value, nesting) : value
}

type Fields = Record<string, unknown>

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}
