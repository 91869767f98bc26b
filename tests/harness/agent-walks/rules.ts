import type { AgentStatus } from '../../../src/sandbox/telephony/account.ts'
import { waitFor } from '../wait-for.ts'
import type { Model } from './model.ts'
import type { SeenTab, World } from './world.ts'

const states = {
  loggedOut: ['Signed out at the phone'],
  AUX: ['Not ready'],
  IDLE: ['Ready'],
  pause: ['Tea Break', 'Lunch Break'],
  calling: ['Ready', 'On a call'],
  incall: ['On a call'],
  ACW: ['Wrap-up'],
} as const satisfies Record<AgentStatus, readonly string[]>

/** Waits until what the pages show is true. Rejects with what is not, if it stays so. */
export async function settle(world: World, model: Model): Promise<void> {
  const startedAt = performance.now()
  const isRight = async (): Promise<true> => {
    const broken = brokenRules(world, model, await world.look())
    if (broken.length > 0) throw new Error(broken.join('\n'))
    return true
  }
  const { patienceMs } = world
  await waitFor(isRight, { what: 'the pages to show what is true', ...(patienceMs !== undefined && { deadlineMs: patienceMs }) })
  world.slowestMs = Math.max(world.slowestMs, performance.now() - startedAt)
  model.agent = world.agent().status
}

/** What the pages of these devices show and must not show, or the other way round. */
function brokenRules(world: World, model: Model, tabs: readonly SeenTab[]): readonly string[] {
  const broken = world.takenBack.map((request) => `a page took the session back: ${request}`)
  const phones = tabs.filter(({ seen }) => seen.phone === 'Phone ready')
  if (phones.length > 1) broken.push(`${phones.length} pages have the phone`)
  const { status } = world.agent()
  if (model.unreported !== status) model.unreported = null
  const isReported = model.delivery === 'works' && model.unreported === null
  const hasCall = status === 'calling' || status === 'incall'
  for (const { device, page, seen } of tabs) {
    const name = `${device}${world.devices[device].tabs.indexOf(page) + 1}`
    const say = (fault: string): void => void broken.push(`${name} ${fault}: ${JSON.stringify(seen)}`)
    const notes = world.notes.filter((note) => note.page === page && note.number === seen.desk?.number)
    const missing = notes.filter(({ word }) => seen.desk?.notes.includes(word) !== true)
    if (missing.length > 0) say(`has lost ${missing.map(({ word }) => word).join(', ')}`)
    if (!model.online[device] || !model.isServiceUp) continue
    if (seen.screen === 'none' || seen.screen === 'unreachable') say('shows nothing')
    if (model.holder === device && seen.screen !== 'work') say('has the session and shows no work')
    if (model.holder !== device && seen.screen === 'work') say('works without the session')
    if (seen.screen === 'sound' && !hasCall) say('keeps the sound of no call')
    if (seen.screen !== 'work') continue
    if (seen.state === 'State not known' || seen.state === '') say('does not know the state')
    if (!isReported) continue
    // A call that rang in vain, and whose end was lost, may still wait for the agent: only the provider's records say that it does not.
    const shown = [...seen.calls, ...(model.hasLostReports ? [] : seen.ringing)]
    if (!hasCall && shown.length > 0) say(`shows a call that is over (${status})`)
    const known: readonly string[] = states[status]
    if (!known.includes(seen.state)) say(`shows another state than ${status}`)
  }
  return broken
}
