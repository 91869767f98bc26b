import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../packages/client/src/client.ts'
import { account } from '../harness/account-menu.ts'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'
import { loginTokenOf } from '../harness/tokens-without-session.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
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
