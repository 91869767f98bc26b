import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary, { withDemo: true })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

/** What a person who tries the sandbox does first. */
describe.skipIf(chromium === null)('a call in the sandbox', () => {
  test('rings when the agent is ready and presses a button, and goes on until the agent hangs up', async () => {
    const { sip } = stage.app.standIns
    await using opened = await stage.open({ path: '/desk', as: 'agent1' })
    const { page } = opened
    const button = page.getByRole('button', { name: 'Let a customer call' })
    await page.getByText('Phone ready').waitFor()
    expect(await button.isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Become ready' }).click()
    await page.getByText('You are ready').waitFor()
    await opened.expectAccessible()
    await opened.screenshot('test-call')
    await button.click()
    await page.getByRole('heading', { level: 2, name: 'Harpreet Kaur' }).waitFor()
    await page.getByRole('button', { name: 'Decline' }).waitFor()
    // The bar has the buttons of a call that rings here.
    expect(await page.getByRole('button', { name: 'Hang up' }).count()).toBe(0)
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('a')
    await page.getByText('Connected').waitFor()
    const call = sip.calls.at(-1)
    await page.getByRole('button', { name: 'Keypad' }).click()
    await page.getByRole('button', { name: 'Send 5' }).click()
    await page.getByRole('button', { name: 'Send #' }).click()
    await page.getByLabel('Sent', { exact: true }).getByText('5#').waitFor()
    await waitFor(() => call?.tones.join('') === '5#')
    await page.getByRole('button', { name: 'Hang up' }).click()
    await page.getByRole('heading', { name: 'Wrap-up' }).waitFor()
    await page.getByRole('button', { name: /Asha Menon/ }).click()
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await keys.getByText('Outcome: Information Given').waitFor()
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('4')
    await page.getByRole('button', { name: 'Information Given', pressed: true }).waitFor()
    await page.keyboard.press('e')
    await button.waitFor()
  })

  test('reaches a member whom a manager has just added, with a free agent of the provider', async () => {
    const { app } = stage
    await using office = await stage.open({
      path: '/administration/team',
      as: 'manager',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const { page } = office
    await page.getByRole('button', { name: 'Add member' }).click()
    await page.getByLabel('First name').fill('Meera')
    await page.getByLabel('Last name').fill('Iyer')
    await page.getByLabel('Email', { exact: true }).fill('meera@demo.example')
    await page.getByLabel('Agent ID at the provider').fill('agent1')
    await page.getByRole('button', { name: 'Create member' }).click()
    await page.getByText('is the agent ID of Asha Menon').waitFor()
    await page.getByLabel('Agent ID at the provider').fill('')
    await page.getByRole('button', { name: 'agent4', exact: true }).click()
    await expect.poll(() => page.getByLabel('Agent ID at the provider').evaluate((field) => field === document.activeElement)).toBe(true)
    await office.expectAccessible()
    await office.screenshot('team-free-agent')
    await page.getByRole('button', { name: 'Create member' }).click()
    const handout = page.getByRole('region', { name: 'Meera Iyer can sign in now' })
    await handout.getByRole('button', { name: 'Copy: Temporary password' }).click()
    await handout.getByText('Copied').waitFor()
    const password = String(await page.evaluate('navigator.clipboard.readText()'))
    await handout.getByRole('button', { name: 'Add another' }).click()
    await page.getByRole('button', { name: 'agent5', exact: true }).waitFor()
    await page.getByRole('button', { name: 'agent4', exact: true }).waitFor({ state: 'detached' })
    await page.getByLabel('SIP extension').fill('3110')
    await page.getByRole('button', { name: 'agent5', exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Actions: Nandini Menon' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Remove from the team' }).count()).toBe(0)

    await using desk = await stage.open({ path: '/desk' })
    await desk.signIn('meera', { password })
    const notice = desk.page.getByText('You have a temporary password')
    await notice.waitFor()
    await desk.expectAccessible()
    await desk.screenshot('temporary-password')
    const link = desk.page.getByRole('link', { name: 'Open your profile in the CRM' })
    expect(await link.getAttribute('href')).toMatch(/^http:\/\/demo\..*\/settings\/profile$/)
    await desk.page.getByRole('button', { name: 'Later' }).click()
    await notice.waitFor({ state: 'detached' })
    await desk.page.getByText('Phone ready').waitFor()
    await desk.page.getByRole('button', { name: 'Become ready' }).click()
    await desk.page.getByRole('button', { name: 'Let a customer call' }).click()
    await desk.page.getByRole('button', { name: 'Answer' }).click()
    await desk.page.getByText('Connected').waitFor()
    expect(app.standIns.telephony.agent({ account: 'demo-account', agentId: 'agent4' }).status).toBe('incall')
  })

  test('does not ring at an agent who takes no calls, and takes no other input', async () => {
    const { app } = stage
    const ring = async (body: unknown): Promise<number> => (await app.rest('POST', '/console/demo/ring', { body })).status
    expect(await ring({ workspace: 'demo', providerAgentId: 'agent3' })).toBe(409)
    expect(await ring({ workspace: 'demo', providerAgentId: 'nobody' })).toBe(409)
    expect(await ring({ workspace: 'nowhere', providerAgentId: 'agent3' })).toBe(409)
    expect(await ring({ workspace: 'demo' })).toBe(400)
    expect((await app.rest('GET', '/console/demo/ring')).status).toBe(405)
  })
})
