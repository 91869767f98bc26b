import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { CallScript } from '../../src/sandbox/speech/scripts.ts'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import type { TestClock } from '../harness/clock.ts'
import { waitFor } from '../harness/wait-for.ts'

const sentence = 'Our dog Bruno must sleep beside the blue oxygen cylinder'
const from = '+919820011111'
const statusSchema = z.object({ state: z.string(), reason: z.string().nullable(), tries: z.int(), retryAt: z.string().nullable() })

/** Goes on, and can be moved ahead. */
let clock: TestClock
let app: TestApp
let manager: TestSignIn
let agent: TestSignIn
beforeEach(async () => {
  let aheadMs = 0
  clock = { now: () => Date.now() + aheadMs, advance: (ms) => void (aheadMs += ms) }
  app = await createTestApp({ clock, receivesWebhooks: true })
  manager = await app.signIn('manager@demo.example')
  agent = await app.signIn('agent1@demo.example')
  app.standIns.telephony.accountMode({ mode: 'token', endOfCall: 'atOnce' })
})
afterEach(() => app[Symbol.asyncDispose]())

const transcriptions = () => app.standIns.speech.calls('POST /v1/listen')
const insightPrompts = () =>
  app.standIns.models
    .calls()
    .map(({ body }) => body)
    .filter((body) => body.includes('Summarise this lead'))
const hasRecordOf = (ucid: string) => app.standIns.platform.records('demo', 'call', { ucid: { eq: ucid } }).length > 0
const lead = () => app.standIns.platform.records('demo', 'lead', { name: { eq: 'Rahul Verma' } })[0] ?? {}
const call = (talkSeconds = 60) => app.standIns.telephony.inboundCall({ from, agentId: 'agent1', talkSeconds }).ucid

async function configure(automatic: object): Promise<void> {
  const { status } = await app.rest('PUT', '/api/config/ai', { token: manager.token, body: { recordings: { automatic } } })
  expect(status).toBe(200)
}

/** The next recordings of the telephony provider have these words. */
async function speak(number: number, text: string): Promise<void> {
  const name = `call-${String(number).padStart(3, '0')}`
  const bytes = Buffer.from(await (await fetch(`${app.standIns.speech.recordingBaseUrl}${name}.wav`)).arrayBuffer())
  const utterances: CallScript['utterances'] = [
    { speaker: 'CUSTOMER', text },
    { speaker: 'AGENT', text: 'I have written that down.' },
  ]
  app.standIns.speech.teach({
    sha256: createHash('sha256').update(bytes).digest('hex'),
    script: { name, language: 'en', topics: ['Home care'], utterances },
  })
}

async function status(ucid: string, token = manager.token) {
  const answer = await app.rest('GET', `/api/recordings/${ucid}/status`, { token })
  return { http: answer.status, ...statusSchema.partial().parse(answer.body) }
}
const reaches = (ucid: string, state: string) =>
  waitFor(
    async () => {
      const now = await status(ucid)
      return now.state === state && now
    },
    { what: `${ucid} to be ${state}` },
  )

test('what a customer says in a recorded call reaches the lead without a click', async () => {
  await configure({ enabled: true })
  await speak(1, `${sentence}.`)
  const ucid = call()
  const answer = await app.rest('POST', `/api/calls/${ucid}/disposition`, {
    token: agent.token,
    body: { disposition: 'Information Given', leadId: lead()['id'] },
  })
  expect(answer.status).toBe(200)
  await waitFor(() => String(lead()['aiSummary']).includes(sentence))
  await waitFor(() => insightPrompts().some((body) => body.includes(sentence) && body.includes('Information Given')))
  expect(transcriptions()).toHaveLength(1)
  expect(await status(ucid)).toMatchObject({ http: 200, state: 'DONE', reason: null })
  expect(await status(ucid, agent.token)).toMatchObject({ http: 200, state: 'DONE' })
  const other = await app.signIn('agent2@demo.example')
  await waitFor(async () => (await status(ucid, other.token)).http === 403)
  const batch = 'query($ids: [ID!]!) { recordingStatuses(callIds: $ids) { callId state } }'
  const callId = String(app.standIns.platform.records('demo', 'call', { ucid: { eq: ucid } })[0]?.['id'])
  const variables = { ids: [callId] }
  const read = async ({ token }: TestSignIn) => (await app.graphql(batch, { token, variables })).data?.['recordingStatuses']
  expect(await read(agent)).toEqual([{ callId, state: 'DONE' }])
  expect(await read(other)).toEqual([null])
  const shown = await app.graphql(`{ call(filter: { ucid: { eq: "${ucid}" } }) { analysisStatus { state } analysis { summary } } }`, {
    token: manager.token,
  })
  expect(shown.data).toMatchObject({ call: { analysisStatus: { state: 'DONE' } } })
  expect(JSON.stringify(shown.data)).toContain(sentence)
})

test('does nothing unless a workspace switches it on', async () => {
  const before = call()
  await waitFor(() => hasRecordOf(before))
  await configure({ enabled: true })
  const after = call()
  await reaches(after, 'DONE')
  expect(await status(before)).toMatchObject({ http: 200, state: 'NOT_REQUESTED' })
  expect(transcriptions()).toHaveLength(1)
})

