import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { isoMoment } from '../../src/kernel/clock.ts'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { subscribeElsewhere } from '../harness/connect-telephony.ts'
import { waitFor } from '../harness/wait-for.ts'

/** Follows the outcome of a call through the handlers and the vendors' wire formats to the model and the lead. */

let app: TestApp
let agent: TestSignIn
let manager: TestSignIn
beforeAll(async () => {
  app = await createTestApp({ receivesWebhooks: true })
  manager = await app.signIn('manager@demo.example')
  agent = await app.signIn('agent1@demo.example')
})
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
  await phaseIs(ucid, 'ANSWERED')
  return ucid
}

async function phaseIs(ucid: string, phase: string): Promise<void> {
  await waitFor(async () => {
    const { body } = await app.rest('POST', '/api/calls/lookup', { token: agent.token, body: { ucid } })
    return JSON.stringify(body).includes(`"phase":"${phase}"`)
  })
}

test('gives the model and the lead the outcome of a call before the platform has a record of it', async () => {
  app.standIns.platform.fault({ operation: 'createCall', act: 'refuse', status: 503 })
  const { ucid, phrase, name } = await followOutcome({ name: 'Rahul Verma', from: '+919812345670' })
  expect(recordsOf(ucid)).toEqual([])
  await waitFor(() => String(leadOf(name)['aiSummary']).includes(phrase))
  expect(recordsOf(ucid)).toEqual([])
  app.standIns.platform.clearFaults()
  const record = await waitFor(() => recordsOf(ucid)[0])
  expect(record).toMatchObject({ leadId: leadOf(name)['id'], notes: phrase })
})

test('gives the model and the lead the outcome of a call whose record the platform has', async () => {
  const { ucid, phrase, name } = await followOutcome({ name: 'Ananya Sharma', from: '+919876543210' })
  await waitFor(() => String(leadOf(name)['aiSummary']).includes(phrase))
  const record = await waitFor(() => recordsOf(ucid)[0]?.['notes'] === phrase && recordsOf(ucid)[0])
  expect(record).toMatchObject({ leadId: leadOf(name)['id'] })
})

/** Ring, answer, end and disposition of a call; the model gets its outcome. */
async function followOutcome({ name, from }: { readonly name: string; readonly from: string }) {
  const phrase = `wants the blue room, as ${name} said`
  const ucid = await ringAndAnswer(from)
  app.standIns.telephony.hangUp({ ucid })
  // Before the end of the call, its outcome has no duration.
  await phaseIs(ucid, 'COMPLETED')
  const outcome = { disposition: 'Information Given', notes: phrase }
  const callBackAt = isoMoment(Date.now() + 86_400_000)
  expect((await dispose(ucid, { ...outcome, callBackAt })).status).toBe(200)
  const call = await waitFor(() => callInPrompt(phrase), { what: 'the phrase in the prompt of the model' })
  const durationSeconds = expect.any(Number) as unknown
  expect(call).toMatchObject({ ...outcome, scheduledCallback: callBackAt, direction: 'INBOUND', durationSeconds })
  return { ucid, phrase, name }
}

test('shows the same insight in the screen pop and on the lead if the workspace has no fields for it', async () => {
  const configure = (body: unknown) => app.rest('PUT', '/api/config/platform', { token: manager.token, body })
  const fields = { aiSummary: 'noSuchField', aiSuggestedAction: 'norThis', aiInsightAt: 'norThat' }
  expect(await configure({ objects: { lead: { fields } } })).toMatchObject({ status: 200 })
  const { phrase } = await followOutcome({ name: 'Rahul Verma', from: '+919812345670' })
  const query = `{ leads(filter: { name: { eq: "Rahul Verma" } }) { edges { node { insight { summary model } } } }
    callLookup(phoneNumber: "9812345670") { lead { insight { summary model } } } }`
  const shown = z.object({
    leads: z.object({ edges: z.tuple([z.object({ node: z.object({ insight: z.unknown() }) })]) }),
    callLookup: z.object({ lead: z.object({ insight: z.unknown() }) }),
  })
  const { onLead, onScreen } = await waitFor(async () => {
    const { leads, callLookup } = shown.parse((await app.graphql(query, { token: agent.token })).data)
    const found = { onLead: leads.edges[0].node.insight, onScreen: callLookup.lead.insight }
    return JSON.stringify(found.onLead).includes(phrase) && found
  })
  expect(onScreen).toEqual(onLead)
  expect(await app.rest('POST', '/api/config/platform/reset', { token: manager.token, body: {} })).toMatchObject({ status: 200 })
})

test('gives the model and the lead the outcome of a call whose webhooks never came', async () => {
  const phrase = 'wants the blue room on floor 9'
  const name = 'Rahul Verma'
  const leadId = leadOf(name)['id']
  // The provider sends its webhooks to an address that does not exist.
  const nowhere = `${app.url}/hooks/telephony/ozonetel/unknown`
  app.standIns.telephony.accountMode({ endOfCallUrl: nowhere })
  await subscribeElsewhere(app.standIns.telephony, nowhere)
  const { ucid } = app.standIns.telephony.inboundCall({ from: '+919812345670', agentId: 'agent1' })
  const outcome = { disposition: 'Information Given', notes: phrase }
  expect((await dispose(ucid, { ...outcome, leadId })).status).toBe(200)
  const call = await waitFor(() => callInPrompt(phrase), { what: 'the phrase in the prompt of the model' })
  expect(call).toMatchObject({ ...outcome, durationSeconds: null })
  const record = await waitFor(() => recordsOf(ucid)[0])
  expect(record).toMatchObject({ leadId, ...outcome, status: 'COMPLETED', agentId: agent.agentId, durationSeconds: null })
  const { body } = await app.rest('POST', '/api/calls/lookup', { token: agent.token, body: { ucid } })
  expect(body).toMatchObject({ call: { phase: 'COMPLETED' } })
})
