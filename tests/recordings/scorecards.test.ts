import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type RestAnswer, type TestApp, type TestSignIn } from '../harness/app.ts'
import { recordedCalls, type SeededCall } from '../harness/recordings.ts'

const verdict = z.enum(['MET', 'BROKEN', 'NOT_APPLICABLE'])
const criterionSchema = z.looseObject({
  key: z.string(),
  name: z.string(),
  weight: z.int(),
  model: z.object({ verdict, reason: z.string().nullable(), evidence: z.array(z.string()) }).nullable(),
  correction: z.looseObject({ verdict, reason: z.string(), by: z.looseObject({ name: z.string() }) }).nullable(),
  verdict: verdict.nullable(),
})
const scorecardSchema = z.looseObject({
  callId: z.string(),
  version: z.int(),
  modelScore: z.int().nullable(),
  score: z.int().nullable(),
  criteria: z.array(criterionSchema),
})
type Scorecard = z.output<typeof scorecardSchema>

let app: TestApp
let manager: TestSignIn
let agent: TestSignIn
let own: SeededCall
let other: SeededCall
const criteria = [
  { key: 'thanks', name: 'Thanks', question: 'Thank the caller', weight: 3 },
  { key: 'name', name: 'Own name', question: 'Say your name', weight: 1 },
  { key: 'card', name: 'Card data', question: 'Never ask for a card number', weight: 5 },
]

beforeAll(async () => {
  app = await createTestApp()
  manager = await app.signIn('manager@demo.example')
  agent = await app.signIn('agent1@demo.example')
  const calls = await recordedCalls(app, manager.token)
  const call = (isOwn: boolean): SeededCall => {
    const found = calls.find(({ agentId }) => agentId !== null && (agentId === agent.agentId) === isOwn)
    if (!found) throw new Error('the sandbox has such a call')
    return found
  }
  own = call(true)
  other = call(false)
  await app.rest('PUT', '/api/config/ai', { token: manager.token, body: { recordings: { complianceRules: criteria } } })
})
afterAll(() => app[Symbol.asyncDispose]())

const judged = (given: string, evidence: readonly string[]) => ({ verdict: given, reason: `It is ${given.replaceAll('_', ' ')}`, evidence })
const goodVerdicts = { rule1: judged('MET', ['u1']), rule2: judged('BROKEN', ['u1', 'u2']), rule3: judged('NOT_APPLICABLE', []) }
const form = (compliance: object) => ({
  speakers: [
    { speaker: 0, role: 'AGENT', evidence: ['u1'] },
    { speaker: 1, role: 'CUSTOMER', evidence: ['u2'] },
  ],
  summary: 'A call.',
  outcome: { code: 'OTHER', text: 'They talked.', evidence: ['u2'] },
  wentWell: [],
  toImprove: [],
  satisfaction: { score: 4, reason: 'Friendly', evidence: ['u2'] },
  compliance,
})
/** Analyses a call again; the model says this about the rules, or what the sandbox says. */
async function analyse(callId: string, ...answers: readonly object[]): Promise<void> {
  for (const compliance of answers) app.standIns.models.answerNext(form(compliance))
  const { status } = await app.rest('POST', '/api/recordings/analyze', { token: manager.token, body: { callId, force: true } })
  expect(status).toBe(200)
}
const get = (callId: string, token = manager.token): Promise<RestAnswer> => app.rest('GET', `/api/scorecards/${callId}`, { token })
const read = async (callId: string, token = manager.token): Promise<Scorecard> => scorecardSchema.parse((await get(callId, token)).body)
const put = (
  callId: string,
  criterion: string,
  { token = manager.token, ...body }: Record<string, unknown> & { token?: string },
): Promise<RestAnswer> => app.rest('PUT', `/api/scorecards/${callId}/corrections/${criterion}`, { token, body })
const correct = async (callId: string, criterion: string, given: string | null): Promise<Scorecard> => {
  const { version } = await read(callId)
  const { status, body } = await put(callId, criterion, { verdict: given, reason: 'I listened to it', version })
  expect({ status, body }).toMatchObject({ status: 200 })
  return scorecardSchema.parse(body)
}

