import type { ConsoleStage } from './console.ts'
import { waitFor } from './wait-for.ts'

/** Opens a manager's screens in Hindi, in the dark and at the width of a phone, fails for what axe finds, and returns those that are wider. */
export async function widerThanPhone(stage: ConsoleStage, paths: readonly string[]): Promise<readonly string[]> {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  await using opened = await stage.open({ as: 'manager', colorScheme: 'dark', ...phone })
  const { page } = opened
  await page.evaluate("localStorage.setItem('console-language', 'hi')")
  const wider: string[] = []
  for (const path of paths) {
    await page.goto(`${stage.app.url}/console${path}`)
    await page.locator('#content h1').waitFor()
    await waitFor(async () => (await page.locator('.ui-skeleton').count()) === 0)
    if ((await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')) !== 0) wider.push(path)
    await opened.expectAccessible()
    await opened.screenshot(`phone${path.replaceAll(/\W/g, '-')}`)
  }
  return wider
}
