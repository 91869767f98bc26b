import { expect, test } from 'vitest'
import { createTestApp } from '../harness/app.ts'

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
