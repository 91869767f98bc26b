import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copied, permissions } from '../harness/clipboard.ts'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { widerThanPhone } from '../harness/phone-in-hindi.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'
import { createChance, playCall } from '../prove/calls/traffic.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary, { withDemo: true })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe.skipIf(chromium === null)('the administration', () => {
  test('shows a webhook that failed, with its reason, and replays it', async () => {
    await using opened = await stage.open({ path: '/administration/webhooks', as: 'manager', permissions })
    const { page } = opened
    await page.getByText('The provider sends live events').waitFor()
    await page.getByRole('button', { name: 'New address: Ozonetel' }).click()
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByRole('button', { name: 'Copy: Address' }).click()
    await page.getByRole('dialog').getByText('Copied').waitFor()
    await opened.expectAccessible()
    const address = String(await copied(opened))
    await page.getByRole('button', { name: 'Done' }).click()
    const { postings, expected } = playCall(1, createChance(2))
    const [report] = postings.slice(-1)
    if (!report) throw new Error('a call ends with a report')
    const post = async (): Promise<number> =>
      (await fetch(address, { method: 'POST', headers: { 'content-type': report.contentType }, body: report.body })).status
    const outbox = new DatabaseSync(join(stage.app.dataDir, 'outbox.sqlite'), { timeout: 10_000 })
    outbox.exec('BEGIN IMMEDIATE')
    expect(await post()).toBe(503)
    outbox.exec('ROLLBACK')
    outbox.close()
    await page.reload()
    const failed = page.getByRole('row').filter({ hasText: expected.ucid }).filter({ hasText: 'Failed' })
    await failed.getByText('The service could not store it').waitFor()
    await opened.expectAccessible()
    await opened.screenshot('webhooks')
    await failed.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('1 webhook was processed again').waitFor()
    await failed.getByText(/^Replayed /).waitFor()
    await page.getByRole('row').filter({ hasText: expected.ucid }).filter({ hasText: 'Accepted' }).waitFor()
    await waitFor(() => stage.app.standIns.platform.records('demo', 'call', { ucid: { eq: expected.ucid } })[0], { what: 'the record' })
    await page
      .getByRole('button', { name: `Only webhooks of call ${expected.ucid}` })
      .first()
      .click()
    await page.getByRole('button', { name: /All results/ }).click()
    await page.getByRole('option', { name: 'Refused' }).click()
    await page.getByText('No webhook fits').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await failed.waitFor()
  })

  test('fits a phone, in Hindi and dark', async () => {
    expect(await widerThanPhone(stage, ['/administration/webhooks'])).toEqual([])
  })
})
