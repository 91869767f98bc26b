import { z } from 'zod'
import { AppError } from '../../../kernel/errors.ts'
import { parseExactJson } from '../../../kernel/exact-json.ts'
import type { HttpAnswer } from '../../../kernel/http-client.ts'
import { Refusal } from '../../../kernel/refusal.ts'

/** An answer of the provider. Its status word counts, not only its HTTP status. */
export type Answer = {
  readonly succeeded: boolean
  /** The provider's own text, for classification and for the log, never for a client. */
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
}

const successWords = new Set(['success', 'queued', 'queued successfully'])
const accessTexts =
  /^(?:token (?:is )?(?:expired|invalid)|(?:invalid|expired) token|token should not be|api ?key should not be|username should not be|invalid user details|invalid username or apikey|unauthori[sz]ed)/i
const objectSchema = z.record(z.string(), z.unknown())

export const who = 'The telephony provider'

/**
 * Throws PROVIDER_UNAVAILABLE for the provider's internal errors and its rate limit, PROVIDER_ANSWER_INVALID if the answer is not a JSON
 * object. A 401 needs no body: gateways in front of the provider send their own.
 */
export function judge(answer: HttpAnswer): Answer {
  const cause = new Refusal({ provider: 'ozonetel', code: `HTTP_${answer.status}`, subCode: null })
  if (answer.status === 429) {
    const retryAfterSeconds = answer.retryAfterSeconds ?? 30
    throw new AppError('PROVIDER_UNAVAILABLE', {
      detail: `${who} allows no more requests at the moment`,
      data: { retryAfterSeconds },
      cause,
    })
  }
  if (answer.status >= 500) throw new AppError('PROVIDER_UNAVAILABLE', { detail: `${who} is not available`, cause })
  const body = objectSchema.safeParse(parseExactJson(answer.text))
  if (!body.success && answer.status === 401) return { succeeded: false, text: '', body: {} }
  if (!body.success) throw new AppError('PROVIDER_ANSWER_INVALID', { detail: `${who} gave an answer that cannot be read`, cause })
  const word = textIn(body.data, 'status') || textIn(body.data, 'Status')
  const succeeded =
    answer.status < 400 && (word === '' ? 'details' in body.data || 'token' in body.data : successWords.has(word.toLowerCase()))
  return { succeeded, text: textOf(body.data), body: body.data }
}

/** Whether the provider refused the key or the token of the request; it then did nothing. Such refusals have HTTP status 401, 403 or 200. */
export function isAccessRefused(status: number, { succeeded, text }: Answer): boolean {
  return !succeeded && (status === 401 || status === 403 || accessTexts.test(text))
}

/** The words by which a refused account or token is known; undefined for another text. */
export function accountWords({ text }: Answer): string | undefined {
  return accessTexts.exec(text)?.[0]
}

/** `message` can itself be a JSON text. */
export function innerObject(text: string): Readonly<Record<string, unknown>> | null {
  const inner = objectSchema.safeParse(parseExactJson(text))
  return inner.success ? inner.data : null
}

/** The text is in any of three fields. */
function textOf(body: Readonly<Record<string, unknown>>): string {
  return ['message', 'Message', 'details'].map((name) => textIn(body, name)).find((text) => text !== '') ?? ''
}

export function textIn(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = body[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}
