import type { CDPSession, Page } from 'playwright-core'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { sandboxPassword } from '../../../src/sandbox/platform/seed.ts'
import { createTestApp, type TestApp } from '../../harness/app.ts'
import { startBrowser } from '../../harness/browser.ts'
import { type Figure, say } from '../stage/report.ts'
import { percentile } from './desk.ts'

const agents = 200
const seconds = 30
const quietSeconds = 15
const callsPerSecond = 4
const targetMs = 8
const reachMs = 2_000

/** The wallboard in a real browser, with 200 agents and four calls a second: how much its main thread works, and how soon it shows a state. */
export async function proveWallboard(): Promise<readonly Figure[]> {
  await using app = await createTestApp({ receivesWebhooks: true })
  app.standIns.platform.seedAgents('demo', agents)
  app.standIns.telephony.seedAgents({ count: agents })
  const tokens = await signInAgents(app)
  say(`${agents} agents are signed in and ready`)
  await using browser = await startBrowser(process.env['CHROMIUM'] ?? '/usr/bin/chromium')
  await using opened = await browser.open({ viewport: { width: 1440, height: 900 } })
  const { page } = opened
  await signIn(page, app.url)
  await page.getByRole('region', { name: 'Agents' }).getByRole('button', { name: 'All 200' }).waitFor()
  const reached = await reachTimes(app, page, tokens.slice(0, 15))
  const updates = await page.context().browser()?.newBrowserCDPSession()
  if (!updates) throw new Error('no browser')
  const timers = percentile(workPerSecond(await traced(updates, () => pause(quietSeconds * 1_000))), 0.5)
  const tasks = await traced(updates, () => playCalls(app))
  const perSecond = workPerSecond(tasks)
  const longest = Math.max(...tasks.map(({ dur }) => dur / 1_000))
  const update = percentile(perSecond, 0.5) - timers
  const ms = (value: number): string => `${value.toFixed(1)} ms`
  return [
    {
      claim: `Wallboard with ${agents} agents, ${callsPerSecond} calls a second: processor time of the main thread for an update, one each second (limit: ${targetMs} ms at the median)`,
      figure: `p50 ${ms(update)}; with the timers of all rows in view, which take ${ms(timers)} of each second: p50 ${ms(percentile(perSecond, 0.5))}, p95 ${ms(percentile(perSecond, 0.95))}; longest task ${ms(longest)}`,
      holds: update < targetMs,
    },
    {
      claim: `From an agent's change of state to the wallboard (limit: ${reachMs} ms)`,
      figure: `p50 ${ms(percentile(reached, 0.5))}, longest ${ms(Math.max(...reached))} of ${reached.length}`,
      holds: Math.max(...reached) < reachMs,
    },
  ]
}

async function signInAgents(app: TestApp): Promise<readonly string[]> {
  const tokens: string[] = []
  for (let number = 1; number <= agents; number += 1) {
    const { token } = await app.signIn(`load${number}@demo.example`)
    const { status } = await app.rest('PUT', '/api/agents/me/state', { token, body: { state: 'READY' } })
    if (status !== 200) throw new Error(`load${number} did not become ready: ${status}`)
    tokens.push(token)
  }
  return tokens
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/console/supervisor`)
  await page.getByLabel('Workspace').fill('demo')
  await page.getByLabel('Email').fill('manager@demo.example')
  await page.getByLabel('Password').fill(sandboxPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** One agent after another takes a break: how long until the wallboard counts it. */
async function reachTimes(app: TestApp, page: Page, tokens: readonly string[]): Promise<readonly number[]> {
  const took: number[] = []
  for (const [index, token] of tokens.entries()) {
    const shown = page.getByRole('button', { name: `Not ready ${index + 1}`, exact: true }).waitFor({ timeout: 30_000 })
    const startedAt = performance.now()
    await app.rest('PUT', '/api/agents/me/state', { token, body: { state: 'NOT_READY', reason: 'Lunch' } })
    await shown
    took.push(performance.now() - startedAt)
  }
  return took
}

async function playCalls({ standIns: { telephony } }: TestApp): Promise<void> {
  const open: string[] = []
  for (let second = 0; second < seconds; second += 1) {
    for (let call = 0; call < callsPerSecond; call += 1) {
      const number = second * callsPerSecond + call
      const { ucid } = telephony.ring({ from: `+9198${String(10_000_000 + number)}`, agentId: `load${20 + (number % (agents - 20))}` })
      telephony.answer({ ucid })
      open.push(ucid)
    }
    for (const ucid of open.splice(0, Math.max(0, open.length - 5 * callsPerSecond))) telephony.hangUp({ ucid })
    await pause(1_000)
  }
}

const eventSchema = z.looseObject({
  name: z.string(),
  pid: z.number(),
  tid: z.number(),
  ts: z.number(),
  dur: z.number().default(0),
  tdur: z.number().default(0),
  args: z.looseObject({ name: z.string().optional() }).default({}),
})
type Task = { readonly ts: number; readonly dur: number; readonly tdur: number }

/** The tasks of the page's main thread during the step; microseconds, `tdur` those of the processor. */
async function traced(session: CDPSession, step: () => Promise<void>): Promise<readonly Task[]> {
  const events: z.output<typeof eventSchema>[] = []
  const collect = ({ value }: { readonly value: unknown }): void => void events.push(...z.array(eventSchema).parse(value))
  session.on('Tracing.dataCollected', collect)
  const includedCategories = ['toplevel', '__metadata']
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } })
  await step()
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()))
  await session.send('Tracing.end')
  await complete
  session.off('Tracing.dataCollected', collect)
  const mains = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`),
  )
  return events.filter(({ name, pid, tid }) => name === 'ThreadControllerImpl::RunTask' && mains.has(`${pid} ${tid}`))
}

/** Milliseconds of processor time in each whole second; the service sends one update in each. */
function workPerSecond(tasks: readonly Task[]): readonly number[] {
  const sums = new Map<number, number>()
  for (const { ts, tdur } of tasks) {
    const second = Math.floor(ts / 1_000_000)
    sums.set(second, (sums.get(second) ?? 0) + tdur / 1_000)
  }
  return [...sums.values()].slice(1, -1)
}
