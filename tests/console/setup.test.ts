import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { sipDomain } from '../../src/sandbox/sip/sip.ts'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
const account = telephonyAccounts.demo
let stage: ConsoleStage
beforeAll(async () => {
  if (!chromium) return
  stage = await openConsoleStage(chromium.binary, { hasFreshPlatform: true })
  const { token } = await stage.app.signIn('manager@demo.example')
  // The sandbox seeds the workspace from its environment. This one begins with nothing.
  const nothing = {
    platform: { apiKey: null },
    telephony: { provider: null, outbound: null, did: null, campaignName: null, sip: { domain: null } },
    ai: { model: null },
  }
  for (const [section, body] of Object.entries(nothing)) await stage.app.rest('PUT', `/api/config/${section}`, { token, body })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe.skipIf(chromium === null)('the setup', () => {
  test('takes a fresh workspace to its first call, by clicks alone', { timeout: 180_000 }, async () => {
    const { standIns } = stage.app
    await using opened = await stage.open({ path: '/administration/setup', as: 'manager' })
    const { page } = opened
    const step = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('button', { name, expanded: true }) })
    // The team is there already, without a mark.
    await page.getByText('1 of 6 steps are done').waitFor()
    await page.getByRole('button', { name: 'Test what is stored' }).click()
    await page
      .getByText(/^The test failed at/)
      .first()
      .waitFor()
    await opened.expectAccessible()
    await opened.screenshot('setup')

    // The CRM: a wrong key, what is missing, the right key.
    const crm = step('Connect your CRM')
    await crm.getByLabel('API key').fill('not-a-key')
    await crm.getByRole('button', { name: 'Test and save' }).click()
    await crm.getByText('is refused by the platform').first().waitFor()
    // What is typed stays, on the way to another step too; and the person is asked before it is lost.
    await crm.getByRole('button', { name: 'Do this later' }).click()
    await page.getByRole('button', { name: /Connect your CRM.*Not saved/ }).click()
    expect(await crm.getByLabel('API key').inputValue()).toBe('not-a-key')
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByRole('alertdialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
    await crm.getByRole('button', { name: 'Check what is missing' }).click()
    await crm.getByText('Missing', { exact: true }).first().waitFor()
    await opened.expectAccessible()
    await opened.screenshot('setup-missing')
    await crm.getByRole('button', { name: 'Create what is missing' }).click()
    await crm.getByText('Your CRM has everything that the service needs.').waitFor()
    await crm.getByLabel('API key').fill(standIns.platform.apiKeyOf('demo'))
    await crm.getByRole('button', { name: 'Test and save' }).click()
    await crm.getByRole('status', { name: 'The test passed' }).waitFor()
    await crm.getByRole('button', { name: 'Continue' }).click()

    const brand = step('Name and colours')
    await brand.getByLabel("Hospital's name").fill('Sunrise Hospital')
    // What is typed while a save is under way is not part of it, and stays.
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('saveConfiguration')) await brand.getByLabel('Main colour', { exact: true }).fill('#aa2211')
      await route.continue()
    })
    await brand.getByRole('button', { name: 'Test and save' }).click()
    await page.getByRole('navigation', { name: 'Areas' }).getByText('Sunrise Hospital').waitFor()
    await page.unroute('**/graphql')
    expect(await brand.getByLabel('Main colour', { exact: true }).inputValue()).toBe('#aa2211')
    await brand.getByRole('button', { name: 'Test and save' }).click()
    await page.getByRole('button', { name: /Name and colours.*Done/ }).waitFor()
    await brand.getByRole('button', { name: 'Continue' }).click()

    const team = step('Team')
    await page.getByRole('button', { name: /^Team/ }).click()
    await team.getByRole('button', { name: 'Add member' }).click()
    await team.getByLabel('Email').fill('not-an-address')
    await team.getByLabel('First name').fill('Leela')
    await team.getByLabel('Last name').fill('Das')
    await team.getByLabel('Agent ID at the provider').fill(account.agents[0]?.id ?? '')
    await team.getByLabel('Password at the provider').fill(account.agents[0]?.password ?? '')
    await team.getByRole('button', { name: 'Create member' }).click()
    await team
      .locator('.ui-field', { has: page.getByLabel('Email') })
      .getByText(/must be/)
      .waitFor()
    await team.getByLabel('Email').fill('leela@demo.example')
    await team.getByRole('button', { name: 'Create member' }).click()
    await team.getByRole('button', { name: 'Copy: Temporary password' }).waitFor()
    const password = await team.locator('.ui-copy', { hasText: 'Temporary password' }).locator('code').innerText()
    await opened.expectAccessible()
    await opened.screenshot('setup-team')
    await team.getByRole('button', { name: 'Done', exact: true }).click()
    await team.getByRole('button', { name: 'Continue' }).click()

    // The provider: nothing, then a wrong key, then the right one.
    const telephony = step('Telephony')
    await telephony.getByRole('button', { name: /Provider/ }).click()
    await page.getByRole('option', { name: 'Ozonetel' }).click()
    await telephony.getByRole('button', { name: 'Test and save' }).click()
    await telephony.getByRole('alert').getByText('Fill in this field').first().waitFor()
    await telephony.getByLabel('API address').fill(standIns.telephony.url)
    await telephony.getByLabel('Address for events').fill(standIns.telephony.url)
    await telephony.getByLabel('Account').fill(account.userName)
    await telephony.locator('[data-field="provider.apiKey"] input').fill('wrong-key')
    await telephony.getByLabel('Phone number').fill(account.campaigns[0].did)
    await telephony.getByLabel('Campaign').fill(account.campaigns[0].name)
    await telephony.getByLabel('SIP server').fill('sip.sandbox.example')
    await telephony.getByRole('button', { name: 'Test and save' }).click()
    await telephony.getByRole('status', { name: 'The test failed' }).getByText('What to do: Compare account, key').waitFor()
    await opened.expectAccessible()
    await opened.screenshot('setup-wrong-key')
    await telephony.locator('[data-field="provider.apiKey"] input').fill(account.apiKey)
    await telephony.getByRole('button', { name: 'Test and save' }).click()
    await telephony.getByRole('status', { name: 'The test failed' }).getByText('CONSOLE_SIP_SERVERS does not name this address').waitFor()
    await telephony.getByLabel('SIP server').fill(sipDomain)
    await telephony.getByRole('button', { name: 'Test and save' }).click()
    await telephony.getByRole('status', { name: 'The test passed' }).getByText('could not be checked').waitFor()
    // The sandbox has made one already: its provider would lose it.
    await telephony.getByRole('button', { name: 'Make a new address' }).click()
    await page.getByRole('alertdialog', { name: 'Replace the address?' }).getByRole('button', { name: 'Make a new address' }).click()
    expect(await telephony.locator('.ui-copy code').innerText()).toContain(`${stage.app.url}/hooks/`)
    await opened.screenshot('setup-telephony')
    await telephony.getByRole('button', { name: 'Continue' }).click()

    const ai = step('AI')
    await ai.getByLabel('Model').fill('no-such-model')
    await ai.getByRole('button', { name: 'Test and save' }).click()
    await ai.getByRole('status', { name: 'The test failed' }).waitFor()
    await ai.getByLabel('Model').fill('sandbox-model')
    await ai.getByRole('button', { name: 'Test and save' }).click()
    await ai.getByRole('status', { name: 'The test passed' }).waitFor()
    await ai.getByRole('button', { name: 'Continue' }).click()

    const widget = step('Chat widget')
    await widget.getByRole('button', { name: 'We do not need this' }).click()
    await page.getByRole('button', { name: /Chat widget.*Not needed/ }).click()
    await page.getByRole('region', { name: 'Everything is ready' }).waitFor()
    await opened.expectAccessible()
    await widget.getByRole('switch', { name: 'On' }).press('Space')
    await widget.getByRole('button', { name: 'Test and save' }).click()
    await widget.getByRole('status', { name: 'The test passed' }).waitFor()
    await widget.getByLabel('Address of the page').fill('https://www.sunrise.example')
    await widget.getByRole('button', { name: 'Make a key' }).click()
    await widget.getByText('data-widget-key=').waitFor()
    await widget.getByRole('button', { name: 'Continue' }).click()

    const ready = page.getByRole('region', { name: 'Everything is ready' })
    await ready.getByText('+91 80698 76501').waitFor()
    await opened.expectAccessible()
    await opened.screenshot('setup-ready')
    // The agent signs in with the password that was shown, and the phone rings.
    const agent = await stage.app.rest('POST', '/auth/login', { body: { email: 'leela@demo.example', password, workspace: 'demo' } })
    expect(agent.status).toBe(200)
    await ready.getByText('Signed in now: Leela Das').waitFor()
    standIns.telephony.ring({ from: '+919814012345' })
    await ready.getByText('It rings: +91 98140 12345').waitFor()
    await opened.screenshot('setup-first-call')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    // The new size is laid out a moment later.
    await waitFor(async () => (await page.evaluate('document.documentElement.scrollWidth <= innerWidth')) === true)
    await opened.expectAccessible()
    await opened.screenshot('setup-phone-dark')
    const html = await page.content()
    expect([account.apiKey, standIns.platform.apiKeyOf('demo')].filter((secret) => html.includes(secret))).toEqual([])
  })

  test('shows what somebody else saved meanwhile, and goes on with both', async () => {
    const { token } = await stage.app.signIn('manager@demo.example')
    const theme = async (): Promise<unknown> => (await stage.app.rest('GET', '/api/config/theme', { token })).body
    const put = (body: unknown) => stage.app.rest('PUT', '/api/config/theme', { token, body })
    await put({ brand: { hospitalName: 'First Hospital', logoUrl: null }, colors: { primary: '#1456c4' } })
    await using opened = await stage.open({ path: '/administration/setup', as: 'manager' })
    const { page } = opened
    await page.getByRole('button', { name: /Name and colours/ }).click()
    const brand = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /Name and colours/, expanded: true }) })
    const name = brand.getByLabel("Hospital's name")
    await name.fill('Second Hospital')
    await put({ brand: { hospitalName: 'Third Hospital' }, colors: { primary: '#aa2211' } })
    await brand.getByRole('button', { name: 'Test and save' }).click()
    await brand.getByRole('alert').filter({ hasText: 'Somebody else changed this section' }).waitFor()
    await opened.expectAccessible()
    await opened.screenshot('setup-conflict')
    await brand.getByRole('radio', { name: 'Yours' }).click()
    await brand.getByRole('button', { name: 'Go on with this' }).click()
    await expect.poll(() => name.inputValue()).toBe('Second Hospital')
    await expect.poll(() => brand.getByLabel('Main colour', { exact: true }).inputValue()).toBe('#aa2211')
    // And once more, for a person who takes what the other one saved.
    await put({ brand: { hospitalName: 'Fourth Hospital' } })
    await brand.getByRole('button', { name: 'Test and save' }).click()
    await brand.getByRole('button', { name: 'Discard yours' }).click()
    await expect.poll(() => name.inputValue()).toBe('Fourth Hospital')
    await name.fill('Fifth Hospital')
    await brand.getByRole('button', { name: 'Test and save' }).click()
    await brand.getByRole('status', { name: 'The test passed' }).waitFor()
    await page.getByRole('navigation', { name: 'Areas' }).getByText('Fifth Hospital').waitFor()
    expect(await theme()).toMatchObject({ brand: { hospitalName: 'Fifth Hospital' }, colors: { primary: '#aa2211' } })
  })
})
