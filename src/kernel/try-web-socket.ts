import { deadlineSignal } from './deadlines.ts'
import { randomBytes } from 'node:crypto'
import { type Dispatcher, upgrade } from 'undici'
import { AppError } from './errors.ts'

export type WebSocketAttempt = {
  /** The sub-protocol that the server must take, for example `sip`. */
  readonly protocol: string
  readonly signal: AbortSignal
  /** Restricts the addresses that may be reached. */
  readonly dispatcher: Dispatcher
}

const deadlineMs = 5_000

/**
 * Opens a web socket (`ws://`, `wss://`) and closes it again. Throws with a sentence that says why: PROVIDER_UNAVAILABLE (no host, no connection,
 * a certificate that is not valid), DEADLINE_PASSED (5 s), PROVIDER_ANSWER_INVALID (the server answers, but not as a web socket with this protocol),
 * INVALID_INPUT (the dispatcher allows no connection there).
 */
export async function tryWebSocket(url: string, { protocol, signal, dispatcher }: WebSocketAttempt): Promise<void> {
  const deadline = AbortSignal.any([signal, deadlineSignal(deadlineMs)])
  const headers = {
    'sec-websocket-key': randomBytes(16).toString('base64'),
    'sec-websocket-version': '13',
    'sec-websocket-protocol': protocol,
  }
  try {
    // Undici knows the schemes of HTTP only.
    const answer = await upgrade(url.replace('ws', 'http'), { dispatcher, headers, protocol: 'websocket', signal: deadline })
    answer.socket.on('error', () => {}).destroy()
    if (answer.headers['sec-websocket-protocol'] === protocol) return
  } catch (error) {
    throw failureOf(error, deadline)
  }
  throw new AppError('PROVIDER_ANSWER_INVALID', { detail: `The web socket opens, and does not take the protocol "${protocol}"` })
}

const details: Readonly<Record<string, string>> = {
  ENOTFOUND: 'No host of this name is found',
  EAI_AGAIN: 'The name of the host cannot be resolved',
  ECONNREFUSED: 'Nothing listens on this port',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
}

function failureOf(error: unknown, deadline: AbortSignal): AppError {
  if (error instanceof AppError) return error
  if (deadline.aborted) return new AppError('DEADLINE_PASSED', { detail: `No answer within ${deadlineMs / 1_000} s`, cause: error })
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'UND_ERR_SOCKET') {
    return new AppError('PROVIDER_ANSWER_INVALID', { detail: 'Something answers there that is no web socket', cause: error })
  }
  return new AppError('PROVIDER_UNAVAILABLE', {
    detail: details[code] ?? `The connection failed (${code || 'no reason given'})`,
    cause: error,
  })
}
