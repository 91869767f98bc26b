import { deadlineSignal } from '../../../kernel/deadlines.ts'
import type { Dispatcher } from 'undici'
import { AppError } from '../../../kernel/errors.ts'
import { httpRequest, type HttpAnswer } from '../../../kernel/http-client.ts'
import { type SpeechRequest, speechDeadlineMs, type Transcript } from '../../../ports/speech.ts'

import { isAboutSummary, refusalOf } from './refusals.ts'
import type { DeepgramSettings } from './settings.ts'
import { transcriptOf } from './transcript.ts'
import { answerSchema } from './wire.ts'

type Asked = { readonly account: DeepgramSettings; readonly dispatcher: Dispatcher; readonly request: SpeechRequest }

const who = 'The speech provider'
/** Enough for the transcript of many hours, with each word. */
const maxAnswerBytes = 128 * 1024 * 1024

/** The provider refuses a request with a summary for some languages; it is then repeated without one. */
export async function listen(asked: Asked): Promise<Transcript> {
  const signal = AbortSignal.any([asked.request.signal, deadlineSignal(speechDeadlineMs)])
  const first = await ask(asked, { withSummary: true, signal })
  const withSummary = !isAboutSummary(first)
  const answer = withSummary ? first : await ask(asked, { withSummary, signal })
  if (answer.status !== 200) throw refusalOf(answer)
  return transcriptOf(parse(answer), { withSummary })
}

type AskOptions = { readonly withSummary: boolean; readonly signal: AbortSignal }

async function ask(
  { account, dispatcher, request: { audio, twoChannels } }: Asked,
  { withSummary, signal }: AskOptions,
): Promise<HttpAnswer> {
  const query = new URLSearchParams({
    model: 'nova-3',
    smart_format: 'true',
    detect_language: 'true',
    diarize: 'true',
    utterances: 'true',
    topics: 'true',
    sentiment: 'true',
    ...(withSummary ? { summarize: 'v2' } : {}),
    ...(twoChannels ? { multichannel: 'true' } : {}),
  })
  const isAddress = audio.kind === 'ADDRESS'
  return httpRequest({
    who,
    method: 'POST',
    url: `${account.url}/v1/listen?${query}`,
    headers: { authorization: `Token ${account.apiKey}`, 'content-type': isAddress ? 'application/json' : audio.contentType },
    body: isAddress ? JSON.stringify({ url: audio.url }) : await audio.open(signal),
    signal,
    dispatcher,
    maxAnswerBytes,
  })
}

function parse({ text }: HttpAnswer) {
  try {
    return answerSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new AppError('PROVIDER_ANSWER_INVALID', { detail: `${who} gave an answer that cannot be read`, cause: new Error(nameOf(cause)) })
  }
}

/** Only the name of the error: its message may quote a patient. */
function nameOf(cause: unknown): string {
  return cause instanceof Error ? cause.name : 'unreadable'
}
