import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startGateway, testPrincipal } from '../harness/gateway.ts'
import { sendJson, startUpstream, type UpstreamHandler } from '../harness/upstream.ts'
import { waitFor } from '../harness/wait-for.ts'

const principalOf = (token: string) => (token.startsWith('good') ? testPrincipal({ email: `${token}@demo.example` }) : null)
const token = 'good'

async function open(handle: UpstreamHandler, options: Partial<Parameters<typeof startGateway>[0]> = {}) {
  const stack = new AsyncDisposableStack()
  const upstream = stack.use(await startUpstream(handle))
  const gateway = stack.use(await startGateway({ platformUrl: upstream.url, principalOf, ...options }))
  return { upstream, gateway, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

describe('an operation of the platform', () => {
  test('is forwarded and answered byte for byte', async () => {
    const answer = '{"data" : {"leads":null}, "errors":[{"message":"no","extensions":{"code":"FORBIDDEN","http":{"status":418}}}]}\n'
    await using house = await open((_, response) => {
      response.writeHead(203, { 'content-type': 'application/json', 'set-cookie': 'session=1', 'x-powered-by': 'platform' }).end(answer)
    })
    const body = '{ "query":"query  A { leads { id } }" ,"variables":{},"surplus":1}'
    const response = await house.gateway.post(body, { token })
    expect(response.status).toBe(203)
    expect(await response.text()).toBe(answer)
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(response.headers.get('x-powered-by')).toBeNull()
    expect(house.upstream.seen.map((seen) => seen.body)).toEqual([body])
  })

  test('carries the token, and no header of the browser or the connection', async () => {
    await using house = await open((_, response) => sendJson(response, { data: { leads: null } }))
    await house.gateway.post(
      { query: '{ leads { id } }' },
      {
        token,
        headers: { cookie: 'a=b', origin: 'https://evil.example', 'x-forwarded-for': '1.2.3.4', 'x-locale': 'en-IN', te: 'trailers' },
      },
    )
    const [seen] = house.upstream.seen
    expect(seen?.headers.authorization).toBe('Bearer good')
    expect(seen?.headers['x-locale']).toBe('en-IN')
    for (const name of ['cookie', 'origin', 'x-forwarded-for', 'te']) expect(seen?.headers).not.toHaveProperty(name)
  })

  test('needs no principal: the platform checks the token', async () => {
    const refusal = { errors: [{ message: 'Token has expired.', extensions: { code: 'UNAUTHENTICATED' } }], data: null }
    await using house = await open((_, response) => sendJson(response, refusal))
    expect(await house.gateway.ask('{ leads { id } }', { token: 'bad' })).toEqual(refusal)
  })

  test.for([
    ['HTML', 'text/html', '<p>hello'],
    ['an empty body', 'application/json', ''],
    ['half a JSON', 'application/json', '{"data":{"a"'],
  ] as const)('answered with %s is UPSTREAM_FAILED with the request id', async ([, type, body]) => {
    await using house = await open((_, response) => void response.writeHead(200, { 'content-type': type }).end(body))
    const response = await house.gateway.post({ query: '{ leads { id } }' }, { token, headers: { 'x-request-id': 'asked-1' } })
    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'UPSTREAM_FAILED', reason: 'PROVIDER_ANSWER_INVALID', requestId: 'asked-1' } }],
    })
  })

  test('is complete if the last piece of its answer is white space', async () => {
    const rest = Promise.withResolvers<void>()
    await using house = await open(async (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":{"leads":null}}')
      await rest.promise
      response.end('\r\n \n')
    })
    const asked = house.gateway.post({ query: '{ leads { id } }' }, { token })
    await waitFor(() => house.upstream.seen.length === 1)
    rest.resolve()
    const response = await asked
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('{"data":{"leads":null}}\r\n \n')
  })

  test('ends with TIMEOUT without an answer, and with UPSTREAM_UNAVAILABLE on a closed connection', async () => {
    await using silent = await open(() => undefined, { deadlineMs: 300 })
    const late = await silent.gateway.post({ query: '{ leads { id } }' }, { token })
    expect(late.status).toBe(504)
    expect(await late.json()).toMatchObject({ errors: [{ extensions: { code: 'TIMEOUT' } }] })
    await using broken = await open((_, response) => void response.destroy())
    const cut = await broken.gateway.post({ query: '{ people { id } }' }, { token })
    expect(cut.status).toBe(503)
    expect(await cut.json()).toMatchObject({ errors: [{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }] })
  })

  test('may be a GET request, unless it is a mutation', async () => {
    await using house = await open((_, response) => sendJson(response, { data: { leads: null } }))
    const read = await fetch(`${house.gateway.url}/graphql?query=${encodeURIComponent('{ leads { id } }')}`)
    expect(await read.json()).toEqual({ data: { leads: null } })
    const write = await fetch(`${house.gateway.url}/graphql?query=${encodeURIComponent('mutation { createLead { id } }')}`)
    expect(write.status).toBe(405)
    expect(house.upstream.seen).toHaveLength(1)
  })
})

