import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import { type ConsoleStage, openConsoleStage, refuse } from '../harness/console.ts'
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
    const call = lastCall(stage)
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
    const call = lastCall(stage)
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
    // The store is away for a moment, then a third tab is faster.
    const { lockedAt } = await tab.evaluate<{ lockedAt: string }>("JSON.parse(localStorage.getItem('call-center-sidecar')).agentSession")
    const locked = { code: 'CONFLICT', reason: 'SESSION_LOCKED', data: { ip: '127.0.0.1', lockedAt, own: true } }
    const refusals = [(route: Route) => refuse(route), (route: Route) => refuse(route, locked)]
    await tab.route('**/graphql', (route) => {
      const isStart = route.request().postData()?.includes('startAgentSession') === true
      return (isStart && refusals.shift()?.(route)) || route.continue()
    })
    await page.close()
    await tab.getByText('Phone ready').waitFor()
    expect([refusals, sip.isRegistered('5232')]).toEqual([[], true])
  })
})
