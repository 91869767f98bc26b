import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { createTempDir } from '../../harness/temp-dir.ts'
import { type Figure, say } from '../stage/report.ts'
import { signInByClick, startChromium } from './visitor.ts'

const limitMs = 5 * 60_000
const run = promisify(execFile)

/** What the README asks of a new person, with nothing but git, npm and a browser: clone, install, start, three clicks and a number. */
export async function proveFirstCall(): Promise<Figure> {
  await using directory = await createTempDir()
  await using browser = await startChromium()
  const cwd = `${directory.path}/clone`
  await run('git', ['clone', '--quiet', '.', cwd])
  const environment = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' }
  const startedAt = performance.now()
  const elapsed = (): number => performance.now() - startedAt
  say('npm install')
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd, env: environment })
  const installed = elapsed()
  say('npm start')
  await using service = await startByNpm(cwd, environment)
  const ready = elapsed()
  await using opened = await browser.open({ viewport: { width: 1280, height: 800 }, permissions: ['microphone'] })
  const { page } = opened
  await page.goto(`${service.url}/console`)
  await signInByClick(page, 'Agent')
  await page.getByRole('button', { name: 'Become ready' }).click()
  await page.getByText('You are ready').first().waitFor()
  await page.getByLabel('Call a number').fill('98140 12345')
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await page.getByRole('heading', { level: 2, name: 'Harpreet Kaur' }).waitFor()
  await page.getByText('Connected').waitFor()
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
  return {
    claim: `From a fresh clone to the first connected call in the console: npm install, npm start, sign in by one click, ready, a number (limit: ${limitMs / 60_000} minutes)`,
    figure: `${seconds(elapsed())}: ${seconds(installed)} npm install (its cache as it was), ${seconds(ready - installed)} npm start, ${seconds(elapsed() - ready)} in the browser`,
    holds: elapsed() < limitMs,
  }
}

async function startByNpm(cwd: string, environment: Readonly<Record<string, string>>): Promise<AsyncDisposable & { readonly url: string }> {
  const child = spawn('npm', ['start'], { cwd, env: { ...environment, PORT: '0' }, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  let url: string | undefined
  for await (const line of createInterface(child.stdout)) {
    url = /^Ready at (\S+?)[.,]?(?:\s|$)/.exec(line)?.[1]
    if (url !== undefined) break
  }
  child.stdout.resume()
  if (url === undefined) throw new Error('npm start has ended')
  return {
    url,
    async [Symbol.asyncDispose]() {
      // npm and the service that it started.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      await exited
    },
  }
}
