import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import type { SipCall } from '../../src/sandbox/sip/calls.ts'
import type { Page } from 'playwright-core'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary, { environment: choicesOfAccount('demo') })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

/** The customer hears the agent. */
async function expectAudio(call: SipCall): Promise<void> {
  const before = call.received()
  await waitFor(() => call.received() > before + 10)
}

type BadNetwork = {
  /** Messages of the phone that never arrive: how they begin. */
  readonly lost: Set<string>
  /** Messages of the server that never arrive: what is in them. */
  readonly unheard: Set<string>
}

/** The network between a phone that is not open yet and its server. */
async function openBadNetwork(page: Page): Promise<BadNetwork> {
  const network: BadNetwork = { lost: new Set(), unheard: new Set() }
  await page.routeWebSocket(`${stage.app.standIns.sip.url}/**`, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((message) => {
      if (!network.lost.values().some((start) => String(message).startsWith(start))) server.send(message)
    })
    server.onMessage((message) => {
      if (!network.unheard.values().some((part) => String(message).includes(part))) socket.send(message)
    })
  })
  return network
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: / Agent$/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Password').waitFor()
}

function lastCall(): SipCall {
  const call = stage.app.standIns.sip.calls.at(-1)
  if (!call) throw new Error('no call has rung')
  return call
}

