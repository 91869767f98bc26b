import { expect, test } from 'vitest'
import { z } from 'zod'
import { readForm } from '../../src/providers/telephony/read-form.ts'
import { indiaTimeOf } from '../../src/providers/telephony/ozonetel/wire.ts'
import { createTestApp } from '../harness/app.ts'
import { waitFor } from '../harness/wait-for.ts'
import { wrongCalls } from '../prove/calls/records.ts'
import { createChance, disturb, forge, playCall } from '../prove/calls/traffic.ts'

test('writes one correct record per call from repeated, unordered and concurrent webhooks, and rejects forged ones', async () => {
  await using app = await createTestApp()
  app.standIns.telephony.accountMode({ mode: 'token' })
  const { token } = await app.signIn('manager@demo.example')
  const made = await app.rest('POST', '/api/calls/callback-keys', { token, body: { provider: 'ozonetel' } })
  const { path } = z.object({ path: z.string() }).parse(made.body)
  const post = (to: string, { contentType, body }: { contentType: string; body: string }) =>
    fetch(app.url + to, { method: 'POST', headers: { 'content-type': contentType }, body }).then(({ status }) => status)
  const chance = createChance(3)
  const calls = Array.from({ length: 60 }, (_, index) => playCall(index, chance))
  const sent = disturb(
    calls.flatMap(({ postings }) => postings),
    chance,
  )
  expect(sent.length).toBeGreaterThan(240)
  expect(new Set(await Promise.all(sent.map((posting) => post(path, posting))))).toEqual(new Set([200]))
  const forged = await Promise.all(Array.from({ length: 40 }, (_, index) => forge(index, path)).map((one) => post(one.path, one)))
  expect(forged.filter((status) => status !== 401 && status !== 404)).toEqual([])
  const expected = calls.map((call) => call.expected)
  await waitFor(() => wrongCalls(app.standIns.platform, expected).length === 0)
  expect(app.standIns.platform.records('demo', 'call', { ucid: { like: '%5000000%' } })).toEqual([])
})

test('stores no texts without a bound: a webhook is cut, and refused if its id is too long', async () => {
  await using app = await createTestApp()
  const { token } = await app.signIn('manager@demo.example')
  const made = await app.rest('POST', '/api/calls/callback-keys', { token, body: { provider: 'ozonetel' } })
  const { path } = z.object({ path: z.string() }).parse(made.body)
  const text = 'x'.repeat(100_000)
  const post = async (eventType: string, data: object): Promise<number> => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(app.url + path, { method: 'POST', headers, body: JSON.stringify({ eventType, data }) })).status
  }
  const now = indiaTimeOf(new Date().toISOString())
  const call = { action: 'Calling', ucid: '31415926', did: text, agent_id: text, event_time: now }
  expect(await post('Call', call)).toBe(200)
  const found = () => app.rest('POST', '/api/calls/lookup', { token, body: { ucid: call.ucid } })
  await waitFor(async () => (await found()).status === 200)
  expect(JSON.stringify((await found()).body).length).toBeLessThan(2_000)
  expect(await post('Agent', { action: 'aux', agentId: text, eventTime: now })).toBe(400)
})

test('a form has at most a thousand fields, whatever is in them', () => {
  expect(readForm(`${'a=1&'.repeat(999)}data=2`).get('data')).toBe('2')
  for (const body of ['a&'.repeat(1_000), '&'.repeat(1_000), `data=2${'&data='.repeat(1_000)}`])
    expect(() => readForm(body)).toThrow('at most 1000 fields')
})
