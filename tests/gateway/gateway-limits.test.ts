import { describe, expect, test } from 'vitest'
import { serverAudits } from 'graphql-http'
import { AppError } from '../../src/kernel/errors.ts'
import { createTestApp } from '../harness/app.ts'
import { startGateway, testPrincipal } from '../harness/gateway.ts'
import { hostileDocuments } from '../harness/hostile-documents.ts'
import { sendJson, startUpstream } from '../harness/upstream.ts'
import { waitFor } from '../harness/wait-for.ts'

const principalOf = (token: string) => (token === 'good' ? testPrincipal() : null)

describe('limits', () => {
  test('640 hostile documents: none reaches the platform, each is refused within 50 ms of processor time', async () => {
    await using upstream = await startUpstream((_, response) => sendJson(response, { data: {} }))
    await using gateway = await startGateway({ platformUrl: upstream.url, principalOf })
    const documents = hostileDocuments()
    expect(documents).toHaveLength(640)
    await gateway.ask('{ greeting(name: "warm") }')
    const slow: string[] = []
    for (const query of documents) {
      const before = process.threadCpuUsage()
      const answer = await gateway.ask(query)
      let least = processorMs(before)
      // Garbage of other documents may be collected meanwhile: the least of three tries counts, none of them seen before.
      for (let again = 0; again < 2 && least > 50; again += 1) {
        const beforeAgain = process.threadCpuUsage()
        await gateway.ask(`${query} # ${again}`)
        least = Math.min(least, processorMs(beforeAgain))
      }
      if (least > 50) slow.push(`${least.toFixed(0)} ms: ${query.slice(0, 80)}`)
      expect(JSON.stringify(answer.errors), query.slice(0, 200)).toMatch(/"code":"(BAD_USER_INPUT|UNAUTHENTICATED)"/)
      expect(answer).not.toHaveProperty('data')
    }
    expect(slow).toEqual([])
    expect(upstream.seen).toEqual([])
  })

  test.each([600, 2_000, 4_000, 20_000])('a document that nests %s times is refused, whatever nests', async (depth) => {
    await using upstream = await startUpstream((_, response) => sendJson(response, { data: {} }))
    await using gateway = await startGateway({ platformUrl: upstream.url })
    const nested = (open: string, inner: string, close: string) => open.repeat(depth) + inner + close.repeat(depth)
    for (const query of [
      `{${nested('... {', 'a', '}')}}`,
      nested('{ a', '{ b }', '}'),
      `{ a(b: ${nested('[', '1', ']')}) }`,
      `query ($a: ${nested('[', 'Int', ']')}) { a }`,
    ]) {
      const { errors } = await gateway.ask(query)
      expect(JSON.stringify(errors)).toMatch(/nests too deeply|more than \d+ (levels|tokens|fields and fragments)/)
    }
    expect(upstream.seen).toEqual([])
  })

  test('are settings', async () => {
    const environment = { GRAPHQL_MAX_DEPTH: '3', GRAPHQL_MAX_ALIASES: '2', GRAPHQL_MAX_BODY_KB: '16', GRAPHQL_MAX_UPLOAD_MB: '1' }
    await using app = await createTestApp({ environment })
    const refusalOf = async (query: string) => (await app.graphql(query)).errors?.[0]?.message
    expect(await refusalOf('{ leads { edges { node { id } } } }')).toBe('The document has more than 3 levels')
    expect(await refusalOf('{ a: me { role } b: me { role } c: me { role } }')).toBe('The document has more than 2 aliases')
    for (const path of ['/graphql', '/metadata']) {
      const post = (type: string, body: string) =>
        fetch(app.url + path, { method: 'POST', headers: { 'content-type': type, authorization: 'Bearer x' }, body })
      expect((await post('application/json', JSON.stringify({ query: `{ me { role } } # ${'x'.repeat(17_000)}` }))).status).toBe(413)
      expect((await post('multipart/form-data; boundary=b', 'x'.repeat(1_100_000))).status).toBe(413)
    }
  })

  test('are far above what frontends send', async () => {
    await using upstream = await startUpstream((_, response) => sendJson(response, { data: {} }))
    await using gateway = await startGateway({ platformUrl: upstream.url })
    const fields = Array.from({ length: 400 }, (_, index) => `field${index} { id name edges { node { id ...F } } }`).join('\n')
    const answer = await gateway.ask(
      `query Find($filter: F, $first: Int) { leads(filter: $filter, first: $first) { ${fields} } } fragment F on X { a b c }`,
    )
    expect(answer).toEqual({ data: {} })
  })

  test('a body over 1 MB is refused with 413, announced or not', async () => {
    await using upstream = await startUpstream((_, response) => sendJson(response, { data: {} }))
    await using gateway = await startGateway({ platformUrl: upstream.url })
    const big = JSON.stringify({ query: `{ leads { id } } # ${'x'.repeat(1_100_000)}` })
    const announced = await gateway.post(big)
    expect(announced.status).toBe(413)
    expect(await announced.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(big))
        controller.close()
      },
    })
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' }
    const streamed = await fetch(`${gateway.url}/graphql`, init)
    expect(streamed.status).toBe(413)
    expect(upstream.seen).toEqual([])
  })

  // RFC 9110, 5.6.6 and 8.3.1.
  test.for([
    'application/json;',
    'application/json ; charset="utf-8"',
    'application/json; foo=bar; charset=UTF-8',
    'APPLICATION/JSON;Charset=utf8',
    String.raw`application/json; a="b;\"c"; charset=utf-8`,
    'application/json;;',
  ])('%s is JSON, for the platform and for us', async (type) => {
    await using upstream = await startUpstream((_, response) => sendJson(response, { data: { leads: [] } }))
    await using gateway = await startGateway({ platformUrl: upstream.url })
    const asked = [
      ['/graphql', '{ leads { id } }', { leads: [] }],
      ['/metadata', '{ leads { id } }', { leads: [] }],
      ['/graphql', '{ greeting(name: "you") }', { greeting: 'Hello you' }],
    ] as const
    for (const [path, query, data] of asked) {
      for (const accept of ['application/json', 'application/json, text/event-stream']) {
        const response = await gateway.post(JSON.stringify({ query }), { path, headers: { 'content-type': type, accept } })
        expect(await response.json(), query).toEqual({ data })
      }
    }
    const events = await gateway.post('{"query":"{ greeting(name: \\"you\\") }"}', {
      headers: { 'content-type': type, accept: 'text/event-stream' },
    })
    expect(await events.text()).toContain('{"data":{"greeting":"Hello you"}}')
    expect(upstream.seen.map(({ headers }) => headers['content-type'])).toEqual(Array.from({ length: 4 }, () => 'application/json'))
  })

  test.for([
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/json; charset=utf-16',
    'application/json, application/json',
    'application/jsonp',
    'multipart/mixed',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    ';',
  ])('%s is no form that a request may have', async (type) => {
    await using upstream = await startUpstream((_, response) => sendJson(response, { data: {} }))
    await using gateway = await startGateway({ platformUrl: upstream.url })
    for (const path of ['/graphql', '/metadata']) {
      const response = await gateway.post('query={leads{id}}', { path, headers: { 'content-type': type } })
      expect(response.status).toBe(415)
      expect(await response.text()).toMatch(/must be application\/json in UTF-8, or multipart\/form-data with a boundary/)
    }
    expect(upstream.seen).toEqual([])
  })

  test('lists of requests and other JSON values are refused with a message', async () => {
    await using upstream = await startUpstream((_, response) => sendJson(response, { data: {} }))
    await using gateway = await startGateway({ platformUrl: upstream.url })
    for (const body of ['[{"query":"{ leads { id } }"}]', '5', 'null', '{"query":7}', '{"query":"{ a }","variables":[]}', '{', '{}']) {
      for (const path of ['/graphql', '/metadata']) {
        const response = await gateway.post(body, { path })
        expect(response.status, `${path} ${body}`).toBeGreaterThanOrEqual(200)
        expect(await response.json(), `${path} ${body}`).toMatchObject({
          errors: [{ extensions: { code: 'BAD_USER_INPUT', requestId: response.headers.get('x-request-id') } }],
        })
      }
    }
    expect(upstream.seen).toEqual([])
  })
})

