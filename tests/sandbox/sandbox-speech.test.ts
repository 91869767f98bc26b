import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { speechKey } from '../../src/sandbox/accounts.ts'
import { scripts } from '../../src/sandbox/speech/scripts.ts'
import { type SpeechStandIn, startSpeech } from '../../src/sandbox/speech/speech.ts'
import { timedUtterances } from '../../src/sandbox/speech/timing.ts'
import { writeWave } from '../../src/sandbox/speech/wave.ts'

// The stand-in on its wire, as the vendor documents it: what an adapter must survive.
const everything = '?model=nova-3&smart_format=true&diarize=true&utterances=true&summarize=v2&topics=true&sentiment=true'
const withoutSummary = everything.replace('summarize=v2&', '')

const sentiment = z.object({ sentiment: z.enum(['positive', 'neutral', 'negative']), sentiment_score: z.number().min(-1).max(1) })
const answerSchema = z.object({
  metadata: z.object({
    request_id: z.string(),
    sha256: z.string(),
    duration: z.number(),
    channels: z.number(),
    models: z.array(z.string()),
    model_info: z.record(z.string(), z.object({ name: z.string() })),
    warnings: z.array(z.object({ parameter: z.string(), type: z.string(), message: z.string() })).optional(),
  }),
  results: z.object({
    channels: z.array(
      z.object({
        alternatives: z.array(
          z.object({
            transcript: z.string(),
            confidence: z.number(),
            words: z.array(
              z.object({
                word: z.string(),
                start: z.number(),
                end: z.number(),
                confidence: z.number(),
                punctuated_word: z.string(),
                speaker: z.number(),
              }),
            ),
          }),
        ),
      }),
    ),
    utterances: z.array(
      z.object({
        id: z.string(),
        start: z.number(),
        end: z.number(),
        channel: z.number(),
        speaker: z.number(),
        transcript: z.string(),
        words: z.array(z.unknown()),
      }),
    ),
    summary: z.object({ result: z.string(), short: z.string() }).optional(),
    topics: z
      .object({
        segments: z.array(z.object({ text: z.string(), topics: z.array(z.object({ topic: z.string(), confidence_score: z.number() })) })),
      })
      .optional(),
    sentiments: z
      .object({
        segments: z.array(sentiment.extend({ text: z.string(), start_word: z.number(), end_word: z.number() })),
        average: sentiment,
      })
      .optional(),
  }),
})
type Answer = z.output<typeof answerSchema>

let speech: SpeechStandIn
beforeEach(async () => {
  speech = await startSpeech()
})
afterEach(() => speech[Symbol.asyncDispose]())

const headers = { authorization: `Token ${speechKey}` }
const listen = (body: BodyInit, query = everything, contentType = 'audio/wav') =>
  fetch(`${speech.url}/v1/listen${query}`, { method: 'POST', headers: { ...headers, 'content-type': contentType }, body })
const listenTo = (name: string, query = everything) =>
  listen(JSON.stringify({ url: `${speech.recordingBaseUrl}${name}.wav` }), query, 'application/json')
const recognised = async (answer: Response): Promise<Answer> => answerSchema.parse(await answer.json())
const recording = async (name: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await (await fetch(`${speech.recordingBaseUrl}${name}.wav`)).arrayBuffer())

describe('recordings', () => {
  test('are a dozen real WAV files, served whole and in parts', async () => {
    expect(scripts).toHaveLength(12)
    const bytes = Buffer.from(await recording('call-001'))
    expect([bytes.toString('latin1', 0, 4), bytes.toString('latin1', 8, 16)]).toEqual(['RIFF', 'WAVEfmt '])
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8)
    const part = await fetch(`${speech.recordingBaseUrl}call-001.wav`, { headers: { range: 'bytes=8-11' } })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, `bytes 8-11/${bytes.length}`, 'WAVE'])
    expect((await fetch(`${speech.recordingBaseUrl}call-099.wav`)).status).toBe(404)
  })
})