describe('an operation of ours', () => {
  test('never reaches the platform', async () => {
    await using house = await open((_, response) => sendJson(response, {}))
    expect(await house.gateway.ask('{ greeting(name: "you") __typename }')).toEqual({
      data: { greeting: 'Hello you', __typename: 'Query' },
    })
    expect(await house.gateway.ask('{ viewer { email } }', { token })).toEqual({ data: { viewer: { email: 'good@demo.example' } } })
    expect(house.upstream.seen).toEqual([])
  })

  test('checks the role, masks unknown errors, names the invalid field', async () => {
    await using house = await open((_, response) => sendJson(response, {}))
    const { errors } = await house.gateway.ask('{ faulty(kind: UNKNOWN) }', { token })
    expect(errors).toMatchObject([
      {
        message: 'Something went wrong here. Try again; if it happens again, give an administrator the requestId',
        path: ['faulty'],
        extensions: { code: 'INTERNAL_SERVER_ERROR' },
      },
    ])
    expect(JSON.stringify(errors)).not.toContain('secret of the house')
    expect(await house.gateway.ask('{ faulty(kind: APP) }', { token })).toMatchObject({
      errors: [{ extensions: { code: 'NOT_FOUND', retryable: false } }],
    })
    expect(await house.gateway.ask('{ viewer { email } }')).toMatchObject({
      errors: [{ extensions: { code: 'UNAUTHENTICATED', reason: 'TOKEN_MISSING' } }],
    })
    expect(await house.gateway.ask('query($n: String!) { greeting(name: $n) }', { variables: { n: 5 } })).toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT', data: { fields: [{ path: 'n' }] } } }],
    })
    const refused = await house.gateway.ask('{ greetin(name: "x") greeting(nam: "x") }')
    expect(JSON.stringify(refused)).not.toContain('Did you mean')
    const keys = refused.errors?.map(({ extensions }) => Object.keys(extensions ?? {}))
    expect(new Set(keys?.map(String))).toEqual(new Set(['code,reason,retryable,requestId']))
  })

  test('a DateTime is ISO 8601 with a zone, and nothing else', async () => {
    await using house = await open((_, response) => sendJson(response, {}))
    const ask = (at: string) => house.gateway.ask('query($at: DateTime) { greeting(name: "x", at: $at) }', { variables: { at } })
    expect(await ask('2026-03-01T15:00:00+05:30')).toEqual({ data: { greeting: 'Hello x at 2026-03-01T09:30:00.000Z' } })
    for (const wrong of ['2026-02-30T10:00:00Z', '2026-03-01', '2026-03-01T10:00:00', 'soon', '1772357400000']) {
      expect(await ask(wrong)).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
    }
  })
})

