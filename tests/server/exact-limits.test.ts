import { Agent, createServer, type IncomingMessage, request as httpRequest } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { buildSchema, parse, print } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { clinicDayAt } from '../../src/kernel/clinic-day.ts'
import { AppError, cut } from '../../src/kernel/errors.ts'
import { givePointBack } from '../../src/kernel/give-point-back.ts'
import { httpRequest as request } from '../../src/kernel/http-client.ts'
import { createLog } from '../../src/kernel/log.ts'
import { localMoment } from '../../src/kernel/time-zone.ts'
import type { ReplyPart } from '../../src/features/widget/chat/reply-parts.ts'
import { withoutDeferInLists } from '../../src/server/graphql/defer.ts'
import { planDocument } from '../../src/server/graphql/plan.ts'
import { createPlanCache } from '../../src/server/graphql/plan-cache.ts'
import { sendReply } from '../../src/server/widget/chat-stream.ts'
import { mediaTypeFor } from '../../src/server/graphql/answer.ts'
import { limitFaults } from '../../src/server/graphql/input-limits/limit-faults.ts'
import { bodyWithCodes } from '../../src/server/graphql/platform-errors.ts'
import { publicMessage } from '../../src/server/graphql/public-message.ts'
import { readContract } from '../../src/server/graphql/local-schema.ts'
import { createStreamLimit } from '../../src/server/graphql/stream-limit.ts'
import { jsonBodyLimit, leaveBody, readBody } from '../../src/server/http/body.ts'
import { createHttpServer, type HttpServer } from '../../src/server/http/http-server.ts'
import { preparedHandler } from '../../src/server/http/prepared-response.ts'
import { createPathMatcher } from '../../src/server/http/path-matcher.ts'
import { maxErrorBytes, sendProblem } from '../../src/server/http/problem.ts'
import { problemHandler } from '../../src/server/http/routes.ts'
import { waitFor } from '../harness/wait-for.ts'
import { testPrincipal } from '../harness/gateway.ts'