describe.skipIf(chromium === null)('the softphone', () => {
  test('registers, rings, is answered, mutes, sends tones, and has its audio back after a network cut and after a reload', async () => {
    const { sip, telephony } = stage.app.standIns
    await using opened = await stage.open({ path: '/desk', as: 'agent1' })
    const { page } = opened
    await page.getByText('Phone ready').waitFor()
    expect(sip.isRegistered('5231')).toBe(true)
    // The ring does not wait for the name, and nothing moves when it comes.
    const names = Promise.withResolvers<void>()
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('query ScreenPop')) await names.promise
      await route.continue()
    })
    const { ucid } = telephony.ring({ from: '+919814012345', agentId: 'agent1' })
    const call = lastCall()
    await page.getByRole('alert').getByText('+91 98140 12345 calls').waitFor()
    const places = () => Promise.all(['Answer', 'Decline'].map((name) => page.getByRole('button', { name }).boundingBox()))
    const before = await places()
    names.resolve()
    await page.getByRole('alert').getByText('Harpreet Kaur calls').waitFor()
    await page.getByRole('alert').getByText('+91 98140 12345').waitFor()
    expect(await places()).toEqual(before)
    await page.unroute('**/graphql')
    await opened.expectAccessible()
    await opened.screenshot('phone-rings')
    await page.getByRole('button', { name: 'Answer' }).click()
    await waitFor(() => call.phase() === 'talking')
    expect(telephony.call({ ucid }).phase).toBe('talking')
    await expectAudio(call)
    await page.getByRole('button', { name: 'Mute' }).click()
    await page.getByRole('button', { name: 'Unmute' }).click()
    await page.getByRole('button', { name: 'Keypad' }).click()
    await page.getByRole('button', { name: 'Send 5' }).click()
    await waitFor(() => call.tones.join('') === '5')
    await opened.screenshot('phone-talks')

    sip.cut()
    await page.getByText('Phone not reachable').waitFor()
    sip.mend()
    await page.getByText('Phone ready').waitFor()
    await waitFor(() => call.offers() === 1)
    await expectAudio(call)

    await page.reload()
    await waitFor(() => call.offers() === 2)
    await expectAudio(call)
    await page.getByRole('button', { name: 'Keypad' }).waitFor()
    // Whoever is muted stays so.
    await page.getByRole('button', { name: 'Mute' }).click()
    await page.reload()
    await waitFor(() => call.offers() === 3)
    await page.getByRole('button', { name: 'Unmute' }).waitFor()
    sip.supportsReplaces = false
    await page.reload()
    await page.getByText('The reload ended the audio of your call').waitFor()
    await opened.expectAccessible()
    sip.supportsReplaces = true
    telephony.hangUp({ ucid })
    expect(call.phase()).toBe('ended')
    expect(sip.faults).toEqual([])
  })

  test('has its call until it is over when a manager ends the session, then the sign-in shows', async () => {
    const { app } = stage
    const { telephony } = app.standIns
    await using opened = await stage.open({ path: '/desk', as: 'agent2' })
    const { page } = opened
    await page.getByText('Phone ready').waitFor()
    const { ucid } = telephony.ring({ from: '+919814012345', agentId: 'agent2' })
    await page.getByRole('button', { name: 'Answer' }).click()
    const call = lastCall()
    await waitFor(() => call.phase() === 'talking')
    const { token } = await app.signIn('manager@demo.example')
    const { body } = await app.rest('GET', '/api/sessions', { token })
    const agentId = /"agentId":"([^"]+)","agentName":"Ravi Kumar"/.exec(JSON.stringify(body))?.[1] ?? 'none'
    const refused = page.waitForResponse('**/console/session/renew')
    expect(await app.rest('DELETE', `/api/sessions/${agentId}`, { token, body: { reason: 'The shift is over' } })).toMatchObject({
      status: 200,
    })
    await refused
    await page.getByRole('button', { name: 'Mute' }).waitFor()
    expect(call.phase()).toBe('talking')
    telephony.hangUp({ ucid })
    await page.getByText('A manager ended your session, or you signed out in another tab').waitFor()
  })

  test('declines, hangs up, and stops ringing when others answer or the caller gives up', async () => {
    const { sip, telephony } = stage.app.standIns
    await using opened = await stage.open({ path: '/desk', as: 'agent3' })
    const { page } = opened
    const alert = page.getByRole('alert').filter({ hasText: '+91 98140 12345' })
    await page.getByText('Phone ready').waitFor()
    const ring = async (): Promise<string> => {
      await alert.waitFor({ state: 'detached' })
      const { ucid } = telephony.ring({ from: '+919814012345', agentId: 'agent3' })
      await alert.waitFor()
      return ucid
    }
    const declined = await ring()
    await page.getByRole('button', { name: 'Decline' }).click()
    await waitFor(() => telephony.call({ ucid: declined }).phase === 'ended')
    const givenUp = await ring()
    // What comes meanwhile does not move the buttons.
    const place = await page.getByRole('button', { name: 'Answer' }).boundingBox()
    await page.context().setOffline(true)
    await page.getByText('Connection lost').waitFor()
    expect(await page.getByRole('button', { name: 'Answer' }).boundingBox()).toEqual(place)
    telephony.hangUp({ ucid: givenUp })
    await page.context().setOffline(false)
    await alert.waitFor({ state: 'detached' })
    await page.getByText('Connection lost').waitFor({ state: 'detached' })
    await page.getByText('Phone ready').waitFor()
    const elsewhere = await ring()
    telephony.answer({ ucid: elsewhere })
    await alert.waitFor({ state: 'detached' })
    expect(telephony.call({ ucid: elsewhere }).phase).toBe('talking')
    telephony.hangUp({ ucid: elsewhere })
    // With the view of this call goes its button "Hang up".
    await page.getByRole('heading', { name: 'Wrap-up' }).waitFor()
    const own = await ring()
    await page.getByRole('button', { name: 'Answer' }).click()
    await waitFor(() => telephony.call({ ucid: own }).phase === 'talking')
    await page.getByRole('button', { name: 'Hang up' }).click()
    await waitFor(() => telephony.call({ ucid: own }).phase === 'ended')
    expect(telephony.call({ ucid: own }).hangupBy).toBe('AgentHangup')
    expect(sip.faults).toEqual([])
    // Another test signs the same agent in.
    await signOut(page)
  })

  test('leaves "Hang up" where it is when the service says, during the press, that the call was answered', async () => {
    const { sip, telephony } = stage.app.standIns
    await using opened = await stage.open({ path: '/desk', as: 'agent3' })
    const { page } = opened
    await page.getByText('Phone ready').waitFor()
    const { ucid } = telephony.ring({ from: '+919814012345', agentId: 'agent3' })
    await page.getByRole('heading', { level: 2, name: 'Harpreet Kaur' }).waitFor()
    telephony.accountMode({ delivery: 'late' })
    await page.getByRole('button', { name: 'Answer' }).click()
    await waitFor(() => telephony.call({ ucid }).phase === 'talking')
    expect(await page.getByRole('button', { name: 'Hold' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Hang up' }).hover()
    await page.mouse.down()
    telephony.accountMode({ delivery: 'works' })
    await page.getByRole('button', { name: 'Hold' }).waitFor()
    await page.mouse.up()
    await waitFor(() => telephony.call({ ucid }).phase === 'ended')
    expect(telephony.call({ ucid }).hangupBy).toBe('AgentHangup')
    expect(sip.faults).toEqual([])
    // Another test signs the same agent in.
    await signOut(page)
  })

  test('ends at the provider what its server does not hear, and says nothing if the call is over', async () => {
    const { sip, telephony } = stage.app.standIns
    await using opened = await stage.open({ path: '/desk' })
    const { page } = opened
    const network = await openBadNetwork(page)
    await opened.signIn('agent3')
    await page.getByText('Phone ready').waitFor()
    const talk = async (): Promise<string> => {
      const { ucid } = telephony.ring({ from: '+919814012345', agentId: 'agent3' })
      await page.getByRole('alert').getByText('Harpreet Kaur calls').waitFor()
      await page.getByRole('button', { name: 'Answer' }).click()
      await page.getByRole('button', { name: 'Hold' }).waitFor()
      return ucid
    }
    const expectEnd = async (ucid: string): Promise<void> => {
      await waitFor(() => telephony.call({ ucid }).phase === 'ended')
      expect(telephony.call({ ucid }).hangupBy).toBe('AgentHangup')
      await page.getByRole('button', { name: 'Hang up' }).waitFor({ state: 'detached' })
      expect(await page.locator('.ui-toast').count()).toBe(0)
    }
    network.lost.add('BYE ')
    const talking = await talk()
    await page.getByRole('button', { name: 'Hang up' }).click()
    await expectEnd(talking)
    network.lost.clear()
    const cut = await talk()
    sip.cut()
    await page.getByText('Phone not reachable').waitFor()
    await page.getByRole('button', { name: 'Hang up' }).click()
    await expectEnd(cut)
    sip.mend()
    await page.getByText('Phone ready').waitFor()
    // The server has received the BYE, its answer is lost, and the service does not know of the end yet.
    const over = await talk()
    telephony.accountMode({ delivery: 'late' })
    network.unheard.add(' BYE\r\n')
    const asked = page.waitForResponse((response) => response.request().postData()?.includes('HANG_UP') === true)
    await page.getByRole('button', { name: 'Hang up' }).click()
    await asked
    telephony.accountMode({ delivery: 'works' })
    await expectEnd(over)
    network.unheard.clear()
    network.lost.add('BYE ')
    const left = await talk()
    expect(await page.locator('.ui-toast').count()).toBe(0)
    await signOut(page)
    await waitFor(() => telephony.call({ ucid: left }).phase === 'ended')
    expect(telephony.call({ ucid: left }).hangupBy).toBe('AgentHangup')
    expect(sip.faults).toEqual([])
  })

  test('takes a call back after a reload, also if the phone server is not there at first', async () => {
    const { sip, telephony } = stage.app.standIns
    await using opened = await stage.open({ path: '/desk', as: 'agent2' })
    const { page } = opened
    await page.getByText('Phone ready').waitFor()
    const { ucid } = telephony.ring({ from: '+919814012345', agentId: 'agent2' })
    await page.getByRole('button', { name: 'Answer' }).click()
    await page.getByRole('button', { name: 'Keypad' }).waitFor()
    const call = lastCall()
    await waitFor(() => call.phase() === 'talking')
    const waits = page.getByRole('alert').getByText('The phone is not connected yet')
    sip.cut()
    await page.reload()
    await waits.waitFor()
    await opened.expectAccessible()
    await opened.screenshot('phone-waits')
    sip.mend()
    await waitFor(() => call.offers() === 1)
    await expectAudio(call)
    await page.getByRole('button', { name: 'Keypad' }).waitFor()
    expect(await waits.count()).toBe(0)
    // The customer does not wait.
    sip.cut()
    await page.reload()
    await waits.waitFor()
    telephony.hangUp({ ucid })
    await waits.waitFor({ state: 'detached' })
    const refused = new Promise<void>((resolve) =>
      page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => String(payload).startsWith('SIP/2.0 481') && resolve())),
    )
    sip.mend()
    await page.getByText('Phone ready').waitFor()
    await refused
    await page.getByText('The audio of your call is coming back').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Wrap-up' }).waitFor()
    expect(await page.getByText('The reload ended the audio of your call').count()).toBe(0)
    // The agent does not wait: the phone has not asked for the call yet.
    const next = telephony.ring({ from: '+919814012345', agentId: 'agent2' })
    await page.getByRole('button', { name: 'Answer' }).click()
    await waitFor(() => lastCall().phase() === 'talking')
    // The customer waits, however slow the machine is.
    sip.customerPatienceMs = 600_000
    await page.addInitScript('navigator.mediaDevices.getUserMedia = () => new Promise(() => undefined)')
    await page.reload()
    await page.getByText('The audio of your call is coming back').waitFor()
    await page.getByText('The microphone cannot be used').waitFor()
    // Nothing was asked yet: another reload goes on with it.
    await page.reload()
    await page.getByText('The audio of your call is coming back').waitFor()
    await page.addInitScript("navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('No', 'NotAllowedError'))")
    await page.reload()
    await page.getByText('Your call waits for the microphone').waitFor()
    await opened.expectAccessible()
    await page.addInitScript('delete navigator.mediaDevices.getUserMedia')
    await page.reload()
    await waitFor(() => lastCall().offers() === 1)
    await page.getByRole('button', { name: 'Keypad' }).waitFor()
    await page.addInitScript('navigator.mediaDevices.getUserMedia = () => new Promise(() => undefined)')
    await page.reload()
    await page.getByText('The audio of your call is coming back').waitFor()
    await page.getByRole('button', { name: 'Hang up' }).click()
    await waitFor(() => telephony.call({ ucid: next.ucid }).phase === 'ended')
    await page.getByRole('heading', { name: 'Wrap-up' }).waitFor()
    expect(await page.getByText('The reload ended the audio of your call').count()).toBe(0)
    expect(sip.faults).toEqual([])
    // The next test signs the same agent in.
    await signOut(page)
  })

  test('asks for a call again if the connection breaks meanwhile, and says so also of a call that the service does not know', async () => {
    const { sip } = stage.app.standIns
    await using opened = await stage.open({ path: '/desk', as: 'agent3' })
    const { page } = opened
    await page.getByText('Phone ready').waitFor()
    const call = sip.ring('5233', { from: '+919814012346', isAudible: () => true, onAnswer: () => undefined, onEnd: () => undefined })
    await page.getByRole('button', { name: 'Answer' }).click()
    await waitFor(() => call?.phase() === 'talking')
    Object.defineProperty(sip, 'supportsReplaces', {
      configurable: true,
      get() {
        sip.cut()
        return false
      },
    })
    await page.reload()
    await page.getByRole('alert').getByText('The phone is not connected yet').waitFor()
    Object.defineProperty(sip, 'supportsReplaces', { value: true, writable: true })
    sip.mend()
    await waitFor(() => call?.offers() === 1)
    await page.getByText('The audio of your call is coming back').waitFor({ state: 'detached' })
    sip.supportsReplaces = false
    await page.reload()
    await page.getByText('The reload ended the audio of your call').waitFor()
    sip.supportsReplaces = true
    expect(sip.faults).toEqual([])
  })

  test('says that the server refuses the password, and registers when it takes it', async () => {
    const { sip } = stage.app.standIns
    sip.changePassword('5232', 'another')
    await using opened = await stage.open({ path: '/desk', as: 'agent2' })
    const { page } = opened
    await page.getByText('Phone refused').waitFor()
    sip.changePassword('5232', 'sandbox-sip-5232')
    await page.getByRole('button', { name: 'Phone refused' }).click()
    await opened.expectAccessible()
    await page.getByRole('menuitem', { name: 'Try again now' }).click()
    await page.getByText('Phone ready').waitFor()
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await tab.getByText('Phone in another tab').waitFor()
    await page.close()
    await tab.getByText('Phone ready').waitFor()
    expect(sip.isRegistered('5232')).toBe(true)
  })
})
