import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { inUsualTime } from '../harness/patient-settings.ts'
import { waitFor } from '../harness/wait-for.ts'

/** The lead that a client names when it dials. */

let app: TestApp
let agent: TestSignIn
let manager: TestSignIn
beforeAll(async () => {
  app = await createTestApp({ receivesWebhooks: true })
  agent = await app.signIn('agent1@demo.example')
  manager = await app.signIn('manager@demo.example')
})
afterAll(() => app[Symbol.asyncDispose]())

const leadOf = (workspace: string) => String(app.standIns.platform.records(workspace, 'lead', {})[0]?.['id'])
const dial = (leadId: string, more: object = {}) =>
  app.rest('POST', '/api/calls/dial', { token: agent.token, body: { phoneNumber: '98110 20304', leadId, ...more } })
/** The outcome of the call before may be there before the report of its end is. */
const dialWhenFree = (leadId: string, more?: object) =>
  waitFor(async () => {
    const answer = await dial(leadId, more)
    return answer.status !== 409 && answer
  })
const lookUp = async () => JSON.stringify((await app.rest('GET', '/api/calls/current', { token: agent.token })).body)

async function end(answer: { readonly status: number; readonly body: unknown }): Promise<void> {
  const { ucid } = z.object({ ucid: z.string() }).parse(answer.body)
  app.standIns.telephony.hangUp({ ucid })
  const body = { disposition: 'Information Given', next: { state: 'READY' } }
  await waitFor(async () => (await app.rest('POST', `/api/calls/${ucid}/disposition`, { token: agent.token, body })).status === 200, {
    what: 'the outcome',
  })
}

test('a call is about a lead of the workspace: one of another, or one that is gone, is refused before anything rings', async () => {
  const gone = '3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64'
  const refused = {
    status: 400,
    body: { reason: 'INVALID_INPUT', data: { fields: [{ path: 'leadId', message: 'there is no such lead' }] } },
  }
  for (const leadId of [leadOf('acme'), gone]) expect(await dial(leadId)).toMatchObject(refused)
  expect(app.standIns.telephony.calls('AgentManualDial')).toEqual([])
  const leadId = leadOf('demo')
  const made = await dial(leadId)
  expect(made).toMatchObject({ status: 200 })
  expect(await lookUp()).toContain(`"leadId":"${leadId}"`)
  await end(made)
})

test('a repetition with the same idempotency key gets the first call, also if its lead was deleted since', async () => {
  const query = 'mutation ($data: LeadCreateInput!) { createLead(data: $data) { id } }'
  const created = await app.graphql(query, { token: agent.token, variables: { data: { name: 'Soon deleted' } } })
  const leadId = z.object({ createLead: z.object({ id: z.string() }) }).parse(created.data).createLead.id
  const idempotencyKey = 'deleted since'
  const made = await dialWhenFree(leadId, { idempotencyKey })
  expect(made).toMatchObject({ status: 200 })
  const deletion = 'mutation ($id: UUID!) { deleteLead(id: $id) { id } }'
  expect((await app.graphql(deletion, { token: manager.token, variables: { id: leadId } })).errors).toBeUndefined()
  expect((await dial(leadId, { idempotencyKey })).body).toEqual(made.body)
  expect(await dial(leadId)).toMatchObject({ status: 400, body: { reason: 'INVALID_INPUT' } })
  await end(made)
})

test('a platform that does not answer holds no call up: it is made without the lead', async () => {
  const leadId = leadOf('demo')
  app.standIns.platform.fault({ operation: 'leads', act: 'hang' })
  using _ = inUsualTime()
  const left = app.standIns.platform.left()
  const made = await dialWhenFree(leadId).finally(() => app.standIns.platform.clearFaults())
  expect(made).toMatchObject({ status: 200 })
  // The question to the platform, which gives up later, is still open.
  expect(app.standIns.platform.left()).toBe(left)
  expect(await lookUp()).not.toContain(`"leadId":"${leadId}"`)
  expect(app.logged.join('\n')).toContain('dial.lead-not-read')
  await end(made)
})

test('a platform that does not write the record of a call holds no call up: the record is written later', async () => {
  app.standIns.platform.fault({ operation: 'createCall', act: 'hang' })
  using _ = inUsualTime()
  const made = await dialWhenFree(leadOf('demo')).finally(() => app.standIns.platform.clearFaults())
  expect(made).toMatchObject({ status: 200 })
  const { ucid } = z.object({ ucid: z.string() }).parse(made.body)
  await end(made)
  await waitFor(() => app.standIns.platform.records('demo', 'call', { ucid: { eq: ucid } }).length === 1, { what: 'the record' })
})
