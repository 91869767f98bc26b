import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { hashOf } from '../../src/kernel/ids.ts'
import { createTestApp, type RestAnswer, type TestApp, type TestSignIn } from '../harness/app.ts'
import { recordedCalls, type SeededCall, seededCalls } from '../harness/recordings.ts'
import { waitFor } from '../harness/wait-for.ts'

const evidence = z.array(z.string()).min(1)
const analysisSchema = z.looseObject({
  callId: z.string(),
  language: z.string(),
  duration: z.number(),
  summary: z.string(),
  summaryFrom: z.string(),
  topics: z.array(z.object({ topic: z.string(), confidence: z.number() })),
  sentiment: z.object({ average: z.object({ sentiment: z.string(), score: z.number() }), timeline: z.array(z.unknown()) }).nullable(),
  speakers: z.array(z.looseObject({ speaker: z.int(), role: z.string(), namedBy: z.string().nullable(), evidence: z.array(z.string()) })),
  utterances: z.array(z.looseObject({ id: z.string(), role: z.string(), text: z.string() })),
  insights: z
    .looseObject({
      outcome: z.object({ code: z.string(), text: z.string(), evidence }).nullable(),
      wentWell: z.array(z.object({ text: z.string(), evidence })),
      toImprove: z.array(z.object({ text: z.string(), evidence })),
      compliance: z.array(z.looseObject({ rule: z.string(), verdict: z.string(), evidence: z.array(z.string()) })),
      satisfaction: z.object({ score: z.int(), reason: z.string(), evidence }).nullable(),
      dropped: z.int(),
    })
    .nullable(),
  missing: z.array(z.object({ part: z.string(), why: z.string() })),
  model: z.object({ speech: z.string(), language: z.string().nullable() }),
  tokens: z.object({ input: z.int(), output: z.int() }),
  sourceHash: z.string(),
  analyzedAt: z.string(),
  expiresAt: z.string(),
})
const listen = 'POST /v1/listen'
const noAudio = JSON.stringify({ err_code: 'Bad Request', err_msg: 'Bad Request: failed to process audio: corrupt or unsupported data' })

let app: TestApp
let manager: TestSignIn
let agent: TestSignIn
let agentId: string
let calls: readonly SeededCall[]

beforeAll(async () => {
  app = await createTestApp()
  manager = await app.signIn('manager@demo.example')
  agent = await app.signIn('agent1@demo.example')
  calls = await recordedCalls(app, manager.token)
  const me = await app.graphql('{ me { agent { id } } }', { token: agent.token })
  agentId = z.object({ me: z.object({ agent: z.object({ id: z.string() }) }) }).parse(me.data).me.agent.id
})
afterAll(() => app[Symbol.asyncDispose]())
afterEach(() => {
  app.standIns.speech.clearFaults()
  app.standIns.models.clearFaults()
  app.standIns.speech.pace({ ms: 0 })
  app.standIns.speech.credit({ left: true })
})

async function createCall(data: object): Promise<string> {
  const query = 'mutation($data: CallCreateInput!) { createCall(data: $data) { id } }'
  const created = await app.graphql(query, { token: manager.token, variables: { data } })
  return z.object({ createCall: z.object({ id: z.string() }) }).parse(created.data).createCall.id
}

/** The recording `call-00N.wav`, as the seed has it. */
const recorded = (number: number): SeededCall => {
  const call = calls[number - 1]
  if (!call) throw new Error(`there is no recording ${number}`)
  return call
}
const analyze = (body: object, token = manager.token): Promise<RestAnswer> => app.rest('POST', '/api/recordings/analyze', { token, body })
const read = (callId: string, token = manager.token): Promise<RestAnswer> =>
  app.rest('GET', `/api/recordings/${callId}/analysis`, { token })
const transcriptions = (): number => app.standIns.speech.calls(listen).length
const configure = async (recordings: object): Promise<void> => {
  const { status } = await app.rest('PUT', '/api/config/ai', { token: manager.token, body: { recordings } })
  expect(status).toBe(200)
}

