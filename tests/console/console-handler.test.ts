import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { buffer } from 'node:stream/consumers'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { realServer } from '../harness/real-server.ts'

let app: TestApp
beforeAll(async () => {
  await realServer('pages')
  app = await createTestApp({ environment: { CONSOLE_SIP_SERVERS: 'wss://sip.example.com:444', PUBLIC_URL: 'https://calls.example.com' } })
})
afterAll(() => app[Symbol.asyncDispose]())

describe('GET /console', () => {
  test('is one page for every address of a screen, with a strict policy', async () => {
    const answers = await Promise.all(['', '/', '/desk/callbacks', '/recordings/1?at=5'].map((path) => get(`/console${path}`)))
    const pages = new Set(answers.map(({ body }) => body.toString()))
    expect(pages.size).toBe(1)
    const [{ headers, status } = await get('/console')] = answers
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache', 'x-frame-options': 'DENY' })
    const policy = String(headers['content-security-policy'])
    expect(policy).not.toMatch(/unsafe/)
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("connect-src 'self' wss://sip.example.com:444;")
    // A hospital's logo may be anywhere, but nothing comes unencrypted from elsewhere; recordings play from memory.
    expect(policy).toContain("img-src 'self' data: blob: https:; media-src 'self' blob:;")
    expect(policy).not.toMatch(/\bhttp:/)
    expect((await get('/console', { 'if-none-match': String(headers.etag) })).status).toBe(304)
  })

  test('tells the page nothing but where to sign in', async () => {
    const content = /name="console-settings" content="([^"]*)"/.exec((await get('/console')).body.toString())?.[1] ?? ''
    const settings: unknown = JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
    expect(settings).toEqual({
      workspace: 'demo',
      workspaceUrl: app.standIns.platform.workspaceUrl,
      publicUrl: 'https://calls.example.com',
      demo: null,
    })
  })

  test('has files that browsers cache for ever, compressed as they accept', async () => {
    const path = /src="(\/console\/assets\/[^"]+\.js)"/.exec((await get('/console')).body.toString())?.[1] ?? ''
    const built = readFileSync(`dist${path}`)
    const [brotli, gzip, plain] = await Promise.all(
      ['gzip, br', 'gzip', 'identity'].map((encoding) => get(path, { 'accept-encoding': encoding })),
    )
    expect(brotli?.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    })
    const encoded = brotli?.headers['content-encoding'] === 'br' ? brotliDecompressSync(brotli.body) : gunzipSync(brotli?.body ?? '')
    expect(encoded).toEqual(built)
    expect(gunzipSync(gzip?.body ?? '')).toEqual(built)
    expect(plain?.body).toEqual(built)
    expect((await get(path, { 'if-none-match': String(plain?.headers.etag) })).status).toBe(304)
  })

  test('gives out only files that were built, and only to be read', async () => {
    const paths = [
      'none.js',
      '',
      '..%2findex.html',
      '../manifest.json',
      '../../widget.js',
      '%2e%2e/%2e%2e/package.json',
      '..\\manifest.json',
      'index.html%00.js',
    ]
    for (const path of paths) expect((await get(`/console/assets/${path}`)).status, path).toBe(404)
    expect((await get('/consoles')).status).toBe(404)
    expect((await fetch(`${app.url}/console`, { method: 'POST' })).status).toBe(405)
  })
})

describe('GET /console/widget-preview', () => {
  test('is a page with the tag of a key, which only the console can frame', async () => {
    const { status, headers, body } = await get('/console/widget-preview?key=lakeside_abcdefgh23456789')
    expect(status).toBe(200)
    expect(body.toString()).toContain('<script async src="/widget.js" data-widget-key="lakeside_abcdefgh23456789"></script>')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("script-src 'self'; style-src 'self'")
    expect(policy).toContain("frame-ancestors 'self'")
    expect(policy).not.toMatch(/unsafe|\bhttp:/)
    expect(String((await get('/console')).headers['content-security-policy'])).toContain("frame-src 'self'; ")
    expect((await get('/console/widget-preview.css')).headers['content-type']).toBe('text/css; charset=utf-8')
  })

  test('takes nothing that is not a key', async () => {
    for (const query of [
      '',
      '?key=',
      '?key=%22%3E%3Cscript%3E',
      '?key=a_b',
      `?key=a_${'b'.repeat(99)}`,
      '?other=lakeside_abcdefgh23456789',
    ])
      expect((await get(`/console/widget-preview${query}`)).status, query).toBe(404)
    expect((await fetch(`${app.url}/console/widget-preview?key=lakeside_abcdefgh23456789`, { method: 'POST' })).status).toBe(405)
  })
})

/** As it is written: `fetch` changes paths and unpacks bodies. */
async function get(path: string, headers: Readonly<Record<string, string>> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const { hostname, port } = new URL(app.url)
  request({ hostname, port, path, headers }, resolve).on('error', reject).end()
  const answer = await promise
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) }
}
