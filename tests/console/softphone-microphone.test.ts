import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'
import { lastCall } from '../harness/softphone.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary, { environment: choicesOfAccount('demo') })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe.skipIf(chromium === null)('the softphone', () => {
  test('takes a call back when the microphone can be used, and nothing is asked for before', async () => {
    const { sip, telephony } = stage.app.standIns
    await using opened = await stage.open({ path: '/desk', as: 'agent2' })
    const { page } = opened
    await page.getByText('Phone ready').waitFor()
    const { ucid } = telephony.ring({ from: '+919814012345', agentId: 'agent2' })
    await page.getByRole('button', { name: 'Answer' }).click()
    await waitFor(() => lastCall(stage).phase() === 'talking')
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
    await waitFor(() => lastCall(stage).offers() === 1)
    await page.getByRole('button', { name: 'Keypad' }).waitFor()
    await page.addInitScript('navigator.mediaDevices.getUserMedia = () => new Promise(() => undefined)')
    await page.reload()
    await page.getByText('The audio of your call is coming back').waitFor()
    // The agent does not wait: the phone has not asked for the call yet.
    await page.getByRole('button', { name: 'Hang up' }).click()
    await waitFor(() => telephony.call({ ucid }).phase === 'ended')
    await page.getByRole('heading', { name: 'Wrap-up' }).waitFor()
    expect(await page.getByText('The reload ended the audio of your call').count()).toBe(0)
    expect(sip.faults).toEqual([])
  })
})
