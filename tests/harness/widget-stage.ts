import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { z } from 'zod'
import { createTestApp, type TestApp, type TestAppOptions } from './app.ts'
import type { Browser, WatchedPage } from './browser.ts'
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts'
import { startWidgetSite, type WidgetTag } from './widget-site.ts'

/** A service, a hospital's site of another origin that carries its widget, and what stands between the two. */
export type WidgetStage = AsyncDisposable & {
  readonly app: TestApp
  readonly proxy: CuttingProxy
  /** The manager's token. */
  readonly token: string
  readonly siteUrl: string
  /** Opens the site in a browser. */
  visit(browser: Browser, options?: BrowserContextOptions): Promise<WidgetVisit>
}

/** A page of the site, and what a visitor finds in the widget. */
export type WidgetVisit = WatchedPage & {
  readonly launcher: Locator
  readonly panel: Locator
  readonly message: Locator
  readonly say: (text: string) => Promise<void>
}

const keySchema = z.object({ key: z.string() })

export async function openWidgetStage(options: TestAppOptions = {}, tag: Partial<WidgetTag> = {}): Promise<WidgetStage> {
  await using opening = new AsyncDisposableStack()
  const app = opening.use(await createTestApp({ withDemo: true, ...options }))
  const proxy = opening.use(await startCuttingProxy(app.url))
  const site = opening.use(await startWidgetSite())
  const { token } = await app.signIn('manager@demo.example')
  const made = await app.rest('POST', '/api/config/widget/keys', { token, body: { origins: [site.url] } })
  site.carry({ from: proxy.url, key: keySchema.parse(made.body).key, ...tag })
  const open = opening.move()
  return {
    app,
    proxy,
    token,
    siteUrl: site.url,
    async visit(browser, contextOptions) {
      const watched = await browser.open(contextOptions)
      await watched.page.goto(site.url)
      return { ...watched, ...widgetOn(watched.page) }
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

export function widgetOn(page: Page): Omit<WidgetVisit, keyof WatchedPage> {
  const message = page.getByLabel('Your message')
  return {
    launcher: page.locator('call-center-widget .launcher'),
    panel: page.getByRole('dialog'),
    message,
    async say(text) {
      await message.fill(text)
      await message.press('Enter')
    },
  }
}
