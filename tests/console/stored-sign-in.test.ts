import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'

/** What a script in the page can read of a sign-in, and that it lasts nevertheless. */

const chromium = await realServer('chromium')
const account = / (Agent|Manager|User)$/
let stage: ConsoleStage
beforeAll(async () => {
  if (!chromium) return
  stage = await openConsoleStage(chromium.binary)
  // Each request finds a token that ends soon, and renews it.
  stage.app.standIns.platform.setLifetimes({ accessMs: 50_000 })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const readable = (page: Page): Promise<string> =>
  page.evaluate(
    'indexedDB.databases().then((databases) => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, databases]))',
  )
/** The types of the platform's tokens that a text has. */
const tokenTypesIn = (text: string): readonly string[] =>
  [...text.matchAll(/eyJ[\w-]+\.(eyJ[\w-]+)\./g)].flatMap(
    ([, claims = '']) => /"type":"(\w+)"/.exec(Buffer.from(claims, 'base64url').toString())?.[1] ?? [],
  )
const renewals = (): number => stage.app.standIns.platform.calls('renewToken').length

describe.skipIf(chromium === null)('the console', () => {
  test('has no renewal token that a script can read, and a reload goes on by the cookie', async () => {
    await using opened = await stage.open({ as: 'manager' })
    const { page } = opened
    expect(tokenTypesIn(await readable(page))).toEqual(['ACCESS'])
    // Sent by the browser to the renewal alone.
    expect(await page.context().cookies(`${stage.app.url}/graphql`)).toHaveLength(0)
    const [cookie] = await page.context().cookies(`${stage.app.url}/console/session/renew`)
    expect(cookie).toMatchObject({ path: '/console/session', httpOnly: true, sameSite: 'Strict' })
    const before = renewals()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Wallboard' }).waitFor()
    expect(renewals()).toBeGreaterThan(before)
    expect(tokenTypesIn(await readable(page))).toEqual(['ACCESS'])
  })

  test('removes the renewal token that an earlier version stored', async () => {
    await using opened = await stage.open({ as: 'manager' })
    const { page } = opened
    await page.evaluate(
      'localStorage.setItem(\'call-center-sidecar\', localStorage.getItem(\'call-center-sidecar\').replace(\'"refreshToken":""\', \'"refreshToken":"of before"\'))',
    )
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Wallboard' }).waitFor()
    expect(await readable(page)).not.toContain('of before')
  })

  test('two tabs go on together; a sign-out in one ends both, and the cookie', async () => {
    await using opened = await stage.open({ as: 'manager' })
    const { page } = opened
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.getByRole('heading', { level: 1, name: 'Wallboard' }).waitFor()
    await Promise.all([page.reload(), other.reload()])
    for (const tab of [page, other]) await tab.getByRole('heading', { level: 1, name: 'Wallboard' }).waitFor()
    await other.getByRole('button', { name: account }).click()
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    for (const tab of [page, other]) await tab.getByLabel('Password').waitFor()
    await expect.poll(() => page.context().cookies(`${stage.app.url}/console/session/renew`)).toEqual([])
  })

  test('another person can sign in afterwards, also to another workspace, and all tabs follow', async () => {
    await using opened = await stage.open({ as: 'manager' })
    const { page } = opened
    const other = await page.context().newPage()
    await other.goto(`${stage.app.url}/console`)
    await other.getByRole('button', { name: account }).click()
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    await other.getByLabel('Workspace').fill('acme')
    await other.getByLabel('Email').fill('manager@acme.example')
    await other.getByLabel('Password').fill('sandbox-password')
    await other.getByRole('button', { name: 'Sign in', exact: true }).click()
    for (const tab of [page, other]) {
      await tab.getByRole('heading', { level: 1, name: 'Wallboard' }).waitFor()
      await tab.reload()
      await tab.getByRole('heading', { level: 1, name: 'Wallboard' }).waitFor()
    }
    const { workspace } = await other.evaluate<{ workspace: string }>(
      "fetch('/auth/me', { headers: { authorization: 'Bearer ' + JSON.parse(localStorage.getItem('call-center-sidecar')).accessToken } }).then((answer) => answer.json()).then((me) => ({ workspace: me.workspace.subdomain }))",
    )
    expect(workspace).toBe('acme')
  })

  test('a page of another site cannot renew', async () => {
    // The console's own page renews nothing meanwhile.
    stage.app.standIns.platform.setLifetimes({ accessMs: 1_800_000 })
    await using opened = await stage.open({ as: 'manager' })
    const { page } = opened
    await using evil = await startSite()
    const before = renewals()
    const tab = await page.context().newPage()
    await tab.goto(evil.url)
    const target = `${stage.app.url}/console/session/renew`
    const send = (headers: string): Promise<unknown> =>
      tab.evaluate(
        `fetch('${target}', { method: 'POST', credentials: 'include', mode: 'cors', headers: ${headers}, body: '{}' }).then((answer) => answer.status, () => 'refused')`,
      )
    expect(await send("{ 'content-type': 'application/json', 'x-console-session': '1' }")).toBe('refused')
    expect(await send("{ 'content-type': 'text/plain' }")).toBe('refused')
    const [answered] = await Promise.all([
      tab.waitForResponse(target),
      tab.evaluate(`{
        const form = Object.assign(document.createElement('form'), { method: 'post', action: '${target}', enctype: 'text/plain' })
        document.body.append(form)
        form.submit()
      }`),
    ])
    expect(answered.status()).toBe(403)
    expect(renewals()).toBe(before)
  })
})

async function startSite() {
  const server = createServer(
    (_, response) => void response.setHeader('content-type', 'text/html').end('<!doctype html><title>another site</title><body>'),
  )
  // Another site than 127.0.0.1.
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const address = server.address()
  const { port } = typeof address === 'object' && address !== null ? address : ({ port: 0 } satisfies Pick<AddressInfo, 'port'>)
  return {
    url: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
