import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { waitFor } from '../harness/wait-for.ts'

const lineSchema = z.looseObject({
  level: z.number(),
  requestId: z.string(),
  route: z.string(),
  durationMs: z.number(),
  status: z.number(),
})

let app: TestApp
let agent: TestSignIn
beforeAll(async () => {
  app = await createTestApp()
  agent = await app.signIn('agent1@demo.example')
  // The first sign-in of a workspace stores its configuration. After such a change, members are looked up once more.
  await app.rest('GET', '/auth/me', { token: agent.token })
})
afterAll(() => app[Symbol.asyncDispose]())

let count = 0

/** The line of a request; `send` must send this id. */
async function lineOf(send: (headers: Readonly<Record<string, string>>) => Promise<unknown>) {
  const requestId = `request-log-${(count += 1)}`
  await send({ 'x-request-id': requestId })
  const text = await waitFor(() => app.logged.find((line) => line.includes('"http.request"') && line.includes(`"${requestId}"`)))
  expect(app.logged.filter((line) => line.includes('"http.request"') && line.includes(`"${requestId}"`))).toHaveLength(1)
  return { text, ...lineSchema.parse(JSON.parse(text)) }
}

const workspaceId = () => app.standIns.platform.workspaceIdOf('demo')

test('a request of REST gives one line with its operation and member, and with the pattern of its path', async () => {
  const line = await lineOf((headers) =>
    app.rest('POST', '/api/calls/98765432101/control?secret=in-the-query', { token: agent.token, headers, body: { action: 'HOLD' } }),
  )
  expect(line).toMatchObject({
    level: 30,
    method: 'POST',
    route: '/api/calls/{ucid}/control',
    operation: 'controlCall',
    memberId: agent.memberId,
    workspaceId: workspaceId(),
  })
  expect(line.text).not.toMatch(/98765432101|in-the-query/)
  expect(line.durationMs).toBeGreaterThan(0)
})

test('an operation of GraphQL is named without what the client wrote', async () => {
  const ask = (query: string) => (headers: Readonly<Record<string, string>>) =>
    app.rest('POST', '/graphql', { token: agent.token, headers, body: { query } })
  expect(await lineOf(ask('query SecretName { secretAlias: me { role } }'))).toMatchObject({
    route: '/graphql',
    operation: 'me',
    status: 200,
  })
  const forwarded = await lineOf(ask('query SecretName { secretAlias: leads(first: 1) { edges { node { id } } } }'))
  // The platform had confirmed the token for another request.
  expect(forwarded).toMatchObject({ operation: 'platform', memberId: agent.memberId, workspaceId: workspaceId() })
  expect(forwarded.text).not.toMatch(/secret/i)
})

test('a token that nobody confirmed names nobody, and a path with a key is not shown', async () => {
  const [head = '', , signature = ''] = agent.token.split('.')
  const forged = [
    head,
    Buffer.from(JSON.stringify({ workspaceId: 'forged', workspaceMemberId: 'forged' })).toString('base64url'),
    signature,
  ].join('.')
  const refused = await lineOf((headers) => app.rest('GET', '/auth/me', { token: forged, headers }))
  expect(refused).toMatchObject({ status: 401, operation: 'me' })
  expect(refused.text).not.toMatch(/workspaceId|memberId|forged/)
  const hook = await lineOf((headers) =>
    app.rest('POST', '/hooks/telephony/ozonetel/a-secret-key-of-forty-characters', { body: '{}', headers }),
  )
  expect(hook).toMatchObject({ route: '/hooks/*', status: 404 })
  expect(hook.text).not.toContain('a-secret-key')
})

test('a client that leaves is named as such, and health checks are lines for debugging', async () => {
  app.standIns.platform.fault({ operation: 'leads', act: 'hang', times: 1 })
  const left = await lineOf(async (headers) => {
    const leaving = new AbortController()
    const asked = fetch(`${app.url}/graphql`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { ...headers, 'content-type': 'application/json', authorization: `Bearer ${agent.token}` },
      body: JSON.stringify({ query: '{ leads { totalCount } }' }),
    })
    await waitFor(() => app.standIns.platform.calls('leads').length > 1)
    leaving.abort()
    await asked.catch(() => undefined)
  })
  expect(left).toMatchObject({ aborted: 'CLIENT_LEFT', status: 499 })
  expect(await lineOf((headers) => app.rest('GET', '/health', { headers }))).toMatchObject({ level: 20, route: '/health', status: 200 })
})