describe('listening', () => {
  test.each(scripts.filter(({ language }) => language === 'en').map((script) => [script.name, script] as const))(
    'hears %s word for word',
    async (name, script) => {
      const { metadata, results } = await recognised(await listenTo(name))
      const utterances = timedUtterances(script)
      expect(results.utterances.map(({ transcript, speaker, start, end }) => ({ transcript, speaker, start, end }))).toEqual(
        utterances.map(({ line, speaker, start, end }) => ({ transcript: line.text, speaker, start, end })),
      )
      expect(results.channels[0]?.alternatives[0]?.transcript).toBe(script.utterances.map(({ text }) => text).join(' '))
      expect(Math.abs(metadata.duration - (utterances.at(-1)?.end ?? 0))).toBeLessThan(0.01)
      expect(results.topics?.segments.flatMap(({ topics }) => topics.map(({ topic }) => topic))).toEqual(script.topics)
      expect(results.sentiments?.segments).toHaveLength(script.utterances.length)
    },
  )

  test('gives the same for bytes as for an address', async () => {
    const [byUrl, byBytes] = [await recognised(await listenTo('call-002')), await recognised(await listen(await recording('call-002')))]
    expect(byBytes.results.channels).toEqual(byUrl.results.channels)
    expect(byBytes.metadata.sha256).toBe(
      createHash('sha256')
        .update(await recording('call-002'))
        .digest('hex'),
    )
  })

  test('leaves out what was not asked for', async () => {
    const body: unknown = await (await listenTo('call-001', '?model=nova-3')).json()
    expect(body).toHaveProperty('results.channels')
    for (const part of ['utterances', 'summary', 'topics', 'sentiments']) expect(body).not.toHaveProperty(`results.${part}`)
    expect(body).not.toHaveProperty('results.channels.0.alternatives.0.words.0.speaker')
  })

  test('judges a happy call higher than an angry one', async () => {
    const [angry, happy] = [await recognised(await listenTo('call-007')), await recognised(await listenTo('call-003'))]
    const scores = [angry, happy].map(({ results }) => results.sentiments?.average.sentiment_score ?? 0)
    expect(scores[0]).toBeLessThan(scores[1] ?? 0)
  })

  test('gives a short text itself as its summary', async () => {
    const { results } = await recognised(await listenTo('call-010'))
    expect(results.summary?.short).toBe(results.channels[0]?.alternatives[0]?.transcript)
  })

  test('refuses a summary of another language than English, and leaves out topics and sentiment with warnings', async () => {
    const refused = await listenTo('call-009')
    expect([refused.status, await refused.json()]).toMatchObject([400, { err_code: 'Bad Request' }])
    const { metadata, results } = await recognised(await listenTo('call-009', withoutSummary))
    expect(results.utterances[0]?.transcript).toMatch(/^नमस्ते/)
    expect([results.topics, results.sentiments]).toEqual([undefined, undefined])
    expect(metadata.warnings?.map(({ parameter }) => parameter)).toEqual(['topics', 'sentiment'])
  })

  test('hears nothing in silence, something in an unknown sound, and what it was taught', async () => {
    const silence = writeWave('silence', [{ startSeconds: 0, endSeconds: 2, pitchHertz: 0 }])
    expect((await recognised(await listen(new Uint8Array(silence)))).results.utterances).toEqual([])
    const unknown = new Uint8Array(writeWave('unknown', [{ startSeconds: 0, endSeconds: 20, pitchHertz: 150 }]))
    const { metadata, results } = await recognised(await listen(unknown))
    expect(results.utterances.at(-1)?.end).toBeCloseTo(metadata.duration, 1)
    const script = {
      name: 'taught',
      language: 'en',
      topics: ['Parking'],
      utterances: [{ speaker: 'CUSTOMER', text: 'Where may I park?' }],
    } as const
    speech.teach({ sha256: metadata.sha256, script })
    expect((await recognised(await listen(unknown))).results.utterances.map(({ transcript }) => transcript)).toEqual(['Where may I park?'])
  })
})

describe('refusals', () => {
  test('of a wrong key, of text, of nothing, of an empty account', async () => {
    const wrongKey = await fetch(`${speech.url}/v1/listen`, { method: 'POST', headers: { authorization: 'Token wrong' }, body: 'x' })
    expect([wrongKey.status, await wrongKey.json()]).toMatchObject([
      401,
      { err_code: 'INVALID_AUTH', request_id: expect.any(String) as unknown },
    ])
    for (const audio of ['This is no audio.', '']) expect((await listen(audio)).status).toBe(400)
    const broken = await listen('{"url": 5}', everything, 'application/json')
    expect([broken.status, await broken.json()]).toMatchObject([400, { category: 'INVALID_JSON', details: expect.any(String) as unknown }])
    speech.credit({ left: false })
    const unpaid = await listenTo('call-001')
    expect([unpaid.status, await unpaid.json()]).toMatchObject([402, { err_code: 'ASR_PAYMENT_REQUIRED' }])
  })

  test('of an address that gives nothing', async () => {
    for (const url of [`${speech.recordingBaseUrl}nothing.wav`, 'http://127.0.0.1:1/x.wav']) {
      const answer = await listen(JSON.stringify({ url }), everything, 'application/json')
      expect([answer.status, await answer.json()]).toMatchObject([400, { err_code: 'REMOTE_CONTENT_ERROR' }])
    }
  })

  test('of more than ten at the same time', async () => {
    speech.pace({ ms: 200 })
    const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await listenTo('call-010')).status))
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  })

  test('do not come from an address that answers with the audio, whoever serves it', async () => {
    const bytes = await recording('call-003')
    const server = createServer((_request, response) => response.end(bytes))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const { results } = await recognised(
      await listen(JSON.stringify({ url: `http://127.0.0.1:${port}/elsewhere` }), everything, 'application/json'),
    )
    server.close()
    expect(results.utterances[0]?.transcript).toContain('Farah')
  })
})
