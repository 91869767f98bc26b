import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = inject('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary, { environment: choicesOfAccount('demo') })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

test.skipIf(chromium === null)('an agent becomes ready and takes a break for a reason, by mouse and by keys', async () => {
  const { telephony } = stage.app.standIns
  await using opened = await stage.open({ path: '/desk', as: 'agent1' })
  const { page } = opened
  const control = page.getByRole('button', { name: /^Your state/ })
  await control.click()
  await opened.expectAccessible()
  await opened.screenshot('state-menu')
  await page.getByRole('menuitem', { name: 'Ready', exact: true }).click()
  await page.getByRole('button', { name: 'Your state: Ready. Change it' }).waitFor()
  expect(telephony.agent({ agentId: 'agent1' }).status).toBe('IDLE')
  await control.click()
  await page.getByRole('menuitem', { name: 'Tea Break' }).click()
  await page.getByRole('button', { name: 'Your state: Tea Break. Change it' }).waitFor()
  expect(telephony.agent({ agentId: 'agent1' })).toMatchObject({ status: 'pause', pauseReason: 'Tea Break' })
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('s')
  await page.keyboard.press('r')
  await page.getByRole('button', { name: 'Your state: Ready. Change it' }).waitFor()
  const { ucid } = telephony.ring({ from: '+919814012345', agentId: 'agent1' })
  await page.getByText('On a call', { exact: true }).waitFor()
  expect(await control.count()).toBe(0)
  await opened.expectAccessible()
  telephony.hangUp({ ucid })
  await waitFor(() => control.isVisible())
})
