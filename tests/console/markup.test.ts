import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { TestSignIn } from '../harness/app.ts'
import { type ConsolePage, type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { type MarkedPage, markup, serveMarkup, withMarkup } from '../harness/markup.ts'
import { plantDeadLetter } from '../harness/crossings/victim.ts'
import { realServer } from '../harness/real-server.ts'
import { recordedCalls } from '../harness/recordings.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
let manager: TestSignIn
let callId: string
beforeAll(async () => {
  if (!chromium) return
  stage = await openConsoleStage(chromium.binary, { withDemo: true })
  manager = await stage.app.signIn('manager@demo.example')
  callId = await fill(stage, manager)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

/** Something of everything that a screen lists. */
async function fill({ app, clock }: ConsoleStage, { token }: TestSignIn): Promise<string> {
  const rest = async (method: string, path: string, body: unknown = {}): Promise<void> => {
    const answer = await app.rest(method, path, { token, body })
    expect({ path, status: answer.status, body: answer.status < 300 ? null : answer.body }).toEqual({ path, status: 200, body: null })
  }
  const [call] = await recordedCalls(app, token)
  await rest('PUT', '/api/config/theme', { brand: { hospitalName: 'Sunrise Hospital' } })
  await rest('PUT', '/api/config/alerts', { waitingMissedCalls: 1, longestWaitMinutes: 1 })
  const rules = [{ key: 'thanks', name: 'Thanks for the call', question: 'Thank the caller', weight: 3 }]
  await rest('PUT', '/api/config/ai', { recordings: { complianceRules: rules } })
  await rest('POST', '/api/recordings/analyze', { callId: call?.id })
  const agent = await app.signIn('agent2@demo.example')
  await app.rest('PUT', '/api/agents/me/state', { token: agent.token, body: { state: 'READY' } })
  app.standIns.telephony.missCall({ from: '+919811100001' })
  await waitFor(async () => JSON.stringify((await app.rest('GET', '/api/alerts', { token })).body).includes('"id"'))
  await plantDeadLetter(app, 'A planted event', 'demo')
  clock.advance(1_000)
  return call?.id ?? ''
}

const managersScreens = (): readonly string[] => [
  '/supervisor',
  '/supervisor/history',
  '/supervisor/days',
  '/supervisor/alerts',
  '/recordings',
  `/recordings/${callId}`,
  '/recordings/scorecards',
  '/administration',
  '/administration/setup',
  '/administration/configuration',
  ...['platform', 'telephony', 'ai', 'widget', 'theme', 'alerts'].flatMap((section) => [
    `/administration/configuration/${section}`,
    `/administration/configuration/${section}/history`,
  ]),
  '/administration/team',
  '/administration/widget',
  '/administration/webhooks',
  '/administration/dead-letters',
  '/administration/audit',
  '/administration/health',
]

/** Of these, no text comes from an answer. */
const withoutTexts = /^\/administration(\/configuration)?$/

/** Opens the screen, presses what opens more of it, and returns whether its texts had markup. */
async function visit({ page }: ConsolePage, path: string): Promise<boolean> {
  await page.goto(`${stage.app.url}/console${path}`)
  await page.locator('#content h1').waitFor()
  const isShown = () => page.evaluate(`document.body.innerText.includes('onerror=')`)
  if (!withoutTexts.test(path)) await waitFor(isShown, { deadlineMs: 10_000 }).catch(() => null)
  await page.evaluate(`document.querySelectorAll('#content :is(summary, [aria-expanded="false"])').forEach((opener) => opener.click())`)
  return z.boolean().parse(await isShown())
}

describe.skipIf(chromium === null)('markup in every text', () => {
  test('is shown as it is on every screen of a manager: no script runs, no element comes of it', async () => {
    await using opened = await stage.open({ as: 'manager' })
    const marked = await serveMarkup(opened.page)
    const shown: string[] = []
    for (const path of managersScreens()) {
      if (await visit(opened, path)) shown.push(path)
      await opened.screenshot(`markup${path.replaceAll('/', '-')}`)
      expect({ path, achieved: await marked.achieved() }).toEqual({ path, achieved: [] })
    }
    expect(marked.changed()).toBeGreaterThan(20)
    expect(managersScreens().filter((path) => !shown.includes(path) && !withoutTexts.test(path))).toEqual([])
  })

  test('is shown as it is on the desk: during a call, afterwards, and in the lists', async () => {
    await using opened = await stage.open({ path: '/desk', as: 'agent1' })
    const { page } = opened
    const marked = await serveMarkup(page)
    await page.reload()
    await page.getByText('Phone ready').waitFor()
    await page.getByRole('button', { name: 'Become ready' }).click()
    await page.getByText('You are ready').waitFor()
    const { ucid } = stage.app.standIns.telephony.ring({ from: '+919814012345', agentId: 'agent1' })
    await showsMarkup(opened, marked, 'ringing')
    await page.getByRole('button', { name: 'Answer' }).click()
    await page.getByRole('list', { name: 'Last calls' }).waitFor()
    await showsMarkup(opened, marked, 'connected')
    stage.app.standIns.telephony.hangUp({ ucid })
    await page.getByRole('textbox', { name: 'Notes' }).fill(markup)
    await showsMarkup(opened, marked, 'wrap-up')
    for (const path of ['/desk/callbacks', '/desk/recent']) {
      await visit(opened, path)
      expect({ path, achieved: await marked.achieved() }).toEqual({ path, achieved: [] })
    }
  })

  test('changes texts for people and nothing else', () => {
    const value = { id: 'a', name: 'Asha', at: '2026-11-26T10:00:00Z', status: 'MISSED', list: ['Two words', 'one'], logoUrl: 'https://x' }
    const marked = { name: `Asha${markup}`, list: [`Two words${markup}`, 'one'], logoUrl: 'javascript:__ran(7)' }
    expect(withMarkup(value)).toEqual({ ...value, ...marked })
  })
})

async function showsMarkup({ page }: ConsolePage, marked: MarkedPage, state: string): Promise<void> {
  await waitFor(() => page.evaluate(`document.body.innerText.includes('onerror=')`), { what: state })
  expect({ state, achieved: await marked.achieved() }).toEqual({ state, achieved: [] })
}