test('the newest recording first, within the daily minutes; what is over budget waits and says why', async () => {
  await configure({ enabled: true, dailyMinutes: 0 })
  const [first, second, third] = [120, 120, 3_600].map((seconds) => {
    // The provider's times are whole seconds.
    clock.advance(2_000)
    return call(seconds)
  })
  if (!first || !second || !third) throw new Error('three calls')
  for (const ucid of [first, second, third]) await reaches(ucid, 'OVER_BUDGET')
  const waiting = await status(third)
  expect(waiting.reason).toContain('daily budget of 0 minutes')
  expect(Date.parse(waiting.retryAt ?? '')).toBeGreaterThan(Date.now())
  expect(transcriptions()).toHaveLength(0)
  // The newest does not fit; the others do, one after the other because the stand-in is slow.
  app.standIns.speech.pace({ ms: 400 })
  await configure({ dailyMinutes: 3 })
  await reaches(second, 'DONE')
  // Their recordings are about a minute long: what was not used went back.
  await reaches(first, 'DONE')
  expect(await status(third)).toMatchObject({ state: 'OVER_BUDGET', tries: 0 })
  const urls = transcriptions().map(({ body }) => z.object({ url: z.string() }).parse(JSON.parse(body)).url)
  const recordingOf = (ucid: string) => app.standIns.telephony.call({ ucid }).audioFile
  expect(urls).toEqual([recordingOf(second), recordingOf(first)])
})

test('begins nothing when the daily tokens are used up', async () => {
  await configure({ enabled: true, dailyTokens: 4_000 })
  const first = call(60)
  await reaches(first, 'DONE')
  const second = call(60)
  const { reason } = await reaches(second, 'OVER_BUDGET')
  expect(reason).toContain('daily budget of 4000 tokens')
  expect(transcriptions()).toHaveLength(1)
})

test('a recording that fails is tried again later or given up; it does not block the others, and says why', async () => {
  await configure({ enabled: true })
  const { speech } = app.standIns
  speech.fault({ operation: 'call-001.wav', act: 'refuse', status: 404, times: 1 })
  // For an hour it may be a provider's "not ready".
  speech.fault({ operation: 'call-002.wav', act: 'refuse', status: 200, body: '<html>not audio</html>', contentType: 'text/html' })
  const [late, broken, good] = [call(), call(), call()]
  await reaches(good, 'DONE')
  for (const ucid of [late, broken]) {
    const waiting = await waitFor(async () => {
      const now = await status(ucid)
      return now.retryAt && now
    })
    expect(waiting).toMatchObject({ state: 'WAITING', tries: 1, reason: 'The recording is not available yet' })
  }
  clock.advance(3_600_000)
  manager = await app.signIn('manager@demo.example')
  await reaches(late, 'DONE')
  const given = await reaches(broken, 'FAILED')
  expect(given).toMatchObject({ tries: 2, retryAt: null })
  expect(given.reason).toContain('recordingUrl')
})

test('without a speech key everything waits, and goes on when there is one', async () => {
  await configure({ enabled: true })
  app.standIns.speech.credit({ left: false })
  const ucid = call()
  const waiting = await waitFor(async () => {
    const now = await status(ucid)
    return now.http === 200 && now.reason !== null && now
  })
  expect(waiting).toMatchObject({ state: 'WAITING', tries: 0 })
  app.standIns.speech.credit({ left: true })
  clock.advance(301_000)
  await reaches(ucid, 'DONE')
})

test('workspaces share neither the switch, the budget nor what is known of a recording', async () => {
  const { telephony } = app.standIns
  telephony.accountMode({ account: 'acme-account', endOfCall: 'atOnce' })
  const other = await app.signIn('manager@acme.example')
  const theirStatus = async (ucid: string) => (await app.rest('GET', `/api/recordings/${ucid}/status`, { token: other.token })).body
  const theirCall = () => telephony.inboundCall({ account: 'acme-account', from, agentId: 'agent1', talkSeconds: 60 }).ucid
  await configure({ enabled: true, dailyMinutes: 0 })
  const [ours, unwanted] = [call(), theirCall()]
  await reaches(ours, 'OVER_BUDGET')
  await waitFor(() => app.standIns.platform.records('acme', 'call', { ucid: { eq: unwanted } }).length > 0)
  const body = { recordings: { automatic: { enabled: true } } }
  expect((await app.rest('PUT', '/api/config/ai', { token: other.token, body })).status).toBe(200)
  const theirs = theirCall()
  await waitFor(async () => JSON.stringify(await theirStatus(theirs)).includes('"DONE"'))
  expect(await theirStatus(unwanted)).toMatchObject({ state: 'NOT_REQUESTED' })
  expect(await theirStatus(ours)).toMatchObject({ status: 404 })
  expect(await status(theirs)).toMatchObject({ http: 404 })
  expect((await status(ours)).state).toBe('OVER_BUDGET')
  expect(transcriptions()).toHaveLength(1)
})
