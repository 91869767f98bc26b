import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { createTestClock, type TestClock } from '../harness/clock.ts'
import { subscribe } from '../harness/subscribe.ts'
import { waitFor } from '../harness/wait-for.ts'

let clock: TestClock
let app: TestApp
beforeAll(async () => {
  clock = createTestClock()
  app = await createTestApp({ clock, receivesWebhooks: true })
  app.standIns.telephony.accountMode({ mode: 'token' })
})
afterAll(() => app[Symbol.asyncDispose]())

const pastTheToken = 31 * 60_000
const lastEvents = z.object({
  errors: z.tuple([z.looseObject({ message: z.string(), extensions: z.looseObject({ requestId: z.string() }) })]),
})

/** The errors of the last answer before the stream was completed. */
function endOf(text: string) {
  const data = /event: next\ndata: (.+)\n\nevent: complete\n/.exec(text.slice(text.lastIndexOf('event: next')))?.[1]
  return lastEvents.parse(JSON.parse(data ?? 'null')).errors[0]
}

test('a stream ends with its token and a GraphQL error, and sends no later events', async () => {
  const { token } = await app.signIn('manager@demo.example')
  await app.signIn('agent1@demo.example')
  const calls = await subscribe(app.url, { query: 'subscription { callEvents { call { ucid } } }', token })
  const agents = await subscribe(app.url, { query: 'subscription { agentStates { providerAgentId } }', token })
  const listed = await app.graphql('{ calls(first: 1) { edges { node { id } } } }', { token })
  const callId = z.object({ calls: z.object({ edges: z.tuple([z.object({ node: z.object({ id: z.string() }) })]) }) }).parse(listed.data)
    .calls.edges[0].node.id
  const progress = await subscribe(app.url, { query: `subscription { recordingProgress(callId: "${callId}") { stage } }`, token })
  const before = app.standIns.telephony.ring({ from: '+919812345670', agentId: 'agent1' })
  await waitFor(() => calls.text.includes(before.ucid))
  await waitFor(() => agents.text.includes('agent1'))
  clock.advance(pastTheToken)
  const after = app.standIns.telephony.ring({ from: '+919812345671', agentId: 'agent2' })
  const later = await app.signIn('agent2@demo.example')
  await app.rest('PUT', '/api/agents/me/state', { token: later.token, body: { state: 'READY' } })
  for (const stream of [calls, agents, progress]) {
    await waitFor(() => stream.ended)
    expect(stream.text).not.toContain(after.ucid)
    expect(stream.text).not.toContain('agent2')
    const { message, extensions } = endOf(stream.text)
    expect(message).toMatch(/sign in again/)
    expect(extensions).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'TOKEN_REFUSED', retryable: false })
    expect(extensions.requestId).not.toBe('')
  }
})
