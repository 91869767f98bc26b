import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type ConsoleStage, openConsoleStage, refuse } from '../harness/console.ts'

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
  // A failure is said, and does no harm.
  await asha.page.context().setOffline(true)
  await own.getByRole('button', { name: 'Claim' }).click()
  const failure = asha.page.getByRole('alertdialog').filter({ hasText: 'The service cannot be reached' })
  await failure.waitFor()
  await asha.expectAccessible()
  await asha.screenshot('failure')
  await asha.page.context().setOffline(false)
  await failure.getByRole('button', { name: 'Dismiss' }).click()
  await asha.page.getByText('Connection lost').waitFor({ state: 'detached' })
  await own.getByRole('button', { name: 'Claim' }).click()
  await own.getByText(/^You, until/).waitFor()
  await others.getByText(/^Asha Menon, until/).waitFor()
  expect(await others.getByRole('button', { name: /Claim|Done/ }).count()).toBe(0)
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

test.skipIf(chromium === null)(
  'people have their names before their numbers, and the numbers alone while the names cannot be read',
  async () => {
    const { telephony } = stage.app.standIns
    await using opened = await stage.open({ as: 'agent3' })
    const { page } = opened
    await page.route('**/graphql', (route) => (route.request().postData()?.includes('LeadNames') ? refuse(route) : route.continue()))
    await page.getByRole('link', { name: 'Callbacks' }).click()
    telephony.missCall({ from: '+919814012345' })
    stage.clock.advance(60_000)
    const row = page.getByRole('row').filter({ hasText: '+91 98140 12345' })
    await row.getByText('Missed call').waitFor()
    expect(await row.getByText('Harpreet Kaur').count()).toBe(0)
    await page.unroute('**/graphql')
    // The next change of the list asks again, for all who have no name yet.
    telephony.missCall({ from: '+919876543210' })
    stage.clock.advance(60_000)
    await row.getByText('Harpreet Kaur').waitFor()
    await page.getByRole('row').filter({ hasText: 'Ananya Sharma' }).getByRole('button', { name: 'Call +91 98765 43210' }).waitFor()
    await opened.expectAccessible()
    await opened.screenshot('callbacks-names')
    await page.setViewportSize({ width: 390, height: 800 })
    await opened.expectAccessible()
    await opened.screenshot('callbacks-names-phone')
  },
)