let server: HttpServer
const failingAfter = (before: () => Promise<void>): AsyncIterable<ReplyPart> => ({
  [Symbol.asyncIterator]: () => ({
    next: async () => {
      await before()
      throw new Error('the reply ended')
    },
  }),
})
let prepared = 0
const replies = {
  next: (): AsyncIterable<ReplyPart> => failingAfter(async () => {}),
  settled: (_error: string): void => {},
  isAborted: (): boolean => false,
}
const streamLimit = createStreamLimit(async () => testPrincipal({}))
beforeAll(async () => {
  server = await createHttpServer({
    host: '127.0.0.1',
    port: 0,
    trustProxy: [],
    health: {},
    log: createLog('silent'),
    handlers: {
      '/body': problemHandler(async (ctx) => void ctx.response.end(String((await readBody(ctx)).length))),
      '/streams': problemHandler(async (ctx) => {
        let admitted = 0
        try {
          for (; admitted < 120; admitted += 1) await streamLimit.admit(ctx)
        } finally {
          ctx.response.end(String(admitted))
        }
      }),
      '/prepared': preparedHandler(() => {
        if ((prepared += 1) === 1) throw new Error('it cannot be made now')
        return { contentType: 'text/plain', body: `the ${prepared}. time` }
      }),
      '/left': problemHandler((ctx) => {
        leaveBody(ctx)
        ctx.response.end()
      }),
      '/reply': problemHandler(async (ctx) => {
        replies.isAborted = () => ctx.aborted !== null
        const error = await sendReply(ctx, replies.next()).then(
          () => 'done',
          (thrown: unknown) => String(thrown),
        )
        replies.settled(error)
        if (!ctx.response.writableEnded) ctx.response.end(error)
      }),
      '/problem/*': problemHandler((ctx) =>
        sendProblem(ctx, new AppError('INVALID_INPUT', { detail: 'd', data: { x: 'x'.repeat(Number(ctx.path.slice(9))) } })),
      ),
    },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

async function post(path: string, bytes: number, isChunked = false) {
  const headers = isChunked ? {} : { 'content-length': bytes }
  const sent = httpRequest(`${server.url}${path}`, { method: 'POST', headers, agent: false })
  sent.on('error', () => undefined)
  if (isChunked) for (let left = bytes; left > 0; left -= 65_536) sent.write(Buffer.alloc(Math.min(left, 65_536), 0x20))
  sent.end(isChunked ? undefined : Buffer.alloc(bytes, 0x20))
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject)
  })
  return { status: response.statusCode, text: await text(response) }
}

describe('a body', () => {
  test.each([false, true])('of the greatest length is read, one byte more is refused (chunked: %s)', async (isChunked) => {
    expect(await post('/body', jsonBodyLimit, isChunked)).toMatchObject({ status: 200, text: String(jsonBodyLimit) })
    expect(await post('/body', jsonBodyLimit + 1, isChunked)).toMatchObject({ status: 413 })
  })

  test('that is empty is read', async () => {
    expect([(await post('/body', 0)).text, (await post('/body', 0, true)).text]).toEqual(['0', '0'])
  })
})

test('a member has at most a hundred event streams, and as many again when they are over', async () => {
  for (let round = 0; round < 2; round += 1) expect((await post('/streams', 0)).text).toBe('100')
})

test('an error answer of the greatest size is whole; a larger one is without what made it large', async () => {
  const { length } = Buffer.from((await (await fetch(`${server.url}/problem/0`)).text()).trim())
  const sizeOf = async (more: number) =>
    Buffer.from(await (await fetch(`${server.url}/problem/${maxErrorBytes - length + more}`)).text()).length
  expect(await sizeOf(0)).toBe(maxErrorBytes)
  expect(await sizeOf(1)).toBeLessThan(500)
})

test.each([
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['application/graphql-response+json, application/json;q=0.9', 'application/graphql-response+json'],
  ['application/graphql-response+json;q=0.8, application/json;q=0.9', 'application/json'],
  ['application/json;q=0', null],
  ['text/html', null],
])('who accepts %j gets %j', (accept, type) => expect(mediaTypeFor(accept)).toBe(type))

test.each([
  ['Value "secret" does not exist in "Color" enum.', 'The value does not exist in "Color" enum.'],
  ['Int cannot represent non-integer value: "secret"', 'Int cannot represent non-integer value'],
  ['Expected value of type "Int!", found "secret".', 'Expected value of type "Int!"'],
  ['Syntax Error: Expected Name, found String "secret".', 'Syntax Error: Expected Name, found String'],
  ['Cannot query field "x" on type "Query".', 'Cannot query field "x" on type "Query". GraphiQL and GET /schema.graphql have all names'],
])('the message %j is shown as %j', (message, shown) => expect(publicMessage(message)).toBe(shown))

test('of two patterns the one with the literal further to the left wins, in any order', () => {
  const routes = ['/a/{x}/c', '/a/b/{y}', '/a/{x}', '/a/{x}/{y}'].map((path) => ({ method: 'GET', path }))
  for (const order of [routes, routes.toReversed()]) {
    const find = createPathMatcher(order)
    const found = (path: string) => [find(path)?.routes.get('GET')?.path, find(path)?.parameters]
    expect(found('/a/b/c')).toEqual(['/a/b/{y}', { y: 'c' }])
    expect(found('/a/x/c')).toEqual(['/a/{x}/c', { x: 'x' }])
    expect(found('/a/x/y')).toEqual(['/a/{x}/{y}', { x: 'x', y: 'y' }])
    expect(found('/a/')).toEqual([undefined, undefined])
  }
})

test('errors of the platform get a code by the status, up to 64 kB', () => {
  const coded = (status: number, message: string) => {
    const body = Buffer.from(JSON.stringify({ errors: [{ message }] }))
    const errors = bodyWithCodes(body, { status, requestId: 'r', isAnonymous: false }).toString()
    return /"reason":"(\w+)"/.exec(errors)?.[1] ?? null
  }
  expect([200, 401, 429, 499, 500].map((status) => coded(status, 'x'))).toEqual([
    'INVALID_INPUT',
    'TOKEN_REFUSED',
    'TOO_MANY_TRIES',
    'INVALID_INPUT',
    'PROVIDER_UNAVAILABLE',
  ])
  const longest = 65_536 - JSON.stringify({ errors: [{ message: '' }] }).length
  expect([coded(200, 'x'.repeat(longest)), coded(200, 'x'.repeat(longest + 1))]).toEqual(['INVALID_INPUT', null])
})

test('values at the limits of the contract are accepted, those beyond are refused', () => {
  const needed = parse(readContract()).definitions.filter(
    (node) => 'name' in node && ['limit', 'TextForm'].includes(node.name?.value ?? ''),
  )
  const schema = buildSchema(`${needed.map(print).join(' ')}
    type Query {
      q(number: Int @limit(minimum: 2, maximum: 4) text: String @limit(minLength: 2, maxLength: 4) exact: String @limit(minLength: 3, maxLength: 3)
        list: [Int] @limit(minItems: 1, maxItems: 2)
        any: [Int] @limit(maxItems: 2)): Int
    }`)
  const args = schema.getQueryType()?.getFields()['q']?.args ?? []
  const inputs = Object.fromEntries(args.map((argument) => [argument.name, argument]))
  const faultOf = (name: string, value: unknown) => limitFaults(inputs, { [name]: value })[0]?.message ?? null
  expect([1, 2, 4, 5].map((number) => faultOf('number', number))).toEqual(['must be 2 to 4', null, null, 'must be 2 to 4'])
  expect(['', 'a', 'ab', 'abcd', 'abcde', '😀😀😀😀', '😀😀😀😀😀'].map((value) => faultOf('text', value))).toEqual([
    'must not be empty',
    'must have at least 2 characters',
    null,
    null,
    'must have at most 4 characters',
    null,
    'must have at most 4 characters',
  ])
  expect(faultOf('exact', 'abc')).toBeNull()
  expect(faultOf('exact', 'ab')).not.toBeNull()
  expect([[], [1], [1, 2], [1, 2, 3]].map((value) => faultOf('list', value))).toEqual([
    'must have 1 to 2 entries',
    null,
    null,
    'must have 1 to 2 entries',
  ])
  expect([[], [1, 2], [1, 2, 3]].map((value) => faultOf('any', value))).toEqual([null, null, 'must have at most 2 entries'])
})

test('moments have the offset of their zone', () => {
  expect(localMoment(0, 'UTC')).toBe('1970-01-01T00:00:00+00:00')
  expect(localMoment(0, 'Asia/Kolkata')).toBe('1970-01-01T05:30:00+05:30')
  expect(localMoment(Date.UTC(2026, 0), 'America/St_Johns')).toBe('2025-12-31T20:30:00-03:30')
  const day = clinicDayAt(Date.parse('2026-01-14T18:30:00Z'), 'Asia/Kolkata')
  expect(day).toMatchObject({ date: '2026-01-15', from: Date.parse('2026-01-14T18:30:00Z'), to: Date.parse('2026-01-15T18:30:00Z') })
})

test('a text of the greatest length is not cut', () => {
  expect([cut('abc', 3), cut('abcd', 3)]).toEqual(['abc', 'ab…'])
})

describe('the plan of a document', () => {
  const none = { query: new Set<string>(), mutation: new Set<string>(), subscription: new Set<string>() }
  const limits = { tokens: 100, depth: 10, aliases: 10, directives: 10, rootFields: 10, listNesting: 4 }
  const rules = {
    limits,
    own: none,
    metadata: { named: none, owned: none },
    added: new Set<string>(),
    schema: null,
    credentials: new Set(['signIn']),
  }
  const planOf = (source: string) => planDocument(source, rules).of('')

  test('is none after a syntax error, and a refusal beyond a limit', () => {
    expect(planOf('{')).toEqual({ kind: 'unplanned' })
    expect(planOf(`{ ${'a '.repeat(200)} }`)).toMatchObject({ kind: 'refused', error: { reason: 'INVALID_INPUT' } })
  })

  test('is made once for each text, but for very long ones', () => {
    const cache = createPlanCache(rules)
    const text = (mark: string, length: number) => `{ ${mark} } #`.padEnd(length, mark)
    const texts = 'abcdefghij'.split('').map((mark) => text(mark, 99_999))
    for (let time = 0; time < 2; time += 1) for (const source of texts) cache.plan(source, '')
    expect(cache.figures).toEqual({ hits: 10, misses: 10 })
    for (let time = 0; time < 2; time += 1) cache.plan(text('a', 2_000_000), '')
    expect(cache.figures).toEqual({ hits: 10, misses: 12 })
  })

  test('is kept for fewer documents the more it holds, whatever the length of their texts', () => {
    const large = { ...rules, limits: { ...limits, tokens: 1_000, aliases: 100, rootFields: 100 } }
    /** How many of a thousand documents it still has at the end. */
    const keptOf = (own: readonly string[], document: (index: number) => string): number => {
      const cache = createPlanCache({ ...large, own: { ...none, mutation: new Set(own), query: new Set(own) } })
      const texts = Array.from({ length: 1_000 }, (_, index) => document(index))
      for (const source of texts) cache.plan(source, '')
      for (const source of texts.toReversed()) cache.plan(source, '')
      return cache.figures.hits
    }
    expect(keptOf(['me'], (index) => `{ me { a${index} } }`)).toBe(1_000)
    const fields = Array.from({ length: 300 }, (_, index) => `f${index}`).join(' ')
    // 40 MB hold 250 documents of 300 fields, or of ten texts of 15 kB.
    expect(keptOf(['me'], (index) => `{ me { a${index} ${fields} } }`)).toBeLessThan(270)
    const both = Array.from({ length: 5 }, (_, index) => `a${index}: ours b${index}: theirs`).join(' ')
    expect(keptOf(['ours'], (index) => `mutation { x${index}: ours ${both} } #`.padEnd(15_000, 'x'))).toBeLessThan(270)
  })

  test('shares the parsed document with those of the other operations', () => {
    const plans = planDocument('query A { me } query B { me }', { ...rules, own: { ...none, query: new Set(['me']) } })
    const [one, other] = ['A', 'B'].map((name) => plans.of(name))
    expect(one).toMatchObject({ kind: 'local' })
    expect(one && 'document' in one && other && 'document' in other && one.document === other.document).toBe(true)
  })

  test('is one of few that are kept, if a long document has many operations', () => {
    const names = Array.from({ length: 90 }, (_, index) => `Q${index}`)
    const document = names.map((name) => `query ${name} { a }`).join(' ')
    const many = { ...rules, limits: { ...limits, tokens: 1_000 } }
    for (const [length, isKept] of [
      [50_000, true],
      [100_000, false],
    ] as const) {
      const plans = planDocument(`${document} #`.padEnd(length, 'x'), many)
      const [first] = names.map((name) => plans.of(name))
      expect(plans.of('Q0') === first).toBe(isKept)
    }
  })

  test('has the credentials of queries and mutations, not of a subscription', () => {
    const credentialsOf = (kind: string): number => {
      const plan = planOf(`${kind} { signIn(email: "a", password: "b") { token } }`)
      return 'credentials' in plan ? plan.credentials.length : Number.NaN
    }
    expect([credentialsOf('mutation'), credentialsOf('query'), credentialsOf('subscription')]).toEqual([1, 1, 0])
  })
})

test('only what is inside a list is not deferred', () => {
  const schema = buildSchema('type Item { name: String, items: [Item!]! } type Query { item: Item, items: [Item!]! }')
  const deferred = (source: string): number => print(withoutDeferInLists(schema, parse(source))).split('@defer').length - 1
  expect(deferred('{ item { ... @defer { name } } }')).toBe(1)
  expect(deferred('{ items { ... @defer { name } } }')).toBe(0)
  expect(deferred('{ item { ...part } } fragment part on Item { ... @defer { name } }')).toBe(1)
  expect(deferred('{ items { ...part } } fragment part on Item { ... @defer { name } }')).toBe(0)
  expect(deferred('{ item { ... @defer { items { name } } } items { name } }')).toBe(1)
})

test('a small body that nobody reads leaves the connection open, a larger one ends it', async () => {
  const connection = async (bytes: number): Promise<unknown> => {
    const agent = new Agent({ keepAlive: true })
    const sent = httpRequest(`${server.url}/left`, { method: 'POST', headers: { 'content-length': bytes }, agent })
    sent.on('error', () => undefined)
    sent.end(Buffer.alloc(bytes, 0x20))
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject)
    })
    await text(response)
    agent.destroy()
    return response.headers.connection
  }
  expect([await connection(0), await connection(65_536), await connection(65_537)]).toEqual(['keep-alive', 'keep-alive', 'close'])
})

