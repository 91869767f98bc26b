import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp } from '../harness/app.ts'
import { startGateway } from '../harness/gateway.ts'
import { sendJson, startUpstream } from '../harness/upstream.ts'

/** What people do with large requests, and what the limits on work must not refuse. */
describe('large requests that are legitimate', () => {
  test('200 leads with long notes, 1 MB in all, are imported through us', async () => {
    await using app = await createTestApp()
    const { token } = await app.signIn('manager@demo.example')
    const rows = Array.from({ length: 200 }, (_, index) => ({
      name: `Imported ${index}, constructor of "prototypes"`,
      status: 'NEW',
      source: `${index} ${'A line of a long history.\n'.repeat(184)}`,
      phones: {
        primaryPhoneNumber: `98450${String(index).padStart(5, '0')}`,
        primaryPhoneCountryCode: 'IN',
        primaryPhoneCallingCode: '+91',
      },
    }))
    const body = JSON.stringify({
      query: 'mutation($rows: [LeadCreateInput!]!) { createLeads(data: $rows) { id name } }',
      variables: { rows },
    })
    expect(body.length).toBeGreaterThan(1_000_000)
    expect(body.length).toBeLessThan(1_048_576)
    const answer = await app.rest('POST', '/graphql', { token, body })
    const { data } = z.object({ data: z.object({ createLeads: z.array(z.object({ name: z.string() })) }) }).parse(answer.body)
    expect(data.createLeads).toHaveLength(200)
  })

  test.for([
    ['200 records of 120 fields', 200, 120],
    ['4,000 records of 5 fields, for the platform’s 20 root fields', 4_000, 5],
  ] as const)('%s are forwarded unchanged', async ([, records, fields]) => {
    await using upstream = await startUpstream((_, response) => sendJson(response, { data: {} }))
    await using gateway = await startGateway({ platformUrl: upstream.url })
    const record = Object.fromEntries(Array.from({ length: fields }, (_, index) => [`field${index}`, index]))
    const rows = Array.from({ length: records }, () => record)
    const body = JSON.stringify({ query: 'mutation($rows: [X!]!) { createThings(data: $rows) { id } }', variables: { rows } })
    const response = await gateway.post(body, { token: 'good' })
    expect(await response.json()).toEqual({ data: {} })
    expect(upstream.seen.map((request) => request.body)).toEqual([body])
  })

  test('a text of 1 MB in a variable is forwarded unchanged', async () => {
    await using upstream = await startUpstream((_, response) => sendJson(response, { data: {} }))
    await using gateway = await startGateway({ platformUrl: upstream.url })
    const text = `${'[{"__proto__":\\",\n'.repeat(20)}${'x'.repeat(1_000_000)}`
    const body = JSON.stringify({ query: 'mutation($text: String!) { createNote(text: $text) { id } }', variables: { text } })
    expect(await (await gateway.post(body, { token: 'good' })).json()).toEqual({ data: {} })
    expect(upstream.seen.map((request) => request.body)).toEqual([body])
  })

  test('a long document of a code generator is forwarded', async () => {
    await using upstream = await startUpstream((_, response) => sendJson(response, { data: {} }))
    await using gateway = await startGateway({ platformUrl: upstream.url })
    const fields = Array.from({ length: 1_500 }, (_, index) => `field${index} @include(if: $all) @skip(if: $none)`)
    const variables = Array.from({ length: 60 }, (_, index) => `$v${index}: Int`)
    const query = `query Long($all: Boolean!, $none: Boolean!, ${variables.join(', ')}) {\n  leads {\n${fields.slice(0, 100).join('\n')}\n${fields
      .slice(100)
      .map((field) => field.split(' ')[0])
      .join('\n')}\n }\n}`
    expect(await gateway.ask(query, { token: 'good', variables: { all: true, none: false } })).toEqual({ data: {} })
  })
})
