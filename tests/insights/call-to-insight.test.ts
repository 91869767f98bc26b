import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { waitFor } from '../harness/wait-for.ts'

/** Follows the outcome of a call through the handlers and the vendors' wire formats to the model and the lead. */

let app: TestApp
let agent: TestSignIn
beforeAll(async () => {
  app = await createTestApp()
  const manager = await app.signIn('manager@demo.example')
  agent = await app.signIn('agent1@demo.example')
  const { body } = await app.rest('POST', '/api/calls/callback-keys', { token: manager.token, body: { provider: 'ozonetel' } })
  const webhookUrl = `${app.url}${z.object({ path: z.string() }).parse(body).path}`
  app.standIns.telephony.setCallbackUrl({ endOfCall: webhookUrl, callEvents: webhookUrl, agentEvents: webhookUrl })
}, 60_000)
beforeEach(() => {
  app.standIns.platform.clearFaults()
  app.standIns.models.forgetCalls()
})
afterAll(() => app[Symbol.asyncDispose]())

const leadOf = (name: string) => app.standIns.platform.records('demo', 'lead', { name: { eq: name } })[0] ?? {}
const recordsOf = (ucid: string) => app.standIns.platform.records('demo', 'call', { ucid: { eq: ucid } })
const dispose = (ucid: string, body: Readonly<Record<string, unknown>>) =>
  app.rest('POST', `/api/calls/${ucid}/disposition`, { token: agent.token, body: { next: { state: 'READY' }, ...body } })

const asked = z.object({ messages: z.array(z.object({ content: z.string() })) })
/** What the model was sent as the call that has just ended; null if no prompt has this phrase. */
function callInPrompt(phrase: string): unknown {
  const bodies = app.standIns.models.calls().map(({ body }) => body)
  const body = bodies.find((text) => text.includes(phrase) && text.includes('earlierCalls'))
  if (body === undefined) return null
  const prompt = asked.parse(JSON.parse(body)).messages.map(({ content }) => content)
  return JSON.parse(/name="call">\n(.*)\n</.exec(prompt.join('\n'))?.[1] ?? 'null')
}

async function ringAndAnswer(from: string): Promise<string> {
  await app.rest('PUT', '/api/agents/me/state', { token: agent.token, body: { state: 'READY' } })
  const { ucid } = app.standIns.telephony.ring({ from, agentId: 'agent1' })
  app.standIns.telephony.answer({ ucid })
  await waitFor(async () => {
    const { body } = await app.rest('POST', '/api/calls/lookup', { token: agent.token, body: { ucid } })
    return JSON.stringify(body).includes('"phase":"ANSWERED"')
  })
  return ucid
}

test.each([
  ['before the platform has a record of it', 'Rahul Verma', '+919812345670', true],
  ['whose record the platform has', 'Ananya Sharma', '+919876543210', false],
])('gives the model and the lead the outcome of a call %s', { timeout: 60_000 }, async (_, name, from, isRecordRefused) => {
  const phrase = `wants the blue room on floor ${isRecordRefused ? 7 : 8}`
  if (isRecordRefused) app.standIns.platform.fault({ operation: 'createCall', act: 'refuse', status: 503 })
  const ucid = await ringAndAnswer(from)
  app.standIns.telephony.hangUp({ ucid })
  const before = leadOf(name)['aiInsightAt']
  const outcome = { disposition: 'Information Given', notes: phrase }
  const callBackAt = '2031-01-02T09:00:00.000Z'
  expect((await dispose(ucid, { ...outcome, callBackAt })).status).toBe(200)
  const call = await waitFor(() => callInPrompt(phrase), { deadlineMs: 20_000, what: 'the phrase in the prompt of the model' })
  const durationSeconds = expect.any(Number) as unknown
  expect(call).toMatchObject({ ...outcome, scheduledCallback: callBackAt, direction: 'INBOUND', durationSeconds })
  if (isRecordRefused) expect(recordsOf(ucid)).toEqual([])
  await waitFor(() => leadOf(name)['aiInsightAt'] !== before, { deadlineMs: 20_000 })
  expect(leadOf(name)['aiSummary']).toContain(phrase)
  app.standIns.platform.clearFaults()
  const [record] = await waitFor(() => recordsOf(ucid).length === 1 && recordsOf(ucid), { deadlineMs: 20_000 })
  expect(record).toMatchObject({ leadId: leadOf(name)['id'], notes: phrase })
})
