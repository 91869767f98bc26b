import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestSignIn } from '../harness/app.ts'
import { type ConsoleStage, openConsoleStage, refuse } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'
import { analysed, callAt, rowsOf, secondsAt } from '../harness/recorded-calls.ts'
import { agentIdOf, recordedCalls, type SeededCall } from '../harness/recordings.ts'
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
  for (const call of calls.slice(0, 6)) await analysed(stage.app, manager.token, call)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

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
    expect(page.url()).toContain(callAt(calls, 0).id)
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
