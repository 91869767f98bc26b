import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = inject('chromium')
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
