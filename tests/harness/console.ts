import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page, Route } from 'playwright-core'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { createTestApp, type TestApp, type TestAppOptions } from './app.ts'
import { axeFindings } from './axe-findings.ts'
import { type Browser, startBrowser, type WatchedPage } from './browser.ts'
import { consoleSignIn } from './tokens-without-session.ts'
import { createRunningClock, type TestClock } from './clock.ts'

/** The service with its stand-ins, and a browser: for the tests of one file. */
export type ConsoleStage = AsyncDisposable & {
  readonly app: TestApp
  /** The service's clock. */
  readonly clock: TestClock
  open(options?: ConsoleOptions): Promise<ConsolePage>
}

export type ConsoleOptions = BrowserContextOptions & {
  /** Below `/console`. */
  readonly path?: string
  /** The browser has a sign-in of this member, with which the page goes on: `agent1`, `manager`. A form is filled in by `signIn`. */
  readonly as?: string
  /** The page's time is moved by the test: `page.clock`. */
  readonly hasClock?: boolean
}

/** A page of the console. Disposing it fails the test for any error of the page, a refusal by its content security policy included. */
export type ConsolePage = WatchedPage & {
  /** Fills in the form and sends it. */
  signIn(name: string, given?: { readonly password?: string; readonly workspace?: string }): Promise<void>
  /** Fails the test if axe finds anything. */
  expectAccessible(): Promise<void>
  /** With the environment's SCREENSHOTS, a folder: for people who look at the screens. */
  screenshot(name: string): Promise<void>
}

export type ConsoleStageOptions = TestAppOptions & {
  /** Then the clocks of the pages are the test's, and begin with the service's. Default: now, as the machine's clock has it. */
  readonly startsAt?: string
}

export async function openConsoleStage(binary: string, { startsAt, ...options }: ConsoleStageOptions = {}): Promise<ConsoleStage> {
  await using starting = new AsyncDisposableStack()
  const clock = createRunningClock(startsAt ?? new Date().toISOString())
  const app = starting.use(await createTestApp({ clock, receivesWebhooks: true, ...options }))
  const browser: Browser = starting.use(await startBrowser(binary))
  const running = starting.move()
  return {
    app,
    clock,
    async open({ path = '', as, hasClock = false, ...context } = {}) {
      const watched = await browser.open({ viewport: { width: 1280, height: 800 }, permissions: ['microphone'], ...context })
      const opened = consolePage(watched)
      if (hasClock || startsAt !== undefined) await watched.page.clock.install({ time: clock.now() })
      await using signedIn = as === undefined ? null : await storeSignIn(app, watched.page, as)
      await watched.page.goto(`${app.url}/console${path}`)
      if (signedIn) await watched.page.locator('#content h1, .entrance h1').waitFor()
      return opened
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Until it is disposed of, each page that this page loads finds the sign-in. */
async function storeSignIn(app: TestApp, page: Page, name: string): Promise<AsyncDisposable> {
  const { saved, cookie } = await consoleSignIn({ url: app.url, workspaceUrl: app.standIns.platform.workspaceUrl }, `${name}@demo.example`)
  const [cookieName = '', value = ''] = cookie.split('=')
  const { hostname } = new URL(app.url)
  const scope = { domain: hostname, path: '/console/session', httpOnly: true, sameSite: 'Strict' } as const
  await page.context().addCookies([{ name: cookieName, value, ...scope }])
  return page.addInitScript(`localStorage.setItem('call-center-sidecar', ${JSON.stringify(saved)})`)
}

function consolePage(watched: WatchedPage): ConsolePage {
  const { page } = watched
  return {
    ...watched,
    async signIn(name, { password = sandboxPassword, workspace = 'demo' } = {}) {
      await page.getByLabel('Workspace').fill(workspace)
      await page.getByLabel('Email').fill(`${name}@${workspace}.example`)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    },
    expectAccessible: async () => assert.deepEqual(await axeFindings(page), []),
    screenshot: (name) => screenshot(page, name),
    async [Symbol.asyncDispose]() {
      await watched[Symbol.asyncDispose]()
      assert.deepEqual(
        watched.faults.filter((fault) => !isLostConnection.test(fault)),
        [],
      )
    },
  }
}

/** Answers a GraphQL request as the service does when something behind it does not work. */
export function refuse(route: Route, { code = 'UPSTREAM_UNAVAILABLE', reason = 'STORE_UNAVAILABLE', data = {} } = {}): Promise<void> {
  const error = { message: 'It does not work now', extensions: { code, reason, retryable: true, requestId: 'test', data } }
  return route.fulfill({ json: { data: null, errors: [error] } })
}

/** What the browser and the page say of a request that could not be sent. */
const isLostConnection =
  /^(?:(?:Type)?Error: A part of the page could not be loaded: |Failed to load resource: net::ERR_|WebSocket connection to '.* failed: Error in connection establishment: net::ERR_)/

async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder !== undefined) await page.screenshot({ path: `${folder}/console-${name}.png` })
}
