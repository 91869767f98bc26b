import type { Page } from 'playwright-core'
import { sandboxPassword } from '../../../src/sandbox/platform/seed.ts'
import { createTestApp, type TestApp } from '../../harness/app.ts'
import { startBrowser } from '../../harness/browser.ts'
import { openTcpGate, type TcpGate } from '../../harness/tcp-gate.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { type Figure, say } from '../stage/report.ts'
import { type Caller, openCaller } from './caller.ts'
import { type PhoneServer, startPhoneServer } from './kamailio.ts'

const extension = '5231'
const backMs = 5_000
const stateMs = 10_000

type Stage = { readonly app: TestApp; readonly page: Page; readonly caller: Caller; readonly server: PhoneServer; readonly gate: TcpGate }

/** The console's phone at a real SIP server: it registers, is called, talks, and comes back. */
export async function proveCalls(): Promise<readonly Figure[]> {
  await using server = await startPhoneServer()
  await using gate = await openTcpGate(server.port)
  const environment = { SIP_WS_PORT: String(gate.port), CONSOLE_SIP_SERVERS: `ws://127.0.0.1:${gate.port}` }
  await using app = await createTestApp({ receivesWebhooks: true, environment })
  await using browser = await startBrowser(process.env['CHROMIUM'] ?? '/usr/bin/chromium')
  await using customer = await browser.open({ permissions: ['microphone'] })
  await using agent = await browser.open({ viewport: { width: 1280, height: 800 }, permissions: ['microphone'] })
  const caller = await openCaller(customer.page, server.port)
  say('the customer is registered')
  const { page } = agent
  const registerMs = await signIn(page, app.url)
  const { ucid } = app.standIns.telephony.ring({ from: '+919814012345', agentId: 'agent1' })
  const stage = { app, page, caller, server, gate }
  return [
    within('From the sign-in to a registered phone', registerMs, backMs),
    ...(await proveCall(stage)),
    within('Hold and back, by the provider (a stand-in): the page shows both, and the sound goes on', await proveHold(stage, ucid), 2_000),
    ...(await proveControls(stage)),
    within('After a reload of the page: sound at the customer again', await proveReload(stage), backMs),
    ...(await proveCut(stage)),
    within("The agent hangs up: the customer's call ends", await proveHangUp(stage), 1_000),
    within('A reload, and the other side does not give the call back: the page says so', await proveRefusal(stage), backMs),
    ...(await proveRestart(stage)),
  ]
}

function within(claim: string, ms: number, limit: number): Figure {
  return { claim: `${claim} (limit: ${limit} ms)`, figure: `${Math.round(ms)} ms`, holds: ms <= limit }
}

async function since(startedAt: number, condition: () => Promise<unknown>): Promise<number> {
  await condition()
  return performance.now() - startedAt
}

