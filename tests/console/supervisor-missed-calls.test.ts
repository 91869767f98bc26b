import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { widerThanPhone } from '../harness/phone-in-hindi.ts'
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
    telephony.missCall({ from: '5232' })
    const extension = page.getByRole('region', { name: 'Missed calls' }).getByRole('listitem').filter({ hasText: '5232' })
    await extension.getByRole('button', { name: 'Assign' }).waitFor()
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

  test.each(['/supervisor', '/supervisor/alerts'])('%s works in Hindi, in the dark and at the width of a phone', async (path) => {
    expect(await widerThanPhone(stage, [path])).toEqual([])
  })
})
