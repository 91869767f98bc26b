import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'
import { choose, rowOf } from '../harness/supervisor-screens.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (!chromium) return
  // All tests follow one day of the clinic.
  stage = await openConsoleStage(chromium.binary, { environment: choicesOfAccount('demo'), startsAt: '2025-01-15T09:00:00.000Z' })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

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
})
