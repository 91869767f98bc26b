import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { TestSignIn } from '../harness/app.ts'
import { type ConsoleStage, openConsoleStage, refuse } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'
import { agentIdOf, recordedCalls, type SeededCall } from '../harness/recordings.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
const utterancesSchema = z.object({ utterances: z.array(z.object({ start: z.number(), text: z.string(), role: z.string() })) })
let stage: ConsoleStage
let manager: TestSignIn
let calls: readonly SeededCall[]

/** Analyses the call and returns its utterances. */
async function analysed({ id }: SeededCall, token = manager.token) {
  const { status, body } = await stage.app.rest('POST', '/api/recordings/analyze', { token, body: { callId: id } })
  expect(status).toBe(200)
  return utterancesSchema.parse(body).utterances
}
const callAt = (index: number): SeededCall => {
  const call = calls[index]
  if (!call) throw new Error('the sandbox has fewer recordings')
  return call
}

beforeAll(async () => {
  if (!chromium) return
  stage = await openConsoleStage(chromium.binary)
  manager = await stage.app.signIn('manager@demo.example')
  calls = await recordedCalls(stage.app, manager.token)
  for (const call of calls.slice(0, 6)) await analysed(call)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const rowsOf = (page: Page) => page.getByRole('list', { name: 'Calls that were found' }).locator(':scope > li')
const place = (page: Page) => page.getByRole('slider', { name: 'Place in the recording' })
const secondsAt = async (page: Page): Promise<number> => Number(await place(page).getAttribute('aria-valuenow'))

describe.skipIf(chromium === null)('recorded calls', () => {
  test('are found by phrases, with the words marked, and by filters; a sentence opens the call there', async () => {
    await using opened = await stage.open({ path: '/recordings', as: 'manager' })
    const { page } = opened
    await rowsOf(page).nth(5).waitFor()
    expect(await rowsOf(page).count()).toBe(6)
    await opened.expectAccessible()
    await opened.screenshot('recordings')
    const words = page.getByRole('searchbox', { name: 'Search in what was said' })
    await words.fill('"chest ')
    await page.waitForURL(/chest/)
    // The search has begun; nothing of what was typed is gone.
    await rowsOf(page).first().waitFor()
    expect(await words.inputValue()).toBe('"chest ')
    await words.fill('"chest pain"')
    await page
      .locator('mark', { hasText: /^chest pain$/ })
      .first()
      .waitFor()
    await waitFor(async () => (await rowsOf(page).count()) === 1)
    expect(await page.locator('mark').allTextContents()).toContain('chest pain')
    await opened.expectAccessible()
    await opened.screenshot('recordings-search')
    // The address has the search: it survives a reload.
    await page.reload()
    await page.locator('mark').first().waitFor()
    await page.locator('mark').first().click()
    await page.getByRole('region', { name: 'Transcript' }).locator('mark').first().waitFor()
    expect(page.url()).toContain(callAt(0).id)
    await waitFor(async () => (await secondsAt(page)) >= 6)
    await page.getByRole('button', { name: 'Recorded calls' }).click()
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.getByRole('button', { name: /Any outcome/ }).click()
    await page.getByRole('option', { name: 'Wrong number' }).click()
    await page.getByText('No call fits').waitFor()
    await opened.expectAccessible()
    await page.getByRole('button', { name: 'Remove filters' }).click()
    await rowsOf(page).nth(5).waitFor()
    // Another filter whose calls cannot be read: those of before are not shown as its own.
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('searchTranscripts') ? refuse(route) : route.continue(),
    )
    await page.getByRole('button', { name: /All agents/ }).click()
    await page.getByRole('option').nth(1).click()
    await page.getByRole('alert').filter({ hasText: 'The service cannot be reached' }).waitFor()
    expect(await rowsOf(page).count()).toBe(0)
    await page.unroute('**/graphql')
    await page.getByRole('button', { name: 'Remove filters' }).click()
    await rowsOf(page).nth(5).waitFor()
    // The same list in smaller pages.
    await page.route('**/graphql', (route) =>
      route.continue({ postData: (route.request().postData() ?? '').replace('first: 20', 'first: 4') }),
    )
    await page.reload()
    await rowsOf(page).nth(3).waitFor()
    expect(await rowsOf(page).count()).toBe(4)
    await page.getByRole('button', { name: 'Load more' }).click()
    await rowsOf(page).nth(5).waitFor()
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0)
  })

  test('an agent sees their own calls alone, and no other agent can be chosen', async () => {
    await using opened = await stage.open({ path: '/recordings', as: 'agent1' })
    const { page } = opened
    const agentId = await agentIdOf(stage.app, manager.token, 'agent1@demo.example')
    const own = calls.slice(0, 6).filter((call) => call.agentId === agentId)
    await waitFor(async () => (await rowsOf(page).count()) === own.length)
    expect(await page.getByRole('button', { name: /All agents/ }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Scorecards' }).count()).toBe(0)
    const other = calls.slice(0, 6).find((call) => call.agentId !== agentId)
    await page.goto(`${stage.app.url}/console/recordings/${other?.id}`)
    await page.getByText('You may not do this').first().waitFor()
    await opened.expectAccessible()
    await page.goto(`${stage.app.url}/console/recordings/scorecards`)
    await page.getByRole('heading', { level: 1, name: 'Recordings is not for your role' }).waitFor()
  })
})

describe.skipIf(chromium === null)('a recording', () => {
  test('plays by mouse and keys; the transcript follows the sound, and a sentence and a citation play it', async () => {
    const call = callAt(0)
    const utterances = await analysed(call)
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
    const call = callAt(7)
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
    await page.goto(`${stage.app.url}/console/recordings/${callAt(1).id}`)
    await page.getByText('The sound cannot be played now').waitFor()
    await page.getByRole('region', { name: 'Transcript' }).getByRole('button').first().waitFor()
    await opened.expectAccessible()
    await opened.screenshot('recording-no-sound')
    expect(await page.getByRole('button', { name: 'Play', exact: true }).isDisabled()).toBe(true)
    await page.unroute('**/audio')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Play', exact: true, disabled: false }).waitFor()
  })

  test.each([
    ['en', 'dark', 1280],
    ['hi', 'light', 390],
    ['en', 'dark', 390],
  ] as const)('in %s, %s, %i px wide', async (language, colorScheme, width) => {
    const narrow = { hasTouch: true, isMobile: true }
    const viewport = { width, height: width === 390 ? 844 : 800 }
    await using opened = await stage.open({
      path: '/recordings',
      as: 'manager',
      colorScheme,
      viewport,
      ...(width === 390 && narrow),
    })
    const { page } = opened
    await page.evaluate((chosen) => localStorage.setItem('console-language', chosen), language)
    await page.reload()
    await page.locator('.rec-row').first().waitFor()
    await opened.expectAccessible()
    await opened.screenshot(`recordings-${language}-${colorScheme}-${width}`)
    await page.locator('.rec-row-link').first().click()
    await page.locator('.rec-sentence').first().waitFor()
    await page.locator('.rec-buttons .ui-button-primary:not([disabled])').waitFor()
    await opened.expectAccessible()
    await opened.screenshot(`recording-${language}-${colorScheme}-${width}`)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
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
