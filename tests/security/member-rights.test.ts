import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { TestSignIn } from '../harness/app.ts'
import { createOutboundDesk, type OutboundDesk } from '../harness/outbound-desk.ts'
import { recordedCalls } from '../harness/recordings.ts'
import { tokenWithoutSession } from '../harness/tokens-without-session.ts'
import { waitFor } from '../harness/wait-for.ts'

/** Members whose platform role lets them write agent and call records, and who want what is not theirs. */

let desk: OutboundDesk
let manager: TestSignIn
let thief: TestSignIn
beforeAll(async () => {
  desk = await createOutboundDesk()
  manager = await desk.signIn('manager@demo.example')
  thief = await desk.signIn('agent2@demo.example')
})
afterAll(() => desk[Symbol.asyncDispose]())

type Change = { readonly token: string; readonly id: string; readonly data: object }

async function change(object: 'Agent' | 'Call', { token, id, data }: Change): Promise<void> {
  const document = `mutation ($id: UUID!, $data: ${object}UpdateInput!) { update${object}(id: $id, data: $data) { id } }`
  expect(await desk.graphql(document, { token, variables: { id, data } })).toMatchObject({ data: { [`update${object}`]: { id } } })
}

const listen = (callId: string, { token }: TestSignIn) => desk.rest('GET', `/api/recordings/${callId}/audio`, { token })

test("refuses another agent's recording to who makes the call theirs on the platform", async () => {
  const { ucid, callId } = await desk.dial('98111 22334')
  desk.standIns.outbound.answer({ callId: ucid })
  desk.standIns.outbound.hangUp({ callId: ucid })
  await waitFor(() => desk.record(ucid)['recording'] !== null && desk.record(ucid)['recording'] !== undefined)
  expect(await listen(callId, desk.agent)).toMatchObject({ status: 200 })

  await change('Call', { token: thief.token, id: callId, data: { agentId: thief.agentId } })
  expect(await listen(callId, thief)).toMatchObject({ status: 403, body: { reason: 'NOT_YOURS' } })
  expect(await desk.rest('POST', '/api/recordings/analyze', { token: thief.token, body: { callId: ucid } })).toMatchObject({ status: 403 })
  await change('Call', { token: thief.token, id: callId, data: { ucid: 'another-call' } })
  expect(await listen(callId, thief)).toMatchObject({ status: 403, body: { reason: 'NOT_YOURS' } })
})

test("sends the provider's credentials to no address of its API, whatever a call's record says", async () => {
  const { ucid } = await desk.dial('98111 22335', thief)
  const own = (await recordedCalls(desk, manager.token)).find(({ agentId }) => agentId === thief.agentId)
  const api = `${desk.standIns.outbound.url}/v1/Accounts/demo1/Calls/${ucid}.json?details=true`
  for (const address of [api, api.replace('/v1/', '//v1/'), api.replace('/v1/', '/x/%2e%2e/V1/'), api.replace('/v1/', '/%761/')]) {
    await change('Call', { token: thief.token, id: own?.id ?? '', data: { recording: { primaryLinkUrl: address } } })
    const answer = await listen(own?.id ?? '', thief)
    expect(answer.status, address).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(answer.body)).not.toContain('AccountSid')
  }
})

test('shows temporary passwords only to managers who may manage roles on the platform', async () => {
  const body = { email: 'asha.rao@demo.example', firstName: 'Asha', lastName: 'Rao', role: 'MANAGER' }
  const created = await desk.rest('POST', '/api/team/members', { token: manager.token, body })
  const { member } = z.object({ member: z.object({ id: z.string() }) }).parse(created.body)
  const path = `/api/team/members/${member.id}/temporary-password`
  expect(await desk.rest('GET', path, { token: manager.token })).toMatchObject({ status: 200 })
  // Now the platform role of all agents gives MANAGER here.
  const roles = { manager: 'User', user: 'Member' }
  expect(await desk.rest('PUT', '/api/config/platform', { token: manager.token, body: { roles } })).toMatchObject({ status: 200 })
  const refused = await desk.rest('GET', path, { token: thief.token })
  expect(refused).toMatchObject({ status: 403, body: { reason: 'PLATFORM_REFUSED' } })
  expect(
    await desk.rest('PUT', '/api/config/platform', { token: manager.token, body: { roles: { manager: null, user: null } } }),
  ).toMatchObject({
    status: 200,
  })
})

test('gives no password of another agent to who links that agent record to themselves', async () => {
  const victim = await desk.signIn('agent3@demo.example')
  const agent = { sipPassword: 'phone-of-three', providerAgentPassword: 'provider-of-three' }
  const entered = await desk.rest('PUT', `/api/team/members/${victim.memberId}`, { token: manager.token, body: { agent } })
  expect(entered).toMatchObject({ status: 200 })
  for (const { token } of [victim, thief]) expect(await desk.rest('POST', '/auth/logout', { token })).toMatchObject({ status: 200 })

  await change('Agent', { token: manager.token, id: thief.agentId ?? '', data: { workspaceMemberId: null } })
  await change('Agent', { token: manager.token, id: victim.agentId ?? '', data: { workspaceMemberId: thief.memberId } })
  const token = await tokenWithoutSession({ url: desk.url, workspaceUrl: desk.standIns.platform.workspaceUrl }, 'agent2@demo.example')
  const query = 'mutation { startAgentSession { agent { id } sip { password } telephony { signedIn reason } } }'
  const started = await desk.graphql(query, { token })
  expect(JSON.stringify(started)).not.toContain('of-three')
  expect(started).toMatchObject({ data: { startAgentSession: { agent: { id: victim.agentId } } } })
})