describe('analyses a recording', () => {
  test('returns the transcript, the speakers and the insights', async () => {
    const { status, body } = await analyze({ callId: recorded(1).id })
    expect(status).toBe(200)
    const analysis = analysisSchema.parse(body)
    expect(analysis).toMatchObject({ callId: recorded(1).id, language: 'en', summaryFrom: 'SPEECH', missing: [] })
    expect(analysis.duration).toBeCloseTo(57.3, 0)
    expect(analysis.utterances).toHaveLength(10)
    const { id: callId } = recorded(1)
    expect(analysis.utterances[0]).toMatchObject({ id: `${callId}:u1`, role: 'AGENT', start: 0.4 })
    expect(analysis.utterances[1]).toMatchObject({ id: `${callId}:u2`, role: 'CUSTOMER' })
    expect(analysis.speakers.map(({ role, namedBy }) => [role, namedBy])).toEqual([
      ['AGENT', 'MODEL'],
      ['CUSTOMER', 'MODEL'],
    ])
    const ids = analysis.utterances.map(({ id }) => id)
    for (const { evidence: cited } of analysis.speakers) expect(ids).toEqual(expect.arrayContaining(cited))
    for (const { evidence: cited } of analysis.speakers) expect(cited.length).toBeGreaterThan(0)
    expect(analysis.topics[0]?.topic).toBe('Cardiology appointment')
    expect(analysis.insights?.outcome?.code).toBe('APPOINTMENT_BOOKED')
    expect(analysis.sentiment?.timeline).toHaveLength(10)
    expect(analysis.model).toEqual({ speech: 'general-nova-3', language: 'sandbox-model' })
    expect(analysis.tokens.input).toBeGreaterThan(100)
    expect(Date.parse(analysis.expiresAt) - Date.parse(analysis.analyzedAt)).toBe(7 * 86_400_000)
    expect(JSON.stringify(body)).not.toContain('/recordings/')
  })

  test('later requests return the stored analysis, over GraphQL and REST, by id and by UCID', async () => {
    await analyze({ callId: recorded(1).id })
    const before = transcriptions()
    const byId = await analyze({ callId: recorded(1).id })
    const byUcid = await analyze({ callId: recorded(1).ucid })
    const readBack = await read(recorded(1).id)
    const graphql = await app.graphql('query($id: ID!) { recordingAnalysis(callId: $id) { ... on RecordingAnalysis { summary } } }', {
      token: manager.token,
      variables: { id: recorded(1).ucid },
    })
    expect([byId.status, byUcid.status, readBack.status]).toEqual([200, 200, 200])
    expect(byUcid.body).toEqual(byId.body)
    expect(readBack.body).toEqual(byId.body)
    expect(graphql.data).toEqual({ recordingAnalysis: { summary: analysisSchema.parse(byId.body).summary } })
    expect(transcriptions()).toBe(before)
  })

  test('a language without summary and sentiment: reports what is missing and why; the model writes the summary', async () => {
    const { body } = await analyze({ callId: recorded(9).id })
    const analysis = analysisSchema.parse(body)
    expect(analysis).toMatchObject({ language: 'hi', summaryFrom: 'MODEL', sentiment: null, topics: [] })
    expect(analysis.missing.map(({ part }) => part)).toEqual(expect.arrayContaining(['TOPICS', 'SENTIMENT']))
    expect(analysis.missing.map(({ part }) => part)).not.toContain('SUMMARY')
    expect(analysis.missing[0]?.why).toContain('"hi"')
    expect(analysis.utterances).toHaveLength(6)
  })

  test('sends only the address if the speech provider can fetch it', async () => {
    await analyze({ callId: recorded(3).id })
    const sent = app.standIns.speech.calls(listen).at(-1)
    expect(JSON.parse(sent?.body ?? '')).toEqual({ url: recorded(3).url })
  })
})

