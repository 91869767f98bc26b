import { afterAll, beforeAll, expect, test } from 'vitest'
import { restTable } from '../../src/server/rest/table.ts'
import { createWidgetDesk, type WidgetDesk } from '../harness/widget-desk.ts'

/** Headers of every kind of response, of all routes. */

let desk: WidgetDesk
let token: string
beforeAll(async () => {
  desk = await createWidgetDesk({ withDemo: true })
  token = (await desk.app.signIn('manager@demo.example')).token
})
afterAll(() => desk[Symbol.asyncDispose]())

const pages = ['/', '/console', '/console/desk/callbacks', '/graphql', '/docs', '/widget/demo']
const files = [
  '/welcome.css',
  '/console/icon.svg',
  '/console/assets/none.js',
  '/graphql/assets/graphiql.js',
  '/docs/assets/page.js',
  '/widget.js',
  '/openapi.json',
  '/asyncapi.json',
]
const others = ['/health', '/ready', '/metrics', '/schema.graphql', '/no-such-path', '/hooks/none', '/api/none', '/auth/login']

function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(desk.app.url + path, { headers: { authorization: `Bearer ${token}`, ...headers } })
}

function expectSafe(what: string, { headers }: Response): void {
  expect(headers.get('x-content-type-options'), what).toBe('nosniff')
  expect(headers.get('content-security-policy'), what).toContain("frame-ancestors 'none'")
  expect(headers.get('referrer-policy'), what).toMatch(/^(no-referrer|same-origin)$/)
  // The platform's, ours or nobody's: no software and no cookie is named.
  for (const name of ['server', 'x-powered-by', 'set-cookie']) expect(headers.get(name), `${what}: ${name}`).toBeNull()
  if (headers.get('content-type')?.startsWith('text/html') !== true) return
  expect(headers.get('content-security-policy'), what).toMatch(/default-src 'none'/)
  expect(headers.get('content-security-policy'), what).not.toMatch(/script-src[^;]*unsafe/)
}

test('every page, file and operation has them, also when it is refused', async () => {
  for (const path of pages) {
    const page = await get(path, { accept: 'text/html' })
    expect(page.headers.get('content-type'), path).toContain('text/html')
    expectSafe(path, page)
  }
  for (const path of [...files, ...others]) expectSafe(path, await get(path))
  for (const { method, path } of restTable) {
    const address = desk.app.url + path.replaceAll(/\{\w+\}/g, 'none')
    // Without a token: it must not sign anybody out.
    const response = await fetch(address, {
      method,
      ...(method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } }),
    })
    expectSafe(`${method} ${path}`, response)
    // An answer without a body has nothing to be stored.
    const mayBeStored = response.status !== 204 && response.headers.get('cache-control')?.includes('no-store') !== true
    expect(mayBeStored, `${method} ${path}`).toBe(false)
    await response.body?.cancel()
  }
})

const operations = {
  'of the sidecar': '{ me { role } }',
  'of the platform': '{ leads(first: 1) { edges { node { id } } } }',
  'of both': '{ me { role } leads(first: 1) { edges { node { id } } } }',
  'of the stitched schema': '{ leads(first: 1) { edges { node { id insight { summary } } } } }',
  'that does not exist': '{ nothing }',
}

test.each(Object.entries(operations))('an operation %s is not stored by anybody on the way', async (_, query) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(`${desk.app.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  expectSafe(query, response)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const byGet = await get(`/graphql?query=${encodeURIComponent(query)}`, { accept: 'application/json' })
  expectSafe(query, byGet)
  expect(byGet.headers.get('cache-control')).toContain('no-store')
})

test('a stream, a preflight, an upload that is refused and a wrong method', async () => {
  const ending = new AbortController()
  const stream = await fetch(`${desk.app.url}/graphql`, {
    method: 'POST',
    signal: ending.signal,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { supervisionUpdates { at } }' }),
  })
  expectSafe('stream', stream)
  expect(stream.headers.get('cache-control')).toMatch(/no-cache|no-store/)
  ending.abort()
  const preflight = { origin: 'https://x.example', 'access-control-request-method': 'POST' }
  expectSafe('preflight', await fetch(`${desk.app.url}/graphql`, { method: 'OPTIONS', headers: preflight }))
  expectSafe('method', await fetch(`${desk.app.url}/health`, { method: 'DELETE' }))
  const upload = { 'content-type': 'multipart/form-data; boundary=x' }
  expectSafe('upload', await fetch(`${desk.app.url}/graphql`, { method: 'POST', headers: upload, body: '--x--' }))
})
