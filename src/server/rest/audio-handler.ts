import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RequestContext } from '../../access/request-context.ts'
import type { RecordingStream } from '../../ports/outbound-telephony.ts'
import { AppError } from '../../kernel/errors.ts'
import { type AudioPorts, openAudio } from '../../features/recordings/open-audio.ts'
import { textForms } from '../graphql/input-limits/text-forms.ts'
import { onlyMethods, problemHandler } from '../http/routes.ts'
import type { Handler, HttpContext } from '../http/http-context.ts'

const { IDENTIFIER } = textForms
const audioPath = /^\/api\/recordings\/([^/]+)\/audio$/
const rangeForm = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/

/**
 * `GET /api/recordings/{callId}/audio`: the recording as a stream, or the requested range of it. The client gets the type, the length and
 * the range of the provider's answer, and nothing else of it.
 */
export function createAudioHandler({
  recordings,
  contextOf,
  otherwise,
}: {
  readonly recordings: AudioPorts
  readonly contextOf: (ctx: HttpContext) => RequestContext
  /** Handles all other paths below `/api/recordings/`. */
  readonly otherwise: Handler
}): Handler {
  const play = async (ctx: HttpContext, callId: string): Promise<void> => {
    ctx.route = '/api/recordings/{callId}/audio'
    const actor = await contextOf(ctx).actor()
    const given = ctx.request.headers.range
    // Several ranges at once and other units are ignored: the whole recording is a valid answer too.
    const range = given !== undefined && rangeForm.test(given) ? given : null
    const audio = await openAudio(recordings, actor, { callId, range, signal: ctx.signal })
    ctx.deadlineAt = Number.POSITIVE_INFINITY
    const { response } = ctx
    response.writeHead(audio.status, headersOf(audio))
    const body = Readable.from(audio.body)
    if (ctx.request.method === 'HEAD' || audio.status === 416) {
      body.destroy()
      response.end()
    } else await pipeline(body, response)
  }

  const audio = problemHandler(onlyMethods(['GET', 'HEAD'], (ctx) => play(ctx, decoded(audioPath.exec(ctx.path)?.[1] ?? ''))))
  return {
    handle: (ctx) => (audioPath.test(ctx.path) ? audio : otherwise).handle(ctx),
    answerError: (ctx, error) => (audioPath.test(ctx.path) ? audio : otherwise).answerError(ctx, error),
  }
}

function headersOf({ status, contentType, contentLength, contentRange }: RecordingStream): Record<string, string> {
  const isAudio = /^audio\/[\w.+-]+$/i.test(contentType)
  return {
    // Never a page or a script, whatever type the provider sends.
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
    const callId = decodeURIComponent(text)
    if (callId.length <= IDENTIFIER.maxLength && IDENTIFIER.pattern.test(callId)) return callId
  } catch {
    // As for every other text that is no ID.
  }
  throw new AppError('NOT_FOUND', { detail: 'There is no call with this ID' })
}
