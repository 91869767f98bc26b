import { expect, test } from 'vitest'
import { z } from 'zod'
import { indiaTimeOf } from '../../src/providers/telephony/ozonetel/wire.ts'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { createTestApp } from '../harness/app.ts'
import { waitFor } from '../harness/wait-for.ts'

const { apiKey, userName } = telephonyAccounts.demo
const at = (secondsAgo: number): string => indiaTimeOf(new Date(Date.now() - secondsAgo * 1_000).toISOString())

test('a final report that only has a disposition leaves an answered call answered; a form in parts is read as any other', async () => {
  await using app = await createTestApp()
  const { token } = await app.signIn('manager@demo.example')
  const made = await app.rest('POST', '/api/calls/callback-keys', { token, body: { provider: 'ozonetel' } })
  const { path } = z.object({ path: z.string() }).parse(made.body)
  const post = async (body: string | FormData, headers: Record<string, string>): Promise<number> =>
    (await fetch(app.url + path, { method: 'POST', headers, body })).status
  const [monitor_ucid, caller_id, start] = ['31795211882000007', '9945012345', at(200)]
  for (const [action, event_time] of [
    ['Calling', start],
    ['Answered', at(195)],
    ['Disconnect', at(20)],
  ] as const) {
    const data = { action, call_type: 'inbound', monitor_ucid, agent_id: 'agent1', caller_id, did: '918069876501', event_time }
    expect(await post(JSON.stringify({ eventType: 'Call', username: userName, data }), { 'content-type': 'application/json' })).toBe(200)
  }
  const form = new FormData()
  const disposition = 'Information Given'
  form.set('other', new Blob(['x']), 'a.txt')
  form.set('data', `{"monitorUCID":${monitor_ucid},"StartTime":"${start}","Disposition":"${disposition}","Apikey":"${apiKey}"}`)
  expect(await post(form, {})).toBe(200)
  const recordOf = () => app.standIns.platform.records('demo', 'call', { ucid: { eq: monitor_ucid } })[0]
  await waitFor(() => recordOf()?.['disposition'] === disposition)
  expect(recordOf()).toMatchObject({ status: 'COMPLETED', direction: 'INBOUND', did: '+918069876501' })
  expect(Number(recordOf()?.['durationSeconds'])).toBeGreaterThan(170)
  for (const list of ['/api/calls/missed', '/api/calls/worklist']) {
    const { status, body } = await app.rest('GET', list, { token })
    expect({ status, body: JSON.stringify(body) }).toEqual({ status: 200, body: expect.not.stringContaining(caller_id) as unknown })
  }
  const unreadable = { 'content-type': 'multipart/form-data; boundary=x' }
  const [head, end] = ['--x\r\ncontent-disposition: form-data; name="', '\r\n--x--\r\n']
  const bodies = [
    'nonsense',
    `${head}data"\r\n\r\n{}`,
    `${head}other"\r\n\r\n{}${end}`,
    `${head}data"\r\n\r\n{${end}`,
    `${`${head}a"\r\n\r\n1\r\n`.repeat(1_001)}--x--\r\n`,
  ]
  for (const body of bodies) expect(await post(body, unreadable)).toBe(400)
  expect(await post('x', { 'content-type': 'multipart/form-data' })).toBe(400)
})
