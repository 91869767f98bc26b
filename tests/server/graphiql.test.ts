import { chromium as browserType } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { createTestApp } from '../harness/app.ts'

const browserAtHand = inject('chromium')

describe('the files of GraphiQL', () => {
  test('are ours alone, compressed, and told apart by their ETag', async () => {
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
  test('signs in, shows the docs of the combined schema, runs a mixed query and shows its answer, with no foreign address and no fault', async () => {
    await using app = await createTestApp()
    const browser = await browserType.launch({ executablePath: browserAtHand?.binary ?? '', args: ['--no-sandbox'] })
    try {
      const page = await browser.newPage()
      const faults: string[] = []
      const foreign: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text())
      })
      page.on('pageerror', (error) => faults.push(error.message))
      page.on('request', (request) => {
        if (!request.url().startsWith(app.url) && !request.url().startsWith('data:')) foreign.push(request.url())
      })
      await page.goto(`${app.url}/graphql`)
      await page.getByLabel('E-mail').fill('manager@demo.example')
      await page.getByLabel('Password').fill('sandbox-password')
      await page.getByLabel('Workspace').fill('demo')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('Signed in as manager@demo.example.').waitFor()
      await page.locator('.graphiql-execute-button').click()
      await page.locator('.result-window', { hasText: '"edges"' }).waitFor()
      const answer = await page.locator('.result-window').textContent()
      expect(answer).toContain('"role": "MANAGER"')
      await page.getByLabel('Show Documentation Explorer').click()
      await page.locator('.graphiql-doc-explorer', { hasText: 'query: Query' }).waitFor()
      await page.getByLabel('Show History').click()
      await page.locator('.graphiql-history', { hasText: 'Day' }).waitFor()
      expect(foreign).toEqual([])
      expect(faults.filter((fault) => !fault.includes('401'))).toEqual([])
      if (process.env['SCREENSHOTS']) await page.screenshot({ path: `${process.env['SCREENSHOTS']}/graphiql.png` })
    } finally {
      await browser.close()
    }
  }, 60_000)
})
