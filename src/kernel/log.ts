import { type Logger, pino, stdTimeFunctions } from 'pino'

export type Log = Logger

/** Names of fields that might pass a secret to the log by mistake. Their values are removed, down to two levels of nesting. */
const secretNames = [
  'authorization',
  'cookie',
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'loginToken',
  'apiKey',
  'api_key',
  'Apikey',
  'secret',
  'sipPassword',
  'providerAgentPassword',
  'key',
]

/** Structured log on standard output. Never log a request body, headers or a token: redaction is only the last line of defence. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: secretNames.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]), censor: '[secret]' },
  })
}
