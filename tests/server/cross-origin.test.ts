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
      expect((await preflight(foreign, path)).headers.get('access-control-allow-origin')).toBeNull()
    }
  }
  const answer = await fetch(`${app.url}/health`, { headers: { origin: frontend } })
  expect(answer.headers.get('access-control-allow-origin')).toBe(frontend)
})
