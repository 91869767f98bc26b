import { describe, expect, test } from 'vitest'
import { startGateway, testPrincipal } from '../harness/gateway.ts'
import { sendJson, startUpstream } from '../harness/upstream.ts'

/** What an attacker tried against the gateway once, and must not get again. */
const token = 'good'
const principalOf = () => testPrincipal()

describe('variables that nest very deeply', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
  const asked = [
    ['mixed', 'query($x: X) { viewer { email } leads(filter: $x) { id } }'],
    ['stitched', 'query($x: X) { viewer { email } __type(name: "Lead") { name } }'],
    ['credentials', 'query($x: X) { checkUserExists(email: "a@x.example", x: $x) { exists } }'],
    ['platform', 'query($x: X) { leads(filter: $x) { id } }'],
    ['no plan', 'query($x: X) { leads'],
  ] as const

  test.for(asked)('are refused in words (%s)', async ([, query]) => {
    await using upstream = await startUpstream((_, response) => sendJson(response, { data: {} }))
    await using gateway = await startGateway({ platformUrl: upstream.url, principalOf })
    for (const levels of [201, 5_000, 200_000]) {
      const response = await gateway.post(`{"query":${JSON.stringify(query)},"variables":{"x":${nested(levels)}}}`, { token })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        errors: [{ extensions: { code: 'BAD_USER_INPUT', data: { fields: [{ path: 'body' }] } } }],
      })
    }
    const byGet = new URLSearchParams({ query, variables: `{"x":${nested(1_000)}}` })
    const response = await fetch(`${gateway.url}/graphql?${byGet}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    })
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
    expect(upstream.seen).toEqual([])
  })
})

describe('a mixed operation', () => {
  const wrong = [
    ['a field that we do not have', 'mutation { rename(id: "1") { id } note(text: "x") { none } }', {}],
    ['a variable of the wrong type', 'mutation($t: String!) { rename(id: "1") { id } note(text: $t) { id } }', { t: 5 }],
    ['a query with a wrong argument', '{ lead { id } greeting(name: 5) }', {}],
  ] as const

  test.for(wrong)('whose own part is refused never reaches the platform: %s', async ([, query, variables]) => {
    await using upstream = await startUpstream((_, response) => sendJson(response, { data: { rename: { id: '1' } } }))
    await using gateway = await startGateway({ platformUrl: upstream.url, principalOf })
    const answer = await gateway.ask(query, { token, variables })
    expect(answer).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
    expect(answer).not.toHaveProperty('data')
    expect(upstream.seen).toEqual([])
  })

  test('answers every field under the requested name', async () => {
    await using upstream = await startUpstream(
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"constructor":1}}'),
    )
    await using gateway = await startGateway({ platformUrl: upstream.url, principalOf })
    const response = await gateway.post(
      { query: '{ __proto__: viewer { email } constructor: lead toString: lead @skip(if: true) }' },
      { token },
    )
    expect(await response.text()).toBe('{"data":{"__proto__":{"email":"agent1@demo.example"},"constructor":1}}')
  })
})

describe('if the schema of the platform is not available', () => {
  const introspected = [
    ['no schema', { data: { __schema: null } }],
    ['a text for a schema', { data: { __schema: 'none' } }],
    ['errors that are no list', { errors: 'a secret of the platform' }],
    ['errors of nothing', { errors: [null] }],
    ['data that is a list', { data: [] }],
  ] as const

  test.for(introspected)('with %s is at fault, not the caller', async ([, answer]) => {
    await using upstream = await startUpstream((_, response) => sendJson(response, answer))
    await using gateway = await startGateway({ platformUrl: upstream.url, principalOf })
    const shown = await gateway.ask('{ leads { id insight { summary } } }', { token })
    expect(shown).toMatchObject({ errors: [{ extensions: { code: 'UPSTREAM_FAILED', reason: 'PROVIDER_ANSWER_INVALID' } }] })
    expect(JSON.stringify(shown)).not.toContain('a secret')
  })

  test('our fields still answer, for every operation of the document', async () => {
    await using upstream = await startUpstream((_, response) => sendJson(response, { data: { __schema: null } }))
    await using gateway = await startGateway({ platformUrl: upstream.url, principalOf })
    const query = 'query A { viewer { email } __type(name: "GatewayViewer") { name } } query B { leads { id } }'
    const answer = await gateway.ask(query, { token, operationName: 'A' })
    expect(answer).toEqual({ data: { viewer: { email: 'agent1@demo.example' }, __type: { name: 'GatewayViewer' } } })
  })
})
