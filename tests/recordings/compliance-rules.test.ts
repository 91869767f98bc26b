import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { recordedCalls } from '../harness/recordings.ts'

const criterion = z.strictObject({ key: z.string(), name: z.string(), question: z.string(), weight: z.int() })
const sectionSchema = z.looseObject({
  recordings: z.looseObject({ complianceRules: z.array(z.union([z.string(), criterion])), agentChannel: z.string() }),
})

let app: TestApp
let manager: TestSignIn

beforeAll(async () => {
  app = await createTestApp()
  manager = await app.signIn('manager@demo.example')
})
afterAll(() => app[Symbol.asyncDispose]())

async function section(method: 'GET' | 'PUT' | 'POST', path: string, recordings?: object) {
  const { status, body } = await app.rest(method, path, {
    token: manager.token,
    ...(method !== 'GET' && { body: recordings ? { recordings } : {} }),
  })
  expect(status).toBe(200)
  return sectionSchema.parse(body).recordings
}
test('a criterion has a key, which no other has, a name, a question and a weight', async () => {
  const put = (complianceRules: unknown) =>
    app.rest('PUT', '/api/config/ai', { token: manager.token, body: { recordings: { complianceRules } } })
  const good = { key: 'date-of-birth', name: 'Date of birth', question: 'Ask for the date of birth.' }
  expect(await put([good, 'Say goodbye'])).toMatchObject({
    status: 200,
    body: { recordings: { complianceRules: [{ ...good, weight: 1 }, 'Say goodbye'] } },
  })
  for (const bad of [{ ...good, key: 'Not a key' }, { ...good, weight: 0 }, { ...good, name: '' }, { name: 'x' }, 7]) {
    expect(await put([bad])).toMatchObject({ status: 400, body: { reason: 'INVALID_INPUT' } })
  }
  expect(await put([good, good])).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'recordings.complianceRules' }] } } })
  const days = (retentionDays: number) =>
    app.rest('PUT', '/api/config/ai', { token: manager.token, body: { recordings: { retentionDays } } })
  for (const [retentionDays, status] of [
    [6, 400],
    [91, 400],
    [7, 200],
    [90, 200],
  ] as const)
    expect((await days(retentionDays)).status).toBe(status)
  await section('POST', '/api/config/ai/reset')
})

const rulesAsked = (): readonly string[] => {
  const sent = app.standIns.models.calls().at(-1)?.body ?? ''
  return [...sent.matchAll(/rule\d+: (.*?)(?=\\n)/g)].map(([, rule = '']) => rule)
}
async function analyse(): Promise<void> {
  const [call] = await recordedCalls(app, manager.token)
  const { status } = await app.rest('POST', '/api/recordings/analyze', { token: manager.token, body: { callId: call?.id, force: true } })
  expect(status).toBe(200)
}

test('a workspace without rules of its own is checked against those for a hospital; a manager changes, removes and restores them', async () => {
  const { complianceRules: standard } = await section('GET', '/api/config/ai')
  expect(standard).toHaveLength(5)
  const questions = standard.map((one) => (typeof one === 'string' ? one : one.question))
  for (const [index, word] of ['Greet', 'recorded', 'medical advice', 'card', 'politely'].entries())
    expect(questions[index]).toContain(word)
  await analyse()
  expect(rulesAsked()).toEqual(questions)

  const own = ['Ask for the date of birth.', ...standard.slice(1)]
  await section('PUT', '/api/config/ai', { complianceRules: own })
  await analyse()
  expect(rulesAsked()).toEqual([own[0], ...questions.slice(1)])

  await section('PUT', '/api/config/ai', { complianceRules: [] })
  await section('PUT', '/api/config/ai', { agentChannel: 'SECOND' })
  expect(await section('GET', '/api/config/ai')).toMatchObject({ complianceRules: [], agentChannel: 'SECOND' })
  await analyse()
  expect(rulesAsked()).toEqual([])

  await section('POST', '/api/config/ai/reset')
  expect((await section('GET', '/api/config/ai')).complianceRules).toEqual(standard)
})
