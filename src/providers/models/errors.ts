import { APICallError, NoObjectGeneratedError, RetryError } from 'ai'
import { z } from 'zod'
import { AppError, type ErrorData, type ErrorReason } from '../../kernel/errors.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { ModelVendor } from './vendors.ts'

export type Asked = { readonly vendor: ModelVendor; readonly model: string; readonly signal: AbortSignal }

/** Any error of a model request as this service's error. */
export function modelError(error: unknown, asked: Asked): AppError {
  if (error instanceof AppError) return error
  const cause = RetryError.isInstance(error) ? error.lastError : error
  if (asked.signal.aborted) return new AppError('DEADLINE_PASSED', { detail: 'The language model took too long', cause })
  if (NoObjectGeneratedError.isInstance(cause)) return unusable(cause, asked.vendor)
  if (APICallError.isInstance(cause)) return refused(cause, asked)
  return new AppError('PROVIDER_ANSWER_INVALID', { detail: 'The language model gave an answer that cannot be read', cause })
}

function unusable(error: NoObjectGeneratedError, vendor: ModelVendor): AppError {
  if (error.finishReason === 'content-filter') return contentRefused(vendor)
  return new AppError('PROVIDER_ANSWER_INVALID', {
    detail: 'The language model twice gave an answer that does not fit',
    cause: withoutText(error),
  })
}

/** Without the answer's text, because the log must not quote a patient. */
function withoutText(error: NoObjectGeneratedError): Error {
  return new Error(`${error.message} (finish reason: ${error.finishReason ?? 'unknown'}, ${error.text?.length ?? 0} characters)`)
}

function refused(error: APICallError, { vendor, model }: Asked): AppError {
  const { statusCode: status, responseHeaders: headers } = error
  const cause = new Refusal({ provider: vendor.id, code: status === undefined ? null : `HTTP_${status}`, subCode: codeIn(error.data) })
  const refusal = (reason: ErrorReason, detail: string, data?: ErrorData): AppError =>
    new AppError(reason, { detail, cause, ...(data ? { data } : {}) })
  if (status === 401 || status === 403) return refusal('NOT_CONFIGURED', `${vendor.title} refuses the key: check ${keySetting(vendor)}`)
  if (status === 404) {
    return refusal('NOT_CONFIGURED', `${vendor.title} knows no model "${model}": choose another in the AI configuration`)
  }
  if (status === 429) {
    const retryAfterSeconds = Number(headers?.['retry-after']) || 30
    return refusal('PROVIDER_UNAVAILABLE', 'The language model allows no more requests at the moment', { retryAfterSeconds })
  }
  if (status === undefined || status >= 500 || status === 408) return refusal('PROVIDER_UNAVAILABLE', 'The language model is not available')
  if (status < 400) return refusal('PROVIDER_ANSWER_INVALID', 'The language model gave an answer that cannot be read')
  return refusal('PROVIDER_REFUSED', 'The language model refused the request')
}

export function contentRefused({ id }: Pick<ModelVendor, 'id'>): AppError {
  const cause = new Refusal({ provider: id, code: 'content-filter', subCode: null })
  return new AppError('PROVIDER_REFUSED', { detail: 'The language model refused the content', cause })
}

/** OpenAI has `code` and `type`, Anthropic `type`, Google `status`. */
const vendorErrorSchema = z.object({
  error: z.object({
    code: z.string().nullish().catch(null),
    type: z.string().nullish().catch(null),
    status: z.string().nullish().catch(null),
  }),
})

function codeIn(data: unknown): string | null {
  const error = vendorErrorSchema.safeParse(data).data?.error
  return error?.code ?? error?.type ?? error?.status ?? null
}

function keySetting({ id }: ModelVendor): string {
  return `${id.toUpperCase().replaceAll('-', '_')}_API_KEY`
}
