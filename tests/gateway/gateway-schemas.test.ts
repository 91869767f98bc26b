import { createServer } from 'node:http'
import { createSchema, createYoga, type YogaServerInstance } from 'graphql-yoga'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { RequestContext } from '../../src/access/request-context.ts'
import { type GatewayOptions, startGateway, testPrincipal } from '../harness/gateway.ts'
import { waitFor } from '../harness/wait-for.ts'

const baseSdl = /* GraphQL */ `
  type Query {
    lead: Lead
  }
  type Subscription {
    leadChanged: Lead
  }
  type Lead {
    id: ID!
    aiSummary: String
    aiSuggestedAction: String
    aiInsightAt: String
  }
`
const bodySchema = z.object({ query: z.string() })

/** A platform whose schema can change while it runs, and that sends each pushed lead to its subscribers. */
async function startChangingPlatform() {
  const listeners = new Set<(id: string) => void>()
  const lead = (id: string) => ({ id, aiSummary: `Summary of ${id}`, grown: 'grown' })
  async function* changes(_: unknown, __: unknown, { request }: { request: Request }): AsyncGenerator {
    const waiting: string[] = []
    let wake = (): void => {}
    const listen = (id: string): void => {
      waiting.push(id)
      wake()
    }
    listeners.add(listen)
    request.signal.addEventListener('abort', () => wake())
    try {
      while (!request.signal.aborted) {
        const id = waiting.shift()
        if (id === undefined) await new Promise<void>((resolve) => (wake = resolve))
        else yield { leadChanged: lead(id) }
      }
    } finally {
      listeners.delete(listen)
    }
  }
  const serve = (more: string) =>
    createYoga({
      schema: createSchema({
        typeDefs: baseSdl + more,
        resolvers: { Query: { lead: () => lead('1') }, Subscription: { leadChanged: { subscribe: changes } } },
      }),
      graphqlEndpoint: '*',
      logging: false,
    })
  const schemas = new Map<string, YogaServerInstance<object, object>>([['', serve('')]])
  const metadata = createYoga({
    schema: createSchema({ typeDefs: 'type Query { roles: [String] }' }),
    graphqlEndpoint: '*',
    logging: false,
  })
  const readings: string[] = []
  let current = ''
  let refusing = false
  let held: Promise<void> | null = null
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const token = request.headers.authorization ?? ''
      const ofRecords = request.url === '/graphql'
      if (ofRecords && bodySchema.parse(JSON.parse(body)).query.includes('__schema')) readings.push(token)
      const yoga = ofRecords ? (schemas.get(current) ?? serve(current)) : metadata
      const headers = { 'content-type': 'application/json', accept: request.headers.accept ?? '' }
      const leaving = new AbortController()
      response.on('close', () => leaving.abort())
      const answer = async (): Promise<void> => {
        if (held && body.includes('__schema')) await held
        if (refusing && body.includes('subscription')) return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')
        const result = await yoga.fetch('http://platform/graphql', { method: 'POST', headers, body, signal: leaving.signal })
        response.writeHead(result.status, Object.fromEntries(result.headers))
        response.flushHeaders()
        for await (const piece of result.body ?? []) response.write(piece)
        response.end()
      }
      answer().catch(() => response.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    readings,
    subscribers: () => listeners.size,
    push: (id: string) => listeners.forEach((listen) => listen(id)),
    change(more: string) {
      schemas.set(more, serve(more))
      current = more
    },
    refuse: () => void (refusing = true),
    /** Leaves who asks for the schema waiting until it is called. */
    holdReadings(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => {
        held = null
        resolve()
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function open(stitching: NonNullable<GatewayOptions['stitching']>) {
  const stack = new AsyncDisposableStack()
  const platform = stack.use(await startChangingPlatform())
  // The token names the workspace.
  const principalOf = (token: string) => testPrincipal({ workspaceId: token })
  const gateway = stack.use(await startGateway({ platformUrl: platform.url, principalOf, stitching }))
  return { platform, gateway, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** A gateway whose `viewer` waits until the test lets it answer, for each token. */
async function openWaiting() {
  const stack = new AsyncDisposableStack()
  const platform = stack.use(await startChangingPlatform())
  const waiting = new Map<string, () => void>()
  const viewer = async (_: unknown, __: unknown, context: RequestContext): Promise<{ token: string | null }> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.set(context.accessToken ?? '', resolve)
    await promise
    return { token: context.accessToken }
  }
  const gateway = stack.use(
    await startGateway({
      platformUrl: platform.url,
      principalOf: (token) => testPrincipal({ workspaceId: token }),
      typeDefs: viewerTypeDefs,
      resolvers: { Query: { viewer } },
    }),
  )
  return { gateway, waiting, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const viewerTypeDefs = /* GraphQL */ `
  directive @auth(role: ApplicationRole! = USER) on FIELD_DEFINITION
  directive @public on FIELD_DEFINITION
  scalar DateTime
  enum ApplicationRole {
    USER
    AGENT
    MANAGER
  }
  type Viewer {
    token: String
  }
  type Query {
    viewer: Viewer @auth
  }
`

const stitched = '{ lead { id insight { summary } } }'
const answered = { data: { lead: { id: '1', insight: { summary: 'Summary of 1' } } } }

describe('the schemas of workspaces', () => {
  test('a late answer for a thread that has ended does not answer an operation of the next thread', async () => {
    await using house = await openWaiting()
    const query = '{ viewer { token } lead { id } __type(name: "Lead") { name } }'
    const first = house.gateway.ask(query, { token: 'a' })
    const letFirst = await waitFor(() => house.waiting.get('a'))
    await house.gateway.graphql.schemas.close()
    expect(await first).toMatchObject({ errors: [{ extensions: { reason: 'OVERLOADED' } }] })
    const second = house.gateway.ask(query, { token: 'b' })
    const letSecond = await waitFor(() => house.waiting.get('b'))
    letFirst()
    // The first answer is on its way before the second.
    await new Promise((resolve) => setImmediate(resolve))
    letSecond()
    expect(await second).toMatchObject({ data: { viewer: { token: 'b' }, lead: { id: '1' } } })
  })

  test('a stream goes on when its schema is replaced', async () => {
    await using house = await open({ rereadMs: 1 })
    const leaving = new AbortController()
    const response = await house.gateway.post(
      { query: 'subscription { leadChanged { id insight { summary } } }' },
      { token: 'a', headers: { accept: 'text/event-stream' }, signal: leaving.signal },
    )
    let text = ''
    const read = async (): Promise<void> => {
      for await (const piece of response.body ?? []) text += new TextDecoder().decode(piece)
    }
    const reading = read().catch(() => undefined)
    await waitFor(() => house.platform.subscribers() === 1)
    house.platform.push('7')
    await waitFor(() => text.includes('"id":"7","insight":{"summary":"Summary of 7"}'))
    house.platform.change('extend type Lead { grown: String }')
    expect(await house.gateway.ask('{ lead { id grown insight { summary } } }', { token: 'a' })).toEqual({
      data: { lead: { id: '1', grown: 'grown', insight: { summary: 'Summary of 1' } } },
    })
    expect(house.platform.readings).toHaveLength(2)
    house.platform.push('8')
    await waitFor(() => text.includes('"id":"8","insight":{"summary":"Summary of 8"}'))
    leaving.abort()
    await reading
    await waitFor(() => house.platform.subscribers() === 0, { what: 'the platform to be left' })
  })

  test('a stream ends with an error if its reader falls far behind, and its buffer is bounded', async () => {
    await using house = await open({})
    const leaving = new AbortController()
    const response = await house.gateway.post(
      { query: 'subscription { leadChanged { id insight { summary } } }' },
      { token: 'a', headers: { accept: 'text/event-stream' }, signal: leaving.signal },
    )
    await waitFor(() => house.platform.subscribers() === 1)
    for (let index = 0; index < 40; index += 1) house.platform.push(String(index).repeat(500_000))
    await waitFor(() => house.platform.subscribers() === 0, { what: 'the platform to be left' })
    let last = ''
    for await (const piece of response.body ?? []) last = (last + new TextDecoder().decode(piece)).slice(-1_000)
    expect(last).toContain('"reason":"OVERLOADED"')
  })

  test('a stream on the stitched schema ends when the service stops, and the platform is left', async () => {
    await using platform = await startChangingPlatform()
    await using stack = new AsyncDisposableStack()
    const gateway = stack.use(await startGateway({ platformUrl: platform.url, principalOf: () => testPrincipal({}) }))
    const query = 'subscription { leadChanged { id insight { summary } } }'
    const response = await gateway.post({ query }, { token: 'a', headers: { accept: 'text/event-stream' } })
    await waitFor(() => platform.subscribers() === 1)
    const startedAt = performance.now()
    await stack.disposeAsync()
    // Long before the thread's deadlines.
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    expect(await response.text()).toMatch(/"reason":"STOPPING"[^\n]*\n\nevent: complete\n/)
    await waitFor(() => platform.subscribers() === 0, { what: 'the platform to be left' })
  })

  test('a subscription that the platform refuses ends with its error', async () => {
    await using house = await open({})
    house.platform.refuse()
    const response = await house.gateway.post(
      { query: 'subscription { leadChanged { id insight { summary } } }' },
      { token: 'a', headers: { accept: 'text/event-stream' } },
    )
    const text = await response.text()
    expect(text).toContain('"code":"UPSTREAM_FAILED"')
    expect(text).toContain('event: complete')
  })

  test('the least recently used schema is dropped at the limit, and read again when it is needed', async () => {
    await using house = await open({ maxSchemas: 2 })
    const readingsOf = (token: string) => house.platform.readings.filter((one) => one === `Bearer ${token}`).length
    for (const [index, token] of ['a', 'b', 'c'].entries()) {
      house.platform.change(`type Only${index} { id: ID }`)
      expect(await house.gateway.ask(stitched, { token })).toEqual(answered)
    }
    expect(await house.gateway.ask(stitched, { token: 'c' })).toEqual(answered)
    expect(await house.gateway.ask(stitched, { token: 'b' })).toEqual(answered)
    expect(['a', 'b', 'c'].map(readingsOf)).toEqual([1, 1, 1])
    expect(await house.gateway.ask(stitched, { token: 'a' })).toEqual(answered)
    expect(['a', 'b', 'c'].map(readingsOf)).toEqual([2, 1, 1])
    expect(Math.max(...[...house.gateway.graphql.schemas.figures().values()].map(({ schemas }) => schemas))).toBe(2)
  })

  test('a schema in use is read again in the background: the current request is not delayed, the next one uses the new schema', async () => {
    await using house = await open({ refreshMs: 1, rereadMs: 3_600_000 })
    expect(await house.gateway.ask(stitched, { token: 'a' })).toEqual(answered)
    house.platform.change('extend type Lead { grown: String }')
    const letGo = house.platform.holdReadings()
    // The reading is held, the answer is not.
    expect(await house.gateway.ask(stitched, { token: 'a' })).toEqual(answered)
    await waitFor(() => house.platform.readings.length === 2)
    letGo()
    await waitFor(async () => {
      const { data } = await house.gateway.ask('{ lead { grown insight { summary } } }', { token: 'a' })
      return data?.['lead'] !== undefined
    })
  })

  test('unknown fields cause at most one reading in the configured time', async () => {
    const rereadMs = 3_000
    await using house = await open({ rereadMs })
    const startedAt = performance.now()
    // One more for each whole time that has passed, because a slow machine takes longer than one for a step of this test.
    const expectFewReadings = () =>
      expect(house.platform.readings.length).toBeLessThanOrEqual(1 + Math.floor((performance.now() - startedAt) / rereadMs))
    await house.gateway.ask(stitched, { token: 'a' })
    const unknown = (name: string) => house.gateway.ask(`{ lead { ${name} insight { summary } } }`, { token: 'a' })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => unknown(`field${index}`)))
    for (const { errors } of answers) expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
    expectFewReadings()
    house.platform.change('extend type Lead { grown: String }')
    await waitFor(async () => {
      const { data } = await unknown('grown')
      return data?.['lead'] !== undefined
    })
    expect(house.platform.readings.length).toBeGreaterThan(1)
    expectFewReadings()
    await Promise.all(Array.from({ length: 20 }, (_, index) => unknown(`other${index}`)))
    expectFewReadings()
  })
})
