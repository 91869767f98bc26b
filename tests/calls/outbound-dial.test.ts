import { expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp } from '../harness/app.ts'
import { freePort } from '../harness/free-port.ts'
import { waitFor } from '../harness/wait-for.ts'

const dialled = z.object({ ucid: z.string(), provider: z.string(), phoneNumber: z.string() })

test('dials by the second provider on request, and completes the record from its status webhooks', { timeout: 60_000 }, async () => {
  const port = String(await freePort())
  await using app = await createTestApp({ environment: { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` } })
  const { token, agentId } = await app.signIn('agent1@demo.example')
  const body = { phoneNumber: '98765 43210', via: 'OUTBOUND', agentPhoneNumber: '98450 12345' }
  const refused = await app.rest('POST', '/api/calls/dial', { token, body: { ...body, agentPhoneNumber: null } })
  expect(refused).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'agentPhoneNumber' }] } } })
  const call = dialled.parse((await app.rest('POST', '/api/calls/dial', { token, body })).body)
  expect(call).toMatchObject({ provider: 'exotel', phoneNumber: '+919876543210' })
  const record = () => app.standIns.platform.records('demo', 'call', { ucid: { eq: call.ucid } })[0] ?? {}
  expect(record()).toMatchObject({ direction: 'OUTBOUND', phone: '+919876543210', agentId })
  app.standIns.outbound.answer({ callId: call.ucid })
  const answeredAt = Date.now()
  // The provider counts talk in whole seconds.
  await waitFor(() => Date.now() - answeredAt > 1_100, { what: 'a second of talk' })
  app.standIns.outbound.hangUp({ callId: call.ucid })
  await waitFor(() => record()['status'] === 'COMPLETED', { deadlineMs: 20_000 })
  expect(JSON.stringify(record()['recording'])).toContain(call.ucid)
  expect(app.logged.join('\n')).not.toContain('/hooks/telephony/exotel/')
})
