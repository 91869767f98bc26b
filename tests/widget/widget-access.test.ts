import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { axeFindings } from '../harness/axe-findings.ts'
import { type Browser, startBrowser } from '../harness/browser.ts'
import { realServer } from '../harness/real-server.ts'
import { openWidgetStage } from '../harness/widget-stage.ts'

const chromium = await realServer('chromium')
let browser: Browser

beforeAll(async () => {
  if (chromium) browser = await startBrowser(chromium.binary)
})
afterAll(async () => {
  if (chromium) await browser[Symbol.asyncDispose]()
})

const desktop = { viewport: { width: 1_100, height: 800 } }
const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true }
const shots = process.env['SCREENSHOTS']

describe.skipIf(chromium === null)('what everybody can use', () => {
  test.each([
    ['desktop, light', { ...desktop, colorScheme: 'light' }],
    ['desktop, dark', { ...desktop, colorScheme: 'dark' }],
    ['phone, light', { ...phone, colorScheme: 'light' }],
    ['phone, dark', { ...phone, colorScheme: 'dark' }],
  ] as const)('axe finds nothing in any state: %s', async (name, options) => {
    await using stage = await openWidgetStage()
    const { page, launcher, panel, say } = await stage.visit(browser, options)
    const found: string[] = []
    const look = async (state: string): Promise<void> => {
      found.push(...(await axeFindings(page)).map((fault) => `${state}: ${fault}`))
      if (shots) await page.screenshot({ path: `${shots}/${name.replace(', ', '-')}-${state}.png` })
    }
    await launcher.waitFor()
    await look('closed')
    await launcher.click()
    await look('open')
    await say('Which doctors do you have?')
    await panel.locator('.card.doctor').first().waitFor()
    await panel.getByRole('button', { name: 'Send' }).waitFor()
    await say('When is a cardiologist free?')
    await panel.locator('.log .time').first().waitFor()
    await panel.getByRole('button', { name: 'Send' }).waitFor()
    await look('conversation')
    await panel.locator('.log .time').first().click()
    await panel.locator('.countdown').waitFor()
    await look('form')
    await panel.getByRole('button', { name: 'Confirm visit' }).click()
    await panel.getByText('Please tell us your name.').waitFor()
    await look('faults')
    await panel.getByLabel('Your name').fill('Asha')
    await panel.getByLabel('Your phone number').fill('98140 77777')
    await panel.getByRole('button', { name: 'Confirm visit' }).click()
    await panel.getByRole('heading', { name: 'Your visit is booked' }).waitFor()
    await look('booked')
    await panel.getByRole('button', { name: 'Done' }).click()
    await page.route('**/api/widget/**', (route) =>
      route.fulfill({ status: 404, headers: { 'access-control-allow-origin': stage.siteUrl } }),
    )
    await say('Hello?')
    await panel.getByRole('alert').waitFor()
    await look('failed')
    await page.unroute('**/api/widget/**')
    await panel.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'See a doctor' }).click()
    await panel.locator('.card.doctor').last().waitFor()
    await look('doctors')
    await panel.locator('.card.doctor', { hasText: 'Next free' }).last().click()
    await panel.locator('.view .time').first().waitFor()
    await look('times')
    expect(found).toEqual([])
  })

  test('a visit can be booked with the keyboard only', async () => {
    await using stage = await openWidgetStage()
    const { page, launcher, panel } = await stage.visit(browser, desktop)
    const { keyboard } = page
    await launcher.waitFor()
    await tabTo(page, 'Chat with us')
    await keyboard.press('Enter')
    await panel.waitFor()
    await expect.poll(() => focused(page)).toBe('Your message')
    await keyboard.type('Hello')
    await keyboard.press('Shift+Enter')
    await keyboard.type('I need a cardiologist')
    await keyboard.press('Enter')
    await panel.locator('.card.doctor').first().waitFor()
    await panel.getByRole('button', { name: 'Send' }).waitFor()
    await expect.poll(() => focused(page)).toBe('Your message')
    await keyboard.press('Shift+Tab')
    await keyboard.press('Enter')
    await panel.locator('.time').first().waitFor()
    await expect.poll(() => focused(page)).toMatch(/^Dr/)
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await panel.getByLabel('Your name').waitFor()
    await expect.poll(() => focused(page)).toBe('Confirm your visit')
    await keyboard.press('Tab')
    await keyboard.type('Asha')
    await keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('Your phone number')
    await keyboard.type('98140 88888')
    await keyboard.press('Enter')
    await panel.getByRole('heading', { name: 'Your visit is booked' }).waitFor()
    await expect.poll(() => focused(page)).toBe('Your visit is booked')
    await keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    await expect.poll(() => focused(page)).toBe('Chat with us')
  })

  test('on a phone the panel covers the page and traps the focus; Escape returns it', async () => {
    await using stage = await openWidgetStage()
    const { page, panel } = await stage.visit(browser, phone)
    await page.locator('call-center-widget .launcher').waitFor()
    await page.getByRole('button', { name: 'See a doctor' }).press('Enter')
    await panel.locator('.card.doctor').first().waitFor()
    const box = await panel.boundingBox()
    expect(box).toMatchObject({ x: 0, y: 0, width: 390, height: 780 })
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate("['CALL-CENTER-WIDGET', 'BODY'].includes(document.activeElement.tagName)")).toBe(true)
    }
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('See a doctor')
  })

  test('a reply is announced once, when it is complete', async () => {
    await using stage = await openWidgetStage()
    const { page, launcher, panel, say } = await stage.visit(browser, desktop)
    await launcher.click()
    await page.evaluate(`(() => {
      const log = document.querySelector('call-center-widget').shadowRoot.querySelector('[role=log]')
      window.said = []
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const node of addedNodes) window.said.push(node.textContent)
      }).observe(log, { childList: true, subtree: true, characterData: true })
    })()`)
    await say('Hello')
    await panel.getByText('Hello! I can show you our doctors').first().waitFor()
    await panel.getByRole('button', { name: 'Send' }).waitFor()
    await panel.getByRole('log').getByText('Hello! I can show you').waitFor()
    const said = z.array(z.string()).parse(await page.evaluate('window.said'))
    expect(said.filter((line) => line.includes('Hello! I can'))).toHaveLength(1)
    expect(await panel.locator('.log').getAttribute('aria-live')).toBeNull()
  })

  test('controls are large enough, and nothing is clipped at 200 % zoom', async () => {
    await using stage = await openWidgetStage()
    const { page, launcher, panel } = await stage.visit(browser, { viewport: { width: 640, height: 400 } })
    await launcher.click()
    await panel.waitFor()
    const boxes = await Promise.all((await panel.getByRole('button').all()).map((button) => button.boundingBox()))
    expect(boxes.length).toBeGreaterThan(4)
    expect(boxes.filter((box) => box && Math.min(box.width, box.height) < 44)).toEqual([])
    expect(await panel.boundingBox()).toMatchObject({ x: 0, y: 0, width: 640, height: 400 })
    expect((await panel.getByLabel('Your message').boundingBox())?.y ?? 999).toBeLessThan(360)
    if (shots) await page.screenshot({ path: `${shots}/zoomed.png` })
  })
})

/** What a screen reader would say of what has the focus: its label, or its text. */
async function focused(page: Page): Promise<string> {
  const name = await page.evaluate(`(() => {
    const element = document.activeElement.shadowRoot?.activeElement ?? document.activeElement
    return element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent
  })()`)
  return z.string().parse(name).trim()
}

async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 10; presses += 1) {
    await page.keyboard.press('Tab')
    if ((await focused(page)) === name) return
  }
  throw new Error(`${name} cannot be reached`)
}
