import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../packages/client/src/client.ts'
import { realServer } from '../harness/real-server.ts'
import { loginTokenOf } from '../harness/tokens-without-session.ts'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
/** The button has the member's name and role. */
const account = / (Agent|Manager|प्रबंधक)$/
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe.skipIf(chromium === null)('the console', () => {
  test('signs in, shows the screen of the address and the areas of the role, and signs out', async () => {
    await using opened = await stage.open({ path: '/desk/callbacks' })
    const { page } = opened
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    await opened.expectAccessible()
    await opened.screenshot('sign-in')
    await opened.signIn('agent1')
    await page.getByRole('heading', { level: 1, name: 'Callbacks' }).waitFor()
    const areas = page.getByRole('navigation', { name: 'Areas' }).getByRole('heading')
    expect(await areas.allInnerTexts()).toEqual(['Agent desk', 'Recordings'])
    await opened.expectAccessible()
    await page.getByRole('button', { name: account }).click()
    await opened.expectAccessible()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('Password').waitFor()
    expect(page.url()).toMatch(/\/console\/desk\/callbacks$/)
    expect(stage.app.standIns.telephony.agent({ agentId: 'agent1' }).status).toBe('loggedOut')
  })

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

  test('says what is wrong with a sign-in', async () => {
    await using opened = await stage.open()
    const { page } = opened
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Fill in this field').first().waitFor()
    await opened.signIn('agent1', { workspace: 'our hospital' })
    await page.getByText('Only letters, digits and hyphens, such as acme').waitFor()
    await opened.signIn('agent1', { password: 'wrong' })
    await page.getByRole('alert').filter({ hasText: 'Email or password is wrong' }).waitFor()
    await opened.expectAccessible()
    await opened.screenshot('wrong-password')
    await opened.signIn('agent1', { workspace: 'nowhere' })
    await page.getByRole('alert').filter({ hasText: 'does not have that workspace' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
  })

  test('shows where an agent is signed in already, and takes the own session over', async () => {
    const { lockedAt } = await stage.app.signIn('agent2@demo.example')
    await using opened = await stage.open({ path: '/desk/callbacks' })
    const { page } = opened
    await opened.signIn('agent2')
    await page.getByRole('heading', { name: 'You are already signed in' }).waitFor()
    const facts = page.getByRole('main')
    await facts.getByText('Ravi Kumar').waitFor()
    await facts.getByText('127.0.0.1').waitFor()
    expect(await facts.locator('time').getAttribute('datetime')).toBe(lockedAt)
    await opened.expectAccessible()
    await opened.screenshot('locked')
    // As if the session were another member's, who uses the same agent.
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('startAgentSession')) return route.continue()
      const answer = await (await route.fetch()).text()
      return route.fulfill({ contentType: 'application/json', body: answer.replace('"own":true', '"own":false') })
    })
    await page.reload()
    await page.getByRole('heading', { name: 'Somebody else uses this agent' }).waitFor()
    expect(await page.getByRole('button', { name: 'Continue here' }).count()).toBe(0)
    await opened.expectAccessible()
    await page.unroute('**/graphql')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Continue here' }).click()
    await page.getByRole('heading', { level: 1, name: 'Callbacks' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Callbacks' }).waitFor()
  })

  test('says that the agent went on at another device, and can come back', async () => {
    await using opened = await stage.open({ path: '/desk', as: 'agent3' })
    const { page } = opened
    await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor()
    await continueElsewhere('agent3')
    await page.getByText('You went on working on another device').waitFor()
    await opened.expectAccessible()
    await opened.signIn('agent3')
    await page.getByRole('button', { name: 'Continue here' }).click()
    await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor()
    expect(await page.getByRole('button', { name: 'Continue here' }).count()).toBe(0)
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
    await page.getByRole('button', { name: account }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('Password').waitFor()
  })

  test('signs all tabs in and out together, and one of them leads', async () => {
    await using opened = await stage.open({ path: '/desk', as: 'agent1' })
    const { page } = opened
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.getByRole('heading', { level: 1, name: 'Calls' }).waitFor()
    const held = (): Promise<unknown> =>
      page.evaluate(
        "navigator.locks.query().then(({ held, pending }) => [held, pending].map((locks) => locks.filter(({ name }) => name.endsWith(':phone')).length))",
      )
    await waitFor(async () => JSON.stringify(await held()) === '[1,1]')
    await page.close()
    await other.getByRole('button', { name: account }).click()
    const third = await other.context().newPage()
    await third.goto(other.url())
    await third.getByRole('heading', { level: 1, name: 'Calls' }).waitFor()
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    await third.getByLabel('Password').waitFor()
    await other.getByLabel('Password').waitFor()
    await third.getByRole('navigation', { name: 'Areas' }).waitFor({ state: 'detached' })
    expect(await other.getByLabel('Password').count()).toBe(1)
  })

  test('keeps the agent session and the sign-in alive by itself', async () => {
    await using opened = await stage.open({ path: '/desk', as: 'agent1', hasClock: true })
    const { app, clock } = stage
    const { token } = await app.signIn('manager@demo.example')
    const heartbeat = async (): Promise<string> => {
      const { data } = await app.graphql('{ agentSessions { agentName lastHeartbeatAt } }', { token })
      return /"Asha Menon","lastHeartbeatAt":(\S+?)\}/.exec(JSON.stringify(data))?.[1] ?? 'no session'
    }
    expect(await heartbeat()).toBe('null')
    await opened.page.clock.fastForward('05:01')
    await waitFor(async () => (await heartbeat()).startsWith('"2'), { what: 'a heartbeat' })
    const renewals = app.standIns.platform.calls('renewToken').length
    clock.advance(25 * 60_000)
    await opened.page.clock.fastForward('25:00')
    await waitFor(() => app.standIns.platform.calls('renewToken').length > renewals, { what: 'a renewed token' })
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

/** The agent signs in at the platform on another device and takes the own session over. */
async function continueElsewhere(name: string): Promise<void> {
  const { app } = stage
  const device = createClient({ url: app.url })
  const at = { url: app.url, workspaceUrl: app.standIns.platform.workspaceUrl }
  await device.exchangeLoginToken({ loginToken: await loginTokenOf(at, `${name}@demo.example`), workspace: 'demo' })
  await device.startAgentSession({ takeOver: true })
  device.close()
}
