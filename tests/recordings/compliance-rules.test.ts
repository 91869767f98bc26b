import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { recordedCalls } from '../harness/recordings.ts'

const sectionSchema = z.looseObject({ recordings: z.looseObject({ complianceRules: z.array(z.string()), agentChannel: z.string() }) })

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
  for (const [index, word] of ['Greet', 'recorded', 'medical advice', 'card', 'politely'].entries()) expect(standard[index]).toContain(word)
  await analyse()
  expect(rulesAsked()).toEqual(standard)

  const own = ['Ask for the date of birth.', ...standard.slice(1)]
  await section('PUT', '/api/config/ai', { complianceRules: own })
  await analyse()
  expect(rulesAsked()).toEqual(own)

  await section('PUT', '/api/config/ai', { complianceRules: [] })
  await section('PUT', '/api/config/ai', { agentChannel: 'SECOND' })
  expect(await section('GET', '/api/config/ai')).toMatchObject({ complianceRules: [], agentChannel: 'SECOND' })
  await analyse()
  expect(rulesAsked()).toEqual([])

  await section('POST', '/api/config/ai/reset')
  expect((await section('GET', '/api/config/ai')).complianceRules).toEqual(standard)
})
