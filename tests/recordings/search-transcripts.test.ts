import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { recordedCalls, type SeededCall } from '../harness/recordings.ts'

const matchSchema = z.looseObject({
  callId: z.string(),
  agentId: z.string().nullable(),
  at: z.string(),
  outcome: z.string().nullable(),
  sentiment: z.string().nullable(),
  matches: z.int(),
  snippets: z.array(
    z.looseObject({
      id: z.string(),
      role: z.string(),
      start: z.number(),
      text: z.string(),
      highlights: z.array(z.object({ from: z.int(), to: z.int() })),
    }),
  ),
})
const pageSchema = z.array(matchSchema)
const analysisSchema = z.looseObject({
  utterances: z.array(z.looseObject({ id: z.string(), start: z.number(), text: z.string() })),
  insights: z.looseObject({
    outcome: z.looseObject({ code: z.string() }).nullable(),
    compliance: z.array(z.looseObject({ key: z.string(), verdict: z.string() })),
  }),
  sentiment: z.looseObject({ average: z.looseObject({ sentiment: z.string() }) }).nullable(),
})

let app: TestApp
let manager: TestSignIn
let agent: TestSignIn
let calls: readonly SeededCall[]
const analyses = new Map<string, z.output<typeof analysisSchema>>()

beforeAll(async () => {
  app = await createTestApp()
  manager = await app.signIn('manager@demo.example')
  agent = await app.signIn('agent1@demo.example')
  calls = await recordedCalls(app, manager.token)
  for (const { id } of [...calls.slice(0, 7), ...calls.slice(11, 12)]) {
    const { body } = await app.rest('POST', '/api/recordings/analyze', { token: manager.token, body: { callId: id } })
    analyses.set(id, analysisSchema.parse(body))
  }
})
afterAll(() => app[Symbol.asyncDispose]())

const get = (query: Readonly<Record<string, string>>, token = manager.token) =>
  app.rest('GET', `/api/recordings/search?${new URLSearchParams(query)}`, { token })
const search = async (query: Readonly<Record<string, string>>, token = manager.token) => {
  const { status, body } = await get(query, token)
  expect({ status, body }).toMatchObject({ status: 200 })
  return pageSchema.parse(body)
}
const idsOf = (found: readonly { callId: string }[]): readonly string[] => found.map(({ callId }) => callId).toSorted()
const callsWith = (pattern: RegExp): readonly string[] =>
  [...analyses]
    .filter(([, { utterances }]) => utterances.some(({ text }) => pattern.test(text)))
    .map(([id]) => id)
    .toSorted()

describe('words and phrases', () => {
  test('a phrase is found in one utterance, with its id, its time and where the words are', async () => {
    const found = await search({ text: '"Chest PAIN"' })
    expect(idsOf(found)).toEqual(callsWith(/chest pain/i))
    expect(found.length).toBeGreaterThan(0)
    for (const { callId, snippets, matches } of found) {
      expect(matches).toBeGreaterThanOrEqual(snippets.length)
      for (const { id, start, text, highlights } of snippets) {
        const utterance = analyses.get(callId)?.utterances.find((one) => one.id === id)
        expect(utterance).toMatchObject({ start })
        for (const { from, to } of highlights) expect(text.slice(from, to).toLowerCase()).toBe('chest pain')
      }
    }
    expect(await search({ text: '"pain chest"' })).toEqual([])
  })

  test('a call has all words, in any of its utterances', async () => {
    expect(idsOf(await search({ text: 'doctor thank' }))).toEqual(
      callsWith(/\bdoctor\b/i).filter((id) => callsWith(/\bthank\b/i).includes(id)),
    )
    expect(await search({ text: 'doctor xylophone' })).toEqual([])
  })

  test('GraphQL returns the same, and the platform’s record beside it', async () => {
    const query = `query($text: String) { searchTranscripts(text: $text, first: 1) { nodes { callId snippets { id text } call { id ucid } } pageInfo { hasNextPage } } }`
    const { data, errors } = await app.graphql(query, { token: manager.token, variables: { text: 'doctor' } })
    expect(errors).toBeUndefined()
    const [first] = await search({ text: 'doctor' })
    const { nodes } = z
      .object({ nodes: z.array(z.looseObject({ callId: z.string(), call: z.looseObject({ id: z.string() }) })) })
      .parse(data?.['searchTranscripts'])
    expect(nodes[0]).toMatchObject({ callId: first?.callId, call: { id: first?.callId } })
  })

  test('personal data is neither found nor shown', async () => {
    const [call] = calls.slice(11, 12)
    expect(analyses.get(call?.id ?? '')?.utterances.some(({ text }) => /four one one one/i.test(text))).toBe(true)
    const found = await search({ text: '"my card number is"' })
    expect(idsOf(found)).toEqual([call?.id])
    expect(JSON.stringify(found)).not.toMatch(/four one one|kiran at example/i)
    expect(await search({ text: '"four one one one"' })).toEqual([])
    expect(await search({ text: 'kiran example dot com' })).toEqual([])
  })
})

