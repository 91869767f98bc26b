import type { Locator, Page } from 'playwright-core'

/** The agent's row on the wallboard. */
export function rowOf(page: Page, name: string): Locator {
  return page.getByRole('table', { name: 'Agents' }).getByRole('row').filter({ hasText: name })
}

/** The list of a select is outside of its dialog. */
export async function choose(within: Page | Locator, label: string, option: string | RegExp): Promise<void> {
  await within.getByRole('button', { name: new RegExp(label) }).click()
  const page = 'page' in within && typeof within.page === 'function' ? within.page() : within
  await page.getByRole('option', { name: option, exact: typeof option === 'string' }).click()
}
