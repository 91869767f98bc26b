import { getIntrospectionQuery } from 'graphql'
import { expect, test } from 'vitest'
import { createTestApp } from '../harness/app.ts'

// The sandbox's schema twice: as much as an operation may cost.
const query = getIntrospectionQuery().replace(/__schema \{[\s\S]*?\n {6}\}\n/, (root) =>
  ['a', 'b'].map((alias) => `${alias}: ${root}`).join(''),
)

test('an introspection has the same text over POST, over GET and as an event', async () => {
  await using app = await createTestApp()
  const { token } = await app.signIn('agent1@demo.example')
  const ask = async (accept: string, method: 'GET' | 'POST') => {
    const headers = { accept, authorization: `Bearer ${token}`, ...(method === 'POST' && { 'content-type': 'application/json' }) }
    const url = method === 'POST' ? `${app.url}/graphql` : `${app.url}/graphql?${new URLSearchParams({ query }).toString()}`
    const answer = await fetch(url, { method, headers, ...(method === 'POST' && { body: JSON.stringify({ query }) }) })
    return { status: answer.status, type: answer.headers.get('content-type')?.split(';', 1)[0], text: await answer.text() }
  }
  const whole = await ask('application/json', 'POST')
  expect(whole.text.length).toBeGreaterThan(262_144)
  expect(await ask('application/json', 'GET')).toEqual(whole)
  const event = { status: 200, type: 'text/event-stream', text: `event: next\ndata: ${whole.text}\n\nevent: complete\ndata:\n\n` }
  const asEvent = await ask('text/event-stream', 'POST')
  expect({ ...asEvent, text: asEvent.text.replace(/^:\n\n/, '') }).toEqual(event)
  const overGet = await ask('text/event-stream', 'GET')
  expect({ ...overGet, text: overGet.text.replace(/^:\n\n/, '') }).toEqual(event)
  // Yoga writes parts itself.
  expect((await ask('multipart/mixed', 'POST')).text).toContain(whole.text.slice(0, 10_000))
})
