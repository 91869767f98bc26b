import { expect, test } from 'vitest'
import { z } from 'zod'
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
