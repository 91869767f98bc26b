import { AppError } from '../../../kernel/errors.ts'
import type { HttpAnswer } from '../../../kernel/http-client.ts'
import { creditUsedUp, Refusal, refusedInput } from '../../../kernel/refusal.ts'
import { refusalSchema } from './wire.ts'

const defaultPauseSeconds = 2

/** A message such as "Summarization is only available for English". */
export function isAboutSummary({ status, text }: HttpAnswer): boolean {
  return status === 400 && /summar/i.test(text)
}

/** A refusal as this service's error. */
export function refusalOf({ status, text, retryAfterSeconds }: HttpAnswer): AppError {
  const { err_code: code = '', err_msg: errorMessage = '', category = '', message = '' } = parse(text)
  const facts = { provider: 'deepgram', code: `HTTP_${status}`, subCode: code || category || null }
  const cause = new Refusal(facts)
  const refusal = (reason: AppError['reason'], detail: string): AppError => new AppError(reason, { detail, cause })
  if (code === 'REMOTE_CONTENT_ERROR') {
    const data = { retryAfterSeconds: 60 }
    return new AppError('NOT_FOUND', { detail: 'The speech provider cannot fetch the recording; it may not be available yet', data, cause })
  }
  if (status === 401 || status === 403) {
    const detail = 'The speech provider refuses the key: check DEEPGRAM_API_KEY'
    return new AppError('NOT_CONFIGURED', { detail, cause: new Refusal({ ...facts, accountFault: 'key' }) })
  }
  if (status === 402) return creditUsedUp('the speech provider', facts)
  if (status === 429) {
    const data = { retryAfterSeconds: retryAfterSeconds ?? defaultPauseSeconds }
    return new AppError('PROVIDER_UNAVAILABLE', { detail: "The speech provider's rate limit is reached; ask again later", data, cause })
  }
  if (status === 504 || status === 408) return refusal('DEADLINE_PASSED', 'The speech provider took too long')
  if (status >= 500) return refusal('PROVIDER_UNAVAILABLE', 'The speech provider is not available')
  if (status === 400 && /audio|media|corrupt|unsupported data/i.test(`${errorMessage} ${message}`)) {
    return refusedInput(cause, 'recordingUrl', 'names a recording that the speech provider cannot read')
  }
  return refusal('PROVIDER_REFUSED', 'The speech provider refused the recording')
}

function parse(text: string): ReturnType<typeof refusalSchema.parse> {
  try {
    return refusalSchema.parse(JSON.parse(text))
  } catch {
    return {}
  }
}
