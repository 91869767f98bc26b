import { buildSchema } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createLog } from '../../src/kernel/log.ts'
import { createHttpServer } from '../../src/server/http/http-server.ts'
import { bindTable } from '../../src/server/rest/bound-row.ts'
import { createDescriptionHandlers } from '../../src/server/rest/description-handlers.ts'
import { createTestApp } from '../harness/app.ts'
import { startBrowser } from '../harness/browser.ts'
import { realServer } from '../harness/real-server.ts'
import { rowFor } from '../harness/small-rest.ts'

const chromium = await realServer('chromium')

describe.skipIf(chromium === null)('/docs in a browser', () => {
  test('searches, signs in and runs an operation, without any foreign address', async () => {
    await using app = await createTestApp()
    await using browser = await startBrowser(chromium?.binary ?? '')
    const { page, faults, requests } = await browser.open()
    await page.goto(`${app.url}/docs`)

    // The alerts that the service sends stand below the operations, and are not searched.
    const paths = page.locator('.opblock-summary-path', { hasText: '/' })
    await paths.first().waitFor()
    await page.getByLabel('Search paths and descriptions').fill('temporary password')
    await expect.poll(() => paths.allTextContents()).toEqual(['/api/team/members', '/api/team/members/{id}/temporary-password'])
    await page.getByLabel('Search paths and descriptions').fill('/auth/')
    await expect.poll(() => paths.count()).toBe(7)

    const login = page.locator('#operations-auth-agentLogin')
    await login.locator('.opblock-summary-control').click()
    await login.getByRole('button', { name: 'Try it out' }).click()
    await login.locator('textarea').fill(JSON.stringify({ email: 'manager@demo.example', password: 'sandbox-password', workspace: 'demo' }))
    await login.getByRole('button', { name: 'Execute' }).click()
    await login.locator('.live-responses-table', { hasText: 'accessToken' }).waitFor()

    const me = page.locator('#operations-auth-me')
    await me.locator('.opblock-summary-control').click()
    await me.getByRole('button', { name: 'Try it out' }).click()
    await me.getByRole('button', { name: 'Execute' }).click()
    await me.locator('.live-responses-table', { hasText: '"MANAGER"' }).waitFor()

    expect(faults).toEqual([])
    expect(requests.filter((address) => !address.startsWith(`${app.url}/`) && !address.startsWith('data:'))).toEqual([])
  })

  test('runs no script that a description contains', async () => {
    const attack = '<img src=x onerror=document.title=1><script>document.title=1</script>'
    const schema = buildSchema(`directive @public on FIELD_DEFINITION type Query { "${attack}" read(id: ID): String @public }`)
    const row = rowFor('query read', { method: 'GET', path: '/api/x', summary: attack, arguments: { id: 'query.id' } })
    const handlers = createDescriptionHandlers(bindTable([row], schema), schema)
    await using server = await createHttpServer({
      host: '127.0.0.1',
      port: 0,
      trustProxy: [],
      handlers,
      health: {},
      log: createLog('silent'),
    })
    await using browser = await startBrowser(chromium?.binary ?? '')
    const { page } = await browser.open()
    await page.goto(`${server.url}/docs#/x`)
    await page.locator('.opblock-summary-control').first().click()
    await page.locator('.opblock-description').waitFor()
    expect(await page.title()).toBe('REST · call-center sidecar')
    expect(await page.locator('[onerror]').count()).toBe(0)
  })
})
