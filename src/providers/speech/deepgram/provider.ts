import { Agent } from 'undici'
import { isPublic } from '../../../kernel/address-guard.ts'
import { type Speech, speechDeadlineMs } from '../../../ports/speech.ts'
import type { SpeechProvider } from '../provider.ts'
import { listen } from './listen.ts'
import { deepgramSettings } from './settings.ts'

/** Deepgram, pre-recorded: https://developers.deepgram.com/docs/pre-recorded-audio. */
export const deepgram: SpeechProvider<typeof deepgramSettings> = {
  id: 'deepgram',
  title: 'Deepgram',
  settings: deepgramSettings,
  capabilities: new Set(['DIARIZATION', 'CHANNELS', 'SUMMARY', 'TOPICS', 'SENTIMENT', 'FETCHES_ADDRESSES']),
  // With summary, topics or sentiment: https://developers.deepgram.com/reference/api-rate-limits
  maxConcurrent: 10,
  create(account) {
    // The provider may take ten minutes until its first header; undici's default is five.
    const dispatcher = new Agent({ headersTimeout: speechDeadlineMs, bodyTimeout: speechDeadlineMs, connect: { timeout: 10_000 } })
    const host = new URL(account.url).hostname
    const speech: Speech = {
      isPrivate: host === 'localhost' || (/^[\d.[\]:a-f]+$/i.test(host) && !isPublic(host.replaceAll(/[[\]]/g, ''))),
      transcribe: (request) => listen({ account, dispatcher, request }),
    }
    return { ...speech, [Symbol.asyncDispose]: () => dispatcher.destroy() }
  },
}
