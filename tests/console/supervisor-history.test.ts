import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import { type ConsolePage, type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { widerThanPhone } from '../harness/phone-in-hindi.ts'
import { realServer } from '../harness/real-server.ts'
import { choose } from '../harness/supervisor-screens.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (!chromium) return
  // All tests follow one day of the clinic.
  stage = await openConsoleStage(chromium.binary, { environment: choicesOfAccount('demo'), startsAt: '2025-01-15T09:00:00.000Z' })
  await playDay(stage)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const [dayMs, clinicAheadMs] = [86_400_000, 5.5 * 3_600_000]

describe.skipIf(chromium === null)('the supervisor', () => {
  test('reads figures of past days as charts and tables, the calls by pages, and gets them as a file', async () => {
    const { token } = await stage.app.signIn('manager@demo.example')
    const total = `{ history(from: "${today()}", to: "${today()}", groupBy: TOTAL) { rows { calls missed } } }`
    await waitFor(async () => JSON.stringify((await stage.app.graphql(total, { token })).data).includes('"missed":1'))
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
    await page.getByRole('searchbox', { name: 'Phone number' }).fill('098140 12345')
    await page.keyboard.press('Enter')
    await page.getByRole('row').filter({ hasText: '+91 98140 12345' }).first().waitFor()
    await manager.expectAccessible()
    await manager.screenshot('history-calls')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const file = readFileSync(await (await downloading).path(), 'utf8')
    expect(file).toMatch(/^\uFEFFstartedAt,/)
    const [, ...calls] = file.trim().split('\r\n')
    expect(calls.length).toBeGreaterThan(0)
    expect(calls.filter((call) => !call.includes('919814012345'))).toEqual([])
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

  test('sees why a call has no outcome, and gives it; its agent can too', async () => {
    const { telephony, platform } = stage.app.standIns
    const closedCall = async (from: string): Promise<string> => {
      const { ucid } = telephony.ring({ from, agentId: 'agent2' })
      telephony.answer({ ucid })
      telephony.hangUp({ ucid })
      stage.clock.advance(121_000)
      const isWritten = () => platform.records('demo', 'call', { ucid: { eq: ucid } })[0]?.['status'] === 'COMPLETED'
      await waitFor(() => telephony.call({ ucid }).disposition !== '' && isWritten(), { what: 'the call that the provider closed' })
      return ucid
    }
    const outcomeOf = (ucid: string) => platform.records('demo', 'call', { ucid: { eq: ucid } })[0]?.['disposition']
    const give = async ({ page }: ConsolePage, number: string): Promise<void> => {
      const row = page.getByRole('row').filter({ hasText: number })
      await row.getByText('The provider wrote: Wrap up time exceeded :120').waitFor()
      await row.getByRole('button', { name: 'Give outcome' }).click()
      const dialog = page.getByRole('dialog', { name: 'Outcome of the call' })
      expect(await dialog.getByRole('button', { name: 'Save outcome' }).isDisabled()).toBe(true)
      await dialog.getByRole('textbox', { name: 'Notes' }).fill('Asked for a visit')
      await dialog.getByRole('button', { name: 'Close' }).click()
      await row.getByRole('button', { name: 'Give outcome' }).click()
      expect(await dialog.getByRole('textbox', { name: 'Notes' }).inputValue()).toBe('Asked for a visit')
      await choose(dialog, 'Outcome', 'Complaint')
      await dialog.getByRole('button', { name: 'Save outcome' }).click()
      await row.getByText('Complaint').waitFor()
    }
    const [first, second] = [await closedCall('+919811199991'), await closedCall('+919811199992')]
    await using manager = await stage.open({ path: '/supervisor/history?view=calls', as: 'manager' })
    await manager.page.getByText('The provider wrote').first().waitFor()
    await manager.expectAccessible()
    await manager.screenshot('history-no-outcome')
    await give(manager, '+91 98111 99991')
    await using agent = await stage.open({ path: '/desk/recent', as: 'agent2' })
    await give(agent, '+91 98111 99992')
    await agent.expectAccessible()
    await waitFor(() => outcomeOf(first) === 'Complaint' && outcomeOf(second) === 'Complaint', { what: 'both outcomes in the CRM' })
    await agent.page.reload()
    await agent.page.getByRole('row').filter({ hasText: '+91 98111 99991' }).getByText('Complaint').waitFor()
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

  test.each(['/supervisor/history', '/supervisor/history?view=calls', '/supervisor/days'])(
    '%s works in Hindi, in the dark and at the width of a phone',
    async (path) => {
      expect(await widerThanPhone(stage, [path])).toEqual([])
    },
  )
})

/** Asha has a call and takes a break, and a caller is missed. */
async function playDay({ app, clock }: ConsoleStage): Promise<void> {
  const { telephony } = app.standIns
  const { token } = await app.signIn('agent1@demo.example')
  const become = async (state: unknown): Promise<void> => {
    expect(await app.rest('PUT', '/api/agents/me/state', { token, body: state })).toMatchObject({ status: 200 })
  }
  await become({ state: 'READY' })
  const { ucid } = telephony.ring({ from: '+919814012345', agentId: 'agent1' })
  telephony.answer({ ucid })
  telephony.hangUp({ ucid })
  const body = { disposition: 'Information Given' }
  expect(await app.rest('POST', `/api/calls/${ucid}/disposition`, { token, body })).toMatchObject({ status: 200 })
  // That ends the wrap-up. Of states of one moment the last one to be reported would count.
  await become({ state: 'READY' })
  clock.advance(1_000)
  await become({ state: 'NOT_READY', reason: 'Tea Break' })
  telephony.missCall({ from: '+919811100001' })
  clock.advance(60_000)
}

function today(): string {
  return clinicDay(stage.clock.now())
}

function clinicDay(moment: number): string {
  return new Date(moment + clinicAheadMs).toISOString().slice(0, 10)
}
