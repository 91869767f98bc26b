import type { ServerResponse } from 'node:http'
import { buildSchema, graphql } from 'graphql'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startGateway, testPrincipal } from '../harness/gateway.ts'
import { sendJson, startUpstream } from '../harness/upstream.ts'
import { waitFor } from '../harness/wait-for.ts'

const schema = buildSchema('type Query { lead: Lead } type Subscription { leadChanged: Lead } type Lead { id: ID name: String }')

/** The texts of stitched subscriptions, one after the other, whose streams the platform writes by hand. */
async function subscribedEach(writes: readonly ((response: ServerResponse) => void)[]): Promise<string[]> {
  let current: (response: ServerResponse) => void = () => undefined
  await using upstream = await startUpstream(async ({ body }, response) => {
    const { query } = z.object({ query: z.string() }).parse(JSON.parse(body))
    if (!query.startsWith('subscription')) return sendJson(response, await graphql({ schema, source: query }))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    current(response)
  })
  await using gateway = await startGateway({ platformUrl: upstream.url, principalOf: () => testPrincipal() })
  const query = 'subscription { leadChanged { id __typename insight { summary } } }'
  const texts: string[] = []
  for (const write of writes) {
    current = write
    const answer = await gateway.post({ query }, { token: 'good', headers: { accept: 'text/event-stream' } })
    texts.push(await answer.text())
    await waitFor(() => expect(upstream.open()).toBe(0))
  }
  return texts
}

async function subscribed(write: (response: ServerResponse) => void): Promise<string> {
  return (await subscribedEach([write])).join('')
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

const both: [string, string][] = [
  ['without data', 'event: complete\n\n'],
  ['with data', complete],
  ['without a space, with other line ends', 'event:complete\r\n\r\n'],
  ['with line ends of other systems and data', 'event: complete\r\ndata: null\r\n\r\n'],
]
test.each(both)(
  "the platform's last event, %s, ends the stream in one piece or two, although the connection stays open",
  async (_, last) => {
    const splits = Array.from({ length: last.length }, (_unused, index) => index)
    const texts = await subscribedEach(
      splits.map((at) => (response) => {
        response.write(`:\n\n${event('L1')}${event('L2')}${last.slice(0, at)}`, () => setImmediate(() => response.write(last.slice(at))))
      }),
    )
    for (const [at, text] of texts.entries()) {
      expect(text, `split at ${at}`).toMatch(/"id":"L1"[^]*"id":"L2"[^]*event: complete/)
      expect(text, `split at ${at}`).not.toContain('"errors"')
    }
    const [whole = ''] = await subscribedEach([(response) => void response.write(`${event('L1')}${last}`)])
    expect(whole).toMatch(/"id":"L1"[^]*event: complete/)
    expect(whole).not.toContain('"errors"')
  },
)

test.each(both)('a refusal as a stream of one event, with a last event %s, is the refusal and nothing else', async (_, last) => {
  const refusal = '{"errors":[{"message":"Forbidden","extensions":{"code":"FORBIDDEN"}}]}'
  const text = await subscribed((response) => void response.end(`:\n\nevent: next\ndata: ${refusal}\n\n${last}`))
  expect(text).toContain('"message":"Forbidden"')
  expect(text.match(/event: next/g)).toHaveLength(1)
  expect(text).toContain('event: complete')
})

test('the words of the last event inside of an answer do not end the stream', async () => {
  const text = await subscribed((response) => {
    const pieces = [event('event: complete'), event('L2'), 'event: completed\n\n', event('L3'), 'event: complete\n\n']
    response.write(pieces.join(''))
  })
  expect(text).toMatch(/"id":"event: complete"[^]*"id":"L2"[^]*"id":"L3"[^]*event: complete/)
  expect(text).not.toContain('"errors"')
})
