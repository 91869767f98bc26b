import { scaled } from '../../../kernel/deadlines.ts'
import { request } from 'undici'
import type { OutboundTelephony } from '../../../ports/outbound-telephony.ts'
import { AppError, invalidInput } from '../../../kernel/errors.ts'
import { transportError } from '../../../kernel/http-client.ts'
import { refusalOf, who } from './answers.ts'
import { type CallLimits, basicOf } from './dial.ts'
import type { ExotelSettings } from './settings.ts'

/** Recordings are on other hosts of the vendor than the API. */
const vendorDomain = /(?:^|\.)exotel\.(?:com|in)$/
/** Who may write a call's record chooses the address: with the account's credentials it must not read calls and accounts from the API. */
const apiPath = /^\/+v\d/i
const audioTypes = /^(?:audio|video)\/|\/octet-stream\b/i

export function recordingMethod(settings: ExotelSettings, { deadlineMs, dispatcher }: CallLimits): OutboundTelephony['recording'] {
  return async ({ url, range, signal }) => {
    if (!mayHaveCredentials(url, settings)) throw invalidInput('url', "is none of the outbound provider's addresses")
    const firstByte = new AbortController()
    const timer = setTimeout(() => firstByte.abort(new AppError('DEADLINE_PASSED', { detail: `${who} took too long` })), scaled(deadlineMs))
    const either = signal ? AbortSignal.any([firstByte.signal, signal]) : firstByte.signal
    try {
      const headers = { authorization: basicOf(settings), ...(range === undefined ? {} : { range }) }
      const answer = await request(url, { method: 'GET', headers, signal: either, ...(dispatcher ? { dispatcher } : {}) })
      if (answer.statusCode !== 200 && answer.statusCode !== 206) {
        await answer.body.dump()
        throw refusalOf({ status: answer.statusCode, retryAfterSeconds: null, text: '' })
      }
      const contentType = headerOf(answer.headers['content-type']) ?? 'application/octet-stream'
      if (!audioTypes.test(contentType)) {
        answer.body.on('error', () => {}).destroy()
        throw new AppError('NOT_FOUND', { detail: 'The address of the recording leads to something else' })
      }
      return {
        status: answer.statusCode,
        contentType,
        contentLength: Number(headerOf(answer.headers['content-length'])) || null,
        contentRange: headerOf(answer.headers['content-range']),
        body: answer.body,
      }
    } catch (error) {
      throw transportError(error, { who, signal: either })
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The account's credentials are sent only to the configured address and to the vendor's own hosts, only encrypted, and never to the API. */
function mayHaveCredentials(text: string, settings: ExotelSettings): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || apiPath.test(url.pathname)) return false
  return url.origin === new URL(settings.url).origin || (url.protocol === 'https:' && vendorDomain.test(url.hostname))
}

function headerOf(value: string | string[] | undefined): string | null {
  return typeof value === 'string' ? value : null
}