test('an answer that is prepared once is prepared again after a failure', async () => {
  expect((await fetch(`${server.url}/prepared`)).status).toBe(500)
  const answers = [await fetch(`${server.url}/prepared`), await fetch(`${server.url}/prepared`)]
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['the 2. time', 'the 2. time'])
})

test('a reply that fails is an error only while the visitor is there', async () => {
  expect(await (await fetch(`${server.url}/reply`)).text()).toBe('Error: the reply ended')
  const begun = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<string>()
  replies.settled = gone.resolve
  replies.next = () =>
    failingAfter(() => {
      begun.resolve()
      return left.promise
    })
  const leaving = new AbortController()
  const asked = fetch(`${server.url}/reply`, { signal: leaving.signal }).catch(() => 'left')
  await begun.promise
  leaving.abort()
  expect(await asked).toBe('left')
  await waitFor(() => replies.isAborted(), { what: 'the service to notice that the visitor left' })
  left.resolve()
  expect(await gone.promise).toBe('done')
})

test('a point that is given back in its time is free again; one of an earlier time is none', async () => {
  const limiter = new RateLimiterMemory({ points: 5, duration: 60 })
  await limiter.consume('k')
  await givePointBack(limiter, 'k')
  expect((await limiter.get('k'))?.consumedPoints).toBe(0)
  await givePointBack(limiter, 'k')
  expect(await limiter.get('k')).toBeNull()
})

test('an answer of the greatest size is read, a larger one is refused; the time to wait is a number from 0 on', async () => {
  const provider = createServer((asked, response) => {
    response.setHeader('retry-after', String(asked.headers['x-wait']))
    response.end(Buffer.alloc(Number(asked.headers['x-bytes']), 0x20))
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const address = provider.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const ask = (bytes: number, wait = '0') =>
    request({
      who: 'It',
      url,
      method: 'GET',
      headers: { 'x-bytes': String(bytes), 'x-wait': wait },
      signal: AbortSignal.timeout(60_000),
      maxAnswerBytes: 1_000,
    })
  expect(await ask(1_000)).toMatchObject({ retryAfterSeconds: 0 })
  await expect(ask(1_001)).rejects.toMatchObject({ reason: 'PROVIDER_ANSWER_INVALID' })
  expect([(await ask(0, '7')).retryAfterSeconds, (await ask(0, '-1')).retryAfterSeconds, (await ask(0, 'soon')).retryAfterSeconds]).toEqual(
    [7, null, null],
  )
  provider.closeAllConnections()
  provider.close()
})
