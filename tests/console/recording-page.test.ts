import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestSignIn } from '../harness/app.ts'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'
import { analysed, callAt, place, rowsOf, secondsAt } from '../harness/recorded-calls.ts'
import { recordedCalls, type SeededCall } from '../harness/recordings.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
let manager: TestSignIn
let calls: readonly SeededCall[]
beforeAll(async () => {
  if (!chromium) return
  stage = await openConsoleStage(chromium.binary)
  manager = await stage.app.signIn('manager@demo.example')
  calls = await recordedCalls(stage.app, manager.token)
  for (const call of calls.slice(0, 2)) await analysed(stage.app, manager.token, call)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe.skipIf(chromium === null)('a recording', () => {
  test('plays by mouse and keys; the transcript follows the sound, and a sentence and a citation play it', async () => {
    const call = callAt(calls, 0)
    const utterances = await analysed(stage.app, manager.token, call)
    const third = utterances[2]
    await using opened = await stage.open({ path: `/recordings/${call.id}`, as: 'manager' })
    const { page } = opened
    const transcript = page.getByRole('region', { name: 'Transcript' })
    await transcript
      .getByRole('button')
      .nth(utterances.length - 1)
      .waitFor()
    await page.getByRole('button', { name: 'Play', exact: true, disabled: false }).waitFor()
    await waitFor(async () => (await coloursOf(page)).size >= 3)
    await opened.expectAccessible()
    await opened.screenshot('recording')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
    await waitFor(async () => (await secondsAt(page)) >= 1)
    await transcript.getByRole('button', { name: third?.text ?? '' }).click()
    await transcript.locator('[aria-current]', { hasText: third?.text ?? '' }).waitFor()
    expect(await secondsAt(page)).toBeGreaterThanOrEqual(Math.floor(third?.start ?? 0))
    await page.keyboard.press(' ')
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    const before = await secondsAt(page)
    await page.keyboard.press('ArrowRight')
    // The last part of a second may be shown after the pause.
    await waitFor(async () => [before + 5, before + 6].includes(await secondsAt(page)))
    await place(page).focus()
    await page.keyboard.press('Home')
    await waitFor(async () => (await secondsAt(page)) === 0)
    await page.keyboard.press('j')
    await transcript.locator('[aria-current]').first().waitFor()
    await page.getByRole('group', { name: 'Evidence' }).getByRole('button').first().click()
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
    await page.keyboard.press(' ')
    await page.getByRole('button', { name: /Speed/ }).click()
    await page.getByRole('option', { name: '1.5×' }).click()
    await page.keyboard.press('?')
    await page.getByText('Play or pause').waitFor()
    await opened.expectAccessible()
    // The provider's address stays in the service.
    const origins = new Set(opened.requests.map((address) => new URL(address).origin))
    expect([...origins]).toEqual([new URL(stage.app.url).origin])
    // The player has `k` for itself, and the sequence goes elsewhere.
    await page.keyboard.press('Escape')
    await page.getByText('Play or pause').waitFor({ state: 'detached' })
    await Promise.all([page.keyboard.press('g'), page.keyboard.press('k')])
    await page.waitForURL('**/administration/widget')
  })

  test('is analysed on request, and the page shows how far it is', async () => {
    const call = callAt(calls, 7)
    await using opened = await stage.open({ path: '/recordings?view=all', as: 'manager' })
    const { page } = opened
    await page.getByText('Not analysed').first().waitFor()
    expect(await rowsOf(page).count()).toBe(calls.length)
    await opened.expectAccessible()
    await opened.screenshot('recordings-all')
    // Streams come over HTTP then, where an answer can be replaced.
    await page.routeWebSocket('**/graphql', (route) => void route.close({ code: 1002 }))
    await page.goto(`${stage.app.url}/console/recordings/${call.id}`)
    await page.getByText('This recording is not analysed yet').waitFor()
    await page.getByRole('button', { name: 'Play', exact: true, disabled: false }).waitFor()
    await opened.expectAccessible()
    await opened.screenshot('recording-not-analysed')
    // A failure says why, and is tried again.
    stage.app.standIns.speech.credit({ left: false })
    await page.getByRole('button', { name: 'Analyse the recording' }).click()
    await page.getByText('The analysis failed').waitFor()
    await opened.expectAccessible()
    await opened.screenshot('recording-failed')
    stage.app.standIns.speech.credit({ left: true })
    // The page stays at this step as long as the test looks at it.
    const step = { recordingProgress: { id: call.id, stage: 'FETCHED', detail: null } }
    const stream = { contentType: 'text/event-stream', body: `event: next\ndata: ${JSON.stringify({ data: step })}\n\n` }
    await page.route('**/graphql', (route) => {
      const asked = route.request().postData() ?? ''
      if (asked.includes('subscription RecordingProgress')) return route.fulfill(stream)
      return asked.includes('query RecordingStatus') ? route.abort() : route.continue()
    })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'The recording is being analysed' }).waitFor()
    await page.locator('[data-state="done"]', { hasText: 'Recording fetched' }).waitFor()
    await opened.expectAccessible()
    await opened.screenshot('recording-progress')
    await page.unroute('**/graphql')
    await page.getByRole('region', { name: 'Transcript' }).waitFor()
    expect(await page.getByText('This recording is not analysed yet').count()).toBe(0)
  })

  test('whose sound cannot be had still has its transcript, and is tried again', async () => {
    await using opened = await stage.open({ path: '/recordings', as: 'manager' })
    const { page } = opened
    await page.route('**/audio', (route) => route.abort())
    await page.goto(`${stage.app.url}/console/recordings/${callAt(calls, 1).id}`)
    await page.getByText('The sound cannot be played now').waitFor()
    await page.getByRole('region', { name: 'Transcript' }).getByRole('button').first().waitFor()
    await opened.expectAccessible()
    await opened.screenshot('recording-no-sound')
    expect(await page.getByRole('button', { name: 'Play', exact: true }).isDisabled()).toBe(true)
    await page.unroute('**/audio')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Play', exact: true, disabled: false }).waitFor()
  })
})

/** The colours of the bars of the waveform. */
async function coloursOf(page: Page): Promise<ReadonlySet<string>> {
  const colours = await page.locator('.rec-wave canvas').evaluate((canvas) => {
    if (!(canvas instanceof HTMLCanvasElement) || canvas.width === 0) return []
    const pixels = canvas.getContext('2d')?.getImageData(0, canvas.height / 2, canvas.width, 1).data ?? []
    return Array.from({ length: pixels.length / 4 }, (_, index) => index * 4)
      .filter((at) => (pixels[at + 3] ?? 0) > 60)
      .map((at) => [pixels[at], pixels[at + 1], pixels[at + 2]].map((part) => Math.round((part ?? 0) / 64)).join(' '))
  })
  return new Set(colours)
}
