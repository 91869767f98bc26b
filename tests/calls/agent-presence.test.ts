import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { emptyPresence, wrapUpEnds } from '../../src/features/calls/agent-state/agent-presence.ts'
import { bareNumber, indiaTime, wireJson } from '../../src/sandbox/telephony/wire.ts'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { subscribe } from '../harness/subscribe.ts'
import { waitFor } from '../harness/wait-for.ts'

const account = telephonyAccounts.demo
let app: TestApp
let manager: TestSignIn
let agent: TestSignIn
let webhookUrl: string
let second: number
let calls = 0
beforeAll(async () => {
  app = await createTestApp()
  app.standIns.telephony.accountMode({ mode: 'token' })
  manager = await app.signIn('manager@demo.example')
  agent = await app.signIn('agent1@demo.example')
  const { body } = await app.rest('POST', '/api/calls/callback-keys', { token: manager.token, body: { provider: 'ozonetel' } })
  webhookUrl = `${app.url}${z.object({ path: z.string() }).parse(body).path}`
  second = Math.floor(Date.now() / 1000) * 1000 - 600_000
})
afterAll(() => app[Symbol.asyncDispose]())
/** Each test has its own time in the recent past. */
beforeEach(() => void (second += 10_000))

const post = async (body: string, contentType = 'application/json'): Promise<void> => {
  const { status } = await fetch(webhookUrl, { method: 'POST', headers: { 'content-type': contentType }, body })
  expect(status).toBe(200)
}
const reportAgent = (action: string, at = second): Promise<void> => {
  const data = { action, agentUniqeId: 1, agentId: 'agent1', agentMode: 'INBOUND', eventTime: indiaTime(at) }
  return post(wireJson({ eventType: 'Agent', eventTime: indiaTime(at), username: account.userName, data }))
}
const newCall = () => {
  calls += 1
  const ucid = `5${String(second).slice(0, 10)}${String(calls).padStart(6, '0')}`
  return (action: string, at = second): Promise<void> => {
    const data = {
      action,
      call_type: 'inbound',
      ucid: bareNumber(ucid),
      monitor_ucid: bareNumber(ucid),
      agent_id: 'agent1',
      caller_id: '09812345670',
      did: account.campaigns[0].did.slice(1),
      event_time: indiaTime(at),
    }
    return post(wireJson({ eventType: 'Call', eventTime: indiaTime(at), username: account.userName, data }))
  }
}

/** The last state that a new subscriber receives: the awaited one, or another. */
const currentState = async (awaited: string): Promise<string | undefined> => {
  const stream = await subscribe(app.url, { query: 'subscription { agentStates { providerAgentId state } }', token: manager.token })
  const last = (): string | undefined => stream.text.match(/(?<="agent1","state":")\w+/g)?.at(-1)
  await waitFor(() => last() === awaited).catch(() => undefined)
  stream.leave()
  return last()
}

test('leaves the agent READY after a call that rang and was given up within the second of READY', async () => {
  const call = newCall()
  await reportAgent('IDLE')
  await call('Calling')
  await reportAgent('calling')
  await call('Disconnect')
  await reportAgent('IDLE')
  expect(await currentState('READY')).toBe('READY')
})

test('ends with the second READY if a whole call happened within the second of READY', async () => {
  const call = newCall()
  await reportAgent('IDLE')
  await call('Calling')
  await reportAgent('calling')
  await call('Answered')
  await reportAgent('incall')
  await reportAgent('ACW')
  expect(await currentState('WRAP_UP')).toBe('WRAP_UP')
  await call('Disconnect')
  await reportAgent('IDLE')
  expect(await currentState('READY')).toBe('READY')
})

test('is in WRAP_UP although the call of the same second is reported later', async () => {
  await reportAgent('IDLE', second - 5_000)
  await reportAgent('ACW')
  await reportAgent('incall')
  expect(await currentState('WRAP_UP')).toBe('WRAP_UP')
})

test('stays READY if the wrap-up after an earlier call is reported in the same second, in any order', async () => {
  await reportAgent('incall', second - 5_000)
  await reportAgent('IDLE')
  await reportAgent('ACW')
  expect(await currentState('READY')).toBe('READY')
})

test('ends ON_CALL with the end of the call if the provider reports nothing more, and starts it again with the next call', async () => {
  const call = newCall()
  await reportAgent('IDLE', second - 3_000)
  await call('Calling')
  await reportAgent('calling')
  await call('Answered', second + 1_000)
  await reportAgent('incall', second + 1_000)
  expect(await currentState('ON_CALL')).toBe('ON_CALL')
  await call('Disconnect', second + 4_000)
  expect(await currentState('WRAP_UP')).toBe('WRAP_UP')
  const dialled = await app.rest('POST', '/api/calls/dial', { token: agent.token, body: { phoneNumber: '98765 43210' } })
  expect(dialled).toMatchObject({ status: 409, body: { detail: 'Finish the last call first: it has no disposition' } })
  await reportAgent('IDLE', second + 5_000)
  expect(await currentState('READY')).toBe('READY')
  await reportAgent('calling', second + 6_000)
  expect(await currentState('ON_CALL')).toBe('ON_CALL')
  await reportAgent('IDLE', second + 7_000)
})

test('a moment in the future, by another time zone or a wrong clock, hides nothing that is reported later', async () => {
  const tomorrow = Date.now() + 86_400_000
  await reportAgent('idle', tomorrow)
  expect(await currentState('READY')).toBe('READY')
  await reportAgent('pause', Date.now())
  expect(await currentState('NOT_READY')).toBe('NOT_READY')
  const call = newCall()
  await call('Calling', Date.now())
  await call('Answered', Date.now())
  await call('Disconnect', tomorrow)
  await newCall()('Calling', Date.now())
  await reportAgent('incall', Date.now())
  expect(await currentState('ON_CALL')).toBe('ON_CALL')
  await reportAgent('idle', Date.now())
  expect(await currentState('READY')).toBe('READY')
})

test('a wrap-up has ended at once if the agent is free in the second in which the call ends', () => {
  const at = '2026-11-22T09:00:30.000Z'
  const call = { ucid: '1', startedAt: '2026-11-22T09:00:00.000Z', answeredAt: '2026-11-22T09:00:05.000Z', endedAt: at }
  expect(wrapUpEnds({ ...emptyPresence, calls: [call], freeAt: [at] }, at)).toEqual([{ ucid: '1', at }])
  const next = { ...call, ucid: '2', startedAt: at, answeredAt: at, endedAt: null }
  const later = '2026-11-22T09:05:00.000Z'
  expect(wrapUpEnds({ ...emptyPresence, calls: [call, next], freeAt: [later] }, later)).toEqual([{ ucid: '1', at: null }])
})
