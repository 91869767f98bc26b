import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RequestContext } from '../../access/request-context.ts'
import type { RecordingStream } from '../../ports/outbound-telephony.ts'
import { AppError } from '../../kernel/errors.ts'
import { type AudioPorts, openAudio } from '../../features/recordings/open-audio.ts'
import { onlyMethods, problemHandler } from '../http/routes.ts'
import type { Handler, HttpContext } from '../http/http-context.ts'

export type AudioHandlerDependencies = {
  readonly recordings: AudioPorts
  readonly contextOf: (exchange: HttpContext) => RequestContext
  /** Answers everything else below `/api/recordings/`. */
  readonly otherwise: Handler
}

const audioPath = /^\/api\/recordings\/([^/]+)\/audio$/
const rangeForm = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/

/**
 * `GET /api/recordings/{callId}/audio`: the recording as a stream, or the asked range of it. Of the provider's answer the type, the length
 * and the range go on to the client, and nothing else.
 */
export function createAudioHandler({ recordings, contextOf, otherwise }: AudioHandlerDependencies): Handler {
  const play = async (exchange: HttpContext, callId: string): Promise<void> => {
    const caller = await contextOf(exchange).actor()
    const given = exchange.request.headers.range
    // Several ranges at once, or another unit, are let be: the whole is a good answer too.
    const range = given !== undefined && rangeForm.test(given) ? given : null
    const audio = await openAudio(recordings, caller, { callId, range, signal: exchange.signal })
    exchange.deadlineAt = Number.POSITIVE_INFINITY
    const { response } = exchange
    response.writeHead(audio.status, headersOf(audio))
    const body = Readable.from(audio.body)
    if (exchange.request.method === 'HEAD' || audio.status === 416) {
      body.destroy()
      response.end()
    } else await pipeline(body, response)
  }

  const audio = problemHandler(
    onlyMethods(['GET', 'HEAD'], (exchange) => play(exchange, decoded(audioPath.exec(exchange.path)?.[1] ?? ''))),
  )
  return {
    handle: (exchange) => (audioPath.test(exchange.path) ? audio : otherwise).handle(exchange),
    answerError: (exchange, error) => (audioPath.test(exchange.path) ? audio : otherwise).answerError(exchange, error),
  }
}

function headersOf({ status, contentType, contentLength, contentRange }: RecordingStream): Record<string, string> {
  const isAudio = /^audio\/[\w.+-]+$/i.test(contentType)
  return {
    // Never a page or a script, whatever the other side calls it.
    'content-type': isAudio ? contentType : 'application/octet-stream',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'content-disposition': 'inline',
    'content-security-policy': "default-src 'none'; sandbox",
    ...(contentLength === null || status === 416 ? {} : { 'content-length': String(contentLength) }),
    ...(contentRange === null ? {} : { 'content-range': contentRange }),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new AppError('NOT_FOUND', { detail: 'There is no such call' })
  }
}
