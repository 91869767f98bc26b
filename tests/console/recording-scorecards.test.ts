import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { TestSignIn } from '../harness/app.ts'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'
import { agentIdOf, recordedCalls, type SeededCall } from '../harness/recordings.ts'

const chromium = await realServer('chromium')
const criteria = [
  { key: 'thanks', name: 'Thanks', question: 'Thank the caller', weight: 3 },
  { key: 'name', name: 'Own name', question: 'Say your name', weight: 1 },
]
const judged = (verdict: string, evidence: readonly string[]) => ({ verdict, reason: `The model says ${verdict}`, evidence })
/** What the model says about the call. */
const answer = {
  speakers: [
    { speaker: 0, role: 'AGENT', evidence: ['u1'] },
    { speaker: 1, role: 'CUSTOMER', evidence: ['u2'] },
  ],
  summary: 'A call.',
  outcome: { code: 'OTHER', text: 'They talked.', evidence: ['u2'] },
  wentWell: [],
  toImprove: [],
  satisfaction: { score: 4, reason: 'Friendly', evidence: ['u2'] },
  compliance: { rule1: judged('MET', ['u1']), rule2: judged('BROKEN', ['u1']) },
}
let stage: ConsoleStage
let manager: TestSignIn
let call: SeededCall

beforeAll(async () => {
  if (!chromium) return
  stage = await openConsoleStage(chromium.binary)
  const { app } = stage
  manager = await app.signIn('manager@demo.example')
  const asha = await agentIdOf(app, manager.token, 'agent1@demo.example')
  const own = (await recordedCalls(app, manager.token)).find(({ agentId }) => agentId === asha)
  if (!own) throw new Error('the sandbox has such a call')
  call = own
  await app.rest('PUT', '/api/config/ai', { token: manager.token, body: { recordings: { complianceRules: criteria } } })
  app.standIns.models.answerNext(answer)
  await app.rest('POST', '/api/recordings/analyze', { token: manager.token, body: { callId: call.id } })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

test.skipIf(chromium === null)('a manager corrects a verdict, the agent reads it, and the figures and the file have it', async () => {
  await using opened = await stage.open({ path: `/recordings/${call.id}`, as: 'manager' })
  const { page } = opened
  const scorecard = page.getByRole('region', { name: 'Scorecard' })
  await scorecard.getByRole('group', { name: '75 of 100' }).waitFor()
  await scorecard.getByRole('button', { name: 'Correct: Own name' }).click()
  const dialog = page.getByRole('dialog', { name: 'Own name' })
  await dialog.getByText('The model says BROKEN').waitFor()
  await dialog.getByRole('radio', { name: 'Met', exact: true }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Say why.').waitFor()
  await opened.expectAccessible()
  await opened.screenshot('scorecard-correction')
  // Somebody else was faster: the page says so and shows it.
  const { body } = await stage.app.rest('GET', `/api/scorecards/${call.id}`, { token: manager.token })
  const { version } = z.object({ version: z.int() }).parse(body)
  await stage.app.rest('PUT', `/api/scorecards/${call.id}/corrections/thanks`, {
    token: manager.token,
    body: { verdict: 'MET', reason: 'She thanks at the start', version },
  })
  await dialog.getByRole('textbox', { name: 'Why' }).fill('She says it in the first sentence')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const refusal = page.getByRole('alertdialog').filter({ hasText: 'Somebody else changed this scorecard meanwhile' })
  await refusal.getByRole('button', { name: 'Dismiss' }).click()
  await scorecard.getByText('She thanks at the start').waitFor({ state: 'attached' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await scorecard.getByRole('group', { name: '100 of 100' }).waitFor()
  await scorecard.getByText('She says it in the first sentence').waitFor()
  await scorecard.getByText('The model: Broken').waitFor()
  await opened.expectAccessible()
  await opened.screenshot('scorecard')
  await scorecard.getByRole('button', { name: 'History' }).click()
  await page.getByText('Own name: Broken → Met').waitFor()
  await page.getByText('Thanks: Met, confirmed').waitFor()
  await opened.expectAccessible()
  await opened.screenshot('scorecard-history')
  await page.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('link', { name: 'Scorecards' }).click()
  await page.getByText('of 2 reviewed verdicts').waitFor()
  await page.getByText('50%').first().waitFor()
  await page.getByRole('row', { name: /Own name/ }).waitFor()
  await opened.expectAccessible()
  await opened.screenshot('scorecards')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toContain('She says it in the first sentence')

  await using asha = await stage.open({ path: `/recordings/${call.id}`, as: 'agent1' })
  const own = asha.page.getByRole('region', { name: 'Scorecard' })
  await own.getByText('She says it in the first sentence').waitFor()
  expect(await own.getByRole('button', { name: /Correct|History/ }).count()).toBe(0)
  await asha.page.getByRole('button', { name: 'Play', exact: true, disabled: false }).waitFor()
})

test.skipIf(chromium === null)('a correction is withdrawn', async () => {
  await using opened = await stage.open({ path: `/recordings/${call.id}`, as: 'manager' })
  const { page } = opened
  const scorecard = page.getByRole('region', { name: 'Scorecard' })
  await scorecard.getByRole('button', { name: 'Correct: Own name' }).click()
  await page.getByRole('dialog', { name: 'Own name' }).getByRole('button', { name: 'Withdraw the correction' }).click()
  await scorecard.getByRole('group', { name: '75 of 100' }).waitFor()
  expect(await scorecard.getByText('She says it in the first sentence').count()).toBe(0)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('radio', { name: 'Analysis' }).click()
  await opened.screenshot('scorecard-390')
})
