import { type Logger, pino, stdTimeFunctions } from 'pino'
import type { LogOutput } from './log-output.ts'
import { traceIds } from './tracing.ts'
import { loggedError } from './logged-error.ts'

export type Log = Logger

/** Names of fields that might pass a secret to the log by mistake. Their values are removed, down to two levels of nesting. */
const secretNames = [
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
] as const

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
    redact: { paths: secretNames.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]), censor: '[secret]' },
  }
  if (!output) return pino(options)
  const log = pino(options, output)
  output.onLost((lines) => log.error({ lines }, 'log.lines-lost'))
  return log
}
