import { expect, test } from 'vitest'
import { createTestApp } from '../harness/app.ts'
import { createTestClock } from '../harness/clock.ts'
import { inUsualTime } from '../harness/patient-settings.ts'
import { waitFor } from '../harness/wait-for.ts'

test.each(['cut', 'hang'] as const)('an agent works on for 14 minutes while the platform is away (%s)', async (act) => {
  const clock = createTestClock(new Date().toISOString())
  await using app = await createTestApp({ clock, receivesWebhooks: true })
  const { token } = await app.signIn('agent1@demo.example')
  const ask = (method: string, path: string, body?: object) => app.rest(method, path, { token, ...(body && { body }) })
  expect(await ask('PUT', '/api/agents/me/state', { state: 'READY' })).toMatchObject({ status: 200 })
  const { ucid } = app.standIns.telephony.ring({ from: '+919820011111', agentId: 'agent1' })
  app.standIns.telephony.answer({ ucid })
  const lookUp = () => ask('POST', '/api/calls/lookup', { ucid })
  await waitFor(async () => JSON.stringify((await lookUp()).body).includes('"phase":"ANSWERED"'))
  expect(await lookUp()).toMatchObject({ status: 200, body: { unavailable: [] } })
  app.standIns.platform.fault({ act })
  {
    using _ = inUsualTime()
    for (let minute = 1; minute <= 14; minute += 1) {
      clock.advance(60_000)
      expect(await ask('POST', '/auth/heartbeat'), `minute ${minute}`).toMatchObject({ status: 200 })
    }
    const unread = { unavailable: ['PLATFORM'], candidates: [] }
    for (const [method, path, body, answer] of [
      ['GET', '/auth/me', null, { role: 'AGENT', session: {}, agent: { providerAgentId: 'agent1' } }],
      ['GET', '/api/calls/worklist', null, []],
      ['PUT', `/api/calls/${ucid}/notes`, { notes: 'typed meanwhile' }, { notes: 'typed meanwhile' }],
      ['GET', '/api/calls/current', null, { ...unread, call: { ucid, phase: 'ANSWERED' }, draftNotes: { notes: 'typed meanwhile' } }],
      ['POST', '/api/calls/lookup', { ucid }, { ...unread, call: { ucid } }],
      [
        'POST',
        '/api/calls/lookup',
        { phoneNumber: '+919820011111' },
        { ...unread, enrichment: { reason: 'The platform does not answer' } },
      ],
      ['POST', `/api/calls/${ucid}/control`, { action: 'HANG_UP' }, { ucid }],
      ['POST', `/api/calls/${ucid}/disposition`, { disposition: 'Information Given', next: { state: 'READY' } }, { outcome: 'SAVED' }],
      ['PUT', '/api/agents/me/state', { state: 'NOT_READY', reason: 'Lunch' }, { state: expect.any(String) as unknown }],
    ] as const)
      expect(await ask(method, path, body ?? undefined), path).toMatchObject({ status: 200, body: answer })
  }
  // What hangs would be waited for.
  await app.standIns.platform[Symbol.asyncDispose]()
})