describe('credentials', () => {
  const attempts = [
    'mutation { getLoginTokenFromCredentials(email: "A@x.example", password: "p", origin: "o") { loginToken { token } } }',
    'mutation { harmless: getLoginTokenFromCredentials(email: "a@x.example", password: "p", origin: "o") { loginToken { token } } }',
    'mutation { ...F } fragment F on Mutation { x: signIn(email: "a@x.example", password: "p") { tokens } }',
    'mutation { ... on Mutation { ... { signUp(email: "a@x.example", password: "p") { tokens } } } }',
    'mutation($e: String = "a@x.example") { ... @include(if: true) { challenge(email: $e, password: "p") { loginToken } } }',
    'mutation { updateThing signUpInWorkspace(email: "a@x.example", password: "p") { loginToken } }',
  ]

  test.for(['/metadata', '/graphql'])('pass the gate on %s under any alias or fragment, before the platform is asked', async (path) => {
    const entered: (string | null)[] = []
    await using upstream = await startUpstream((_, response) => sendJson(response, { data: {} }))
    const enter = ({ account }: { account: string | null }) => {
      entered.push(account)
      return Promise.reject(new AppError('TOO_MANY_TRIES', { data: { retryAfterSeconds: 60 } }))
    }
    await using gateway = await startGateway({ platformUrl: upstream.url, credentialGate: { enter } })
    for (const query of attempts) {
      const response = await gateway.post({ query }, { path })
      expect(response.status, query).toBe(429)
      expect(response.headers.get('retry-after')).toBe('60')
    }
    expect(entered.map((account) => account?.toLowerCase())).toEqual(attempts.map(() => 'a@x.example'))
    expect(upstream.seen).toEqual([])
  })

  test('that passed the gate before another one of the operation was refused do not count', async () => {
    const outcomes: string[] = []
    await using upstream = await startUpstream((_, response) => sendJson(response, { data: {} }))
    const enter = async ({ account }: { account: string | null }) => {
      if (account === 'b@x.example') throw new AppError('TOO_MANY_TRIES', { data: { retryAfterSeconds: 60 } })
      return (outcome: string) => void outcomes.push(`${account} ${outcome}`)
    }
    await using gateway = await startGateway({ platformUrl: upstream.url, credentialGate: { enter } })
    const field = (name: string) => `${name}: signIn(email: "${name}@x.example", password: "p") { tokens }`
    const response = await gateway.post({ query: `mutation { ${field('a')} ${field('b')} ${field('c')} }` }, { path: '/metadata' })
    expect(response.status).toBe(429)
    expect(outcomes).toEqual(['a@x.example UNKNOWN'])
    expect(upstream.seen).toEqual([])
  })

  test('a second factor counts for the account of its login token, whichever token of the account that is', async () => {
    const entered: (string | null)[] = []
    const outcomes: string[] = []
    await using upstream = await startUpstream(({ body }, response) => {
      const refused = (code: string, subCode: string) => ({ data: null, errors: [{ message: 'No', extensions: { code, subCode } }] })
      if (body.includes('000000')) return sendJson(response, refused('BAD_USER_INPUT', 'INVALID_OTP'))
      if (body.includes('111111')) return sendJson(response, refused('FORBIDDEN', 'TWO_FACTOR_AUTHENTICATION_METHOD_NOT_FOUND'))
      return sendJson(response, { data: { getAuthTokensFromOTP: { tokens: {} } } })
    })
    const enter = ({ account }: { account: string | null }) => {
      entered.push(account)
      return Promise.resolve((outcome: string) => void outcomes.push(outcome))
    }
    await using gateway = await startGateway({ platformUrl: upstream.url, credentialGate: { enter } })
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const loginToken = (sub: string, jti: string) => `${part({ alg: 'none' })}.${part({ sub, jti })}.`
    const query =
      'mutation($t: String!, $otp: String!) { getAuthTokensFromOTP(loginToken: $t, otp: $otp, origin: "o") { tokens { __typename } } }'
    const tries = [
      { t: loginToken('user-1', 'a'), otp: '000000' },
      { t: loginToken('user-1', 'b'), otp: '111111' },
      { t: loginToken('user-2', 'c'), otp: '222222' },
    ]
    for (const variables of tries) await gateway.post({ query, variables }, { path: '/metadata' })
    expect(new Set(entered.slice(0, 2)).size).toBe(1)
    expect(new Set(entered).size).toBe(2)
    expect(entered).not.toContain(null)
    expect(outcomes).toEqual(['WRONG', 'UNKNOWN', 'RIGHT'])
  })

  test('each credential field counts as one attempt, and the gate gets its outcome', async () => {
    const outcomes: string[] = []
    await using upstream = await startUpstream(({ body }, response) => {
      if (body.includes('right'))
        return sendJson(response, { data: { a: { loginToken: { token: 't' } }, b: { loginToken: { token: 't' } } } })
      if (body.includes('down')) return void response.destroy()
      const errors = [{ message: 'Wrong password', extensions: { code: 'FORBIDDEN', subCode: 'FORBIDDEN_EXCEPTION' } }]
      return sendJson(response, { errors, data: null }, body.includes('broken') ? 500 : 200)
    })
    const enter = () => Promise.resolve((outcome: string) => void outcomes.push(outcome))
    await using gateway = await startGateway({ platformUrl: upstream.url, credentialGate: { enter } })
    const login = (password: string) =>
      gateway.post(
        {
          query: `mutation { a: signIn(email: "a@x.example", password: "${password}") { t } b: signIn(email: "a@x.example", password: "x") { t } }`,
        },
        { path: '/metadata' },
      )
    expect((await login('right')).status).toBe(200)
    expect(await (await login('wrong')).json()).toEqual({
      errors: [{ message: 'Wrong password', extensions: { code: 'FORBIDDEN', subCode: 'FORBIDDEN_EXCEPTION' } }],
      data: null,
    })
    expect((await login('down')).status).toBe(503)
    expect((await login('broken')).status).toBe(500)
    expect(outcomes).toEqual(['RIGHT', 'RIGHT', 'WRONG', 'WRONG', 'UNKNOWN', 'UNKNOWN', 'UNKNOWN', 'UNKNOWN'])
  })

  const outcomesOf = async (query: string, answer: unknown): Promise<readonly string[]> => {
    const outcomes: string[] = []
    await using upstream = await startUpstream((_, response) => sendJson(response, answer))
    const enter = () => Promise.resolve((outcome: string) => void outcomes.push(outcome))
    await using gateway = await startGateway({ platformUrl: upstream.url, credentialGate: { enter } })
    await gateway.post({ query }, { path: '/metadata' })
    return outcomes
  }
  const signIn = 'signIn(email: "a@x.example", password: "p") @skip(if: true) { t }'

  test.for(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'one that was left out is not right because it is called %s',
    async (alias) => {
      expect(await outcomesOf(`mutation { ${alias}: ${signIn} t: __typename }`, { data: { t: 'Mutation' } })).toEqual(['UNKNOWN'])
    },
  )

  const no = (code?: string, subCode?: string) => ({ message: 'No', ...(code && { extensions: { code, subCode } }) })
  test.for([
    ['of a part that the platform does not know', [no(), no('FORBIDDEN')]],
    ['of another code', [no('BAD_USER_INPUT'), no('UNAUTHENTICATED')]],
    ['of an account whose password was right', [no('FORBIDDEN', 'TWO_FACTOR_AUTHENTICATION_VERIFICATION_REQUIRED'), no('FORBIDDEN')]],
  ] as const)('a wrong password counts behind an error without a path: %s', async ([, errors]) => {
    const query = 'mutation { a: other { id } b: signIn(email: "a@x.example", password: "p") { t } }'
    expect(await outcomesOf(query, { data: null, errors })).toEqual(['WRONG'])
  })

  const reset = 'mutation { a: emailPasswordResetLink(email: "a@x.example") { success } b: other { id } }'
  test.for([
    [
      'another field’s error takes the answer away',
      { data: null, errors: [{ message: 'No', path: ['b'], extensions: { code: 'NOT_FOUND' } }] },
    ],
    [
      'the platform knows no such account',
      { data: null, errors: [{ message: 'No', path: ['a'], extensions: { code: 'BAD_USER_INPUT' } }] },
    ],
    ['the platform gives no path', { data: null, errors: [{ message: 'No', path: null }] }],
  ] as const)('a query for an account counts if %s', async ([, answer]) => {
    expect(await outcomesOf(reset, answer)).toEqual(['WRONG'])
  })

  test('a query for an account counts if the client leaves before the answer, and not if the platform is not available', async () => {
    const outcomes: string[] = []
    await using upstream = await startUpstream(({ body }, response) => void (body.includes('down') && response.destroy()))
    const enter = () => Promise.resolve((outcome: string) => void outcomes.push(outcome))
    await using gateway = await startGateway({ platformUrl: upstream.url, credentialGate: { enter } })
    await gateway.post({ query: '{ checkUserExists(email: "down@x.example") { exists } }' }, { path: '/metadata' })
    const leaving = new AbortController()
    const asked = gateway.post({ query: reset }, { path: '/metadata', signal: leaving.signal })
    await waitFor(() => upstream.seen.length === 2)
    leaving.abort()
    await expect(asked).rejects.toThrow('abort')
    await waitFor(() => outcomes.length === 2)
    expect(outcomes).toEqual(['UNKNOWN', 'WRONG'])
  })

  test('more than five in one operation are refused, because each waits for the others', async () => {
    const entered: string[] = []
    await using upstream = await startUpstream((_, response) => sendJson(response, { data: {} }))
    const enter = () => Promise.resolve((outcome: string) => void entered.push(outcome))
    await using gateway = await startGateway({ platformUrl: upstream.url, credentialGate: { enter } })
    const fields = Array.from({ length: 6 }, (_, index) => `a${index}: signIn(email: "a@x.example", password: "p") { t }`)
    for (const path of ['/graphql', '/metadata']) {
      const answer = await gateway.ask(`mutation { ${fields.join(' ')} }`, { path })
      expect(answer).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
    }
    expect(entered).toEqual([])
    expect(upstream.seen).toEqual([])
  })
})

describe('GraphQL over HTTP', () => {
  test('all audits of graphql-http pass', async () => {
    await using upstream = await startUpstream((_, response) => sendJson(response, { data: {} }))
    await using gateway = await startGateway({ platformUrl: upstream.url, principalOf })
    const audits = serverAudits({
      url: `${gateway.url}/graphql`,
      fetchFn: (url: string, init: RequestInit = {}) =>
        fetch(url, { ...init, headers: { ...headersOf(init), authorization: 'Bearer good' } }),
    })
    const failed: string[] = []
    for (const audit of audits) {
      const result = await audit.fn()
      if (result.status !== 'ok') failed.push(`${result.status} ${audit.name}: ${'reason' in result ? result.reason : ''}`)
    }
    expect(failed).toEqual([])
    expect(audits).toHaveLength(61)
  })
})

function headersOf(init: RequestInit): Record<string, string> {
  return Object.fromEntries(new Headers(init.headers))
}

/** Processor time of this thread, which has the gateway too: other work on the machine does not count. */
function processorMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
