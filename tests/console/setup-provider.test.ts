import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { invalidInput } from '../../src/kernel/errors.ts'
import { registerProvider, telephonyProviders } from '../../src/providers/telephony/registry.ts'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { createFakeTelephony } from '../harness/fake-telephony.ts'
import { realServer } from '../harness/real-server.ts'

/** A provider that nothing in the service or the console knows. */
const invented = registerProvider({
  id: 'inventel',
  title: 'Inventel Contact Center',
  name: 'Inventel',
  settings: z.object({
    region: z.enum(['NORTH', 'SOUTH']).default('NORTH').meta({ destination: true }).describe('Where the account is'),
    accessKey: z.string().min(1).meta({ secret: true }).describe('The key of the account'),
  }),
  createTelephony: ({ accessKey }) =>
    createFakeTelephony({
      async missedCalls() {
        if (accessKey !== 'right-key') throw invalidInput('accessKey', 'is not a key of this account')
        return []
      },
    }),
  createWebhooks: () => ({ read: () => [] }),
})

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (!chromium) return
  stage = await openConsoleStage(chromium.binary, { telephonyProviders: [...telephonyProviders, invented] })
  const { token } = await stage.app.signIn('manager@demo.example')
  const body = { provider: null, outbound: null, did: null, campaignName: null }
  await stage.app.rest('PUT', '/api/config/telephony', { token, body })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe.skipIf(chromium === null)('a third telephony provider', () => {
  test('is set up like the others, and its webhooks are in the log', { timeout: 120_000 }, async () => {
    await using opened = await stage.open({ path: '/administration/setup', as: 'manager' })
    const { page } = opened
    const telephony = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Telephony', expanded: true }) })
    await page.getByRole('button', { name: /^\S*\s*Telephony/ }).click()
    await telephony.getByRole('button', { name: /Provider/ }).click()
    await page.getByRole('option', { name: 'Inventel Contact Center' }).click()
    await telephony.getByLabel('Region').waitFor()
    await telephony.locator('[data-field="provider.accessKey"] input').fill('wrong-key')
    await telephony.getByRole('button', { name: 'Test and save' }).click()
    await telephony.getByRole('status', { name: 'The test failed' }).waitFor()
    await telephony.locator('[data-field="provider.accessKey"] input').fill('right-key')
    await telephony.getByRole('button', { name: 'Test and save' }).click()
    await telephony.getByRole('status', { name: 'The test passed' }).waitFor()
    await telephony.getByRole('button', { name: 'Make the address' }).click()
    const address = await telephony.locator('.ui-copy code').innerText()
    expect(address).toContain('/hooks/telephony/inventel/')
    await opened.expectAccessible()
    await opened.screenshot('setup-third-provider')

    await fetch(address, { method: 'POST', body: 'event=ring' })
    await page.getByRole('link', { name: 'Webhooks' }).click()
    const addresses = page.getByRole('region', { name: 'Webhook addresses' })
    await addresses.getByText('Inventel', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Inventel', exact: true }).waitFor()
    await opened.expectAccessible()
  })
})
