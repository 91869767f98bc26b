import { z } from 'zod'
import { AppError } from '../../../kernel/errors.ts'
import type { HttpAnswer } from '../../../kernel/http-client.ts'
import { parseExactJson } from '../../../kernel/exact-json.ts'
import { Refusal, refusedInput } from '../../../kernel/refusal.ts'

export const who = 'The outbound telephony provider'

const exceptionSchema = z.object({
  RestException: z.object({ Message: z.string().default(''), Code: z.union([z.string(), z.number()]).optional() }),
})

/** Returns the JSON of a successful answer. Throws a refusal as an AppError. */
export function successOf<Schema extends z.ZodType>(answer: HttpAnswer, schema: Schema): z.output<Schema> {
  if (answer.status !== 200) throw refusalOf(answer)
  const parsed = schema.safeParse(parseExactJson(answer.text))
  if (parsed.success) return parsed.data
  throw new AppError('PROVIDER_ANSWER_INVALID', { detail: `${who} gave an answer that cannot be read`, cause: parsed.error })
}

/** Whether the provider itself refused: a gateway or a wrong address answers 404 too. */
export function isException({ text }: HttpAnswer): boolean {
  return exceptionSchema.safeParse(parseExactJson(text)).success
}

export function refusalOf({ status, retryAfterSeconds, text }: HttpAnswer): AppError {
  const exception = exceptionSchema.safeParse(parseExactJson(text)).data?.RestException
  const message = exception?.Message ?? ''
  // Its own 403, of a number whose owner has registered against calls. The account is well.
  const isProtected = status === 403 && message.toUpperCase().includes('NDNC')
  const isAboutAccount = status === 401 || (status === 403 && !isProtected)
  const cause = new Refusal({
    provider: 'exotel',
    code: `HTTP_${status}`,
    subCode: exception?.Code === undefined ? null : String(exception.Code),
    ...(isAboutAccount ? { accountFault: 'key' } : {}),
  })
  if (status === 429) {
    const data = { retryAfterSeconds: retryAfterSeconds ?? 60 }
    return new AppError('PROVIDER_UNAVAILABLE', { detail: `${who} allows no more requests at the moment`, data, cause })
  }
  if (status >= 500) return new AppError('PROVIDER_UNAVAILABLE', { detail: `${who} is not available`, cause })
  if (isProtected) return refusedInput(cause, 'phoneNumber', 'is registered against calls (NDNC), so the provider does not dial it')
  if (isAboutAccount)
    return new AppError('PROVIDER_REFUSED', {
      detail: `${who} refuses the account's SID, key or token: a manager can correct them in the configuration`,
      cause,
    })
  if (status === 404) return new AppError('NOT_FOUND', { detail: `${who} has no such thing`, cause })
  if (status === 416) return refusedInput(cause, 'range', 'lies outside of the recording')
  if (status === 400 && /phone number|invalid number/i.test(message))
    return refusedInput(cause, 'phoneNumber', 'is not accepted by the provider')
  return new AppError('PROVIDER_REFUSED', { detail: `${who} refused the request`, cause })
}
