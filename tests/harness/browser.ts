import {
  type Browser as Chromium,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type ConsoleMessage,
  type Page,
} from 'playwright-core'
import { notePages } from '../changed/note-executed.ts'

/** Closed when disposed of, at the latest with its browser. */
export type WatchedPage = AsyncDisposable & {
  readonly page: Page
  /** What went wrong in the page: errors that were thrown or logged. */
  readonly faults: readonly string[]
  /** What was logged as a warning. */
  readonly warnings: readonly string[]
  /** What was logged, of any kind. */
  readonly logged: readonly string[]
  /** The addresses that it asked, each once for each request. */
  readonly requests: readonly string[]
}

export type Browser = AsyncDisposable & { open(options?: BrowserContextOptions): Promise<WatchedPage> }

/** The browser logs each answer that is an error. */
function isRefusedSignIn(message: ConsoleMessage): boolean {
  return message.location().url.includes('/console/session/') && message.text().includes('responded with a status of 4')
}

/** A real browser without a window. Each page has storage of its own, and stands still: what moves cannot be measured. */
export async function startBrowser(binary: string): Promise<Browser> {
  launched ??= launch(binary)
  const browser = await launched.catch((error: unknown) => {
    launched = undefined
    throw error
  })
  const contexts = new Set<BrowserContext>()
  return {
    async open(options = {}) {
      const context = await browser.newContext({ timezoneId: 'Europe/Berlin', locale: 'en-IN', reducedMotion: 'reduce', ...options })
      contexts.add(context)
      const page = await context.newPage()
      page.setDefaultTimeout(240_000)
      const [faults, warnings, logged, requests]: [string[], string[], string[], string[]] = [[], [], [], []]
      page.on('console', (message) => {
        logged.push(message.text())
        if (message.type() === 'error' && !isRefusedSignIn(message)) faults.push(message.text())
        if (message.type() === 'warning') warnings.push(message.text())
      })
      page.on('pageerror', (error) => faults.push(error.message))
      page.on('request', (request) => {
        requests.push(request.url())
        const { pathname } = new URL(request.url())
        if (pathname.startsWith('/console')) notePages('src/web/console')
        if (pathname.startsWith('/widget')) notePages('src/web/widget')
      })
      return { page, faults, warnings, logged, requests, [Symbol.asyncDispose]: () => context.close() }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...contexts].map((context) => context.close()))
    },
  }
}

/** One for all test files of this process: it ends with the process. */
let launched: Promise<Chromium> | undefined
async function launch(binary: string): Promise<Chromium> {
  const browser = await chromium.launch({
    executablePath: binary,
    args: ['--no-sandbox', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  })
  // If it crashes, the next file starts another one.
  browser.once('disconnected', () => (launched = undefined))
  return browser
}
