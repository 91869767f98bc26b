import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import { deepgram } from '../../src/providers/speech/deepgram/provider.ts'
import { withFairUse } from '../../src/providers/speech/fair-use.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import type { Audio, Speech } from '../../src/ports/speech.ts'
import { speechKey } from '../../src/sandbox/accounts.ts'
import { recordingNamed } from '../../src/sandbox/speech/recordings.ts'
import { type SpeechStandIn, startSpeech } from '../../src/sandbox/speech/speech.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

const listen = 'POST /v1/listen'
let standIn: SpeechStandIn
let speech: Speech
let stack: AsyncDisposableStack

beforeEach(async () => {
  stack = new AsyncDisposableStack()
  standIn = stack.use(await startSpeech({ maxConcurrent: 3 }))
  speech = stack.use(deepgram.create({ url: standIn.url, apiKey: speechKey }))
})
afterEach(() => stack.disposeAsync())

const at = (name: string): Audio => ({ kind: 'ADDRESS', url: `${standIn.recordingBaseUrl}${name}` })
const transcribe = (audio: Audio, from = speech) => from.transcribe({ audio, twoChannels: false, signal: AbortSignal.timeout(60_000) })

/** Streams the bytes in pieces, and counts how often the stream is opened. */
function streamed(bytes: Buffer): { readonly audio: Audio; readonly opened: () => number } {
  let opened = 0
  const open = async () => {
    opened += 1
    return (async function* pieces() {
      for (let from = 0; from < bytes.length; from += 65_536) yield bytes.subarray(from, from + 65_536)
    })()
  }
  return { audio: { kind: 'BYTES', contentType: 'audio/wav', open }, opened: () => opened }
}
const wave = (name: string): Buffer => recordingNamed(name) ?? Buffer.alloc(0)

describe('Deepgram', () => {
  test('gives the same transcript for an address and for bytes', async () => {
    const byAddress = await transcribe(at('call-002.wav'))
    const byBytes = await transcribe(streamed(wave('call-002.wav')).audio)
    expect(byBytes).toEqual(byAddress)
    expect(byAddress).toMatchObject({ language: 'en', missing: [] })
    expect(byAddress.sentiment?.timeline).toHaveLength(10)
    expect(byAddress.topics?.[0]).toEqual({ topic: 'Billing', confidence: 0.95 })
    expect(byAddress.utterances).toHaveLength(10)
    expect(byAddress.utterances.map(({ speaker }) => speaker)).toEqual([0, 1, 0, 1, 0, 1, 0, 1, 0, 1])
  })

  test('asks for each channel of a recording that has two', async () => {
    const asked: string[] = []
    const elsewhere = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(400).end()
    }).listen(0, '127.0.0.1')
    stack.defer(() => void elsewhere.close())
    await once(elsewhere, 'listening')
    const address = elsewhere.address()
    const port = typeof address === 'object' ? address?.port : 0
    const other = stack.use(deepgram.create({ url: `http://127.0.0.1:${port}`, apiKey: speechKey }))
    const channels = async (twoChannels: boolean) => {
      const transcribing = other.transcribe({ audio: at('call-001.wav'), twoChannels, signal: AbortSignal.timeout(60_000) })
      await expect(transcribing).rejects.toBeInstanceOf(Error)
      return new URLSearchParams(asked.at(-1)?.split('?')[1]).get('multichannel')
    }
    expect([await channels(true), await channels(false)]).toEqual(['true', null])
  })

  test('streams bytes, with their type and our key', async () => {
    await transcribe(streamed(wave('call-002.wav')).audio)
    const sent = standIn.calls(listen).at(-1)
    expect(sent?.headers).toMatchObject({
      'content-type': 'audio/wav',
      'transfer-encoding': 'chunked',
      authorization: `Token ${speechKey}`,
    })
  })

  test('repeats the request without a summary if the language has none, and opens the bytes again', async () => {
    const { audio, opened } = streamed(wave('call-009.wav'))
    const transcript = await transcribe(audio)
    expect(opened()).toBe(2)
    expect(transcript).toMatchObject({ language: 'hi', summary: null, topics: null, sentiment: null })
    expect(transcript.missing.map(({ part }) => part)).toEqual(['SUMMARY', 'TOPICS', 'SENTIMENT'])
    for (const { why } of transcript.missing) expect(why).toContain('only for English')
  })

  test('requests channels if the recording has two', async () => {
    const received = await speech.transcribe({ audio: at('call-003.wav'), twoChannels: true, signal: AbortSignal.timeout(60_000) })
    expect(received.channels).toBe(1)
    expect(standIn.calls(listen)).toHaveLength(1)
  })

  test.each([
    ['a wrong key', 401, { err_code: 'INVALID_AUTH' }, 'NOT_CONFIGURED'],
    ['no credit', 402, { err_code: 'ASR_PAYMENT_REQUIRED' }, 'NOT_CONFIGURED'],
    ['no audio', 400, { err_code: 'Bad Request', err_msg: 'failed to process audio: corrupt or unsupported data' }, 'INVALID_INPUT'],
    ['an address that it cannot fetch', 400, { err_code: 'REMOTE_CONTENT_ERROR' }, 'NOT_FOUND'],
    ['too many', 429, { err_code: 'TOO_MANY_REQUESTS' }, 'PROVIDER_UNAVAILABLE'],
    ['its own time limit', 504, {}, 'DEADLINE_PASSED'],
    ['its own fault', 500, {}, 'PROVIDER_UNAVAILABLE'],
    ['another refusal', 422, { category: 'UNPROCESSABLE' }, 'PROVIDER_REFUSED'],
  ])('%s', async (...[, status, body, reason]) => {
    standIn.fault({ operation: listen, act: 'refuse', status, body: JSON.stringify(body) })
    await expect(transcribe(at('call-001.wav'))).rejects.toMatchObject({ reason })
  })

  test.each([
    ['a proxy in between', 403, 'NOT_CONFIGURED'],
    ['a proxy in between that has no upstream', 502, 'PROVIDER_UNAVAILABLE'],
  ])('a page of %s', async (_what, status, reason) => {
    standIn.fault({ operation: listen, act: 'refuse', status, body: '<html>' })
    await expect(transcribe(at('call-001.wav'))).rejects.toMatchObject({ reason })
  })

  test.each([
    ['no JSON', '<html>'],
    ['another form', '{"metadata":{},"results":{}}'],
  ])('rejects an answer that is %s', async (_what, body) => {
    standIn.fault({ operation: listen, act: 'refuse', status: 200, body })
    await expect(transcribe(at('call-001.wav'))).rejects.toMatchObject({ reason: 'PROVIDER_ANSWER_INVALID' })
  })

  test('aborting ends the request', async () => {
    standIn.fault({ operation: listen, act: 'hang' })
    const signal = AbortSignal.timeout(100)
    await expect(speech.transcribe({ audio: at('call-001.wav'), twoChannels: false, signal })).rejects.toMatchObject({
      reason: 'DEADLINE_PASSED',
    })
  })
})

