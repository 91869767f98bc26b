import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import { type ConsoleStage, openConsoleStage, refuse } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary, { environment: choicesOfAccount('demo') })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe.skipIf(chromium === null)('the agent desk', () => {
  test('has the notes on another device', async () => {
    const { telephony } = stage.app.standIns
    await using first = await stage.open({ path: '/desk', as: 'agent1' })
    const { ucid } = telephony.ring({ from: '+919814012345', agentId: 'agent1' })
    telephony.answer({ ucid })
    await first.page.getByRole('textbox', { name: 'Notes' }).fill('Prefers mornings')
    await first.page.getByText('Saved', { exact: true }).waitFor()
    // What is chosen, and not sent, is there too.
    const saved = first.page.waitForResponse((response) => /saveCallNotes[^]*"20\d\d-\d\d-\d\dT/v.test(response.request().postData() ?? ''))
    await first.page.getByRole('button', { name: 'Call Back Later' }).click()
    await first.page.getByRole('button', { name: /^No callback/ }).click()
    await first.page.getByRole('option', { name: 'Tomorrow at 10' }).click()
    await saved
    const moment = await first.page.getByLabel('When').inputValue()
    await using opened = await stage.open({ path: '/desk' })
    const { page } = opened
    await opened.signIn('agent1')
    // What the first device wrote cannot be read at first: nothing overwrites it, and what is typed here is not lost.
    await page.route('**/graphql', (route) => (route.request().postData()?.includes('callLookup') ? refuse(route) : route.continue()))
    await page.getByRole('button', { name: 'Continue here' }).click()
    const notes = page.getByRole('textbox', { name: 'Notes' })
    await notes.fill('Has a car')
    await page.getByText('Not saved yet: only this browser has it.').waitFor()
    await page.unroute('**/graphql')
    await waitFor(async () => (await notes.inputValue()) === 'Prefers mornings\nHas a car')
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await notes.inputValue()).toBe('Prefers mornings\nHas a car')
    await page.getByRole('button', { name: 'Call Back Later', pressed: true }).waitFor()
    expect(await page.getByLabel('When').inputValue()).toBe(moment)
  })

  test('goes on with a call while the platform is away, also after a reload', async () => {
    const { platform, telephony } = stage.app.standIns
    await using opened = await stage.open({ path: '/desk', as: 'agent2' })
    const { page } = opened
    const { ucid } = telephony.ring({ from: '+919814012345', agentId: 'agent2' })
    telephony.answer({ ucid })
    const notes = page.getByRole('textbox', { name: 'Notes' })
    await notes.fill('Before')
    await page.getByText('Saved', { exact: true }).waitFor()
    const lead = page.getByRole('heading', { level: 2 }).first()
    const name = await lead.textContent()
    platform.fault({ act: 'cut' })
    stage.clock.advance(60_000)
    await page.reload()
    await page.getByText('Could not be read: all that the CRM has about the caller').waitFor()
    expect(await page.getByText(/^(?:No visit booked|Nothing to do|No calls before this one)$/v).count()).toBe(0)
    expect(await notes.inputValue()).toBe('Before')
    await notes.fill('Before and meanwhile')
    await page.getByText('Saved', { exact: true }).waitFor()
    await opened.screenshot('desk-without-platform')
    telephony.hangUp({ ucid })
    await page.getByRole('heading', { name: 'Wrap-up' }).waitFor()
    platform.clearFaults()
    await page.getByText('Could not be read').waitFor({ state: 'detached' })
    expect(await lead.textContent()).toBe(name)
    expect(await notes.inputValue()).toBe('Before and meanwhile')
  })
})
