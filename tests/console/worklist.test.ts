import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'

const chromium = inject('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

test.skipIf(chromium === null)('callbacks appear by themselves, are claimed by one agent, given back and finished', async () => {
  await using asha = await stage.open({ path: '/desk/callbacks', as: 'agent1' })
  await using ravi = await stage.open({ path: '/desk/callbacks', as: 'agent2' })
  await asha.page.getByText('Nobody waits for a call').waitFor()
  await asha.expectAccessible()
  stage.app.standIns.telephony.missCall({ from: '+919811100001' })
  stage.clock.advance(60_000)
  const [own, others] = [asha, ravi].map(({ page }) => page.getByRole('row').filter({ hasText: '+91 98111 00001' }))
  if (!own || !others) throw new Error('no rows')
  await own.getByText('Missed call').waitFor()
  await own.getByRole('button', { name: 'Claim' }).click()
  await own.getByText(/^You, until/).waitFor()
  await others.getByText(/^Asha Menon, until/).waitFor()
  expect(await others.getByRole('button').count()).toBe(0)
  await asha.expectAccessible()
  await asha.screenshot('callbacks')
  await own.getByRole('button', { name: 'Give back' }).click()
  await others.getByRole('button', { name: 'Claim' }).click()
  await own.getByText(/^Ravi Kumar, until/).waitFor()
  await others.getByRole('button', { name: 'Done' }).click()
  const dialog = ravi.page.getByRole('dialog', { name: 'How did it end?' })
  await dialog.waitFor()
  await ravi.expectAccessible()
  await ravi.screenshot('callback-end')
  await dialog.getByRole('button', { name: 'Wrong number' }).click()
  await asha.page.getByText('Nobody waits for a call').waitFor()
})
