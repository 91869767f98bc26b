import { choicesOfAccount } from '../../../src/sandbox/vendors.ts'
import { createTestApp } from '../../harness/app.ts'
import { type Figure, say } from '../stage/report.ts'
import { milliseconds, percentile } from '../supervision/desk.ts'
import { signInByClick, startChromium } from './visitor.ts'

const calls = 60
const limitMs = 300
/** Seeded leads, by their numbers. */
const callers = [
  { from: '+919814012345', name: 'Harpreet Kaur' },
  { from: '+919876543210', name: 'Ananya Sharma' },
] as const

/**
 * From the provider's webhook, as it is sent, to the caller's name in the agent's page. The page notes the time when the name is in it and the browser is
 * about to draw; both clocks are the machine's.
 */
export async function proveScreenPop(): Promise<Figure> {
  await using app = await createTestApp({ receivesWebhooks: true, withDemo: true, environment: choicesOfAccount('demo') })
  const { telephony } = app.standIns
  await using browser = await startChromium()
  await using opened = await browser.open({ viewport: { width: 1280, height: 800 } })
  const { page } = opened
  await page.goto(`${app.url}/console/desk`)
  await signInByClick(page, 'Agent')
  await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor()
  say('the agent waits for calls')
  const took: number[] = []
  for (let call = 0; call <= calls; call += 1) {
    const { from, name } = callers[call % callers.length] ?? callers[0]
    const shown = page.evaluate<number>(`(${shownAt})(${JSON.stringify(name)})`)
    const sentAt = performance.timeOrigin + performance.now()
    const { ucid } = telephony.ring({ from, agentId: 'agent1' })
    // The first loads the call's part of the page.
    const at = await shown
    if (call > 0) took.push(at - sentAt)
    telephony.hangUp({ ucid })
    await page.getByRole('heading', { level: 2, name }).waitFor({ state: 'detached' })
  }
  return {
    claim: `Screen pop: from the webhook of a call to the caller's name in the agent's page, ${calls} calls, lead found at the platform (limit: ${limitMs} ms at p95)`,
    figure: `${milliseconds(took)}, longest ${Math.max(...took).toFixed(0)} ms`,
    holds: percentile(took, 0.95) < limitMs,
  }
}

/** Runs in the page: when a heading with this name is about to be drawn. */
const shownAt = `(name) => new Promise((resolve) => {
  const isThere = () => [...document.querySelectorAll('h2')].some((heading) => heading.textContent === name)
  const watching = new MutationObserver(() => {
    if (!isThere()) return
    watching.disconnect()
    requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()))
  })
  watching.observe(document.body, { childList: true, subtree: true, characterData: true })
})`
