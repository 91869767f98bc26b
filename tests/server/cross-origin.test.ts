import { type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createTestApp } from '../harness/app.ts'
import { waitFor } from '../harness/wait-for.ts'

test('only the frontend of a served workspace may call the service from its pages', async () => {
  await using app = await createTestApp()
  const frontend = new URL(app.standIns.platform.workspaceUrl.replace('{workspace}', 'demo')).origin
  const preflight = (origin: string, path: string) =>
    fetch(app.url + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization, content-type' },
    })
  for (const path of ['/graphql', '/metadata', '/auth/login']) {
    const allowed = await preflight(frontend, path)
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-origin')).toBe(frontend)
    expect(allowed.headers.get('access-control-allow-headers')).toContain('authorization')
    for (const foreign of ['https://evil.example', frontend.replace('demo', 'unserved'), 'null', frontend.replace('http:', 'https:')]) {
      const refused = await preflight(foreign, path)
      expect(refused.headers.get('access-control-allow-origin')).toBeNull()
      // A cache must not give this answer to a page of an allowed origin.
      expect(refused.headers.get('vary')).toContain('Origin')
    }
  }
  const refused = await fetch(`${app.url}/health`, { headers: { origin: 'https://evil.example' } })
  expect(refused.headers.get('vary')).toContain('Origin')
  const answer = await fetch(`${app.url}/health`, { headers: { origin: frontend } })
  expect(answer.headers.get('access-control-allow-origin')).toBe(frontend)
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  expect((await preflight(frontend, '/graphql')).headers.get('access-control-max-age')).toBe('7200')
})

test('pages of ALLOWED_ORIGINS may call the service, and no others', async () => {
  const ALLOWED_ORIGINS = 'https://desk.example.com,https://*.clinic.example,http://localhost:*'
  await using app = await createTestApp({ environment: { ALLOWED_ORIGINS } })
  const allowedOf = async (origin: string) =>
    (await fetch(`${app.url}/health`, { headers: { origin } })).headers.get('access-control-allow-origin')
  const allowed = [
    'https://desk.example.com',
    'https://a.clinic.example',
    'https://a.b.clinic.example',
    'http://localhost',
    'http://localhost:5173',
  ]
  for (const origin of allowed) expect(await allowedOf(origin)).toBe(origin)
  const refused = [
    'https://evil.example',
    'http://desk.example.com',
    'https://desk.example.com:8443',
    'https://desk.example.com.evil.example',
    'https://clinic.example',
    'https://evilclinic.example',
    'http://a.clinic.example',
    'https://a.clinic.example:8443',
    'https://localhost:5173',
    'http://localhost.evil.example:5173',
    'http://evil.localhost:5173',
    'http://localhost:5173.evil.example',
    'null',
    '',
  ]
  for (const origin of refused) expect(await allowedOf(origin), origin).toBeNull()
})

/** What a browser's request for a web socket gets: 101, or a refusal with its body. */
async function openSocket(
  url: string,
  headers: Readonly<Record<string, string | string[]>>,
): Promise<{ readonly status: number; readonly body: string; readonly headers: IncomingHttpHeaders }> {
  const handshake = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  }
  const asked = request(`${url}/graphql`, { headers: { ...handshake, 'sec-websocket-protocol': 'graphql-transport-ws', ...headers } }).end()
  return new Promise((resolve, reject) => {
    asked.once('error', reject)
    asked.once('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ status: response.statusCode ?? 0, body: '', headers: response.headers })
    })
    asked.once('response', (response) => {
      void text(response).then((body) => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }), reject)
    })
  })
}

test('a page may open a web socket if it may read answers, if it comes from here, and a program without a page always', async () => {
  const ALLOWED_ORIGINS = 'https://desk.example.com'
  await using app = await createTestApp({ environment: { ALLOWED_ORIGINS, PUBLIC_URL: 'https://calls.example.com/sidecar' } })
  const frontend = new URL(app.standIns.platform.workspaceUrl.replace('{workspace}', 'demo')).origin
  const { host } = new URL(app.url)
  const allowed: readonly Readonly<Record<string, string>>[] = [
    {},
    { origin: frontend },
    { origin: 'https://desk.example.com' },
    // The console: at this address, behind a proxy that ends TLS, and behind one that does not hand the host on.
    { origin: app.url },
    { origin: `https://${host}` },
    { origin: 'https://calls.example.com' },
    // Proxies that hand the host on with its port, or as somebody typed it.
    { origin: 'https://own.example', host: 'own.example:443' },
    { origin: 'http://own.example', host: 'own.example:80' },
    { origin: 'https://own.example', host: 'Own.Example' },
    { origin: 'https://own.example.', host: 'own.example.' },
  ]
  for (const headers of allowed) expect((await openSocket(app.url, headers)).status, JSON.stringify(headers)).toBe(101)
  const foreign = [
    'https://evil.example',
    ['https://evil.example', 'https://desk.example.com'],
    ['https://desk.example.com', 'https://desk.example.com'],
    `${frontend}/`,
    frontend.replace('demo', 'DEMO'),
    `https://${host}/`,
    `https://${host}.`,
    `https://me@${host}`,
    'null',
    '',
    `https://${host}.evil.example`,
    `https://evil.example/${host}`,
    'http://calls.example.com',
    host,
  ]
  for (const origin of foreign) {
    const { status, body } = await openSocket(app.url, { origin })
    expect(status, String(origin)).toBe(403)
    expect(JSON.parse(body)).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
      reason: 'ORIGIN_REFUSED',
      retryable: false,
    })
    expect(body).toContain('ALLOWED_ORIGINS')
    expect(body).not.toContain('evil')
  }
  await waitFor(() => app.logged.filter((line) => line.includes('"status":403')).length === foreign.length)
  // An old draft, whose Origin has another name, and others: RFC 6455, section 4.4.
  for (const version of ['8', '7', '0', '14', '13, 8', 'x', '']) {
    const { status, headers, body } = await openSocket(app.url, {
      'sec-websocket-version': version,
      'sec-websocket-origin': 'https://evil.example',
    })
    expect(status, version).toBe(426)
    expect(headers).toMatchObject({ 'sec-websocket-version': '13', upgrade: 'websocket', connection: 'Upgrade, close' })
    expect(JSON.parse(body)).toMatchObject({ status: 426, code: 'BAD_USER_INPUT', reason: 'INVALID_INPUT' })
  }
})
