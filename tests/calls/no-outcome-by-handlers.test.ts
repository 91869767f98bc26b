import { expect, test } from 'vitest'
import { z } from 'zod'
import { startSandbox } from '../../src/sandbox/start.ts'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { createRunningClock } from '../harness/clock.ts'
import { connectTelephony, ownPublicUrl } from '../harness/connect-telephony.ts'
import { startApp } from '../harness/start-app.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'

/** The time for the wrap-up ends at the provider, whose report comes by webhook: CRM, list of calls and the lead's insight, over a restart. */

const text = 'Wrap up time exceeded :120'
const rowSchema = z.object({ ucid: z.string().nullable(), disposition: z.string().nullable(), automaticDisposition: z.string().nullable() })
const answerSchema = z.object({ data: z.object({ historyCalls: z.object({ nodes: z.array(rowSchema) }) }) })

test('a call whose wrap-up ended without an outcome has none anywhere, and gets one after a restart from its agent only', async () => {
  await using closing = new AsyncDisposableStack()
  const clock = createRunningClock()
  const { path } = closing.use(await createTempDir())
  const sandbox = closing.use(await startSandbox({ dataDir: null, clock }))
  const { telephony, platform } = sandbox.standIns
  const start = () =>
    startApp(
      { ...sandbox.environmentOf('demo'), ...ownPublicUrl, DATA_DIR: path, PORT: '0' },
      { clock, workspaces: [sandbox.environmentOf('acme')] },
    )
  let app = await start()
  closing.defer(() => app[Symbol.asyncDispose]())
  await connectTelephony(app.url, telephony)

  const send = async (path: string, body: unknown, token = ''): Promise<{ status: number; body: unknown }> => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const response = await fetch(app.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, body: await response.json() }
  }
  const signedIn = z.looseObject({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })
  const signIn = async (name: string) => {
    const { body } = await send('/auth/login', { email: `${name}@demo.example`, password: sandboxPassword, workspace: 'demo' })
    return signedIn.parse(body).tokens.accessToken
  }
  const [manager, agent] = [await signIn('manager'), await signIn('agent1')]
  const today = '2025-01-15'
  const query = `{ historyCalls(from: "${today}", to: "${today}") { nodes { ucid disposition automaticDisposition } } }`
  const listed = async (ucid: string) => {
    const { body } = await send('/graphql', { query }, manager.token)
    return answerSchema.parse(body).data.historyCalls.nodes.find((call) => call.ucid === ucid)
  }

  const { ucid } = telephony.ring({ from: '+919876543210', agentId: 'agent1' })
  telephony.answer({ ucid })
  clock.advance(60_000)
  telephony.hangUp({ ucid })
  clock.advance(121_000)
  await waitFor(() => telephony.call({ ucid }).disposition === text, { what: 'the end of the wrap-up at the provider' })
  const record = () => platform.records('demo', 'call', { ucid: { eq: ucid } })[0] ?? {}
  const isWhole = () => /"primaryLinkUrl":"http/.test(JSON.stringify(record()['recording']))
  await waitFor(isWhole, { what: 'the record of the report' })
  expect(record()).toMatchObject({ disposition: '' })
  expect(await listed(ucid)).toEqual({ ucid, disposition: null, automaticDisposition: text })
  const lead = () => String(platform.records('demo', 'lead', { name: { eq: 'Ananya Sharma' } })[0]?.['aiSummary'])
  expect(lead()).not.toContain(text)

  await app[Symbol.asyncDispose]()
  app = await start()
  const outcome = { disposition: 'Call Back Later', notes: 'wants to hear about the old bridge' }
  const disposing = `/api/calls/${ucid}/disposition`
  const other = await signIn('agent2')
  expect(await send(disposing, outcome, other.token)).toMatchObject({ status: 403, body: { reason: 'NOT_YOURS' } })
  const given = await send(disposing, outcome, agent.token)
  expect(given).toMatchObject({ status: 200, body: { disposition: 'Call Back Later', supersedes: null } })
  expect(await send(disposing, outcome, agent.token)).toMatchObject(given)
  await waitFor(() => record()['disposition'] === 'Call Back Later', { what: 'the outcome in the CRM' })
  await waitFor(() => lead().includes('the old bridge'), { what: 'the insight' })
  expect(await listed(ucid)).toEqual({ ucid, disposition: 'Call Back Later', automaticDisposition: null })
})
