import type { Page } from 'playwright-core'

/** The button has the member's name and role. */
export const account = / (Agent|Manager|प्रबंधक)$/

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: account }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Password').waitFor()
}
