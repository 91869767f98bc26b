import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import { type ConsoleStage, openConsoleStage, refuse } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary, { environment: choicesOfAccount('demo') })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe.skipIf(chromium === null)('the agent desk', () => {
  test('books a visit for the caller, and lists the call afterwards', async () => {
    const { telephony } = stage.app.standIns
    await using opened = await stage.open({ path: '/desk', as: 'agent2' })
    const { page } = opened
    const { ucid } = telephony.ring({ from: '+919814012345', agentId: 'agent2' })
    telephony.answer({ ucid })
    await page.getByRole('textbox', { name: 'Notes' }).fill('Prefers mornings')
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Book a visit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Book a visit for Harpreet Kaur' })
    const times = dialog.getByRole('button', { name: /Dr\. / })
    await times.first().waitFor()
    await opened.expectAccessible()
    await opened.screenshot('desk-booking')
    // Somebody is faster.
    await page.route('**/graphql', (route) => {
      if (!route.request().postData()?.includes('bookVisit')) return route.continue()
      return refuse(route, { code: 'CONFLICT', reason: 'SLOT_TAKEN' })
    })
    await times.first().click()
    await dialog.getByRole('button', { name: 'Book this time' }).click()
    await page.getByText('Somebody else has just taken this time').waitFor()
    await page.unroute('**/graphql')
    await times.first().click()
    await dialog.getByRole('button', { name: 'Book this time' }).click()
    const booked = page.getByText('The visit is booked: ')
    await booked.waitFor()
    const bookedAt = (await booked.innerText()).replace('The visit is booked: ', '')
    await page.getByText('No visit booked').waitFor({ state: 'detached' })
    // As the clinic reads it, wherever the agent is.
    const visit = page.getByRole('region', { name: 'Next visit' }).locator('time')
    expect(await visit.innerText()).toBe(bookedAt)
    // It stays until it is closed, and would cover the buttons of the outcome.
    await page.getByRole('alertdialog').filter({ hasText: 'Somebody else' }).getByRole('button', { name: 'Dismiss' }).click()
    telephony.hangUp({ ucid })
    // The buttons move when the wrap-up begins.
    await page.getByRole('heading', { name: 'Wrap-up' }).waitFor()
    await page.getByRole('button', { name: 'Appointment Booked' }).click()
    await page.getByRole('button', { name: 'Save and be ready' }).click()
    await page.getByText('You are ready').waitFor()
    // The list is open before the platform has the record.
    await page.getByRole('link', { name: 'Recent calls' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Prefers mornings' })
    await row.getByText('Appointment Booked').waitFor()
    await row.getByText('Harpreet Kaur').waitFor()
    await opened.expectAccessible()
    await opened.screenshot('desk-recent')
    await page.getByRole('button', { name: /In and out/ }).click()
    await page.getByRole('option', { name: 'Outgoing' }).click()
    await row.waitFor({ state: 'detached' })
  })
})
