import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { account, signOut } from '../harness/account-menu.ts'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe.skipIf(chromium === null)('the console', () => {
  test('shows a manager the other areas, and refuses an area that is not theirs', async () => {
    await using opened = await stage.open({ path: '/desk', as: 'manager' })
    const { page } = opened
    await page.getByRole('heading', { level: 1, name: 'Agent desk is not for your role' }).waitFor()
    const areas = page.getByRole('navigation', { name: 'Areas' }).getByRole('heading')
    expect(await areas.allInnerTexts()).toEqual(['Supervisor', 'Recordings', 'Administration'])
    await page.getByRole('link', { name: 'Go to your start page' }).click()
    await page.getByRole('heading', { level: 1, name: 'Wallboard' }).waitFor()
    // Together: the second key counts for a moment only.
    await Promise.all([page.keyboard.press('g'), page.keyboard.press('a')])
    await page.getByRole('heading', { level: 1, name: 'Administration' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Wallboard').waitFor()
    await opened.expectAccessible()
  })

  test('says that the setup is open, and shows the sign of the console if the logo cannot be loaded', async () => {
    const { token } = await stage.app.signIn('manager@demo.example')
    await stage.app.rest('PUT', '/api/config/theme', { token, body: { brand: { logoUrl: `${stage.app.url}/console` } } })
    await using opened = await stage.open()
    const { page } = opened
    await opened.signIn('manager', { workspace: 'demo' })
    await page.getByText('The setup of this workspace is not finished').waitFor()
    await page.getByRole('navigation', { name: 'Areas' }).locator('.mark').waitFor()
    await opened.expectAccessible()
    await opened.screenshot('setup-open')
    await page.getByRole('link', { name: 'See what is open' }).click()
    await page.getByRole('heading', { level: 1, name: 'Setup' }).waitFor()
    await page.getByRole('button', { name: /Name and colours/ }).click()
    await page.getByText('No picture can be loaded from the logo address').waitFor()
    const body = { brand: { logoUrl: null } }
    expect(await stage.app.rest('PUT', '/api/config/theme', { token, body })).toMatchObject({ status: 200 })
  })

  test('shows a lost connection and goes on when it is back', async () => {
    await using opened = await stage.open({ as: 'manager' })
    const { page } = opened
    const lost = page.getByRole('status').getByText('Connection lost')
    await page.context().setOffline(true)
    await lost.waitFor()
    await opened.expectAccessible()
    await opened.screenshot('connection-lost')
    await page.context().setOffline(false)
    await lost.waitFor({ state: 'detached' })
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Wallboard')
  })

  test('shows a screen while a part beside it cannot be loaded, and all of it when the connection is back', async () => {
    await using opened = await stage.open()
    const { page } = opened
    const parts = '**/assets/{account-menu,chart}-*.js'
    const failed = page.waitForEvent('requestfailed', { predicate: (request) => request.url().includes('/account-menu-') })
    await page.route(parts, (route) => route.abort())
    await opened.signIn('manager')
    await failed
    await page.getByRole('heading', { level: 1, name: 'Wallboard' }).waitFor()
    await opened.expectAccessible()
    expect(await page.getByRole('button', { name: account }).count()).toBe(0)
    await page.unroute(parts)
    await page.context().setOffline(true)
    await page.context().setOffline(false)
    await page.getByRole('button', { name: account }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Wallboard' }).waitFor()
  })

  test('stays the same page if a screen cannot be loaded, and is loaded again for a new version only', async () => {
    await using opened = await stage.open()
    const { page } = opened
    await page.goto(`${stage.app.url}/console/desk`)
    await opened.signIn('agent1')
    await page.getByText('Phone ready').waitFor()
    const mark = () => page.evaluate(() => document.body.setAttribute('data-same', ''))
    const isSame = () => page.evaluate(() => document.body.hasAttribute('data-same'))
    await mark()
    await page.context().setOffline(true)
    await page.getByText('Connection lost').waitFor()
    await page.getByRole('link', { name: 'Callbacks' }).click()
    const failure = page.getByText('Something went wrong in this page')
    await failure.waitFor()
    // Without a connection there would be no page.
    const again = page.getByRole('button', { name: 'Try again' })
    await again.click()
    expect(await isSame()).toBe(true)
    await page.context().setOffline(false)
    await page.getByText('Connection lost').waitFor({ state: 'detached' })
    await again.click()
    await page.getByText('Nobody waits for a call').waitFor()
    expect(await isSame()).toBe(false)
    // A file that is missing for a moment, and one that a newer version has no longer.
    await mark()
    await page.route('**/assets/recent-screen-*', (route) => route.abort())
    const compared = page.waitForResponse('**/console')
    await page.getByRole('link', { name: 'Recent calls' }).click()
    await failure.waitFor()
    await (await compared).finished()
    await page.evaluate("fetch('/console').then((answer) => answer.text())")
    expect(await isSame()).toBe(true)
    const body = (await (await fetch(`${stage.app.url}/console`)).text()).replace('/assets/index-', '/assets/index-newer-')
    await page.route('**/console', (route) => route.fulfill({ body, contentType: 'text/html' }))
    let isGone = true
    await page.route('**/assets/recordings-*', (route) => (isGone ? route.abort() : route.continue()))
    await page.route('**/console/recordings', (route) => {
      isGone = false
      return route.continue()
    })
    const missing = page.waitForEvent('requestfailed')
    await page.getByRole('link', { name: 'Recorded calls' }).hover()
    await missing
    // Only loaded ahead. A reload would come before the end of this request, which is the later one.
    await page.evaluate("fetch('/console').then((answer) => answer.text())")
    expect(await isSame()).toBe(true)
    const loaded = page.waitForEvent('load')
    await page.getByRole('link', { name: 'Recorded calls' }).click()
    await loaded
    expect(await isSame()).toBe(false)
    await signOut(page)
  })

  test('is light or dark like the system or as the person chose, and speaks Hindi', async () => {
    await using opened = await stage.open({ as: 'manager', colorScheme: 'dark' })
    const { page } = opened
    const scheme = (): Promise<string | null> => page.locator('html').getAttribute('data-scheme')
    expect(await scheme()).toBe('dark')
    await opened.expectAccessible()
    await choose('Light')
    await expect.poll(scheme).toBe('light')
    await choose('हिन्दी')
    await page.getByRole('heading', { level: 1, name: 'वॉलबोर्ड' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'वॉलबोर्ड' }).waitFor()
    expect([await scheme(), await page.locator('html').getAttribute('lang')]).toEqual(['light', 'hi'])
    await opened.expectAccessible()

    async function choose(name: string): Promise<void> {
      await page.getByRole('button', { name: account }).click()
      await page.getByRole('menuitem', { name }).click()
    }
  })

  test('works at the width of a phone', async () => {
    await using opened = await stage.open({ as: 'manager', viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true })
    const { page } = opened
    await opened.expectAccessible()
    const area = page.getByRole('link', { name: 'Recorded calls' })
    expect(await area.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Open navigation' }).click()
    await opened.screenshot('phone-navigation')
    await opened.expectAccessible()
    await area.click()
    await page.getByRole('heading', { level: 1, name: 'Recorded calls' }).waitFor()
    await waitFor(async () => !(await area.isVisible()))
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
  })
})
