import { AppError } from '../../kernel/errors.ts'
import type { Speech } from '../../ports/speech.ts'
import { deepgram } from './deepgram/provider.ts'

/** All speech providers, a line each. */
const speechProviders = [deepgram] as const

export type OpenedSpeech = {
  readonly speech: Speech & AsyncDisposable
  /** The provider's id. */
  readonly provider: string
  readonly account: string
  /** Its base address. */
  readonly url: string
  readonly maxConcurrent: number
}

/** The provider that the environment configures; null if it has no key. */
export function openSpeech({ url, apiKey }: { readonly url: string; readonly apiKey: string | null }): OpenedSpeech | null {
  const [provider] = speechProviders
  if (apiKey === null) return null
  const settings = provider.settings.parse({ url, apiKey })
  const account = `${provider.id}:${url}:${apiKey}`
  return { speech: provider.create(settings), provider: provider.id, account, url, maxConcurrent: provider.maxConcurrent }
}

/** What is there without a provider. */
export function noSpeech(): Speech {
  throw new AppError('NOT_CONFIGURED', {
    detail: 'Recordings cannot be transcribed: set DEEPGRAM_API_KEY in the environment of the service',
  })
}