describe("the model's verdicts", () => {
  test('each criterion has one, with utterances of the call, and a score by weight', async () => {
    await analyse(own.id, goodVerdicts)
    const scorecard = await read(own.id)
    expect(scorecard).toMatchObject({ callId: own.id, agentId: own.agentId, modelScore: 75, score: 75 })
    expect(scorecard.criteria).toEqual([
      { ...criteria[0], model: { ...judged('MET', [`${own.id}:u1`]) }, correction: null, verdict: 'MET' },
      { ...criteria[1], model: { ...judged('BROKEN', [`${own.id}:u1`, `${own.id}:u2`]) }, correction: null, verdict: 'BROKEN' },
      { ...criteria[2], model: { ...judged('NOT_APPLICABLE', []) }, correction: null, verdict: 'NOT_APPLICABLE' },
    ])
    expect((await read(own.ucid)).version).toBe(scorecard.version)
  })

  test("the sandbox's model gives verdicts that cite utterances which exist", async () => {
    await analyse(own.id)
    const { body } = await app.rest('GET', `/api/recordings/${own.id}/analysis`, { token: manager.token })
    const { utterances } = z.looseObject({ utterances: z.array(z.looseObject({ id: z.string() })) }).parse(body)
    const ids = utterances.map(({ id }) => id)
    const models = (await read(own.id)).criteria.flatMap(({ model }) => model ?? [])
    expect(models.length).toBeGreaterThan(0)
    for (const model of models) {
      expect(ids).toEqual(expect.arrayContaining(model.evidence))
      expect(model.verdict === 'NOT_APPLICABLE' || model.evidence.length > 0).toBe(true)
    }
  })

  test('a verdict without a citation, or with an unknown one, counts as none; so does an extra one', async () => {
    await analyse(own.id, {
      rule1: judged('MET', ['u999']),
      rule2: judged('BROKEN', []),
      rule3: judged('MET', ['u1', 'u1']),
      rule4: judged('BROKEN', ['u1']),
      thanks: judged('MET', ['u1']),
    })
    const { criteria: given, modelScore } = await read(own.id)
    expect(given.map(({ key, model }) => [key, model?.verdict ?? null])).toEqual([
      ['thanks', null],
      ['name', null],
      ['card', 'MET'],
    ])
    expect(given[2]?.model?.evidence).toEqual([`${own.id}:u1`])
    expect(modelScore).toBe(100)
  })

  test('an answer that lacks a criterion, twice, gives a scorecard for managers alone', async () => {
    await analyse(
      own.id,
      { rule1: judged('MET', ['u1']) },
      { rule1: judged('PERFECT', ['u1']), rule2: goodVerdicts.rule2, rule3: goodVerdicts.rule3 },
    )
    const scorecard = await read(own.id)
    expect(scorecard).toMatchObject({ modelScore: null, score: null })
    expect(scorecard.criteria.map(({ model }) => model)).toEqual([null, null, null])
    expect(await correct(own.id, 'thanks', 'MET')).toMatchObject({ modelScore: null, score: 100 })
    await correct(own.id, 'thanks', null)
  })
})

