import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import type { Page } from 'playwright-core'
import { signOut } from '../harness/account-menu.ts'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary, { environment: choicesOfAccount('demo') })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

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

describe.skipIf(chromium === null)('the softphone', () => {
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
})
