import type { Locator, Page } from 'playwright-core'

/** What the wallboard says of its live data, and the calls that ring. */
export const live = (page: Page): Locator => page.getByText('Live', { exact: true })
export const lost = (page: Page): Locator => page.getByRole('status').getByText('Connection lost')
export const ringing = (page: Page): Locator => page.getByRole('region', { name: 'Ringing now' }).getByRole('listitem')
