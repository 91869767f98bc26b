import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsolePage, type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { type MarkedPage, markup, serveMarkup, withMarkup } from '../harness/markup.ts'
import { fill, screensWithoutMarkup, visit } from '../harness/markup-screens.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
let callId: string
beforeAll(async () => {
  if (!chromium) return
  stage = await openConsoleStage(chromium.binary, { withDemo: true })
  callId = await fill(stage, await stage.app.signIn('manager@demo.example'))
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe.skipIf(chromium === null)('markup in every text', () => {
  test('is shown as it is on every screen of supervision and of recordings: no script runs, no element comes of it', async () => {
    const screens = [
      '/supervisor',
      '/supervisor/history',
      '/supervisor/days',
      '/supervisor/alerts',
      '/recordings',
      `/recordings/${callId}`,
      '/recordings/scorecards',
    ]
    expect(await screensWithoutMarkup(stage, screens)).toEqual([])
  })

  test('is shown as it is on the desk: during a call, afterwards, and in the lists', async () => {
    await using opened = await stage.open({ path: '/desk', as: 'agent1' })
    const { page } = opened
    const marked = await serveMarkup(page)
    await page.reload()
    await page.getByText('Phone ready').waitFor()
    await page.getByRole('button', { name: 'Become ready' }).click()
    await page.getByText('You are ready').waitFor()
    const { ucid } = stage.app.standIns.telephony.ring({ from: '+919814012345', agentId: 'agent1' })
    await showsMarkup(opened, marked, 'ringing')
    await page.getByRole('button', { name: 'Answer' }).click()
    await page.getByRole('list', { name: 'Last calls' }).waitFor()
    await showsMarkup(opened, marked, 'connected')
    stage.app.standIns.telephony.hangUp({ ucid })
    await page.getByRole('textbox', { name: 'Notes' }).fill(markup)
    await showsMarkup(opened, marked, 'wrap-up')
    for (const path of ['/desk/callbacks', '/desk/recent']) {
      await visit(stage, opened, path)
      expect({ path, achieved: await marked.achieved() }).toEqual({ path, achieved: [] })
    }
  })

  test('changes texts for people and nothing else', () => {
    const value = { id: 'a', name: 'Asha', at: '2026-11-26T10:00:00Z', status: 'MISSED', list: ['Two words', 'one'], logoUrl: 'https://x' }
    const marked = { name: `Asha${markup}`, list: [`Two words${markup}`, 'one'], logoUrl: 'javascript:__ran(7)' }
    expect(withMarkup(value)).toEqual({ ...value, ...marked })
  })
})

async function showsMarkup({ page }: ConsolePage, marked: MarkedPage, state: string): Promise<void> {
  await waitFor(() => page.evaluate(`document.body.innerText.includes('onerror=')`), { what: state })
  expect({ state, achieved: await marked.achieved() }).toEqual({ state, achieved: [] })
}
