import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { sandboxPassword } from '../../../src/sandbox/platform/seed.ts'
import { createTestApp } from '../../harness/app.ts'
import { createRunningClock } from '../../harness/clock.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import type { Figure } from '../stage/report.ts'

const hiddenMs = 150_000
const heartbeatSeconds = 5

type Seen = {
  readonly gaps: readonly number[]
  readonly beats: number
  readonly connections: number
  readonly phone: string
}

/** A tab behind another one for some minutes: Chrome then wakes its repeated timers once a minute. */
export async function proveBackgroundTab(): Promise<Figure> {
  const clock = createRunningClock(new Date().toISOString())
  await using app = await createTestApp({ clock, receivesWebhooks: true })
  await using browser = await startPlainChromium()
  await signInAlone(browser.address, `${app.url}/console`)
  await fetch(`${browser.address}/json/new?about:blank`, { method: 'PUT' })
  await pause(hiddenMs / 2)
  clock.advance(31 * 60_000)
  await pause(hiddenMs / 2)
  const { gaps, beats, connections, phone } = await look(browser.address)
  const renewals = app.standIns.platform.calls('renewToken').length
  const longest = Math.max(...gaps)
  return {
    claim: `An agent's tab hidden for ${hiddenMs / 1_000} s: heartbeats (one is due every ${heartbeatSeconds} s), the token and the phone's registration are renewed`,
    figure: `${beats} heartbeats, ${renewals} token renewed, ${connections} connection of the phone, shown: ${phone}; a repeated timer of the same page waited up to ${longest.toFixed(0)} s`,
    holds: longest > 30 && beats > 20 && renewals === 1 && connections === 1 && phone === 'Phone ready',
  }
}

/** Without Playwright's switches, which keep hidden pages awake. */
async function startPlainChromium(): Promise<AsyncDisposable & { readonly address: string }> {
  await using starting = new AsyncDisposableStack()
  const directory = starting.use(await createTempDir())
  const switches = ['--headless=new', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${directory.path}`]
  const child = spawn(process.env['CHROMIUM'] ?? '/usr/bin/chromium', [...switches, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  starting.defer(async () => {
    child.kill()
    await exited
  })
  const address = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stderr.setEncoding('utf8').on('data', (data: string) => {
      text += data
      const host = /ws:\/\/([^/\s]+)\//.exec(text)?.[1]
      if (host !== undefined) resolve(`http://${host}`)
    })
    child.once('exit', () => reject(new Error(`Chromium ended: ${text}`)))
  })
  const running = starting.move()
  return { address, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

/** Playwright leaves afterwards: a page that it controls never counts as hidden. */
async function signInAlone(address: string, url: string): Promise<void> {
  const browser = await chromium.connectOverCDP(address)
  const page = browser.contexts()[0]?.pages()[0]
  if (!page) throw new Error('Chromium has no page')
  await page.addInitScript(watch)
  await page.goto(url)
  await page.getByLabel('Workspace').fill('demo')
  await page.getByLabel('Email').fill('agent1@demo.example')
  await page.getByLabel('Password').fill(sandboxPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Phone ready').waitFor()
  await browser.close()
}

async function look(address: string): Promise<Seen> {
  const browser = await chromium.connectOverCDP(address)
  const page = browser
    .contexts()[0]
    ?.pages()
    .find((candidate) => candidate.url().includes('/console'))
  if (!page) throw new Error('The page has gone')
  const seen = await page.evaluate<Seen>(`({ ...seen, phone: /Phone \\w+/.exec(document.body.innerText)?.[0] ?? 'no phone' })`)
  await browser.close()
  return seen
}

/** Runs in the page before its scripts: shortens the interval of heartbeats, and counts while the page is hidden. */
const watch = `
  const seen = { gaps: [], beats: 0, connections: 0 }
  globalThis.seen = seen
  let last = Date.now()
  setInterval(() => {
    if (document.hidden) seen.gaps.push((Date.now() - last) / 1_000)
    last = Date.now()
  }, 1_000)
  const plainFetch = globalThis.fetch
  globalThis.fetch = async (...given) => {
    const answer = await plainFetch(...given)
    if (!answer.headers.get('content-type')?.includes('json')) return answer
    const text = await answer.text()
    if (document.hidden && text.includes('"heartbeat"')) seen.beats += 1
    const { status, headers } = answer
    const body = status === 204 ? null : text.replaceAll('"heartbeatIntervalSeconds":300', '"heartbeatIntervalSeconds":${heartbeatSeconds}')
    return new Response(body, { status, headers })
  }
  const Plain = globalThis.WebSocket
  globalThis.WebSocket = class extends Plain {
    constructor(...given) {
      super(...given)
      if (given[1] === 'sip') seen.connections += 1
    }
  }
`
