import { readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { assert, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contrast, paletteOf } from '../../src/web/widget/palette.ts'
import { createTestApp } from '../harness/app.ts'
import { realServer } from '../harness/real-server.ts'

await realServer('pages')
const built = readFileSync('dist/widget.js')

describe('GET /widget.js', () => {
  test('is at most 25 KiB compressed, evaluates no text as code and sets no cookie', () => {
    expect(gzipSync(built, { level: 9 }).length).toBeLessThanOrEqual(25 * 1_024)
    const code = built.toString()
    expect(['eval(', 'Function(', 'document.cookie', 'localStorage', 'import('].filter((text) => code.includes(text))).toEqual([])
  })

  test('can be loaded by any site, compressed as the browser accepts, and is cached for an hour', async () => {
    await using app = await createTestApp()
    const ask = (encoding: string) => fetchRaw(`${app.url}/widget.js`, { 'accept-encoding': encoding, origin: 'https://any.example' })
    const [brotli, gzip, plain] = await Promise.all([ask('gzip, deflate, br'), ask('gzip, br;q=0'), ask('identity')])
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(brotli.body)).toEqual(built)
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.body)).toEqual(built)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.body).toEqual(built)
    expect(brotli.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    const again = await fetch(`${app.url}/widget.js`, { headers: { 'if-none-match': String(brotli.headers.etag) } })
    expect(again.status).toBe(304)
  })
})

describe('/widget/demo', () => {
  test('is a page with a key for its own origin, the same at each visit', async () => {
    await using app = await createTestApp({ withDemo: true })
    const keyOf = (page: string): string | undefined => /data-widget-key="([^"]+)"/.exec(page)?.[1]
    const first = await fetch(`${app.url}/widget/demo`)
    expect(first.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
    const key = keyOf(await first.text())
    expect(key).toMatch(/^lakeside-hospital_/)
    expect(keyOf(await (await fetch(`${app.url}/widget/demo`)).text())).toBe(key)
    expect(keyOf((await fetchRaw(`${app.url}/widget/demo`, { host: 'localhost:1' })).body.toString())).not.toBe(key)
  })

  test('creates no key for a foreign host name that points to this machine', async () => {
    await using app = await createTestApp({ withDemo: true })
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80', 'evil.example:localhost']) {
      expect((await fetchRaw(`${app.url}/widget/demo`, { host })).status, host).toBe(404)
    }
  })

  test('does not exist outside of the sandbox', async () => {
    await using app = await createTestApp()
    expect((await fetch(`${app.url}/widget/demo`)).status).toBe(404)
    expect((await fetch(`${app.url}/widget/demo/style.css`)).status).toBe(404)
  })
})

describe('GET /', () => {
  test('shows browsers the available pages, and is 404 for other clients', async () => {
    await using app = await createTestApp({ withDemo: true })
    const page = await fetch(app.url, { headers: { accept: 'text/html,application/xhtml+xml' } })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const links = Array.from((await page.text()).matchAll(/<a href="([^"]+)"/g), (match) => match[1])
    expect(links).toEqual(['/console', '/graphql', '/docs', '/asyncapi.json', '/health', '/widget/demo'])
    const statuses = links.map(async (link) => (await fetch(app.url + link, { headers: { accept: 'text/html' } })).status)
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200, 200, 200])
    const other = await fetch(app.url, { headers: { accept: 'application/json' } })
    expect([other.status, other.headers.get('content-type')]).toEqual([404, 'application/problem+json; charset=utf-8'])
  })

  test('does not link to a demo that does not exist', async () => {
    await using app = await createTestApp()
    const page = await fetch(app.url, { headers: { accept: 'text/html' } })
    expect(await page.text()).not.toContain('/widget/demo')
  })
})

describe("the widget's colours", () => {
  const color = integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
  const theme = record({ primary: color, accent: color, background: color, text: color })

  test('have sufficient contrast with any theme, in light and dark mode', () => {
    assert(
      property(theme, constantFrom('light', 'dark'), (colors, scheme) => {
        const palette = paletteOf(colors, scheme)
        const { bg, surface, tint, primary } = palette
        const texts = (['text', 'muted', 'link', 'accent', 'danger'] as const).flatMap((name) =>
          [bg, surface, tint].map((ground) => ({ name, ground, least: 4.5, has: contrast(palette[name], ground) })),
        )
        const onPrimary = [primary, palette['primary-strong']].map((ground) => ({
          name: 'on-primary',
          ground,
          least: 4.5,
          has: contrast(palette['on-primary'], ground),
        }))
        const controls = (['primary', 'control'] as const).map((name) => ({ name, ground: bg, least: 3, has: contrast(palette[name], bg) }))
        expect([...texts, ...onPrimary, ...controls].filter(({ has, least }) => has < least)).toEqual([])
      }),
      { numRuns: 3_000 },
    )
  })

  test('are those of the theme if they are readable', () => {
    const colors = { primary: '#1456c4', accent: '#0b7a6f', background: '#ffffff', text: '#1b1f24' }
    expect(paletteOf(colors, 'light')).toMatchObject({ bg: '#ffffff', text: '#1b1f24', primary: '#1456c4', 'on-primary': '#ffffff' })
  })
})

/** As it comes over the wire: `fetch` unpacks bodies, and sets some headers by itself. */
async function fetchRaw(url: string, headers: Readonly<Record<string, string>>) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request(url, { headers }, resolve).on('error', reject).end()
  const answer = await promise
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) }
}