describe('a mixed operation', () => {
  const requestId: unknown = expect.any(String)
  const partial = '{"errors":[{"message":"x","path":["leads"]}], "data":{"leads":[{"id":12345678901234567890}]},"extensions":{}}'
  const invalid = { code: 'BAD_USER_INPUT', reason: 'INVALID_INPUT', retryable: false, requestId }
  const platform: UpstreamHandler = ({ body }, response) => {
    if (body.includes('refused'))
      return sendJson(response, { errors: [{ message: 'Cannot query field "refused"', locations: [{ line: 3, column: 3 }] }] }, 400)
    if (body.includes('forbidden'))
      return sendJson(response, { errors: [{ message: 'Forbidden resource', extensions: { code: 'FORBIDDEN' } }], data: null })
    if (body.includes('html')) return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')
    return sendJson(response, {
      data: { b: { id: '1' }, leads: null },
      errors: [
        {
          message: 'Record not found',
          path: ['leads'],
          locations: [{ line: 4, column: 3 }],
          extensions: { code: 'NOT_FOUND', subCode: 'X' },
        },
      ],
    })
  }

  test('is split in two and merged in the order of the query, with unchanged errors', async () => {
    await using house = await open(platform)
    const query = `query Q($name: String!, $id: ID) {\n  a: greeting(name: $name)\n  b: lead(id: $id) { id }\n  leads { id }\n  __typename\n  viewer { email }\n}`
    const answer = await house.gateway.ask(query, { token, variables: { name: 'you', id: '1' } })
    expect(Object.keys(answer.data ?? {})).toEqual(['a', 'b', 'leads', '__typename', 'viewer'])
    expect(answer).toEqual({
      data: { a: 'Hello you', b: { id: '1' }, leads: null, __typename: 'Query', viewer: { email: 'good@demo.example' } },
      errors: [
        {
          message: 'Record not found',
          path: ['leads'],
          locations: [{ line: 4, column: 3 }],
          extensions: { code: 'NOT_FOUND', subCode: 'X' },
        },
      ],
    })
    expect(house.upstream.seen).toHaveLength(1)
    const sent = z.object({ query: z.string(), variables: z.unknown() }).parse(JSON.parse(house.upstream.seen[0]?.body ?? ''))
    expect(sent.variables).toEqual({ id: '1' })
    const [line1, , line3] = sent.query.split('\n')
    expect(line1).toContain('query Q(')
    expect(line1).not.toContain('$name')
    expect(line3).toBe('  b: lead(id: $id) { id }')
  })

  test('answers our part if the platform fails as a whole, with one error', async () => {
    await using house = await open(platform)
    expect(await house.gateway.ask('{ greeting(name: "x") forbidden { id } more { id } }', { token })).toEqual({
      data: { greeting: 'Hello x', forbidden: null, more: null },
      errors: [{ message: 'Forbidden resource', extensions: { code: 'FORBIDDEN' } }],
    })
    expect(await house.gateway.ask('{ greeting(name: "x") html { id } }', { token })).toMatchObject({
      data: { greeting: 'Hello x', html: null },
      errors: [{ extensions: { code: 'UPSTREAM_FAILED' } }],
    })
  })

  test('answers our part if the platform refuses the document', async () => {
    await using house = await open(platform)
    expect(await house.gateway.ask('{\n  greeting(name: "x")\n  refused { id }\n}', { token })).toEqual({
      data: { greeting: 'Hello x', refused: null },
      errors: [{ message: 'Cannot query field "refused"', locations: [{ line: 3, column: 3 }], extensions: invalid }],
    })
  })

  test('shows a code for every error of the platform, also if the platform answers alone', async () => {
    await using house = await open(platform)
    const location = { locations: [{ line: 3, column: 3 }] }
    expect(await house.gateway.ask('{ refused { id } }', { token })).toEqual({
      errors: [{ message: 'Cannot query field "refused"', ...location, extensions: invalid }],
    })
    expect(await house.gateway.ask('{ forbidden { id } }', { token })).toEqual({
      errors: [{ message: 'Forbidden resource', extensions: { code: 'FORBIDDEN' } }],
      data: null,
    })
    await using strange = await open((_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(partial))
    const answer = await fetch(`${strange.gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: '{ leads { id } }' }),
    })
    // An answer with data stays byte for byte.
    expect(await answer.text()).toBe(partial)
    await using failing = await open((_, response) => sendJson(response, { errors: [{ message: 'Too busy' }], extensions: { a: 1 } }, 503))
    expect(await failing.gateway.ask('{ leads { id } }', { token })).toMatchObject({
      errors: [{ message: 'Too busy', extensions: { code: 'UPSTREAM_UNAVAILABLE', retryable: true } }],
      extensions: { a: 1 },
    })
  })

  test('runs mutations in order, with neighbours of one side in one request', async () => {
    const order: string[] = []
    await using house = await open(
      ({ body }, response) => {
        order.push(body.includes('one') ? 'platform one, two' : 'platform three')
        sendJson(response, { data: body.includes('one') ? { one: 1, two: 2 } : { three: 3 } })
      },
      {
        resolvers: {
          Query: {
            viewer: () => null,
            managerOnly: () => '',
            greeting: () => '',
            faulty: () => '',
            faultyAtRoot: () => '',
            fewItems: () => [],
            leadInsights: () => [],
          },
          Mutation: { note: (_: unknown, { text }: { text: string }) => (order.push(text), { id: '1', text, at: new Date(0) }) },
          Subscription: { ticks: { subscribe: () => [] } },
        },
      },
    )
    const answer = await house.gateway.ask('mutation { a: note(text: "first") { id } one two b: note(text: "second") { id } three }', {
      token,
    })
    expect(order).toEqual(['first', 'platform one, two', 'second', 'platform three'])
    expect(Object.entries(answer.data ?? {})).toEqual([
      ['a', { id: '1' }],
      ['one', 1],
      ['two', 2],
      ['b', { id: '1' }],
      ['three', 3],
    ])
  })

  test('a mutation ends when a null rises to the root: nothing after it runs', async () => {
    await using house = await open((_, response) => sendJson(response, { data: { before: 1, after: 2 } }))
    const failing = 'mutation { before: one a: note(text: "fail") { id } after: one b: note(text: "later") { id } }'
    const answer = await house.gateway.ask(failing, { token })
    expect(answer).toMatchObject({ data: null, errors: [{ path: ['a'], message: 'Not now' }] })
    expect(house.upstream.seen.map(({ body }) => /before|after/.exec(body)?.[0])).toEqual(['before'])
  })
})