describe('filters and pages', () => {
  const expected = (fits: (analysis: z.output<typeof analysisSchema>) => boolean) =>
    [...analyses]
      .filter(([, analysis]) => fits(analysis))
      .map(([id]) => id)
      .toSorted()

  test('by outcome, sentiment, verdict and criterion', async () => {
    const outcome = 'APPOINTMENT_BOOKED'
    expect(idsOf(await search({ outcome }))).toEqual(expected(({ insights }) => insights.outcome?.code === outcome))
    for (const sentiment of ['POSITIVE', 'NEUTRAL', 'NEGATIVE'])
      expect(idsOf(await search({ sentiment }))).toEqual(expected((one) => one.sentiment?.average.sentiment === sentiment))
    const judged = (criterion: string | null, verdict: string | null) =>
      expected(({ insights }) =>
        insights.compliance.some((one) => (criterion ?? one.key) === one.key && (verdict ?? one.verdict) === one.verdict),
      )
    expect(idsOf(await search({ verdict: 'MET' }))).toEqual(judged(null, 'MET'))
    expect(idsOf(await search({ criterion: 'greeting' }))).toEqual(judged('greeting', null))
    expect(idsOf(await search({ criterion: 'greeting', verdict: 'MET' }))).toEqual(judged('greeting', 'MET'))
    expect(idsOf(await search({ criterion: 'greeting', verdict: 'MET', outcome: 'WRONG_NUMBER' }))).toEqual([])
    expect(judged(null, 'MET').length + judged(null, 'BROKEN').length).toBeGreaterThan(0)
  })

  test('by agent and by time', async () => {
    const all = await search({})
    expect(idsOf(all)).toEqual([...analyses.keys()].toSorted())
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
    const middle = all[3]?.at ?? ''
    expect((await search({ from: middle })).every(({ at }) => at >= middle)).toBe(true)
    expect((await search({ from: middle })).length + (await search({ to: middle })).length).toBe(
      all.length + all.filter(({ at }) => at === middle).length,
    )
    const agentId = all.find((one) => one.agentId !== null)?.agentId ?? ''
    expect(idsOf(await search({ agentId }))).toEqual(idsOf(all.filter((one) => one.agentId === agentId)))
  })

  test('page by page', async () => {
    const whole = await search({ text: 'the' })
    const pages: string[] = []
    let path: string | null = '/api/recordings/search?text=the&first=2'
    while (path !== null) {
      const { body, headers } = await app.rest('GET', path, { token: manager.token })
      pages.push(...pageSchema.parse(body).map(({ callId }) => callId))
      path = /<(.*)>/.exec(headers.get('link') ?? '')?.[1] ?? null
    }
    expect(pages).toEqual(whole.map(({ callId }) => callId))
    expect(pages.length).toBeGreaterThan(2)
  })

  test('input that is not valid', async () => {
    for (const [query, path] of [
      [{ text: '"?!"' }, 'text'],
      [{ text: Array.from({ length: 21 }, (_, n) => `w${n}`).join(' ') }, 'text'],
      [{ first: '51' }, 'first'],
      [{ after: 'x' }, 'after'],
      [{ agentId: 'x' }, 'agentId'],
      [{ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'to'],
    ] as const) {
      expect(await get(query)).toMatchObject({ status: 400, body: { data: { fields: [{ path }] } } })
    }
  })
})

describe('rights', () => {
  test('an agent finds exactly the calls whose analysis they may read', async () => {
    const readable: string[] = []
    for (const id of analyses.keys()) {
      const { status } = await app.rest('GET', `/api/recordings/${id}/analysis`, { token: agent.token })
      if (status === 200) readable.push(id)
    }
    expect(readable.length).toBeGreaterThan(0)
    expect(readable.length).toBeLessThan(analyses.size)
    expect(idsOf(await search({}, agent.token))).toEqual(readable.toSorted())
    const other = calls.find(({ id, agentId }) => analyses.has(id) && agentId !== null && !readable.includes(id))?.agentId ?? ''
    expect(await search({ agentId: other }, agent.token)).toEqual([])
  })

  test('members without calls, other workspaces and anonymous requests find nothing', async () => {
    const user = await app.signIn('user@demo.example')
    const stranger = await app.signIn('manager@acme.example')
    expect((await get({ text: 'doctor' }, user.token)).status).toBe(403)
    expect(await search({ text: 'doctor' }, stranger.token)).toEqual([])
    expect((await app.rest('GET', '/api/recordings/search?text=doctor')).status).toBe(401)
  })
})
