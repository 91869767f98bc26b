import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import { signOut } from '../harness/account-menu.ts'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'
import { expectAudio, lastCall } from '../harness/softphone.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary, { environment: choicesOfAccount('demo') })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe.skipIf(chromium === null)('the softphone', () => {
  test('takes a call back after a reload, also if the phone server is not there at first', async () => {
    const { sip, telephony } = stage.app.standIns
    await using opened = await stage.open({ path: '/desk', as: 'agent2' })
    const { page } = opened
    await page.getByText('Phone ready').waitFor()
    const { ucid } = telephony.ring({ from: '+919814012345', agentId: 'agent2' })
    await page.getByRole('button', { name: 'Answer' }).click()
    await page.getByRole('button', { name: 'Keypad' }).waitFor()
    const call = lastCall(stage)
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
    expect(sip.faults).toEqual([])
    await signOut(page)
  })

  test('leaves a call where it is when the agent goes on at another device: both say so, and only a person takes the session back', async () => {
    const { sip, telephony } = stage.app.standIns
    await using opened = await stage.open({ path: '/desk', as: 'agent1' })
    const { page } = opened
    await page.getByText('Phone ready').waitFor()
    const second = await page.context().newPage()
    await second.goto(page.url())
    await second.getByText('Phone in another tab').waitFor()
    const { ucid } = telephony.ring({ from: '+919814012345', agentId: 'agent1' })
    await page.getByRole('button', { name: 'Answer' }).waitFor()
    const call = lastCall(stage)
    const starts: string[] = []
    for (const tab of [page, second])
      tab.on('request', (request) => /startAgentSession/.test(request.postData() ?? '') && starts.push(tab.url()))

    await using device = await stage.open({ path: '/desk' })
    await device.signIn('agent1')
    await device.page.getByText('A call goes on there, with its sound, until it is over').waitFor()
    await device.page.getByRole('button', { name: 'Continue here' }).click()
    await device.page.getByText('A call rings where you were signed in before').waitFor()
    await page.getByRole('heading', { level: 1, name: 'You went on working on another device' }).waitFor()
    await page.getByRole('button', { name: 'Answer' }).click()
    await waitFor(() => call.phase() === 'talking')
    await page.getByRole('button', { name: 'Mute' }).waitFor()
    await opened.expectAccessible()
    await opened.screenshot('phone-sound-only')
    await device.page.getByText('The sound of your call is not here').waitFor()
    await device.page.getByText('Phone ready').waitFor()
    await device.expectAccessible()
    await device.screenshot('phone-sound-elsewhere')
    await device.page.getByRole('button', { name: 'Hold' }).click()
    await device.page.getByRole('button', { name: 'Take off hold' }).click()
    await expectAudio(call)

    const left = second.getByText('You went on working on another device')
    await left.waitFor()
    await second.reload()
    await left.waitFor()
    expect(starts).toEqual([])
    await second.getByLabel('Email').fill('agent1@demo.example')
    await second.getByLabel('Password').fill('sandbox-password')
    await second.getByRole('button', { name: 'Sign in', exact: true }).click()
    await second.getByRole('button', { name: 'Continue here' }).click()
    await device.page.getByText('You went on working on another device').waitFor()
    await second.getByText('Phone in another tab').waitFor()
    await page.getByRole('button', { name: 'Hang up' }).click()
    await waitFor(() => telephony.call({ ucid }).phase === 'ended')
    expect(telephony.call({ ucid }).hangupBy).toBe('AgentHangup')
    for (const tab of [page, second]) await tab.getByRole('heading', { name: 'Wrap-up' }).waitFor()
    await second.getByText('Phone ready').waitFor()
    await page.getByText('Phone in another tab').waitFor()
    expect([sip.isRegistered('5231'), sip.faults]).toEqual([true, []])
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
})
