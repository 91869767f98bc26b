import { parse, subscribe as graphqlSubscribe } from 'graphql'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { liveStream } from '../../src/features/calls/streams/live-stream.ts'
import type { Resolvers } from '../../src/generated.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createInProcessNotifications } from '../../src/providers/notifications/in-process.ts'
import { createLocalSchema } from '../../src/server/graphql/local-schema.ts'
import { startSandbox } from '../../src/sandbox/start.ts'
import { createTestApp } from '../harness/app.ts'
import { startGateway, testPrincipal } from '../harness/gateway.ts'
import { watchLoop } from '../harness/loop-watch.ts'
import { startServiceProcess } from '../harness/service-process.ts'
import { subscribe } from '../harness/subscribe.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { startUpstream } from '../harness/upstream.ts'
import { waitFor } from '../harness/wait-for.ts'

const agentStates = 'subscription { agentStates { providerAgentId } }'
const ofPlatform = 'subscription { onEventSubscription(eventStreamId: "1") { eventStreamId } }'

describe('event streams of one member', () => {
  test('are 100 at once; the next one gets an error that says what to do', async () => {
    await using app = await createTestApp()
    const { token } = await app.signIn('manager@demo.example')
    const query = 'subscription { supervisionUpdates { at } }'
    const streams = await Promise.all(Array.from({ length: 100 }, () => subscribe(app.url, { query, token })))
    const refused = await subscribe(app.url, { query, token })
    await waitFor(() => refused.ended)
    expect(refused.text).toMatch(/event: next\ndata: .*"code":"RATE_LIMITED","reason":"TOO_MANY_STREAMS".*\n\nevent: complete\n/)
    expect(refused.text).toMatch(/You have 100 event streams open.*close one/)
    const other = await app.signIn('agent1@demo.example')
    streams.push(await subscribe(app.url, { query: 'subscription { callEvents { kind } }', token: other.token }))
    streams[0]?.leave()
    await waitFor(async () => {
      const next = await subscribe(app.url, { query, token })
      streams.push(next)
      return waitFor(() => next.ended || next.text.includes('supervisionUpdates')).then(() => !next.ended)
    })
    expect(streams.at(-1)?.text).toContain('supervisionUpdates')
    for (const stream of streams) stream.leave()
    await waitFor(() => streams.every(({ ended }) => ended))
  })

  test.each(['/graphql', '/metadata'])('of the platform count too, on %s', async (path) => {
    await using upstream = await startUpstream((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: next\ndata: {"data":{}}\n\n')
    })
    await using gateway = await startGateway({ platformUrl: upstream.url, principalOf: () => testPrincipal({}) })
    const leaving = new AbortController()
    const query = 'subscription { onEventSubscription(eventStreamId: "1") { eventStreamId } }'
    const open = (token: string) =>
      gateway.post({ query }, { path, token, headers: { accept: 'text/event-stream' }, signal: leaving.signal })
    // Held until the end: fetch cancels the body of an answer that the garbage collector finds.
    const held: Response[] = []
    for (let count = 0; count < 100; count += 1) held.push(await open(`token${count}`))
    expect(held.map(({ status }) => status)).toEqual(held.map(() => 200))
    const refused = await open('token100')
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED', reason: 'TOO_MANY_STREAMS' } }] })
    expect([upstream.open(), held.length]).toEqual([100, 100])
    leaving.abort()
    await waitFor(() => upstream.open() === 0)
  })
})

test('an event for 1,000 streams does not hold the event loop', async () => {
  const notifications = createInProcessNotifications({ log: createLog('silent') })
  const leaving = new AbortController()
  const allowed = { check: async () => {}, dueInMs: () => 30_000, onDue: () => new DisposableStack() }
  const end = { signal: leaving.signal, allowed }
  let seen = 0
  const read = async (): Promise<void> => {
    for await (const { isFirst } of liveStream({ notifications, topic: 't', workspaceId: 'w', end, existing: async () => ['first'] })) {
      seen += 1
      if (!isFirst) work(0.5)
    }
  }
  const streams = Array.from({ length: 1_000 }, read)
  await waitFor(() => seen === 1_000)
  using loop = watchLoop()
  const held: number[] = []
  // The least of three: garbage collection may take its time in one of them.
  for (let tries = 1; tries <= 3; tries += 1) {
    await waitFor(() => loop.read().cpuMs < 10)
    await notifications.publish({ topic: 't', workspaceId: 'w', payload: 'changed' })
    await waitFor(() => seen === 1_000 * (1 + tries))
    held.push(loop.read().cpuMs)
  }
  expect(Math.min(...held)).toBeLessThan(50)
  leaving.abort()
  await Promise.all(streams)
})

