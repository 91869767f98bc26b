import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { copied, permissions } from '../harness/clipboard.ts'
import { widerThanPhone } from '../harness/phone-in-hindi.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
const [agent] = telephonyAccounts.demo.freeAgents
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary, { withDemo: true })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe.skipIf(chromium === null)('the administration', () => {
  test('adds a member, who signs in with the temporary password; changes and removes them', async () => {
    await using opened = await stage.open({ path: '/administration/team', as: 'manager', permissions })
    const { page } = opened
    await page.getByRole('row').filter({ hasText: 'agent1@demo.example' }).waitFor()
    await opened.expectAccessible()
    await opened.screenshot('team')
    await page.getByRole('button', { name: 'Add member' }).click()
    await page.getByRole('button', { name: 'Create member' }).click()
    await page.getByText('Fill in this field').first().waitFor()
    await page.getByLabel('First name').fill('Meera')
    await page.getByLabel('Last name').fill('Iyer')
    await page.getByLabel('Email', { exact: true }).fill('agent1@demo.example')
    await opened.expectAccessible()
    await opened.screenshot('team-new')
    await page.getByRole('button', { name: 'Create member' }).click()
    await page.getByRole('alert').filter({ hasText: 'belongs to a member already' }).waitFor()
    await page.getByLabel('Email', { exact: true }).fill('meera@demo.example')
    await page.getByLabel('SIP extension').fill('3107')
    await page.getByRole('button', { name: 'Create member' }).click()
    const handout = page.getByRole('region', { name: 'Meera Iyer can sign in now' })
    await handout.getByRole('button', { name: 'Copy: Temporary password' }).click()
    await handout.getByText('Copied').waitFor()
    const password = String(await copied(opened))
    expect(password).toMatch(/^\S{12,}$/)
    await opened.expectAccessible()
    await opened.screenshot('team-password')
    await using theirs = await stage.open({ path: '/desk/callbacks' })
    await theirs.signIn('meera', { password })
    await theirs.page.getByRole('heading', { level: 1, name: 'Callbacks' }).waitFor()
    // Why no call can come, and the same after a reload, until a manager has entered what lacks.
    const noCalls = theirs.page.getByRole('alert').filter({ hasText: 'No calls can come' })
    await noCalls.getByText('The agent record has no provider agent id, password or SIP extension').waitFor()
    await theirs.expectAccessible()
    await theirs.screenshot('no-provider-agent')
    await theirs.page.reload()
    await noCalls.waitFor()
    await handout.getByRole('button', { name: 'Done' }).click()
    await page.getByLabel('Search by name or email').fill('meera')
    const row = page.getByRole('row').filter({ hasText: 'meera@demo.example' })
    await row.getByText('Ext. 3107').waitFor()
    await row.getByText('No agent ID at the provider').waitFor()
    await page.getByText('1 member', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Actions: Meera Iyer' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByRole('radio', { name: 'Manager' }).click()
    await page.getByLabel('Campaign').fill('Cardiology')
    await page.getByLabel('Agent ID at the provider').fill(agent?.id ?? '')
    await page.getByLabel('Password at the provider').fill(agent?.password ?? '')
    await page.getByLabel('SIP extension').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This can be changed, but not removed').waitFor()
    await opened.expectAccessible()
    await page.getByLabel('SIP extension').fill('3107')
    await page.getByRole('button', { name: 'Save' }).click()
    await row.getByText('Cardiology').waitFor()
    await row.getByText('Manager').first().waitFor()
    await noCalls.getByRole('button', { name: 'Try again now' }).click()
    await noCalls.waitFor({ state: 'detached' })
    await row.getByRole('button', { name: 'Actions: Meera Iyer' }).click()
    await page.getByRole('menuitem', { name: 'Remove from the team' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove from the team' }).click()
    await page.getByText('Nobody has this name').waitFor()
    await theirs.page.getByLabel('Password').waitFor()
  })

  test('makes a widget key that works on its pages, and shows the widget', async () => {
    await using opened = await stage.open({ path: '/administration/widget', as: 'manager', permissions })
    const { page } = opened
    await page.getByText('No site has the widget yet').waitFor()
    await opened.expectAccessible()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Addresses of the pages').fill('https://www.hospital.example/visit')
    await page.locator('form').getByRole('button', { name: 'Create key' }).click()
    await page.getByText('must be an origin such as').waitFor()
    await page.getByLabel('Addresses of the pages').fill('https://www.hospital.example')
    await page.locator('form').getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'Copy: Tag' }).click()
    await page.getByText('Copied').waitFor()
    const key = /data-widget-key="([^"]+)"/.exec(String(await copied(opened)))?.[1] ?? ''
    await opened.expectAccessible()
    const headers = { 'x-widget-key': key, origin: 'https://www.hospital.example' }
    expect((await fetch(`${stage.app.url}/api/widget/config`, { headers })).status).toBe(200)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Show the preview' }).click()
    const preview = page.frameLocator('iframe')
    const launcher = preview.locator('call-center-widget .launcher')
    await launcher.waitFor()
    // The browser scrolls to nothing that is fixed in a frame.
    await page.evaluate("document.querySelector('iframe').scrollIntoView({ block: 'end' })")
    await launcher.click()
    await preview.getByRole('dialog').waitFor()
    await page.getByText('Preview in this console').waitFor()
    await opened.expectAccessible()
    await opened.screenshot('widget')
    await page
      .getByRole('button', { name: /^Actions: / })
      .last()
      .click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The key is deleted').waitFor()
    await waitFor(async () => (await fetch(`${stage.app.url}/api/widget/config`, { headers })).status === 401)
  })

  test('finds in the audit log what a person did, and what was done to somebody', async () => {
    const { app } = stage
    const { token } = await app.signIn('manager@demo.example')
    await app.signIn('agent2@demo.example')
    const { data } = await app.graphql('{ agentSessions { agentId agentName } }', { token })
    const agentId = /"agentId":"([^"]+)","agentName":"Ravi Kumar"/.exec(JSON.stringify(data))?.[1] ?? ''
    await app.rest('DELETE', `/api/sessions/${agentId}`, { token, body: { reason: 'The laptop broke' } })
    await app.rest('PUT', '/api/config/telephony', { token, body: { claimMinutes: 20 } })
    await using opened = await stage.open({ path: '/administration/audit', as: 'manager' })
    const { page } = opened
    const entry = page.getByRole('row').filter({ hasText: 'Ended a session' })
    await entry.getByText('The laptop broke').waitFor()
    await opened.expectAccessible()
    await opened.screenshot('audit')
    await entry.getByRole('button', { name: 'Only what was done to Ravi Kumar' }).click()
    await waitFor(async () => (await page.getByRole('row').count()) === 2)
    expect(await entry.count()).toBe(1)
    await page.getByRole('button', { name: 'Ravi Kumar: show others again' }).click()
    await page.getByRole('button', { name: /Everything/ }).click()
    await page.getByRole('option', { name: 'Widget keys' }).click()
    await page.getByRole('row').filter({ hasText: 'Created a widget key' }).first().waitFor()
    await entry.waitFor({ state: 'detached' })
    // Sections, fields and roles have the names that they have elsewhere.
    await page.getByRole('button', { name: 'Show all' }).click()
    const saved = page.getByRole('row').filter({ hasText: 'Saved the configuration' }).filter({ hasText: 'Minutes of a claim' })
    await saved.getByRole('button', { name: 'Only what was done to Telephony' }).waitFor()
    await page.getByLabel('To day').fill('2020-01-01')
    await page.getByText('No entry fits').waitFor()
    await opened.expectAccessible()
  })

  test('fits a phone, in Hindi and dark', async () => {
    expect(await widerThanPhone(stage, ['/administration/team', '/administration/widget', '/administration/audit'])).toEqual([])
  })
})
