import { type Logger, pino, stdTimeFunctions } from 'pino'

export type Log = Logger

/** Names under which a secret might be handed to the log by mistake; the value is cut wherever one appears, two levels deep. */
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

/** Structured log on standard output. Never hand it a request body, a header bag or a token: redaction is the last net, not the first. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: secretNames.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]), censor: '[secret]' },
  })
}