describe("a manager's correction", () => {
  test('is beside the model’s verdict, with who, when and why; it changes the score and is audited', async () => {
    await analyse(other.id, goodVerdicts)
    const corrected = await correct(other.id, 'name', 'MET')
    expect(corrected).toMatchObject({ modelScore: 75, score: 100 })
    const [, name] = corrected.criteria
    expect(name).toMatchObject({
      model: { verdict: 'BROKEN', reason: 'It is BROKEN' },
      correction: { verdict: 'MET', reason: 'I listened to it', by: { memberId: manager.memberId } },
      verdict: 'MET',
    })
    expect(await read(other.id)).toEqual(corrected)
    const { body } = await app.rest('GET', '/api/audit?first=1', { token: manager.token })
    expect(body).toMatchObject({
      entries: [{ action: 'scorecard.corrected', targetKind: 'call', targetId: other.id, actor: { memberId: manager.memberId } }],
    })
    expect(JSON.stringify(body)).toContain('I listened to it')
  })

  test('of two managers at once, one is told that the scorecard has changed', async () => {
    await analyse(other.id, goodVerdicts)
    const { version } = await read(other.id)
    const both = await Promise.all(
      ['MET', 'BROKEN'].map((given) => put(other.id, 'thanks', { verdict: given, reason: 'Heard it', version })),
    )
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(both.find(({ status }) => status === 409)?.body).toMatchObject({ reason: 'CHANGED_MEANWHILE', data: { version: version + 1 } })
    expect((await read(other.id)).version).toBe(version + 1)
  })

  test('stays when the call is analysed again, also with other criteria', async () => {
    await analyse(other.id, goodVerdicts)
    await correct(other.id, 'card', 'MET')
    const before = await read(other.id)
    await app.rest('PUT', '/api/config/ai', { token: manager.token, body: { recordings: { complianceRules: criteria.slice(0, 2) } } })
    await analyse(other.id, { rule1: judged('BROKEN', ['u1']), rule2: judged('MET', ['u1']) })
    await app.rest('PUT', '/api/config/ai', { token: manager.token, body: { recordings: { complianceRules: criteria } } })
    const after = await read(other.id)
    expect(after.version).toBeGreaterThan(before.version)
    expect(after.criteria.find(({ key }) => key === 'card')?.correction).toEqual(
      before.criteria.find(({ key }) => key === 'card')?.correction,
    )
    expect(await put(other.id, 'card', { verdict: 'MET', reason: 'Old view', version: before.version })).toMatchObject({ status: 409 })
  })

  test('needs a criterion of the scorecard, a reason and a call that has one', async () => {
    const { version } = await read(other.id)
    const good = { verdict: 'MET', reason: 'Heard it', version }
    expect(await put(other.id, 'no-such', good)).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'criterion' }] } } })
    expect(await put(other.id, 'name', { ...good, reason: ' ' })).toMatchObject({ status: 400 })
    expect(await put(other.id, 'name', { ...good, verdict: 'GOOD' })).toMatchObject({ status: 400 })
    expect(await put('3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64', 'name', good)).toMatchObject({ status: 404 })
  })
})

test('agents read the scorecards of their own calls only; only managers list, correct and compare', async () => {
  await analyse(own.id, goodVerdicts)
  expect((await get(own.id, agent.token)).status).toBe(200)
  expect(await get(other.id, agent.token)).toMatchObject({ status: 403, body: { reason: 'NOT_YOURS' } })
  const { version } = await read(own.id)
  expect(await put(own.id, 'name', { verdict: 'MET', reason: 'Mine', version, token: agent.token })).toMatchObject({ status: 403 })
  for (const path of ['', '.csv', '/agreement']) {
    expect((await app.rest('GET', `/api/scorecards${path}`, { token: agent.token })).status).toBe(403)
    expect((await app.rest('GET', `/api/scorecards${path}`)).status).toBe(401)
  }
  const stranger = await app.signIn('manager@acme.example')
  expect(await get(own.id, stranger.token)).toMatchObject({ status: 404 })
  expect(await put(own.id, 'name', { verdict: 'MET', reason: 'Theirs', version, token: stranger.token })).toMatchObject({ status: 404 })
  expect((await app.rest('GET', '/api/scorecards', { token: stranger.token })).body).toEqual([])
})

test('the agreement counts verdicts that are the same, overlooked and false alarms', async () => {
  const agreement = async (query = '') => (await app.rest('GET', `/api/scorecards/agreement${query}`, { token: manager.token })).body
  await analyse(other.id, goodVerdicts)
  for (const { key } of criteria) await correct(other.id, key, null)
  await analyse(own.id, { ...goodVerdicts, rule3: judged('MET', ['u55']) })
  await correct(own.id, 'thanks', 'MET')
  await correct(own.id, 'name', 'NOT_APPLICABLE')
  await correct(own.id, 'card', 'BROKEN')
  await correct(other.id, 'thanks', 'BROKEN')
  const none = { reviewed: 0, agreed: 0, agreement: null, overlooked: 0, falseAlarms: 0, withoutModel: 0 }
  expect(await agreement()).toMatchObject({
    scorecards: 2,
    complete: true,
    total: { reviewed: 3, agreed: 1, agreement: 0.3333, overlooked: 1, falseAlarms: 1, withoutModel: 1 },
    criteria: [
      { key: 'card', name: 'Card data', counts: { ...none, withoutModel: 1 } },
      { key: 'name', counts: { ...none, reviewed: 1, agreement: 0, falseAlarms: 1 } },
      { key: 'thanks', counts: { ...none, reviewed: 2, agreed: 1, agreement: 0.5, overlooked: 1 } },
    ],
  })
  expect(await agreement(`?agentId=${own.agentId}`)).toMatchObject({ scorecards: 1, total: { reviewed: 2 } })
  expect(await agreement('?to=2020-01-01T00:00:00Z')).toMatchObject({ scorecards: 0, total: none, criteria: [] })
})