test('an event that 1,000 streams of the API read at once is shown in slices', async () => {
  const typeDefs = `${directives} type Query { name: String @public } type Subscription { changes: Int @public }`
  let changed = Promise.withResolvers<void>()
  async function* changes(): AsyncGenerator<{ readonly changes: () => number }> {
    await changed.promise
    yield { changes: () => (work(0.5), 1) }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the generated types are of the real contract
  const resolvers = { Query: { name: () => 'n' }, Subscription: { changes: { subscribe: changes } } } as unknown as Resolvers
  const schema = createLocalSchema({ typeDefs, resolvers: [resolvers] })
  const document = parse('subscription { changes }')
  let shown = 0
  const read = async (): Promise<void> => {
    const stream = await graphqlSubscribe({ schema, document })
    if ('errors' in stream || !(Symbol.asyncIterator in stream)) throw new Error('no stream')
    for await (const { data } of stream) shown += Number(data?.['changes'])
  }
  using loop = watchLoop()
  const held: number[] = []
  // The least of three, for the same reason.
  for (let tries = 1; tries <= 3; tries += 1) {
    changed = Promise.withResolvers<void>()
    const streams = Array.from({ length: 1_000 }, read)
    await waitFor(() => loop.read().cpuMs < 10)
    changed.resolve()
    await Promise.all(streams)
    expect(shown).toBe(1_000 * tries)
    held.push(loop.read().cpuMs)
  }
  expect(Math.min(...held)).toBeLessThan(50)
})

const directives = 'directive @auth on FIELD_DEFINITION directive @public on FIELD_DEFINITION scalar DateTime'

function work(ms: number): void {
  const { user, system } = process.threadCpuUsage()
  const until = user + system + ms * 1_000
  for (let now = 0; now < until;) {
    const used = process.threadCpuUsage()
    now = used.user + used.system
  }
}

const stopped =
  /event: next\ndata: \{"errors":\[\{[^\n]*"code":"UPSTREAM_UNAVAILABLE","reason":"STOPPING","retryable":true[^\n]*\n\nevent: complete\ndata:/

describe('when the service stops', () => {
  test('event streams of the sidecar get a last event and end', async () => {
    await using stack = new AsyncDisposableStack()
    const app = stack.use(await createTestApp())
    const { token } = await app.signIn('manager@demo.example')
    const queries = [agentStates, 'subscription { callEvents { call { ucid } } }', 'subscription { supervisionUpdates { at } }']
    const streams = await Promise.all(queries.map((query) => subscribe(app.url, { query, token })))
    await waitFor(() => streams.every(({ status }) => status === 200))
    await stack.disposeAsync()
    for (const stream of streams) {
      await waitFor(() => stream.ended)
      expect(stream.text).toMatch(stopped)
    }
  })

  test('an event stream of the platform does too, in the middle of an event', async () => {
    await using upstream = await startUpstream((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: next\ndata: {"da')
    })
    await using stack = new AsyncDisposableStack()
    const gateway = stack.use(await startGateway({ platformUrl: upstream.url, principalOf: () => testPrincipal({}) }))
    const query = 'subscription { onEventSubscription(eventStreamId: "1") { eventStreamId } }'
    const stream = await subscribe(gateway.url, { query, token: 'token' })
    await waitFor(() => stream.text.endsWith('"da'))
    await stack.disposeAsync()
    await waitFor(() => stream.ended)
    expect(stream.text).toMatch(stopped)
    await waitFor(() => upstream.open() === 0)
  })

  test('the process exits soon, with streams of its own and of the platform open', async () => {
    await using directory = await createTempDir()
    await using sandbox = await startSandbox({ dataDir: null })
    await using platform = await startUpstream(async ({ path, headers, body }, response) => {
      const [type, accept] = [{ 'content-type': headers['content-type'] ?? '' }, headers.accept ?? '']
      if (accept.includes('text/event-stream')) return void response.writeHead(200, { 'content-type': accept }).write(': open\n\n')
      const given = { ...type, ...(headers.authorization !== undefined && { authorization: headers.authorization }) }
      const answer = await fetch(sandbox.standIns.platform.url + path, { method: 'POST', headers: given, body })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })
    const own = { DATA_DIR: directory.path, PORT: '0', LOG_LEVEL: 'silent', PLATFORM_URL: platform.url }
    await using stack = new AsyncDisposableStack()
    const service = stack.use(await startServiceProcess({ ...sandbox.environmentOf('demo'), ...own }))
    const token = await signIn(service.url)
    const open = (query: string, count: number) => Array.from({ length: count }, () => subscribe(service.url, { query, token }))
    const streams = await Promise.all([...open(agentStates, 10), ...open(ofPlatform, 5)])
    await waitFor(() => streams.every(({ status }) => status === 200) && platform.open() === 5)
    const startedAt = performance.now()
    await stack.disposeAsync()
    // Without the end of its streams it waits for its clients. `npm run prove:security -- streams` measures the second.
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    for (const stream of streams) {
      await waitFor(() => stream.ended)
      expect(stream.text).toMatch(stopped)
    }
  })
})

const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })

async function signIn(url: string): Promise<string> {
  const body = JSON.stringify({ email: 'manager@demo.example', password: 'sandbox-password', workspace: 'demo' })
  const response = await fetch(`${url}/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { tokens } = signInSchema.parse(await response.json())
  return tokens.accessToken.token
}
