import type { Page } from 'playwright-core'
import { type Browser, startBrowser } from '../../harness/browser.ts'

export function startChromium(): Promise<Browser> {
  return startBrowser(process.env['CHROMIUM'] ?? '/usr/bin/chromium')
}

/** The sandbox's sign-in by one click. */
export async function signInByClick(page: Page, role: 'Agent' | 'Manager'): Promise<void> {
  await page.getByRole('button', { name: role, exact: true }).click()
  await page.locator('#content h1').waitFor()
}