describe('lists and the table', () => {
  test('page by page, by agent, and only corrected ones', async () => {
    const list = async (path: string) => {
      const { body, headers } = await app.rest('GET', path, { token: manager.token })
      const next = /<(.*)>/.exec(headers.get('link') ?? '')?.[1] ?? null
      return {
        ids: z
          .array(scorecardSchema)
          .parse(body)
          .map(({ callId }) => callId),
        next,
      }
    }
    const all = await list('/api/scorecards')
    expect(all.ids.toSorted()).toEqual([own.id, other.id].toSorted())
    const first = await list('/api/scorecards?first=1')
    const second = await list(first.next ?? '')
    expect([...first.ids, ...second.ids]).toEqual(all.ids)
    expect(second.next).toBeNull()
    expect((await list(`/api/scorecards?agentId=${own.agentId}`)).ids).toEqual([own.id])
    const corrected = await list('/api/scorecards?correctedOnly=true&first=1')
    expect([...corrected.ids, ...(await list(corrected.next ?? '')).ids]).toEqual(all.ids)
    for (const { key } of criteria) await correct(other.id, key, null)
    expect((await list('/api/scorecards?correctedOnly=true')).ids).toEqual([own.id])
    const wrong = await app.rest('GET', '/api/scorecards?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', { token: manager.token })
    expect(wrong).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'to' }] } } })
  })

  test('as CSV: a row for each criterion, with nothing that a spreadsheet computes; the export is audited', async () => {
    const { version } = await read(own.id)
    await put(own.id, 'name', { verdict: 'BROKEN', reason: '=1+1, "loud"\nand rude', version })
    const csv = (query: string) => fetch(`${app.url}/api/scorecards.csv${query}`, { headers: { authorization: `Bearer ${manager.token}` } })
    const answer = await csv(`?agentId=${own.agentId}&from=2020-01-01T00:00:00Z`)
    expect(answer.headers.get('content-type')).toContain('text/csv')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="scorecards.csv"')
    // `text()` takes the mark of UTF-8 away.
    const text = await answer.text()
    expect(text.split('\r\n')).toHaveLength(5)
    expect(text).toMatch(/^callId,agentId,at,analyzedAt,criterion,name,weight,modelVerdict,managerVerdict,managerReason,/)
    expect(text).toContain(`,name,Own name,1,BROKEN,BROKEN,"'=1+1, ""loud""\nand rude",`)
    const exportedSchema = z.looseObject({ entries: z.array(z.looseObject({ targetId: z.string(), targetName: z.string() })) })
    const { body } = await app.rest('GET', '/api/audit?first=1', { token: manager.token })
    expect(exportedSchema.parse(body).entries[0]?.targetId).toBe(own.agentId)
    const corrected = await (await csv('?correctedOnly=true')).text()
    expect(corrected).toContain(own.id)
    expect(corrected).not.toContain(other.id)
    expect((await app.rest('GET', '/api/audit?first=1', { token: manager.token })).body).toMatchObject({
      entries: [{ action: 'scorecards.exported' }],
    })
    for (const query of ['?from=yesterday', '?agentId=x', '?correctedOnly=maybe', '?unknown=1', '?to=2026-01-01T00:00:00Z&to=x'])
      expect((await csv(query)).status).toBe(400)
    expect((await csv('?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z')).status).toBe(400)
  })
})
