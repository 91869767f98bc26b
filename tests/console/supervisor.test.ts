import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (!chromium) return
  // All tests follow one day of the clinic.
  stage = await openConsoleStage(chromium.binary, { environment: choicesOfAccount('demo'), startsAt: '2025-01-15T09:00:00.000Z' })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const [dayMs, clinicAheadMs] = [86_400_000, 5.5 * 3_600_000]
const phoneWidth = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true } as const

describe.skipIf(chromium === null)('the supervisor', () => {
  test('sees what agents do as they do it, changes an agent’s state, and the agent reads why', async () => {
    const { telephony } = stage.app.standIns
    await using manager = await stage.open({ path: '/supervisor', as: 'manager' })
    const { page } = manager
    await page.getByText('No agent is signed in').waitFor()
    await manager.expectAccessible()
    await manager.screenshot('wallboard-empty')
    await using asha = await stage.open({ path: '/desk', as: 'agent1' })
    const row = rowOf(page, 'Asha Menon')
    await row.waitFor()
    await asha.page.getByRole('button', { name: 'Become ready' }).click()
    await row.getByText('Ready', { exact: true }).waitFor()
    // The time in the state goes on.
    await row
      .locator('time.numbers')
      .filter({ hasText: /^(?!0:0[01]$)\d+:\d\d$/ })
      .waitFor()
    const { ucid } = telephony.ring({ from: '+919814012345', agentId: 'agent1' })
    await page.getByRole('region', { name: 'Ringing now' }).getByText('rings at Asha Menon').waitFor()
    telephony.answer({ ucid })
    await row.getByText('On a call').waitFor()
    await row.getByText('+91 98140 12345').waitFor()
    await manager.expectAccessible()
    await manager.screenshot('wallboard')
    telephony.hangUp({ ucid })
    await row.getByText('Wrap-up').waitFor()
    await page.getByText(/^[1-9]\d* of \d+ within 20 s/).waitFor()
    await asha.page.getByRole('button', { name: 'Information Given' }).click()
    await asha.page.getByRole('button', { name: 'Save and be ready' }).click()
    await row.getByText('Ready', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Asha Menon' }).click()
    await page.getByRole('dialog', { name: 'Asha Menon' }).getByRole('button', { name: 'Change state' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change the state of Asha Menon' })
    await choose(dialog, 'New state', 'Not ready: Tea Break')
    await dialog.getByLabel('Message to Asha Menon').fill('Take your break now, please')
    await manager.expectAccessible()
    await manager.screenshot('wallboard-state')
    await dialog.getByRole('button', { name: 'Change state' }).click()
    await page.getByText('Asha Menon has the new state').waitFor()
    await row.getByText('Tea Break').waitFor()
    expect(telephony.agent({ agentId: 'agent1' })).toMatchObject({ status: 'pause', pauseReason: 'Tea Break' })
    const notice = asha.page.getByRole('status').filter({ hasText: 'made you not ready: Tea Break' })
    await notice.getByText('Take your break now, please').waitFor()
    await asha.page.getByRole('button', { name: /^Your state: Tea Break/ }).waitFor()
    await asha.expectAccessible()
    await asha.screenshot('agent-notice')
    await notice.getByRole('button', { name: 'Got it' }).click()
    await notice.waitFor({ state: 'detached' })
  })

  test('gives a missed caller to an agent, is alerted, and says that the alert was seen', async () => {
    const { telephony } = stage.app.standIns
    const { token } = await stage.app.signIn('manager@demo.example')
    expect((await stage.app.rest('PUT', '/api/config/alerts', { token, body: { waitingMissedCalls: 1 } })).status).toBe(200)
    await using manager = await stage.open({ path: '/supervisor', as: 'manager' })
    const { page } = manager
    await using ravi = await stage.open({ path: '/desk', as: 'agent2' })
    await rowOf(page, 'Ravi Kumar').waitFor()
    telephony.missCall({ from: '+919811100001' })
    stage.clock.advance(60_000)
    const missed = page.getByRole('region', { name: 'Missed calls' }).getByRole('listitem').filter({ hasText: '+91 98111 00001' })
    await missed.getByText('Nobody has it yet').waitFor()
    await missed.getByRole('button', { name: 'Assign' }).click()
    const dialog = page.getByRole('dialog', { name: 'Who should call back?' })
    await choose(dialog, 'Agent', /^Ravi Kumar/)
    await dialog.getByLabel('Message to Ravi Kumar').fill('She asked for you')
    await manager.expectAccessible()
    await manager.screenshot('wallboard-assign')
    await dialog.getByRole('button', { name: 'Assign' }).click()
    await missed.getByText('for Ravi Kumar').waitFor()
    const notice = ravi.page.getByRole('status').filter({ hasText: 'gave you a person to call back' })
    await notice.getByText('She asked for you').waitFor()
    await notice.getByRole('link', { name: 'Open callbacks' }).click()
    await ravi.page.getByText('For Ravi Kumar').waitFor()
    const alert = page.getByRole('status', { name: 'Active alerts' })
    await alert.getByText('1 missed call waits for a callback').waitFor()
    await manager.expectAccessible()
    await manager.screenshot('wallboard-alert')
    await alert.getByRole('button', { name: 'I have seen it' }).click()
    await alert.getByText(/^Seen by /).waitFor()
    await page.getByRole('link', { name: 'Alerts', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor()
    await page.getByRole('row').filter({ hasText: 'missed call waits' }).getByText('Active', { exact: true }).waitFor()
    await manager.expectAccessible()
    await manager.screenshot('alerts')
  })

  test('ends a session after saying why, and the agent is signed out', async () => {
    await using manager = await stage.open({ path: '/supervisor', as: 'manager' })
    const { page } = manager
    await using farah = await stage.open({ path: '/desk', as: 'agent3' })
    await rowOf(page, 'Farah Khan').getByRole('button', { name: 'Farah Khan' }).click()
    await page.getByRole('button', { name: 'End session' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'End the session of Farah Khan?' })
    expect(await dialog.getByRole('button', { name: 'End session' }).isEnabled()).toBe(false)
    await dialog.getByLabel('Message to Farah Khan').fill('Your shift is over')
    await manager.expectAccessible()
    await dialog.getByRole('button', { name: 'End session' }).click()
    await page.getByText('The session of Farah Khan has ended').waitFor()
    await rowOf(page, 'Farah Khan').waitFor({ state: 'detached' })
    await farah.page.getByText('A manager ended your session, or you signed out in another tab').waitFor()
  })

  test('reads figures of past days as charts and tables, the calls by pages, and gets them as a file', async () => {
    const { token } = await stage.app.signIn('manager@demo.example')
    const total = `{ history(from: "${today()}", to: "${today()}", groupBy: TOTAL) { rows { calls missed } } }`
    await waitFor(async () => JSON.stringify((await stage.app.graphql(total, { token })).data).includes('"missed":1'), {
      deadlineMs: 60_000,
    })
    await using manager = await stage.open({ path: '/supervisor/history', as: 'manager' })
    const { page } = manager
    const figures = page.getByRole('region', { name: 'Figures' })
    await figures.getByText('Service level, 20 s').waitFor()
    await page.getByRole('img', { name: /^Calls: chart from/ }).waitFor()
    await manager.expectAccessible()
    await manager.screenshot('history')
    const volume = page.getByRole('region', { name: 'Calls' })
    await volume.getByRole('radio', { name: 'Table' }).click()
    await expect.poll(() => volume.getByRole('row').count()).toBe(8)
    await choose(page, 'By', 'Agent')
    const agents = page.getByRole('table', { name: 'All figures' })
    await agents.getByRole('link', { name: 'Asha Menon' }).waitFor()
    expect(page.url()).toContain('by=AGENT')
    // Nothing is left of the rows of the days.
    expect(await agents.getByRole('row').count()).toBe(Number(await agents.getAttribute('aria-rowcount')))
    await manager.expectAccessible()
    await page.getByRole('radio', { name: 'Calls' }).click()
    await choose(page, 'Direction', 'Inbound')
    await page.getByRole('row').filter({ hasText: '+91 98140 12345' }).first().waitFor()
    await manager.expectAccessible()
    await manager.screenshot('history-calls')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const file = readFileSync(await (await downloading).path(), 'utf8')
    expect(file).toMatch(/^\uFEFFstartedAt,/)
    expect(file).toContain('+919814012345')
    const recorded = page.getByRole('row').filter({ hasText: '+91 98140 12345' }).getByRole('link', { name: 'Open the recording' })
    await recorded.first().click()
    await page.waitForURL(/\/recordings\/[\da-f-]{36}$/)
    await page.getByRole('heading', { level: 1, name: 'Harpreet Kaur' }).waitFor()
  })

  test('sees an agent’s day: states and calls', async () => {
    await using manager = await stage.open({ path: '/supervisor/days', as: 'manager' })
    const { page } = manager
    await choose(page, 'Agent', 'Asha Menon')
    await page.getByRole('img', { name: /^States and calls from/ }).waitFor()
    await page.getByRole('table', { name: 'States' }).getByText('Tea Break').waitFor()
    await page.getByRole('table', { name: 'Calls' }).getByText('Inbound_Appointments').first().waitFor()
    await manager.expectAccessible()
    await manager.screenshot('day')
    expect(await page.getByRole('region', { name: 'Figures' }).getByRole('term').count()).toBe(6)
    await page.getByRole('button', { name: 'Day before' }).click()
    await page.getByText('Nothing is known of this day').waitFor()
    await manager.expectAccessible()
  })

  test('reads who calls and whom nobody answered, by the names that the platform has', async () => {
    const { telephony } = stage.app.standIns
    await using manager = await stage.open({ path: '/supervisor', as: 'manager' })
    const { page } = manager
    await stage.app.signIn('agent3@demo.example')
    await rowOf(page, 'Farah Khan').waitFor()
    const { ucid } = telephony.ring({ from: '+919814012345', agentId: 'agent3' })
    await page.getByRole('region', { name: 'Ringing now' }).getByText('Harpreet Kaur').waitFor()
    telephony.answer({ ucid })
    await rowOf(page, 'Farah Khan').getByText('Harpreet Kaur').waitFor()
    await rowOf(page, 'Farah Khan').getByText('+91 98140 12345').waitFor()
    telephony.missCall({ from: '+919848012345' })
    stage.clock.advance(60_000)
    const missed = page.getByRole('region', { name: 'Missed calls' }).getByRole('listitem').filter({ hasText: '+91 98480 12345' })
    await missed.getByText('Lakshmi Reddy').waitFor()
    await manager.expectAccessible()
    await manager.screenshot('wallboard-names')
    await missed.getByRole('button', { name: 'Assign' }).click()
    const dialog = page.getByRole('dialog', { name: 'Who should call back?' })
    await dialog.getByText('Lakshmi Reddy').waitFor()
    expect(await dialog.getByText('+91 98480 12345').count()).toBe(1)
    await choose(dialog, 'Agent', /^Farah Khan/)
    await dialog.getByRole('button', { name: 'Assign' }).click()
    await page.getByText('Lakshmi Reddy is for Farah Khan now').waitFor()
    await missed.getByText('for Farah Khan').waitFor()
    telephony.hangUp({ ucid })
  })

  test('goes on to the next day at the clinic’s midnight', async () => {
    await using manager = await stage.open({ path: '/supervisor/alerts', as: 'manager', hasClock: true })
    const { page } = manager
    const yesterday = clinicDay(stage.clock.now() - dayMs)
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('ClinicDay')) return route.continue()
      const answer = await (await route.fetch()).text()
      return route.fulfill({ body: answer.replaceAll(today(), yesterday), contentType: 'application/json' })
    })
    await page.getByRole('link', { name: 'Agent days' }).click()
    await page.getByRole('heading', { level: 1, name: 'Agent days' }).waitFor()
    const day = page.getByLabel('Day', { exact: true })
    await waitFor(async () => (await day.inputValue()) === yesterday)
    await page.unrouteAll({ behavior: 'wait' })
    await page.clock.fastForward(60_000)
    await waitFor(async () => (await day.inputValue()) === today())
    expect(await page.getByRole('button', { name: 'Day after' }).isDisabled()).toBe(true)
  })

  test.each(['/supervisor', '/supervisor/history', '/supervisor/history?view=calls', '/supervisor/days', '/supervisor/alerts'])(
    '%s works in Hindi, in the dark and at the width of a phone',
    async (path) => {
      await using manager = await stage.open({ path, as: 'manager', colorScheme: 'dark', ...phoneWidth })
      const { page } = manager
      await page.evaluate("localStorage.setItem('console-language', 'hi')")
      await page.reload()
      await page.locator('#content h1').waitFor()
      await page.getByRole('status', { name: 'लोड हो रहा है' }).waitFor({ state: 'detached' })
      await manager.expectAccessible()
      await manager.screenshot(`hindi${path.replaceAll(/\W/g, '-')}`)
      expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
    },
  )
})

function rowOf(page: Page, name: string): Locator {
  return page.getByRole('table', { name: 'Agents' }).getByRole('row').filter({ hasText: name })
}

/** The list of a select is outside of its dialog. */
async function choose(within: Page | Locator, label: string, option: string | RegExp): Promise<void> {
  await within.getByRole('button', { name: new RegExp(label) }).click()
  const page = 'page' in within && typeof within.page === 'function' ? within.page() : within
  await page.getByRole('option', { name: option, exact: typeof option === 'string' }).click()
}

function today(): string {
  return clinicDay(stage.clock.now())
}

function clinicDay(moment: number): string {
  return new Date(moment + clinicAheadMs).toISOString().slice(0, 10)
}
