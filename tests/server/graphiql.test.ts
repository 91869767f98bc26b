import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { createTestApp } from '../harness/app.ts'
import { startBrowser } from '../harness/browser.ts'

const browserAtHand = inject('chromium')

describe('the files of GraphiQL', () => {
  test('come from the service only, compressed and with an ETag', async () => {
    await using app = await createTestApp()
    const page = await fetch(`${app.url}/graphql`, { headers: { accept: 'text/html' } })
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
    const html = await page.text()
    expect(html.match(/(?:src|href)="(?!data:)([^"]+)"/g)?.every((link) => link.includes('"/graphql/assets/'))).toBe(true)
    const asset = await fetch(`${app.url}/graphql/assets/graphiql.js`, { headers: { 'accept-encoding': 'gzip' } })
    expect(asset.headers.get('content-encoding')).toBe('gzip')
    const etag = asset.headers.get('etag') ?? ''
    expect((await fetch(`${app.url}/graphql/assets/graphiql.js`, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })
})

describe.skipIf(browserAtHand === null)('GraphiQL in a browser', () => {
  test('signs in, shows the docs of the combined schema, runs a mixed query and a subscription, and loads nothing from other hosts', async () => {
    await using app = await createTestApp()
    await using browser = await startBrowser(browserAtHand?.binary ?? '')
    const { page, faults, requests } = await browser.open()
    await page.goto(`${app.url}/graphql`)
    await page.getByLabel('E-mail').fill('manager@demo.example')
    await page.getByLabel('Password').fill('sandbox-password')
    await page.getByLabel('Workspace').fill('demo')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Signed in as manager@demo.example.').waitFor()

    const run = page.locator('.graphiql-execute-button')
    const result = page.locator('.graphiql-response')
    await run.click()
    await result.filter({ hasText: '"edges"' }).waitFor()
    expect(await result.textContent()).toMatch(/"role":\s*"MANAGER"/)
    await screenshot(page, 'graphiql-query')

    await page.getByLabel('Show Documentation Explorer').click()
    await page.locator('.graphiql-doc-explorer', { hasText: 'query: Query' }).waitFor()
    await screenshot(page, 'graphiql-docs')

    await page.goto(`${app.url}/graphql?query=${encodeURIComponent('subscription Now { supervisionUpdates { at } }')}`)
    await run.click()
    await result.filter({ hasText: '"supervisionUpdates"' }).waitFor()
    await screenshot(page, 'graphiql-subscription')

    await page.getByRole('button', { name: 'Headers' }).waitFor()
    expect(requests.some((url) => url.startsWith(`${app.url}/graphql/assets/worker-`))).toBe(true)
    expect(requests.filter((url) => !url.startsWith(app.url) && !/^(data|blob):/.test(url))).toEqual([])
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([])
  })
})

async function screenshot(page: Page, name: string): Promise<void> {
  const directory = process.env['SCREENSHOTS']
  if (directory !== undefined) await page.screenshot({ path: `${directory}/${name}.png` })
}
