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

type SpeechState = {
  readonly clock: Clock
  readonly key: string
  readonly maxConcurrent: number
  readonly book: TalkBook
  pace: z.output<typeof paceSchema>
  hasCredit: boolean
  underWay: number
  spoken: SpokenTalk | null
}

/**
 * The speech provider Deepgram, pre-recorded. It also serves the recordings of the scripted calls, `/recordings/call-001.wav` and on, and
 * `/recordings/spoken-001.wav`, which espeak-ng speaks if it is on PATH.
 */
export async function startSpeech(options: SpeechStandInOptions = {}): Promise<SpeechStandIn> {
  const state: SpeechState = {
    clock: options.clock ?? systemClock,
    key: options.key ?? speechKey,
    maxConcurrent: options.maxConcurrent ?? 10,
    book: new Map(),
    pace: paceSchema.parse({}),
    hasCredit: true,
    underWay: 0,
    spoken: null,
  }
  const commands: SpeechCommands = {
    teach: ({ sha256, script }) => void state.book.set(sha256, { script, utterances: timedUtterances(script) }),
    pace: (input) => void (state.pace = paceSchema.parse(input)),
    credit: ({ left }) => void (state.hasCredit = left),
  }
  const standIn = await startStandIn({
    name: 'speech',
    ...(options.port === undefined ? {} : { port: options.port }),
    commands: {
      teach: (input) => commands.teach(lessonSchema.parse(input)),
      pace: (input) => commands.pace(paceSchema.parse(input)),
      credit: (input) => commands.credit(creditSchema.parse(input)),
    },
    handle: (request) => handle(state, request),
  })
  return { ...standIn, ...commands, recordingBaseUrl: `${standIn.url}/recordings/` }
}

async function handle(state: SpeechState, request: StandInRequest): Promise<StandInAnswer> {
  const name = /^\/recordings\/([\w.-]+)$/.exec(request.path)?.[1]
  if (name !== undefined && (request.method === 'GET' || request.method === 'HEAD')) {
    const recording = await recordingAt(state, name)
    return recording ? served(recording, request.headers.range) : { status: 404, body: { error: 'no such recording' } }
  }
  const refusal = refusalOf(state, request)
  if (refusal) return refuse(refusal)
  state.underWay += 1
  try {
    return await listen(state, request)
  } finally {
    state.underWay -= 1
  }
}

async function recordingAt(state: SpeechState, name: string): Promise<Buffer | undefined> {
  if (name !== spokenName) return recordingNamed(name)
  state.spoken ??= await speakTalk()
  if (state.spoken) state.book.set(createHash('sha256').update(state.spoken.recording).digest('hex'), state.spoken)
  return state.spoken?.recording
}

/** Why a request is refused before its audio is read; null if it is not. */
function refusalOf({ key, hasCredit, underWay, maxConcurrent }: SpeechState, { path, method, headers }: StandInRequest): Refusal | null {
  if (path !== '/v1/listen') return { status: 404, body: { err_code: 'NOT_FOUND', err_msg: 'Not Found' } }
  if (method !== 'POST') return { status: 405, body: { err_code: 'METHOD_NOT_ALLOWED', err_msg: 'Method Not Allowed' } }
  if (headers.authorization !== `Token ${key}`) return { status: 401, body: { err_code: 'INVALID_AUTH', err_msg: 'Invalid credentials.' } }
  if (!hasCredit) return { status: 402, body: { err_code: 'ASR_PAYMENT_REQUIRED', err_msg: noCredit } }
  if (underWay >= maxConcurrent)
    return { status: 429, body: { err_code: 'TOO_MANY_REQUESTS', err_msg: 'Too many requests. Please try again later.' } }
  return null
}

const noCredit = 'Project does not have enough credits for an ASR request and does not have an overage agreement.'

function refuse({ status, body }: Refusal): StandInAnswer {
  return { status, body: { ...body, request_id: newId() } }
}

async function listen({ book, pace, clock }: SpeechState, request: StandInRequest): Promise<StandInAnswer> {
  const wanted = wantedOf(request.query)
  if ('status' in wanted) return refuse(wanted)
  const audio = await audioOf(request)
  if (!Buffer.isBuffer(audio)) return refuse(audio)
  const wave = readWave(audio)
  if (!wave) return refuse(badRequest('failed to process audio: corrupt or unsupported data'))
  const recognised = recognise(audio, wave, book)
  if (wanted.summarize && recognised.language !== 'en') return refuse(badRequest('Summarization is only available for English.'))
  if (pace.ms > 0) await delay(pace.ms)
  const channels = wanted.multichannel ? wave.channels : 1
  return { body: transcription({ recognised, channels, bytes: audio, wanted, requestId: newId(), now: clock.now() }) }
}

function badRequest(reason: string): Refusal {
  return { status: 400, body: { err_code: 'Bad Request', err_msg: `Bad Request: ${reason}` } }
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
    multichannel: on('multichannel'),
    utterances: on('utterances'),
    summarize: summarize === 'v2' || summarize === 'true',
    topics: on('topics'),
    sentiment: on('sentiment'),
    detectLanguage: on('detect_language'),
  }
}
