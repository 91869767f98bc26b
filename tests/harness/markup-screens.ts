import { expect } from 'vitest'
import { z } from 'zod'
import type { TestSignIn } from './app.ts'
import type { ConsolePage, ConsoleStage } from './console.ts'
import { plantDeadLetter } from './crossings/victim.ts'
import { serveMarkup } from './markup.ts'
import { recordedCalls } from './recordings.ts'
import { waitFor } from './wait-for.ts'

/** Something of everything that a screen lists. Returns the id of a call that is analysed. */
export async function fill({ app, clock }: ConsoleStage, { token }: TestSignIn): Promise<string> {
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

/** Of these, no text comes from an answer. */
const withoutTexts = /^\/administration(\/configuration)?$/

/** What opens more of a screen. */
const closed = '#content :is(details:not([open]) > summary, [aria-expanded="false"])'

/** Opens the screen, presses what opens more of it, and returns whether its texts had markup. */
export async function visit({ app }: ConsoleStage, { page }: ConsolePage, path: string): Promise<boolean> {
  await page.goto(`${app.url}/console${path}`)
  await page.locator('#content h1').waitFor()
  const isShown = async (): Promise<boolean> => z.boolean().parse(await page.evaluate(`document.body.innerText.includes('onerror=')`))
  const openMore = () => page.evaluate(`document.querySelectorAll('${closed}').forEach((opener) => opener.click())`)
  if (!withoutTexts.test(path)) await waitFor(async () => (await isShown()) || (await openMore(), isShown()), { what: `markup on ${path}` })
  await openMore()
  return isShown()
}

/**
 * Opens these screens of a manager with markup in every text, fails if a script runs or an element comes of it, and returns those that should have
 * shown it as it is, and did not.
 */
export async function screensWithoutMarkup(stage: ConsoleStage, paths: readonly string[]): Promise<readonly string[]> {
  await using opened = await stage.open({ as: 'manager' })
  const marked = await serveMarkup(opened.page)
  const shown: string[] = []
  for (const path of paths) {
    if (await visit(stage, opened, path)) shown.push(path)
    await opened.screenshot(`markup${path.replaceAll('/', '-')}`)
    expect({ path, achieved: await marked.achieved() }).toEqual({ path, achieved: [] })
  }
  expect(marked.changed()).toBeGreaterThan(paths.length)
  return paths.filter((path) => !shown.includes(path) && !withoutTexts.test(path))
}
