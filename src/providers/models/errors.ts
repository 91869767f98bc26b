import { APICallError, RetryError } from 'ai'
import { z } from 'zod'
import { AppError, type ErrorData, type ErrorReason } from '../../kernel/errors.ts'
import { type AccountFault, creditUsedUp, Refusal, type RefusalFacts } from '../../kernel/refusal.ts'
import type { ModelVendor } from './vendors.ts'

export type Asked = { readonly vendor: ModelVendor; readonly model: string; readonly signal: AbortSignal }

/** Any error of a model request as this service's error. */
export function modelError(error: unknown, asked: Asked): AppError {
  if (error instanceof AppError) return error
  const cause = RetryError.isInstance(error) ? error.lastError : error
  if (asked.signal.aborted) return new AppError('DEADLINE_PASSED', { detail: 'The language model took too long', cause })
  if (APICallError.isInstance(cause)) return refused(cause, asked)
  return new AppError('PROVIDER_ANSWER_INVALID', { detail: 'The language model gave an answer that cannot be read', cause })
}

function refused(error: APICallError, { vendor, model }: Asked): AppError {
  const { statusCode: status, responseHeaders: headers } = error
  const body = bodyOf(error)
  const facts: RefusalFacts = {
    provider: vendor.id,
    code: status === undefined ? null : `HTTP_${status}`,
    subCode: codesIn(body)[0] ?? null,
  }
  const refusal = (reason: ErrorReason, detail: string, data?: ErrorData): AppError =>
    new AppError(reason, { detail, cause: new Refusal(facts), ...(data ? { data } : {}) })
  const misset = (accountFault: AccountFault, detail: string): AppError =>
    new AppError('NOT_CONFIGURED', { detail, cause: new Refusal({ ...facts, accountFault }) })
  if (isAboutCredit(status, body)) return creditUsedUp(vendor.title, facts)
  if (codesIn(body).some((code) => contentFilters.has(code))) return contentRefused(vendor, facts)
  if (status === 401 || status === 403) return misset('key', `${vendor.title} refuses the key: check ${keySetting(vendor)}`)
  if (status === 404) return misset('model', `${vendor.title} knows no model "${model}": choose another in the AI configuration`)
  if (status === 429) {
    const retryAfterSeconds = Number(headers?.['retry-after']) || 30
    return refusal('PROVIDER_UNAVAILABLE', 'The language model allows no more requests at the moment', { retryAfterSeconds })
  }
  if (status === undefined || status >= 500 || status === 408) return refusal('PROVIDER_UNAVAILABLE', 'The language model is not available')
  if (status < 400) return refusal('PROVIDER_ANSWER_INVALID', 'The language model gave an answer that cannot be read')
  return refusal('PROVIDER_REFUSED', 'The language model refused the request')
}

/** Lower-case names of what asks for a form, as servers of many makes call it. */
const formWords = [
  'response_format',
  'response format',
  'responseformat',
  'json_schema',
  'json schema',
  'jsonschema',
  'json_object',
  'text.format',
  'output_format',
  'structured output',
  'structured_output',
  'guided_json',
  'guided decoding',
  'grammar',
]
const notAboutForm: ReadonlySet<number | undefined> = new Set([undefined, 401, 402, 403, 408, 429])

/** Whether the server refuses to hold the model to a form in the way that was asked. No status or code of it is common. */
export function refusesForm(error: unknown): boolean {
  if (!APICallError.isInstance(error) || notAboutForm.has(error.statusCode)) return false
  const text = `${error.message} ${error.responseBody ?? ''}`.toLowerCase()
  return formWords.some((word) => text.includes(word))
}

export function contentRefused({ id }: Pick<ModelVendor, 'id'>, facts: Omit<RefusalFacts, 'provider'> | null = null): AppError {
  const cause = new Refusal({ provider: id, code: 'content-filter', subCode: facts?.subCode ?? null })
  return new AppError('PROVIDER_REFUSED', { detail: 'The content filter of the language model refused the content', cause })
}

/** Of OpenAI, which sends it with 429, its compatible servers, and Anthropic. */
const creditCodes: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'insufficient_balance',
  'insufficient_credits',
  'billing_hard_limit_reached',
  'billing_not_active',
  'billing_error',
])

/** Of Azure, OpenAI and Alibaba. */
const contentFilters: ReadonlySet<string> = new Set(['content_filter', 'content_policy_violation', 'data_inspection_failed'])

function isAboutCredit(status: number | undefined, body: VendorError | null): boolean {
  // Anthropic answers 400 with the code of every bad request.
  return (
    status === 402 || codesIn(body).some((code) => creditCodes.has(code)) || (body?.message ?? '').includes('credit balance is too low')
  )
}

const word = z.string().nullish().catch(null)

/** OpenAI has `code` and `type`, Anthropic `type`, Google `status`. */
const vendorErrorSchema = z.object({ code: word, type: word, status: word, message: word })
type VendorError = z.output<typeof vendorErrorSchema>
const bodySchema = z.object({ error: vendorErrorSchema }).transform(({ error }) => error)
/** Some servers name it without `error`, and Google's compatible one puts it into a list. */
const bodiesSchema = z.union([z.tuple([bodySchema], z.unknown()).transform(([first]) => first), bodySchema, vendorErrorSchema])

function bodyOf({ data, responseBody }: APICallError): VendorError | null {
  return bodiesSchema.safeParse(data ?? parsed(responseBody)).data ?? null
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}

function codesIn(body: VendorError | null): readonly string[] {
  return body === null ? [] : [body.code, body.type, body.status].filter((code) => typeof code === 'string')
}

function keySetting({ id }: ModelVendor): string {
  return `${id.toUpperCase().replaceAll('-', '_')}_API_KEY`
}
