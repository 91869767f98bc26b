import { expect, test } from 'vitest'
import { z } from 'zod'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { indiaTime, wireJson } from '../../src/sandbox/telephony/wire.ts'
import { createTestApp } from '../harness/app.ts'
import { freePort } from '../harness/free-port.ts'
import { subscribe } from '../harness/subscribe.ts'
import { waitFor } from '../harness/wait-for.ts'

const dialled = z.object({ ucid: z.string(), provider: z.string(), phoneNumber: z.string() })

test('dials by the second provider on request, and completes the record from its status webhooks', async () => {
  const port = String(await freePort())
  await using app = await createTestApp({ environment: { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` } })
  const { token, agentId } = await app.signIn('agent1@demo.example')
  const body = { phoneNumber: '98765 43210', via: 'OUTBOUND', agentPhoneNumber: '98450 12345' }
  const refused = await app.rest('POST', '/api/calls/dial', { token, body: { ...body, agentPhoneNumber: null } })
  expect(refused).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'agentPhoneNumber' }] } } })
  app.standIns.outbound.waitForCommands()
  const call = dialled.parse((await app.rest('POST', '/api/calls/dial', { token, body })).body)
  expect(call).toMatchObject({ provider: 'exotel', phoneNumber: '+919876543210' })
  const record = () => app.standIns.platform.records('demo', 'call', { ucid: { eq: call.ucid } })[0] ?? {}
  expect(record()).toMatchObject({ direction: 'OUTBOUND', phone: '+919876543210', agentId, did: '+918069876590', campaignName: '' })
  const query = '{ currentCall { call { ucid phase did campaignName agentId providerAgentId provider actions } } }'
  const shown = { ucid: call.ucid, phase: 'RINGING', did: '+918069876590', agentId, providerAgentId: null, provider: 'exotel', actions: [] }
  expect((await app.graphql(query, { token })).data).toMatchObject({ currentCall: { call: shown } })
  const control = { token, body: { action: 'HANG_UP' } }
  const notSupported = { code: 'NOT_CONFIGURED', reason: 'NOT_SUPPORTED', detail: expect.stringContaining('HANG_UP') as unknown }
  expect(await app.rest('POST', `/api/calls/${call.ucid}/control`, control)).toMatchObject({ status: 409, body: notSupported })
  app.standIns.outbound.answer({ callId: call.ucid })
  const answeredAt = Date.now()
  // The provider counts talk in whole seconds.
  await waitFor(() => Date.now() - answeredAt > 1_100, { what: 'a second of talk' })
  app.standIns.outbound.hangUp({ callId: call.ucid })
  await waitFor(() => record()['status'] === 'COMPLETED')
  expect(JSON.stringify(record()['recording'])).toContain(call.ucid)
  expect(app.logged.join('\n')).not.toContain('/hooks/telephony/exotel/')
})

test('reports that the agent is in wrap-up if the disposition of the last call is saved', async () => {
  await using app = await createTestApp({ receivesWebhooks: true })
  app.standIns.telephony.accountMode({ mode: 'token' })
  const { token } = await app.signIn('agent1@demo.example')
  await app.rest('PUT', '/api/agents/me/state', { token, body: { state: 'READY' } })
  const { ucid } = app.standIns.telephony.ring({ from: '+919812345670' })
  app.standIns.telephony.answer({ ucid })
  app.standIns.telephony.hangUp({ ucid })
  const dial = () => app.rest('POST', '/api/calls/dial', { token, body: { phoneNumber: '98765 43210' } })
  const isUnfinished = async () => JSON.stringify(await dial()).includes('it has no disposition')
  await waitFor(isUnfinished)
  const disposition = { disposition: 'Information Given' }
  expect(await app.rest('POST', `/api/calls/${ucid}/disposition`, { token, body: disposition })).toMatchObject({ status: 200 })
  expect(await dial()).toMatchObject({ status: 409, body: { detail: 'The agent is in wrap-up: set the state to READY first' } })
})

test('takes the second provider by itself only if the agent signed out of the first one during the session', async () => {
  await using app = await createTestApp()
  app.standIns.telephony.accountMode({ mode: 'token' })
  const manager = await app.signIn('manager@demo.example')
  const { body } = await app.rest('POST', '/api/calls/callback-keys', { token: manager.token, body: { provider: 'ozonetel' } })
  const { path } = z.object({ path: z.string() }).parse(body)
  const stream = await subscribe(app.url, { query: 'subscription { agentStates { providerAgentId state } }', token: manager.token })
  const dialAfterLogout = async (agentId: string, at: (signedInAt: number) => number) => {
    const { token } = await app.signIn(`${agentId}@demo.example`)
    const eventTime = indiaTime(at(Date.now()))
    const data = { action: 'logout', agentUniqeId: 1, agentId, agentMode: 'INBOUND', eventTime }
    const report = wireJson({ eventType: 'Agent', eventTime, username: telephonyAccounts.demo.userName, data })
    await fetch(app.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: report })
    await waitFor(() => stream.text.includes(`"providerAgentId":"${agentId}","state":"SIGNED_OUT"`))
    return app.rest('POST', '/api/calls/dial', { token, body: { phoneNumber: '98765 43210' } })
  }
  const needsPhone = { status: 400, body: { data: { fields: [{ path: 'agentPhoneNumber' }] } } }
  expect(await dialAfterLogout('agent1', (signedInAt) => signedInAt + 2_000)).toMatchObject(needsPhone)
  expect(await dialAfterLogout('agent2', (signedInAt) => signedInAt - 60_000)).toMatchObject({
    status: 200,
    body: { provider: 'ozonetel' },
  })
  stream.leave()
})
