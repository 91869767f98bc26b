import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { buildSchema, parse, validate } from 'graphql'
import { z } from 'zod'
import { graphiqlTabs } from '../../src/server/graphql/graphiql/handlers.ts'
import { readContract } from '../../src/server/graphql/local-schema.ts'
import { createTestApp } from '../harness/app.ts'
import { startBrowser } from '../harness/browser.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const browserAtHand = await realServer('chromium')
const tabStateSchema = z.object({ tabs: z.array(z.object({ title: z.string() })), activeTabIndex: z.number() })

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

test('every tab of a first visit runs', async () => {
  await using app = await createTestApp()
  const { token: agent } = await app.signIn('agent1@demo.example')
  const { token: manager } = await app.signIn('manager@demo.example')
  const answers = []
  const requests = graphiqlTabs().filter((query) => !query.includes('subscription'))
  for (const query of requests) answers.push(await app.graphql(query, { token: /As an agent/.test(query) ? agent : manager }))
  expect(answers).toHaveLength(4)
  for (const answer of answers) expect(answer).not.toHaveProperty('errors')
  const subscription = graphiqlTabs().find((query) => query.includes('subscription')) ?? ''
  expect(validate(buildSchema(readContract()), parse(subscription))).toEqual([])
})

describe.skipIf(browserAtHand === null)('GraphiQL in a browser', () => {
  test('signs in, shows the docs of the combined schema, runs a mixed query and a subscription, and loads nothing from other hosts', async () => {
    await using app = await createTestApp({ withDemo: true })
    await using browser = await startBrowser(browserAtHand?.binary ?? '')
    const { page, faults, requests } = await browser.open()
    await page.goto(`${app.url}/graphql`)
    await page.getByLabel('E-mail').fill('manager@demo.example')
    await page.getByLabel('Password').fill('sandbox-password')
    await page.getByLabel('Workspace').fill('demo')
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const body = { email: 'manager@demo.example', password: 'wrong', workspace: 'demo' }
    const { detail } = z.object({ detail: z.string() }).parse((await app.rest('POST', '/auth/login', { body })).body)
    await page.getByRole('status').filter({ hasText: detail }).waitFor()
    await page.getByRole('button', { name: 'Sign in as Agent' }).click()
    await page.getByText('Signed in as agent1@demo.example.').waitFor()
    expect(await page.locator('.graphiql-tab').count()).toBe(5)
    await screenshot(page, 'graphiql-tabs')
    // The first press of a first visit.
    const tab = page.getByRole('tab', { name: 'Dial' })
    const { x, y, width, height } = (await tab.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.down()
    await page.mouse.up()
    await page.locator('[role=tab][aria-selected=true]', { hasText: 'Dial' }).waitFor()
    // GraphiQL stores its tabs half a second later.
    await waitFor(async () => {
      const stored = await page.evaluate(() => localStorage.getItem('graphiql:tabState'))
      const { tabs, activeTabIndex } = tabStateSchema.parse(JSON.parse(stored ?? ''))
      return tabs[activeTabIndex]?.title === 'Dial'
    })
    // The page forgets its session without ending it: a click takes it over.
    await page.evaluate(() => sessionStorage.clear())
    await page.reload()
    await page.locator('[role=tab][aria-selected=true]', { hasText: 'Dial' }).waitFor()
    expect(await page.locator('.graphiql-tab').count()).toBe(5)
    await page.getByRole('button', { name: 'Sign in as Agent' }).click()
    await page.getByText('Signed in as agent1@demo.example.').waitFor()
    await page.getByRole('button', { name: 'Sign in as Manager' }).click()
    await page.getByText('Signed in as manager@demo.example.').waitFor()
    // The agent's session was ended, so another device can have it.
    const manager = await app.signIn('manager@demo.example')
    expect(await app.rest('GET', '/api/sessions', { token: manager.token })).toMatchObject({ status: 200, body: [] })

    const result = page.locator('.graphiql-response')
    await page.getByRole('tab', { name: 'Day' }).click()
    // The editor shows the tab's query a moment later; the button runs what it shows.
    await page.locator('.graphiql-query-editor', { hasText: 'Day' }).waitFor()
    await runUntil(page, '"edges"')
    expect(await result.textContent()).toMatch(/"role":\s*"MANAGER"/)
    await screenshot(page, 'graphiql-query')

    await page.getByLabel('Show Documentation Explorer').click()
    await page.locator('.graphiql-doc-explorer', { hasText: 'query: Query' }).waitFor()
    await screenshot(page, 'graphiql-docs')

    await page.goto(`${app.url}/graphql?query=${encodeURIComponent('subscription Now { supervisionUpdates { at } }')}`)
    await runUntil(page, '"supervisionUpdates"')
    await screenshot(page, 'graphiql-subscription')

    await page.getByRole('button', { name: 'Headers' }).waitFor()
    expect(requests.some((url) => url.startsWith(`${app.url}/graphql/assets/worker-`))).toBe(true)
    expect(requests.filter((url) => !url.startsWith(app.url) && !/^(data|blob):/.test(url))).toEqual([])
    expect(faults.filter((fault) => !/401|409/.test(fault))).toEqual([])
  })
})

/** On a busy machine the button may run what the editor had a moment before: then a person presses it again. */
async function runUntil(page: Page, hasText: string): Promise<void> {
  const result = page.locator('.graphiql-response')
  const seen: (string | null)[] = []
  for (let tries = 0; tries < 3; tries += 1) {
    await page.locator('.graphiql-execute-button').click()
    const isShown = await result
      .filter({ hasText })
      .waitFor({ timeout: 15_000 })
      .then(
        () => true,
        () => false,
      )
    if (isShown) return
    seen.push(await result.textContent())
  }
  throw new Error(`no ${hasText} in: ${seen.join(' | ')}`)
}

async function screenshot(page: Page, name: string): Promise<void> {
  const directory = process.env['SCREENSHOTS']
  if (directory !== undefined) await page.screenshot({ path: `${directory}/${name}.png` })
}
