import type { ServerResponse } from 'node:http'
import { buildSchema, graphql } from 'graphql'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { endedToken } from '../../src/features/sessions/sign-ins/refused-tokens.ts'
import type { AppError } from '../../src/kernel/errors.ts'
import type { GatewayTokens } from '../../src/server/graphql/gateway-tokens.ts'
import { startGateway, testPrincipal } from '../harness/gateway.ts'
import { sendJson, startUpstream, type Upstream } from '../harness/upstream.ts'
import { waitFor } from '../harness/wait-for.ts'

const schema = buildSchema('type Query { lead: Lead } type Subscription { leadChanged: Lead } type Lead { id: ID name: String }')

const subscription = 'subscription { leadChanged { id __typename insight { summary } } }'

/** A platform whose streams are written by hand. */
function startPlatform(write: (response: ServerResponse) => void): Promise<Upstream> {
  return startUpstream(async ({ body }, response) => {
    const { query } = z.object({ query: z.string() }).parse(JSON.parse(body))
    if (!query.startsWith('subscription')) return sendJson(response, await graphql({ schema, source: query }))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    write(response)
  })
}

/** The texts of stitched subscriptions, one after the other, whose streams the platform writes by hand. */
async function subscribedEach(writes: readonly ((response: ServerResponse) => void)[]): Promise<string[]> {
  let current: (response: ServerResponse) => void = () => undefined
  await using upstream = await startPlatform((response) => current(response))
  await using gateway = await startGateway({ platformUrl: upstream.url, principalOf: () => testPrincipal() })
  const texts: string[] = []
  for (const write of writes) {
    current = write
    const answer = await gateway.post({ query: subscription }, { token: 'good', headers: { accept: 'text/event-stream' } })
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

test('a stream whose token is refused while it waits ends with the error, and ends on the platform too', async () => {
  const following = new Map<string, (refusal: AppError) => void>()
  const follow: GatewayTokens['follow'] = (token, listener) => {
    following.set(token, listener)
    return { [Symbol.dispose]: () => void following.delete(token) }
  }
  await using upstream = await startPlatform((response) => response.write(event('L1')))
  await using gateway = await startGateway({ platformUrl: upstream.url, principalOf: () => testPrincipal(), tokens: { follow } })
  const open = (token: string) => gateway.post({ query: subscription }, { token, headers: { accept: 'text/event-stream' } })
  const [ended, other] = await Promise.all([open('ended'), open('other')])
  const reader = ended.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (let isOver = false; !isOver;) {
    const piece = await reader?.read()
    text += piece?.value ?? ''
    isOver = piece?.done ?? true
    // It waits for the next one now.
    if (text.includes('L1')) following.get('ended')?.(endedToken('SIGN_OUT'))
  }
  expect(text).toMatch(/"errors".*"code":"UNAUTHENTICATED".*"endedBy":"SIGN_OUT".*event: complete/s)
  await waitFor(() => expect([upstream.open(), following.size]).toEqual([1, 1]))
  await other.body?.cancel()
  await waitFor(() => expect([upstream.open(), following.size]).toEqual([0, 0]))
})
