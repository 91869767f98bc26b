import { expect, test } from 'vitest'
import { z } from 'zod'
import { ask, startInstances } from '../harness/instances.ts'
import { realServer } from '../harness/real-server.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const redis = await realServer('redis')
const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })

test.skipIf(redis === null)('two instances call the third party once, and either can end the transfer', async () => {
  await using server = await startRedisServer(redis?.binary ?? '')
  await using service = await startInstances({ count: 2, redisUrl: server.url, receivesWebhooks: true })
  const [one = '', other = ''] = service.urls
  const signIn = async (email: string): Promise<string> => {
    const { body } = await ask(one, '/auth/login', { body: { email, password: 'sandbox-password', workspace: 'demo' } })
    return signInSchema.parse(body).tokens.accessToken.token
  }
  const token = await signIn('agent1@demo.example')
  const { ucid } = service.standIns.telephony.ring({ from: '+919812345670', agentId: 'agent1' })
  service.standIns.telephony.answer({ ucid })
  const current = async () => JSON.stringify((await ask(other, '/api/calls/current', { token })).body)
  await waitFor(async () => (await current()).includes('"phase":"ANSWERED"'))
  const path = `/api/calls/${ucid}/transfer`
  const wanted = { phoneNumber: '+919845012345' }
  const answers = await Promise.all([one, other, one, other].map((url) => ask(url, path, { token, body: wanted })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(service.standIns.telephony.call({ ucid }).conference).toHaveLength(1)
  service.standIns.telephony.answerParty({ ucid, number: '+919845012345' })
  const left = await Promise.all([one, other].map((url) => ask(url, `${path}/complete`, { token, body: {} })))
  expect(left.map(({ status }) => status)).toEqual([200, 200])
  expect(service.standIns.telephony.call({ ucid })).toMatchObject({ agentLeft: true, phase: 'talking' })
  expect(await current()).toContain('"status":"COMPLETED"')
  service.standIns.telephony.hangUp({ ucid })
  await waitFor(async () => (await current()).includes('"phase":"COMPLETED"'))
})
