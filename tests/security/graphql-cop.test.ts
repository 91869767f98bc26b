import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp } from '../harness/app.ts'

/**
 * What graphql-cop (github.com/dolevf/graphql-cop) checks, in requests of our own, without a token. Two of its findings are our choice and said in
 * docs/security.md: `/graphql` answers queries by GET, which change nothing and carry no cookie, and shows GraphiQL to browsers.
 */
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const answerSchema = z.looseObject({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(z.looseObject({ message: z.string(), extensions: z.record(z.string(), z.unknown()).optional() })).optional(),
})

const json = { 'content-type': 'application/json' }
const repeated = (count: number, piece: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => piece(index)).join(' ')

describe.each(['/graphql', '/metadata'])('%s', (path) => {
  const send = (init: RequestInit, query = ''): Promise<Response> => fetch(app.url + path + query, init)
  const ask = async (query: string) => {
    const response = await send({ method: 'POST', headers: json, body: JSON.stringify({ query }) })
    return answerSchema.parse(await response.json())
  }
  /** The number of errors of a document that is refused before anything runs; the answer itself if something ran. */
  const errorsOf = async (query: string): Promise<unknown> => {
    const answer = await ask(query)
    return 'data' in answer ? answer : answer.errors?.length
  }

  test('answers a plain query, so that the other answers mean something', async () => {
    expect(await ask('query cop { __typename }')).toEqual({ data: { __typename: 'Query' } })
  })

  test('alias overloading: 101 aliases are refused', async () => {
    expect(await errorsOf(`query cop { ${repeated(101, (index) => `alias${index}: __typename`)} }`)).toBe(1)
  })

  test('array batching: ten operations in one request are refused', async () => {
    const batch = Array.from({ length: 10 }, () => ({ query: 'query cop { __typename }' }))
    const response = await send({ method: 'POST', headers: json, body: JSON.stringify(batch) })
    expect(response.status).toBe(400)
    const { errors } = answerSchema.parse(await response.json())
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
    expect(errors?.[0]?.message).toMatch(/Batches are not supported: send one operation/)
  })

  test('a stored document is refused with what to send instead', async () => {
    const response = await send({ method: 'POST', headers: json, body: JSON.stringify({ documentId: 'sha256:00' }) })
    const { errors } = answerSchema.parse(await response.json())
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
    expect(errors?.[0]?.message).toMatch(/send the text of the operation/)
  })

  test('directive overloading: ten unknown directives give one error', async () => {
    expect(await errorsOf(`query cop { __typename ${'@aa'.repeat(10)} }`)).toBe(1)
    expect(await errorsOf(`query cop ${'@aa'.repeat(10)} { __typename }`)).toBe(1)
    expect(await errorsOf(`query cop { ... ${'@aa'.repeat(10)} { __typename } }`)).toBe(1)
  })

  test('field duplication: 500 uses of one field are refused', async () => {
    expect(await errorsOf(`query cop { ${'__typename \n'.repeat(500)} }`)).toBe(1)
  })

  test('introspection is not for strangers', async () => {
    const queries = [
      'query cop { __schema { types { name fields { name } } } }',
      'query cop { __type(name: "Query") { name } }',
      'query cop { ...A } fragment A on Query { s: __schema { queryType { name } } }',
    ]
    for (const query of queries) {
      const answer = await ask(query)
      expect(answer.data?.['__schema'] ?? answer.data?.['s'] ?? null).toBeNull()
      expect(answer.errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' })
    }
  })

  test('circular introspection is not answered', async () => {
    expect(await errorsOf(`query cop { __schema { types { ${'fields { type { '.repeat(4)} name ${'} } '.repeat(4)} } } }`)).toBe(1)
  })

  test('a circular fragment is refused', async () => {
    expect(
      await errorsOf('query cop { __schema { ...A } } fragment A on __Schema { __typename ...B } fragment B on __Schema { ...A }'),
    ).toBe(1)
  })

  test('field suggestions: no error names a similar field', async () => {
    const queries = [
      'query cop { __schema { directive } }',
      'query cop { __typenam }',
      'query cop { mee { role } }',
      'mutation cop { agentLogi }',
    ]
    for (const query of queries) expect(JSON.stringify(await ask(query)), query).not.toContain('Did you mean')
  })

  test('tracing: answers have no figures of the execution', async () => {
    const answer = JSON.stringify([await ask('query cop { __typename }'), await ask('query cop { me { role } }')])
    expect(answer).not.toMatch(/tracing|stacktrace|exception/i)
  })

  test('unhandled errors: a syntax error shows nothing of the code', async () => {
    const answer = await ask('qwerty cop { abc }')
    expect(answer.errors?.[0]?.extensions).not.toHaveProperty('exception')
    expect(JSON.stringify(answer)).not.toMatch(/node_modules|\.ts:|at \w+ \(/)
  })

  test('POST: only JSON is a request, so that a form of another site is none', async () => {
    const form = 'application/x-www-form-urlencoded'
    const query = `?${new URLSearchParams({ query: 'query cop { __typename }' })}`
    const responses = [
      await send({ method: 'POST', headers: { 'content-type': form }, body: query.slice(1) }),
      await send({ method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"query":"query cop { __typename }"}' }),
      await send({ method: 'POST', headers: { 'content-type': form } }, query),
      await send({ method: 'POST' }, query),
    ]
    for (const response of responses) {
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(await response.json()).not.toHaveProperty('data')
    }
  })

  test('GET runs no mutation', async () => {
    for (const query of ['mutation cop { __typename }', 'mutation cop { logout { ok } }']) {
      const response = await send({ method: 'GET' }, `?${new URLSearchParams({ query })}`)
      expect(response.status).toBe(405)
      expect(await response.json()).not.toHaveProperty('data')
    }
  })
})

describe('choices', () => {
  test('/graphql answers queries by GET, /metadata does not', async () => {
    const query = `?${new URLSearchParams({ query: 'query cop { __typename }' })}`
    expect(await (await fetch(`${app.url}/graphql${query}`)).json()).toEqual({ data: { __typename: 'Query' } })
    expect((await fetch(`${app.url}/metadata${query}`)).status).toBe(405)
  })

  test('/graphql shows GraphiQL to a browser and to nobody else', async () => {
    const page = await fetch(`${app.url}/graphql`, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('GraphiQL')
    for (const path of ['/graphiql', '/playground', '/altair']) expect((await fetch(app.url + path)).status, path).toBe(404)
    expect(await (await fetch(`${app.url}/graphql`)).text()).not.toContain('GraphiQL')
  })
})
