import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { type Clock, systemClock } from '../clock.ts'
import { newId } from '../ids.ts'
import { speechKey } from '../accounts.ts'
import { type StandIn, type StandInAnswer, type StandInRequest, startStandIn } from '../stand-in.ts'
import { audioOf, type Refusal, served } from './audio.ts'
import { recognise, type TalkBook } from './recognition.ts'
import { recordingNamed } from './recordings.ts'
import type { CallScript } from './scripts.ts'
import { speakTalk, spokenName, type SpokenTalk } from './spoken.ts'
import { timedUtterances } from './timing.ts'
import { transcription, type Wanted } from './transcript.ts'
import { readWave } from './wave.ts'

const scriptSchema = z.strictObject({
  name: z.string(),
  language: z.enum(['en', 'hi']).default('en'),
  topics: z.array(z.string()).default([]),
  utterances: z.array(z.strictObject({ speaker: z.enum(['AGENT', 'CUSTOMER']), text: z.string().min(1) })),
})
const lessonSchema = z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/), script: scriptSchema })
const paceSchema = z.strictObject({ ms: z.number().nonnegative().default(0) })
const creditSchema = z.strictObject({ left: z.boolean() })

export interface SpeechCommands {
  /** What is to be recognised in a recording with these bytes. */
  teach(lesson: { sha256: string; script: CallScript }): void
  /** How long each transcription takes; until changed. */
  pace(input: z.input<typeof paceSchema>): void
  /** Whether the account still has credit; without it every transcription is refused with 402. */
  credit(input: z.input<typeof creditSchema>): void
}
export type SpeechStandIn = StandIn &
  SpeechCommands & { /** Where the recordings of the scripts are, with a slash at its end. */ readonly recordingBaseUrl: string }
export type SpeechStandInOptions = {
  readonly port?: number
  readonly clock?: Clock
  readonly key?: string
  readonly maxConcurrent?: number
}

/**
 * The speech provider Deepgram, pre-recorded; it also serves the recordings of the scripted calls, `/recordings/call-001.wav` and on, and
 * `/recordings/spoken-001.wav`, which espeak-ng says aloud, where it is on PATH.
 */
export async function startSpeech(options: SpeechStandInOptions = {}): Promise<SpeechStandIn> {
  const clock = options.clock ?? systemClock
  const book: TalkBook = new Map()
  let pace = paceSchema.parse({})
  let hasCredit = true
  let underWay = 0
  let spoken: SpokenTalk | null = null

  const recordingAt = async (name: string): Promise<Buffer | undefined> => {
    if (name !== spokenName) return recordingNamed(name)
    spoken ??= await speakTalk()
    if (spoken) book.set(createHash('sha256').update(spoken.recording).digest('hex'), spoken)
    return spoken?.recording
  }

  const refuse = ({ status, body }: Refusal): StandInAnswer => ({ status, body: { ...body, request_id: newId() } })

  const listen = async (request: StandInRequest): Promise<StandInAnswer> => {
    const wanted = wantedOf(request.query)
    if ('status' in wanted) return refuse(wanted)
    const audio = await audioOf(request)
    if (!Buffer.isBuffer(audio)) return refuse(audio)
    const wave = readWave(audio)
    if (!wave)
      return refuse({
        status: 400,
        body: { err_code: 'Bad Request', err_msg: 'Bad Request: failed to process audio: corrupt or unsupported data' },
      })
    const recognised = recognise(audio, wave, book)
    if (wanted.summarize && recognised.language !== 'en') {
      return refuse({
        status: 400,
        body: { err_code: 'Bad Request', err_msg: 'Bad Request: Summarization is only available for English.' },
      })
    }
    if (pace.ms > 0) await delay(pace.ms)
    return { body: transcription({ recognised, bytes: audio, wanted, requestId: newId(), now: clock.now() }) }
  }

  const limited = async (request: StandInRequest): Promise<StandInAnswer> => {
    if (underWay >= (options.maxConcurrent ?? 10)) {
      return refuse({ status: 429, body: { err_code: 'TOO_MANY_REQUESTS', err_msg: 'Too many requests. Please try again later.' } })
    }
    underWay += 1
    try {
      return await listen(request)
    } finally {
      underWay -= 1
    }
  }

  const commands: SpeechCommands = {
    teach: ({ sha256, script }) => void book.set(sha256, { script, utterances: timedUtterances(script) }),
    pace: (input) => void (pace = paceSchema.parse(input)),
    credit: ({ left }) => void (hasCredit = left),
  }
  const standIn = await startStandIn({
    name: 'speech',
    ...(options.port === undefined ? {} : { port: options.port }),
    commands: {
      teach: (input) => commands.teach(lessonSchema.parse(input)),
      pace: (input) => commands.pace(paceSchema.parse(input)),
      credit: (input) => commands.credit(creditSchema.parse(input)),
    },
    async handle(request) {
      const name = /^\/recordings\/([\w.-]+)$/.exec(request.path)?.[1]
      if (name !== undefined && (request.method === 'GET' || request.method === 'HEAD')) {
        const recording = await recordingAt(name)
        return recording ? served(recording, request.headers.range) : { status: 404, body: { error: 'no such recording' } }
      }
      if (request.path !== '/v1/listen') return refuse({ status: 404, body: { err_code: 'NOT_FOUND', err_msg: 'Not Found' } })
      if (request.method !== 'POST') return refuse({ status: 405, body: { err_code: 'METHOD_NOT_ALLOWED', err_msg: 'Method Not Allowed' } })
      if (request.headers.authorization !== `Token ${options.key ?? speechKey}`) {
        return refuse({ status: 401, body: { err_code: 'INVALID_AUTH', err_msg: 'Invalid credentials.' } })
      }
      if (!hasCredit)
        return refuse({
          status: 402,
          body: {
            err_code: 'ASR_PAYMENT_REQUIRED',
            err_msg: 'Project does not have enough credits for an ASR request and does not have an overage agreement.',
          },
        })
      return limited(request)
    },
  })
  return { ...standIn, ...commands, recordingBaseUrl: `${standIn.url}/recordings/` }
}

function wantedOf(query: URLSearchParams): Wanted | Refusal {
  const on = (name: string): boolean => query.get(name) === 'true'
  const summarize = query.get('summarize')
  if (summarize !== null && !['v2', 'true', 'false'].includes(summarize)) {
    return {
      status: 400,
      body: { category: 'INVALID_QUERY_PARAMETER', message: 'Invalid query parameter.', details: `summarize: ${summarize}` },
    }
  }
  return {
    model: query.get('model') ?? 'base',
    diarize: on('diarize'),
    utterances: on('utterances'),
    summarize: summarize === 'v2' || summarize === 'true',
    topics: on('topics'),
    sentiment: on('sentiment'),
    detectLanguage: on('detect_language'),
  }
}
