import type { ServerResponse } from 'node:http'
import { buildSchema, graphql } from 'graphql'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startGateway, testPrincipal } from '../harness/gateway.ts'
import { sendJson, startUpstream } from '../harness/upstream.ts'
import { waitFor } from '../harness/wait-for.ts'

const schema = buildSchema('type Query { lead: Lead } type Subscription { leadChanged: Lead } type Lead { id: ID name: String }')

/** The text of a stitched subscription whose stream the platform writes by hand. */
async function subscribed(write: (response: ServerResponse) => void): Promise<string> {
  await using upstream = await startUpstream(async ({ body }, response) => {
    const { query } = z.object({ query: z.string() }).parse(JSON.parse(body))
    if (!query.startsWith('subscription')) return sendJson(response, await graphql({ schema, source: query }))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    write(response)
  })
  await using gateway = await startGateway({ platformUrl: upstream.url, principalOf: () => testPrincipal() })
  const query = 'subscription { leadChanged { id __typename insight { summary } } }'
  const answer = await gateway.post({ query }, { token: 'good', headers: { accept: 'text/event-stream' } })
  const text = await answer.text()
  await waitFor(() => expect(upstream.open()).toBe(0))
  return text
}

const event = (id: string) => `event: next\ndata: {"data":{"leadChanged":{"id":"${id}","__typename":"Lead"}}}\n\n`
const complete = 'event: complete\ndata:\n\n'
const unavailable = /"message":"The platform is not available".*"reason":"PROVIDER_UNAVAILABLE"/
const invalid = /"message":"The platform gave an answer that cannot be read".*"reason":"PROVIDER_ANSWER_INVALID"/

test.each<[string, (response: ServerResponse) => void, RegExp]>([
  ['whose connection breaks', (response) => response.write(event('L1'), () => response.destroy()), unavailable],
  ['that ends without its last event', (response) => void response.end(event('L1')), unavailable],
  ['with an event that is no JSON', (response) => void response.write(`${event('L1')}event: next\ndata: <p>a secret</p>\n\n`), invalid],
  ['with an event that is no answer', (response) => void response.write(`${event('L1')}event: next\ndata: null\n\n`), invalid],
  ['with an event without an end', (response) => void response.write(`${event('L1')}data: ${'x'.repeat(20 * 1_048_576)}`), invalid],
])('a stream of the platform %s ends with an error that says so, after what came before', async (_, write, error) => {
  const text = await subscribed(write)
  expect(text).toContain('"id":"L1"')
  expect(text).toMatch(error)
  expect(text).not.toContain('a secret')
  expect(text).toContain('event: complete')
})

test('a character that comes in two pieces stays whole', async () => {
  const text = await subscribed((response) => {
    const bytes = Buffer.from(event('Jürgen') + complete)
    const half = bytes.indexOf(0xc3) + 1
    response.write(bytes.subarray(0, half), () => setImmediate(() => response.end(bytes.subarray(half))))
  })
  expect(text).toContain('"id":"Jürgen"')
})
