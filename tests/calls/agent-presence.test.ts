import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { bareNumber, indiaTime, wireJson } from '../../src/sandbox/telephony/wire.ts'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { subscribe } from '../harness/subscribe.ts'
import { waitFor } from '../harness/wait-for.ts'

const account = telephonyAccounts.demo
let app: TestApp
let manager: TestSignIn
let agent: TestSignIn
let callbacks: string
let second: number
let calls = 0
beforeAll(async () => {
  app = await createTestApp()
  app.standIns.telephony.accountMode({ mode: 'token' })
  manager = await app.signIn('manager@demo.example')
  agent = await app.signIn('agent1@demo.example')
  const { body } = await app.rest('POST', '/api/calls/callback-keys', { token: manager.token, body: { provider: 'ozonetel' } })
  callbacks = `${app.url}${z.object({ path: z.string() }).parse(body).path}`
  second = Math.floor(Date.now() / 1000) * 1000 - 600_000
}, 60_000)
afterAll(() => app[Symbol.asyncDispose]())
/** Each story in a time of its own, which lies a little back. */
beforeEach(() => void (second += 10_000))

const post = async (body: string, contentType = 'application/json'): Promise<void> => {
  const { status } = await fetch(callbacks, { method: 'POST', headers: { 'content-type': contentType }, body })
  expect(status).toBe(200)
}
const agentSays = (action: string, at = second): Promise<void> => {
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

/** What a subscriber who comes now is told at last: the state that is waited for, or another. */
const standing = async (awaited: string): Promise<string | undefined> => {
  const stream = await subscribe(app.url, { query: 'subscription { agentStates { providerAgentId state } }', token: manager.token })
  const last = (): string | undefined => stream.text.match(/(?<="agent1","state":")\w+/g)?.at(-1)
  await waitFor(() => last() === awaited).catch(() => undefined)
  stream.leave()
  return last()
}

test('a call that rings and is given up within the second of READY leaves the agent ready: the second READY reads like the first', async () => {
  const call = newCall()
  await agentSays('IDLE')
  await call('Calling')
  await agentSays('calling')
  await call('Disconnect')
  await agentSays('IDLE')
  expect(await standing('READY')).toBe('READY')
})

test('a whole call within the second of READY ends with the second READY', async () => {
  const call = newCall()
  await agentSays('IDLE')
  await call('Calling')
  await agentSays('calling')
  await call('Answered')
  await agentSays('incall')
  await agentSays('ACW')
  expect(await standing('WRAP_UP')).toBe('WRAP_UP')
  await call('Disconnect')
  await agentSays('IDLE')
  expect(await standing('READY')).toBe('READY')
})

test('a wrap-up that is heard before the call of the same second is where the agent stands', async () => {
  await agentSays('IDLE', second - 5_000)
  await agentSays('ACW')
  await agentSays('incall')
  expect(await standing('WRAP_UP')).toBe('WRAP_UP')
})

test('after a call that was heard to begin earlier, READY in the second of the wrap-up stays, whichever is heard first', async () => {
  await agentSays('incall', second - 5_000)
  await agentSays('IDLE')
  await agentSays('ACW')
  expect(await standing('READY')).toBe('READY')
})

test('the end of a call ends ON_CALL where the provider says no more of the agent; the next call begins it again', async () => {
  const call = newCall()
  await agentSays('IDLE', second - 3_000)
  await call('Calling')
  await agentSays('calling')
  await call('Answered', second + 1_000)
  await agentSays('incall', second + 1_000)
  expect(await standing('ON_CALL')).toBe('ON_CALL')
  await call('Disconnect', second + 4_000)
  expect(await standing('WRAP_UP')).toBe('WRAP_UP')
  const dialled = await app.rest('POST', '/api/calls/dial', { token: agent.token, body: { phoneNumber: '98765 43210' } })
  expect(dialled).toMatchObject({ status: 409, body: { detail: 'Finish the last call first: it has no disposition' } })
  await agentSays('IDLE', second + 5_000)
  expect(await standing('READY')).toBe('READY')
  await agentSays('calling', second + 6_000)
  expect(await standing('ON_CALL')).toBe('ON_CALL')
  await agentSays('IDLE', second + 7_000)
})