describe('concurrent requests', () => {
  test('a hundred concurrent requests cause one transcription', async () => {
    app.standIns.speech.pace({ ms: 200 })
    const before = transcriptions()
    const answers = await Promise.all(Array.from({ length: 100 }, () => analyze({ callId: recorded(4).id })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(transcriptions() - before).toBe(1)
  })

  test('without waiting returns where to read the result, and the work continues', async () => {
    // Long enough for the test to ask meanwhile, also on a busy machine.
    app.standIns.speech.pace({ ms: 2_000 })
    const callId = recorded(5).id
    const { status, body, headers } = await analyze({ callId, waitSeconds: 0 })
    expect(status).toBe(202)
    expect(body).toMatchObject({ callId, lookAt: `/api/recordings/${callId}/analysis` })
    expect(headers.get('location')).toBe(`/api/recordings/${callId}/analysis`)
    expect(headers.get('retry-after')).toBe('2')
    const stages = new Set<string>()
    await waitFor(async () => {
      const polled = await read(callId)
      if (polled.status === 202) stages.add(z.object({ stage: z.string() }).parse(polled.body).stage)
      return polled.status === 200
    })
    expect(stages).toContain('FETCHED')
  })

  test('Prefer: respond-async does not wait, a client that says nothing gets the analysis itself', async () => {
    app.standIns.speech.pace({ ms: 300 })
    const callId = recorded(2).id
    const path = '/api/recordings/analyze'
    const headers = { prefer: 'handling=lenient, respond-async' }
    const early = await app.rest('POST', path, { token: manager.token, body: { callId, force: true }, headers })
    expect(early).toMatchObject({ status: 202, body: { lookAt: `/api/recordings/${callId}/analysis` } })
    expect(early.headers.get('location')).toBe(`/api/recordings/${callId}/analysis`)
    const { status, body } = await app.rest('POST', path, { token: manager.token, body: { callId, force: true, clientVersion: '1.4' } })
    expect({ status, callId: analysisSchema.parse(body).callId }).toEqual({ status: 200, callId })
  })

  test('a service that stops answers 202 with Location before it ends', async () => {
    await using stopping = await createTestApp()
    const { token } = await stopping.signIn('manager@demo.example')
    const [call] = await recordedCalls(stopping, token)
    stopping.standIns.speech.pace({ ms: 20_000 })
    const waiting = stopping.rest('POST', '/api/recordings/analyze', { token, body: { callId: call?.id } })
    await waitFor(() => stopping.standIns.speech.calls(listen).length > 0)
    const [answer] = await Promise.all([waiting, stopping[Symbol.asyncDispose]()])
    expect(answer.status).toBe(202)
    expect(answer.headers.get('location')).toBe(`/api/recordings/${call?.id}/analysis`)
  })

  test('a subscription reports each stage, and ends', async () => {
    app.standIns.speech.pace({ ms: 2_000 })
    const callId = recorded(6).id
    const query = `subscription { recordingProgress(callId: "${callId}") { stage detail } }`
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${manager.token}` },
      body: JSON.stringify({ query }),
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    await analyze({ callId, waitSeconds: 0 })
    const reported = [...(await response.text()).matchAll(/"stage":"(\w+)"/g)].map(([, stage]) => stage)
    expect(reported.at(-1)).toBe('ANALYSED')
    expect(reported).toContain('FETCHED')
  })
})

describe('authorization', () => {
  test('an agent may have their own calls analysed', async () => {
    const own = calls.find((call) => call.agentId === agentId)
    const other = calls.find((call) => call.agentId !== agentId && call.agentId !== null)
    expect((await analyze({ callId: own?.id }, agent.token)).status).toBe(200)
    expect((await read(own?.id ?? '', agent.token)).status).toBe(200)
    const refused = await analyze({ callId: other?.id }, agent.token)
    expect(refused).toMatchObject({ status: 403, body: { reason: 'NOT_YOURS' } })
    await analyze({ callId: other?.id })
    expect(await read(other?.id ?? '', agent.token)).toMatchObject({ status: 403, body: { reason: 'NOT_YOURS' } })
    expect(await analyze({ callId: other?.id }, agent.token)).toMatchObject({ status: 403 })
  })

  test('an agent gets nothing of the analysis in progress of another agent’s call', async () => {
    const other = calls.find((call) => call.agentId !== agentId && call.agentId !== null)
    const data = { ucid: 'in-progress-1', agentId: other?.agentId, recording: { primaryLinkUrl: other?.url, primaryLinkLabel: '' } }
    const callId = await createCall(data)
    app.standIns.speech.pace({ ms: 1_000 })
    expect((await analyze({ callId, waitSeconds: 0 })).status).toBe(202)
    expect(await analyze({ callId, waitSeconds: 0 }, agent.token)).toMatchObject({ status: 403, body: { reason: 'NOT_YOURS' } })
    expect((await analyze({ callId })).status).toBe(200)
  })

  test('only a manager may give an address or force a new analysis', async () => {
    const own = calls.find((call) => call.agentId === agentId)
    for (const more of [{ force: true }, { recordingUrl: own?.url }]) {
      expect(await analyze({ callId: own?.id, ...more }, agent.token)).toMatchObject({ status: 403, body: { reason: 'ROLE_MISSING' } })
    }
    const before = transcriptions()
    const first = analysisSchema.parse((await analyze({ callId: own?.id })).body)
    const repeated = analysisSchema.parse((await analyze({ callId: own?.id, force: true })).body)
    expect(transcriptions() - before).toBe(1)
    expect(repeated.analyzedAt > first.analyzedAt).toBe(true)
    const other = analysisSchema.parse((await analyze({ callId: own?.id, recordingUrl: recorded(7).url })).body)
    expect(other.sourceHash).not.toBe(repeated.sourceHash)
    expect(other.utterances[1]?.text).toContain('I am calling to complain')
  })

  test('a recording that a manager names is analysed, also while the own one of the call is', async () => {
    const { id: callId } = recorded(3)
    const answer = app.standIns.speech.holdAnswers(listen)
    expect((await analyze({ callId, force: true, waitSeconds: 0 })).status).toBe(202)
    expect((await analyze({ callId, recordingUrl: recorded(7).url, waitSeconds: 0 })).status).toBe(202)
    answer()
    const secondLine = async (): Promise<string> => analysisSchema.parse((await read(callId)).body).utterances[1]?.text ?? ''
    await waitFor(async () => (await secondLine()).includes('I am calling to complain'))
  })

  test('recordings that managers name at the same time are all analysed, also after a run that failed', async () => {
    const { id: callId } = recorded(9)
    app.standIns.speech.fault({ operation: listen, act: 'refuse', status: 503, delayMs: 2_000, times: 1 })
    expect((await analyze({ callId, force: true, waitSeconds: 0 })).status).toBe(202)
    const named = [recorded(7), recorded(8)].map(({ url }) => url ?? '')
    const answers = await Promise.all(named.map((recordingUrl) => analyze({ callId, recordingUrl })))
    expect(answers.map(({ status, body }) => [status, body])).toMatchObject(named.map((url) => [200, { sourceHash: hashOf(url) }]))
  })

  test('rejects members without calls, other workspaces and anonymous requests', async () => {
    const user = await app.signIn('user@demo.example')
    const stranger = await app.signIn('manager@acme.example')
    expect(await analyze({ callId: recorded(1).id }, user.token)).toMatchObject({ status: 403 })
    expect(await read(recorded(1).id, stranger.token)).toMatchObject({ status: 404 })
    expect(await analyze({ callId: recorded(1).id }, stranger.token)).toMatchObject({ status: 404 })
    expect(await app.rest('GET', `/api/recordings/${recorded(1).id}/analysis`)).toMatchObject({ status: 401 })
  })
})

describe('lists of calls', () => {
  const query = '{ calls(first: 60) { edges { node { id lead { name } analysis { callId summary insights { outcome { code } } } } } } }'
  const analysed = async (token: string): Promise<readonly string[]> => {
    const { data, errors } = await app.graphql(query, { token })
    expect(errors).toBeUndefined()
    const node = z.object({ id: z.string(), lead: z.unknown(), analysis: z.object({ callId: z.string() }).nullable() })
    const { calls: list } = z.object({ calls: z.object({ edges: z.array(z.object({ node })) }) }).parse(data)
    const known = list.edges.filter(({ node: { id, analysis } }) => analysis?.callId === id)
    return known.map(({ node: { id } }) => id)
  }

  test('one query reads calls with their leads and analyses, and starts none', async () => {
    await analyze({ callId: recorded(1).id })
    const before = transcriptions()
    const ids = await analysed(manager.token)
    expect(ids).toContain(recorded(1).id)
    expect(ids).not.toContain((await seededCalls(app, manager.token)).find(({ url }) => url === null)?.id)
    expect(transcriptions()).toBe(before)
  })

  test('an agent sees only the analyses of their own calls, without an error', async () => {
    const own = new Set(calls.filter((call) => call.agentId === agentId).map(({ id }) => id))
    const seen = await analysed(agent.token)
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.filter((id) => !own.has(id))).toEqual([])
  })
})

describe('the model’s answer', () => {
  beforeAll(() => configure({ complianceRules: [] }))

  const said = (form: object): void => app.standIns.models.answerNext({ ...goodForm, ...form })
  const statement = (text: string, cited: readonly string[]) => ({ text, evidence: cited })
  const goodForm = {
    speakers: [
      { speaker: 0, role: 'AGENT', evidence: ['u1'] },
      { speaker: 1, role: 'CUSTOMER', evidence: ['u2'] },
    ],
    summary: 'A wrong number.',
    outcome: { code: 'WRONG_NUMBER', text: 'They wanted the bank.', evidence: ['u2'] },
    wentWell: [],
    toImprove: [],
    satisfaction: { score: 4, reason: 'Friendly', evidence: ['u4'] },
    compliance: {},
  }
  const again = async (): Promise<z.output<typeof analysisSchema>> =>
    analysisSchema.parse((await analyze({ callId: recorded(10).id, force: true })).body)

  test('statements without a citation, or with an unknown one, are dropped and counted', async () => {
    said({
      wentWell: [
        statement('Greeted well', ['u1']),
        statement('Cited as the transcript prints it', ['[u1]', 'U2', 'u3: Hello']),
        statement('Invented', ['u99']),
        statement('Uncited', []),
        statement('Half', ['u1', 'u77']),
      ],
      satisfaction: { score: 4, reason: 'Friendly', evidence: ['everything'] },
    })
    const { callId, insights } = await again()
    const shown = [
      { text: 'Greeted well', evidence: [`${callId}:u1`] },
      { text: 'Cited as the transcript prints it', evidence: ['u1', 'u2', 'u3'].map((id) => `${callId}:${id}`) },
    ]
    expect(insights).toMatchObject({ wentWell: shown, satisfaction: null, dropped: 4 })
    expect(insights?.outcome).toEqual({ code: 'WRONG_NUMBER', text: 'They wanted the bank.', evidence: [`${callId}:u2`] })
  })

  test('a role proven by the other speaker’s words, or equal for both, is UNKNOWN and reported as missing', async () => {
    said({ speakers: [{ speaker: 0, role: 'AGENT', evidence: ['u2'] }, goodForm.speakers[1]] })
    const crossed = await again()
    expect(crossed.speakers.map(({ role }) => role)).toEqual(['UNKNOWN', 'CUSTOMER'])
    expect(crossed.missing.map(({ part }) => part)).toEqual(['SPEAKERS'])
    said({ speakers: [goodForm.speakers[0], { speaker: 1, role: 'AGENT', evidence: ['u2'] }] })
    expect((await again()).speakers.map(({ role }) => role)).toEqual(['UNKNOWN', 'UNKNOWN'])
  })

  test('has lists that are too long shortened, and what is clear in other words understood, with one question', async () => {
    const many = Array.from({ length: 8 }, () => statement('He was friendly. '.repeat(40), ['u1']))
    app.standIns.models.forgetCalls()
    said({
      wentWell: many,
      toImprove: null,
      outcome: { code: 'wrong number', text: 'They wanted the bank.', evidence: 'u2' },
      satisfaction: { score: '4', reason: null, evidence: ['u4'] },
    })
    const { insights } = await again()
    expect(insights?.wentWell).toHaveLength(5)
    expect(insights?.wentWell[0]?.text).toMatch(/^He was friendly\. .{300,}…$/)
    expect(insights).toMatchObject({ toImprove: [], outcome: { code: 'WRONG_NUMBER' }, satisfaction: { score: 4 }, dropped: 0 })
    expect(app.standIns.models.calls()).toHaveLength(1)
  })

  test('names the content filter that refused a call', async () => {
    app.standIns.models.endNext({ reason: 'content_filter' })
    const { insights, missing } = await again()
    expect(insights).toBeNull()
    expect(missing).toContainEqual({ part: 'INSIGHTS', why: 'The content filter of the language model refused the content' })
  })

  test('repeats the question after bad JSON; after two, stores the analysis without insights and says so', async () => {
    app.standIns.models.malformNext({ times: 1 })
    expect((await again()).insights).not.toBeNull()
    app.standIns.models.malformNext({ times: 2 })
    const without = await again()
    expect(without).toMatchObject({ insights: null, summaryFrom: 'SPEECH' })
    expect(without.missing.map(({ part }) => part)).toEqual(['SPEAKERS', 'INSIGHTS'])
    expect(without.utterances.length).toBe(4)
    expect((await read(recorded(10).id)).status).toBe(200)
  })

  test('checks the rules of the workspace', async () => {
    await configure({ complianceRules: ['Thank the caller', 'Say your name', 'Never ask for a card number'] })
    said({
      compliance: {
        rule1: { verdict: 'MET', reason: 'Said thank you', evidence: ['u1'] },
        rule2: { verdict: 'BROKEN', reason: 'No name', evidence: [] },
        rule3: { verdict: 'NOT_APPLICABLE', reason: 'No payment', evidence: [] },
      },
    })
    const { insights } = await again()
    expect(insights?.compliance.map(({ rule, verdict }) => [rule, verdict])).toEqual([
      ['Thank the caller', 'MET'],
      ['Never ask for a card number', 'NOT_APPLICABLE'],
    ])
    expect(insights?.dropped).toBe(1)
    await configure({ complianceRules: [] })
  })

  test('the prompt has the doctors', async () => {
    await analyze({ callId: recorded(12).id })
    const sent = app.standIns.models.calls().at(-1)?.body ?? ''
    expect(sent).toContain('Dr. Nandini Rao')
    expect(sent).toContain('Paediatrics')
  })

  test('hides card numbers and e-mail addresses from the model, unless the workspace disables that', async () => {
    const sent = (): string => app.standIns.models.calls().at(-1)?.body ?? ''
    await analyze({ callId: recorded(12).id })
    expect(sent()).toContain('My card number is')
    expect(sent()).not.toMatch(/four one one one|kiran at example/)
    await configure({ maskPersonalData: false })
    await analyze({ callId: recorded(12).id, force: true })
    expect(sent()).toMatch(/four one one one/)
    expect(sent()).toContain('kiran at example dot com')
    await configure({ maskPersonalData: true })
  })

  test('an outage of the model costs no second transcription', async () => {
    app.standIns.models.fault({ act: 'refuse', status: 500 })
    const before = transcriptions()
    expect(await analyze({ callId: recorded(11).id })).toMatchObject({ status: 503, body: { retryable: true } })
    expect((await read(recorded(11).id)).status).toBe(503)
    app.standIns.models.clearFaults()
    expect((await analyze({ callId: recorded(11).id })).status).toBe(200)
    expect(transcriptions() - before).toBe(1)
  })

  test('after an outage of the model, another address is transcribed itself', async () => {
    app.standIns.models.fault({ act: 'refuse', status: 500 })
    expect((await analyze({ callId: recorded(11).id, force: true })).status).toBe(503)
    app.standIns.models.clearFaults()
    const { status, body } = await analyze({ callId: recorded(11).id, recordingUrl: recorded(7).url })
    expect(status).toBe(200)
    expect(analysisSchema.parse(body).utterances[1]?.text).toContain('I am calling to complain')
  })
})

describe('the audio', () => {
  const audio = (callId: string, headers: Record<string, string> = {}, token = manager.token): Promise<Response> =>
    fetch(`${app.url}/api/recordings/${callId}/audio`, { headers: { authorization: `Bearer ${token}`, ...headers } })

  test('whole, and in ranges', async () => {
    const whole = await audio(recorded(1).id)
    const bytes = Buffer.from(await whole.arrayBuffer())
    expect(whole.status).toBe(200)
    expect(whole.headers.get('content-type')).toBe('audio/wav')
    expect(whole.headers.get('accept-ranges')).toBe('bytes')
    expect(bytes.toString('latin1', 0, 4)).toBe('RIFF')
    const part = await audio(recorded(1).ucid, { range: 'bytes=100-199' })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe(`bytes 100-199/${bytes.length}`)
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100, 200))).toBe(true)
    const beyond = await audio(recorded(1).id, { range: 'bytes=999999999-' })
    expect(beyond.status).toBe(416)
    expect(beyond.headers.get('content-range')).toBe(`bytes */${bytes.length}`)
  })

  test('only for actors who may see the call', async () => {
    const other = calls.find((call) => call.agentId !== agentId && call.agentId !== null)
    expect((await audio(other?.id ?? '', {}, agent.token)).status).toBe(403)
    expect((await fetch(`${app.url}/api/recordings/${recorded(1).id}/audio`)).status).toBe(401)
    expect((await audio('00000000-0000-4000-8000-000000000000')).status).toBe(404)
    expect((await audio('%E0%A4%A')).status).toBe(404)
    expect((await audio('%00')).status).toBe(404)
  })
})

describe('errors are clear and not stored', () => {
  test('no recording', async () => {
    const without = (await seededCalls(app, manager.token)).find(({ url }) => url === null)
    const { status, body } = await analyze({ callId: without?.id })
    expect({ status, body }).toMatchObject({ status: 404, body: { reason: 'NOT_FOUND' } })
  })

  test('a recording that is not available yet: says when to try again', async () => {
    const url = recorded(1).url?.replace('call-001', 'call-999')
    const { status, body, headers } = await analyze({ callId: recorded(8).id, recordingUrl: url })
    expect({ status, body }).toMatchObject({ status: 404, body: { detail: 'The recording is not available yet' } })
    expect(headers.get('retry-after')).toBe('60')
  })

  test('an address that cannot be used fails only for who named it', async () => {
    const recording = { primaryLinkUrl: recorded(1).url, primaryLinkLabel: '' }
    const callId = await createCall({ ucid: 'named-in-vain-1', recording })
    app.standIns.speech.fault({ operation: listen, act: 'refuse', status: 400, body: noAudio, delayMs: 2_000, times: 1 })
    const before = transcriptions()
    const named = analyze({ callId, recordingUrl: recorded(2).url })
    await waitFor(() => transcriptions() > before)
    expect([await analyze({ callId }), await named].map(({ status }) => status)).toEqual([200, 400])
  })

  test('no credit at the provider; works when there is', async () => {
    app.standIns.speech.credit({ left: false })
    const { status, body } = await analyze({ callId: recorded(8).id })
    expect({ status, body }).toMatchObject({ status: 409, body: { code: 'NOT_CONFIGURED' } })
    expect(JSON.stringify(body)).toContain('credit')
    app.standIns.speech.credit({ left: true })
    expect((await analyze({ callId: recorded(8).id })).status).toBe(200)
  })

  test('bad input names the field', async () => {
    expect(await analyze({ callId: recorded(1).id, recordingUrl: 'ftp://x/y.wav' })).toMatchObject({ status: 400 })
    expect(await analyze({ callId: recorded(1).id, waitSeconds: 900 })).toMatchObject({
      status: 400,
      body: { data: { fields: [{ path: 'waitSeconds' }] } },
    })
    expect(await analyze({ callId: 'no-such-call' })).toMatchObject({ status: 404 })
    expect(await analyze({})).toMatchObject({ status: 400 })
    expect(await read('no-such-call')).toMatchObject({ status: 404 })
  })

  test('neither answers nor logs have the provider’s messages or its key', () => {
    const logged = app.logged.join('')
    expect(logged).not.toContain('Project does not have enough credits')
    expect(logged).not.toContain('chest pain')
    expect(logged.length).toBeGreaterThan(0)
  })
})