async function signIn(page: Page, url: string): Promise<number> {
  await page.goto(`${url}/console/desk`)
  await page.getByLabel('Workspace').fill('demo')
  await page.getByLabel('Email').fill('agent1@demo.example')
  await page.getByLabel('Password').fill(sandboxPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  return since(performance.now(), () => page.getByText('Phone ready').waitFor())
}

/** Sound of the agent arrives: packets more than now, or than a new connection has had. */
async function soundArrives({ caller }: Stage, packets = 10): Promise<void> {
  let before = await caller.received()
  await waitFor(
    async () => {
      const now = await caller.received()
      if (now < before) before = now
      return now >= before + packets
    },
    { deadlineMs: 30_000, what: 'sound at the customer' },
  )
}

async function proveCall(stage: Stage): Promise<readonly Figure[]> {
  const { ringMs, audioMs } = await callAgent(stage)
  return [
    within('From the call to the ringing page', ringMs, 1_000),
    within('From the click on Answer to sound at the customer', audioMs, 2_000),
  ]
}

async function callAgent(stage: Stage): Promise<{ readonly ringMs: number; readonly audioMs: number }> {
  const { page, caller } = stage
  const calledAt = performance.now()
  await caller.call(extension)
  const ringMs = await since(calledAt, () => page.getByRole('button', { name: 'Answer' }).waitFor())
  await page.getByRole('button', { name: 'Answer' }).click()
  const audioMs = await since(performance.now(), () => soundArrives(stage))
  say(`rings after ${Math.round(ringMs)} ms, sound after ${Math.round(audioMs)} ms`)
  return { ringMs, audioMs }
}

/** The provider holds a call, the phone does not. */
async function proveHold(stage: Stage, ucid: string): Promise<number> {
  const { page, app } = stage
  app.standIns.telephony.answer({ ucid })
  const hold = page.getByRole('button', { name: 'Hold', exact: true })
  await hold.waitFor()
  const startedAt = performance.now()
  await hold.click()
  await page.getByRole('button', { name: 'Take off hold' }).click()
  await hold.waitFor()
  return since(startedAt, () => soundArrives(stage))
}

async function proveControls(stage: Stage): Promise<readonly Figure[]> {
  const { page, caller } = stage
  await page.getByRole('button', { name: 'Keypad' }).click()
  await page.getByRole('button', { name: 'Send 5' }).click()
  const tone = await waitFor(() => caller.tones(), { deadlineMs: 5_000, what: 'the tone' })
  const spoken = await energyOfSecond(stage)
  await page.getByRole('button', { name: 'Mute', exact: true }).click()
  const muted = await energyOfSecond(stage)
  await page.getByRole('button', { name: 'Unmute', exact: true }).click()
  const again = await energyOfSecond(stage)
  const energies = [spoken, muted, again].map((energy) => energy.toExponential(1))
  say(`energy of the sound: ${energies.join(', ')}`)
  return [
    { claim: 'A tone of the keypad', figure: `tone ${tone} arrives`, holds: tone === '5' },
    {
      claim: 'Mute: the energy of a second of sound at the customer, before, while muted, after (limit: a hundredth while muted)',
      figure: energies.join(', '),
      holds: muted < spoken / 100 && again > spoken / 10,
    },
  ]
}

/** What is on its way arrives before it is counted. */
async function energyOfSecond(stage: Stage): Promise<number> {
  await soundArrives(stage, 50)
  const before = await stage.caller.energy()
  await soundArrives(stage, 50)
  return (await stage.caller.energy()) - before
}

async function proveReload(stage: Stage): Promise<number> {
  const startedAt = performance.now()
  await stage.page.reload()
  await stage.page.getByRole('button', { name: 'Keypad' }).waitFor()
  return since(startedAt, () => soundArrives(stage))
}

/** The network of the agent swallows everything that goes to Kamailio, then is back. The sound's own packets are not cut, so the offer counts. */
async function proveCut(stage: Stage): Promise<readonly Figure[]> {
  const { page, gate, caller } = stage
  say('the network is cut')
  const offers = await caller.offers()
  const cutAt = performance.now()
  gate.swallow()
  const shownMs = await since(cutAt, () => page.getByText('Phone not reachable').waitFor())
  gate.heal()
  const backAt = performance.now()
  const registeredMs = await since(backAt, () => page.getByText('Phone ready').waitFor())
  await waitFor(async () => (await caller.offers()) > offers, { deadlineMs: 30_000, what: 'the offer of audio' })
  await page.getByText('The audio of your call is coming back').waitFor({ state: 'detached' })
  const audioMs = await since(backAt, () => soundArrives(stage))
  return [
    within('The network swallows all packets of the SIP connection during a call: the page says so', shownMs, stateMs),
    within('The network is back: the phone is registered', registeredMs, backMs),
    within('The network is back: the audio is offered again, and sound arrives at the customer', audioMs, backMs),
  ]
}

async function proveHangUp({ page, caller }: Stage): Promise<number> {
  await page.getByRole('button', { name: 'Hang up' }).click()
  return since(performance.now(), () => ended(caller))
}

/** As at a server, or a phone, without `Replaces`. */
async function proveRefusal(stage: Stage): Promise<number> {
  const { page, caller } = stage
  await callAgent(stage)
  await caller.refuseReplaces()
  const startedAt = performance.now()
  await page.reload()
  const saidMs = await since(startedAt, () => page.getByText('The reload ended the audio of your call').waitFor())
  await caller.hangUp()
  await ended(caller)
  return saidMs
}

async function proveRestart({ page, server }: Stage): Promise<readonly Figure[]> {
  say('Kamailio is killed')
  const killedAt = performance.now()
  await server.kill()
  const shownMs = await since(killedAt, () => page.getByText('Phone not reachable').waitFor())
  await server.start()
  const registeredMs = await since(performance.now(), () => page.getByText('Phone ready').waitFor())
  return [
    within('Kamailio is killed: the page says so', shownMs, stateMs),
    within('Kamailio is back: the phone is registered', registeredMs, backMs),
  ]
}

async function ended(caller: Caller): Promise<void> {
  await waitFor(async () => !(await caller.isInCall()), { deadlineMs: 10_000, what: 'the end of the call' })
}
