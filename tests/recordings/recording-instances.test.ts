import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ask, type Instances, startInstances } from '../harness/instances.ts'
import { realServer } from '../harness/real-server.ts'
import { type RedisServer, startRedisServer } from '../harness/redis-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const redis = await realServer('redis')
const listen = 'POST /v1/listen'
const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })
const node = z.object({ id: z.string(), recording: z.object({ primaryLinkUrl: z.string().nullable() }).nullable() })
const callsSchema = z.object({ data: z.object({ calls: z.object({ edges: z.array(z.object({ node })) }) }) })

describe.skipIf(redis === null)('several instances on one Redis', () => {
  let server: RedisServer
  let service: Instances
  let token: string
  let callIds: readonly string[]
  beforeAll(async () => {
    server = await startRedisServer(redis?.binary ?? '')
    service = await startInstances({ count: 3, redisUrl: server.url })
    const account = { email: 'manager@demo.example', password: 'sandbox-password', workspace: 'demo' }
    token = signInSchema.parse((await ask(url(0), '/auth/login', { body: account })).body).tokens.accessToken.token
    const query = '{ calls(first: 60) { edges { node { id recording { primaryLinkUrl } } } } }'
    const { data } = callsSchema.parse((await ask(url(0), '/graphql', { body: { query }, token })).body)
    callIds = data.calls.edges.flatMap(({ node: { id, recording } }) => (/call-00[1-4]/.test(recording?.primaryLinkUrl ?? '') ? [id] : []))
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
  const url = (index: number): string => service.urls[index % 3] ?? ''
  const transcriptions = (): number => service.standIns.speech.calls(listen).length

  test('concurrent requests to all instances cause one transcription and get the same answer', async () => {
    service.standIns.speech.pace({ ms: 300 })
    const body = { callId: callIds[0] }
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => ask(url(index), '/api/recordings/analyze', { body, token })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
    expect(transcriptions()).toBe(1)
  })

  test('every instance knows the stage of a run and its failure', async () => {
    // Long enough for another instance to be asked meanwhile.
    service.standIns.speech.pace({ ms: 5_000 })
    const body = { callId: callIds[1], waitSeconds: 0 }
    const path = `/api/recordings/${callIds[1]}/analysis`
    expect((await ask(url(0), '/api/recordings/analyze', { body, token })).status).toBe(202)
    await waitFor(async () => (await ask(url(1), path, { token })).status === 202)
    await waitFor(async () => (await ask(url(2), path, { token })).status === 200)
    service.standIns.speech.credit({ left: false })
    const other = { callId: callIds[2], waitSeconds: 0 }
    await ask(url(0), '/api/recordings/analyze', { body: other, token })
    await waitFor(async () => (await ask(url(1), `/api/recordings/${callIds[2]}/analysis`, { token })).status === 409)
    service.standIns.speech.credit({ left: true })
  })

  test('recordings are analysed without a click once, whichever instance takes them', async () => {
    const send = (method: string, path: string, body: object) =>
      fetch(url(0) + path, {
        method,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      })
    expect((await send('PUT', '/api/config/ai', { recordings: { automatic: { enabled: true } } })).status).toBe(200)
    const { path } = z
      .object({ path: z.string() })
      .parse(await (await send('POST', '/api/calls/callback-keys', { provider: 'ozonetel' })).json())
    const { telephony, speech } = service.standIns
    telephony.accountMode({ endOfCall: 'atOnce', endOfCallUrl: url(0) + path })
    speech.pace({ ms: 200 })
    const before = transcriptions()
    const ucids = Array.from({ length: 8 }, () => telephony.inboundCall({ from: '+919820011111', agentId: 'agent1' }).ucid)
    for (const [index, ucid] of ucids.entries()) {
      const state = async () =>
        z.object({ state: z.string() }).parse((await ask(url(index), `/api/recordings/${ucid}/status`, { token })).body).state
      await waitFor(async () => (await state()) === 'DONE', { what: `${ucid} to be analysed` })
    }
    expect(transcriptions() - before).toBe(8)
    speech.pace({ ms: 0 })
  })
})