describe('fair use of the account', () => {
  const fair = async (maxConcurrent: number): Promise<readonly [Speech, Speech]> => {
    const { path: dataDir } = stack.use(await createTempDir())
    const store = createSqliteStore({ dataDir, clock: systemClock, retentionOf })
    stack.defer(() => store.close())
    const account = createHash('sha256').update(standIn.url).digest('hex')
    return [withFairUse(speech, { store, account, maxConcurrent }), withFairUse(speech, { store, account, maxConcurrent })]
  }

  test('all instances together stay within the provider’s limit of concurrent requests', async () => {
    standIn.pace({ ms: 100 })
    const [one, other] = await fair(3)
    const asked = Array.from({ length: 12 }, (_, index) => transcribe(at('call-010.wav'), index % 2 === 0 ? one : other))
    const transcripts = await Promise.all(asked)
    expect(transcripts).toHaveLength(12)
    // The stand-in accepts three requests at once and refuses a fourth: none was refused.
    expect(standIn.calls(listen)).toHaveLength(12)
  })

  test('as many requests as the limit run at once, and another account does not wait for them', async () => {
    const { path: dataDir } = stack.use(await createTempDir())
    const store = createSqliteStore({ dataDir, clock: systemClock, retentionOf })
    stack.defer(() => store.close())
    const all = Promise.withResolvers<void>()
    let running = 0
    const together: Speech = {
      isPrivate: false,
      async transcribe(request) {
        running += 1
        if (running === 4) all.resolve()
        await all.promise
        return speech.transcribe(request)
      },
    }
    const full = withFairUse(together, { store, account: 'one', maxConcurrent: 3 })
    const other = withFairUse(together, { store, account: 'other', maxConcurrent: 1 })
    const transcripts = await Promise.all([full, full, full, other].map((each) => transcribe(at('call-010.wav'), each)))
    expect(transcripts).toHaveLength(4)
  })

  test('waits and repeats a rate-limited request', async () => {
    const [one] = await fair(3)
    standIn.fault({ operation: listen, act: 'refuse', status: 429, body: '{}', times: 1 })
    expect((await transcribe(at('call-010.wav'), one)).language).toBe('en')
    expect(standIn.calls(listen)).toHaveLength(2)
  })
})
