import { AppError } from '../../kernel/errors.ts'
import type { Speech } from '../../ports/speech.ts'
import { deepgram } from './deepgram/provider.ts'

/** Every speech provider: one line each. */
const speechProviders = [deepgram] as const

export type OpenedSpeech = { readonly speech: Speech & AsyncDisposable; readonly account: string; readonly mostAtOnce: number }

/** The provider that the environment sets up; null where it has no key. */
export function openSpeech({ url, apiKey }: { readonly url: string; readonly apiKey: string | null }): OpenedSpeech | null {
  const [provider] = speechProviders
  if (apiKey === null) return null
  const settings = provider.settings.parse({ url, apiKey })
  return { speech: provider.create(settings), account: `${provider.id}:${url}:${apiKey}`, mostAtOnce: provider.mostAtOnce }
}

export function speechNotConfigured(): AppError {
  return new AppError('NOT_CONFIGURED', {
    detail: 'Recordings cannot be transcribed: set DEEPGRAM_API_KEY in the environment of the service',
  })
}
