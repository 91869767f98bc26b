import type { WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { endSession } from '../harness/end-session.ts'
import { tokenWithoutSession } from '../harness/tokens-without-session.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary, { environment: choicesOfAccount('demo') })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe.skipIf(chromium === null)('the agent desk', () => {
  test('corrects when to call back, also that alone, and takes no time that is past', async () => {
    const { telephony, platform } = stage.app.standIns
    await using opened = await stage.open({ path: '/desk', as: 'agent3' })
    const { page } = opened
    const { ucid } = telephony.ring({ from: '+919811166666', agentId: 'agent3' })
    telephony.answer({ ucid })
    await page.getByText('Connected').waitFor()
    telephony.hangUp({ ucid })
    await page.getByRole('heading', { name: 'Wrap-up' }).waitFor()
    await page.getByRole('button', { name: 'Call Back Later' }).click()
    await page.getByRole('button', { name: /^No callback/ }).click()
    await page.getByRole('option', { name: 'Tomorrow at 10' }).click()
    const moment = page.getByLabel('When')
    const tomorrow = await moment.inputValue()
    await moment.fill(`2020${tomorrow.slice(4)}`)
    await page.getByText('Choose a time from now on, at most a year ahead').waitFor()
    expect(await page.getByRole('button', { name: 'Save outcome' }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Save and be ready' }).isDisabled()).toBe(true)
    await opened.expectAccessible()
    await opened.screenshot('desk-callback-past')
    await moment.fill(tomorrow)
    await page.getByRole('button', { name: 'Save outcome' }).click()
    await page.getByText('You can correct it until the wrap-up ends.').waitFor()
    expect(await page.getByRole('button', { name: 'Save correction' }).isDisabled()).toBe(true)
    const later = tomorrow.replace('T10', 'T16')
    await moment.fill(later)
    await page.getByText('What you changed is not saved yet.').waitFor()
    await page.getByRole('button', { name: 'Save correction' }).click()
    await page.getByText('You can correct it until the wrap-up ends.').waitFor()
    const dueAt = await page.evaluate((local) => new Date(local).toISOString(), later)
    const task = () => platform.records('demo', 'task', { dueAt: { eq: dueAt } })
    await waitFor(() => task().length === 1, { what: 'the task at its new time' })
    const { token } = await stage.app.signIn('manager@demo.example')
    const list = await stage.app.graphql('{ worklist(includeLater: true) { nodes { callbacks { ucid at } } } }', { token })
    expect(JSON.stringify(list.data)).toContain(JSON.stringify({ ucid, at: dueAt }))
    // Who promised it finds it among their own.
    await page.getByRole('link', { name: 'Callbacks' }).click()
    await page.getByRole('radio', { name: 'Mine' }).click()
    await page.getByRole('row').filter({ hasText: '+91 98111 66666' }).getByText('For Farah Khan').waitFor()
    await page.getByRole('link', { name: 'Calls', exact: true }).click()
    await page.getByRole('button', { name: 'Become ready' }).click()
    await page.getByText('You are ready').waitFor()
  })

  test('asks for the outcome of the call that the agent had, also if another one was missed meanwhile', async () => {
    const { telephony } = stage.app.standIns
    await using opened = await stage.open({ path: '/desk', as: 'agent2' })
    const { page } = opened
    const { ucid } = telephony.ring({ from: '+919811177777', agentId: 'agent2' })
    telephony.answer({ ucid })
    await page.getByText('Connected').waitFor()
    telephony.missCall({ from: '+919811188888', agentId: 'agent2' })
    // Its webhooks have whole seconds, and come in any order: not in the second of the wrap-up.
    stage.clock.advance(1_000)
    telephony.hangUp({ ucid })
    await page.getByRole('heading', { name: 'Wrap-up' }).waitFor()
    await page.getByRole('heading', { level: 2, name: '+91 98111 77777' }).waitFor()
    expect(await page.getByRole('heading', { level: 2, name: '+91 98111 88888' }).count()).toBe(0)
    // A callback that is wanted, and has no time yet, is not saved.
    await page.getByRole('button', { name: 'Information Given' }).click()
    await page.getByRole('button', { name: 'Save outcome' }).click()
    await page.getByText('You can correct it until the wrap-up ends.').waitFor()
    await page.getByRole('button', { name: /^No callback/ }).click()
    await page.getByRole('option', { name: 'At a time…' }).click()
    await page.getByLabel('When').fill('')
    await page.getByText('What you changed is not saved yet.').waitFor()
    for (const name of ['Save correction', 'Save and be ready']) expect(await page.getByRole('button', { name }).isDisabled()).toBe(true)
  })

  test('lets an agent choose a break during a call, which begins with the outcome or when the wrap-up ends', async () => {
    const { telephony } = stage.app.standIns
    await endSession(stage, 'Ravi Kumar')
    await using opened = await stage.open({ path: '/desk', as: 'agent2' })
    const { page } = opened
    const control = page.getByRole('button', { name: /^Your state/ })
    const choose = async (state: string): Promise<void> => {
      await control.click()
      await page.getByRole('menuitem', { name: state, exact: true }).click()
    }
    const talk = async (): Promise<string> => {
      // The provider's times are whole seconds.
      stage.clock.advance(2_000)
      await choose('Ready')
      await page.getByRole('button', { name: /^Your state: Ready/ }).waitFor()
      const { ucid } = telephony.ring({ from: '+919811177777', agentId: 'agent2' })
      telephony.answer({ ucid })
      await page.getByRole('button', { name: /^Your state: On a call/ }).waitFor()
      await choose('Tea Break')
      await control.getByText('Next: Tea Break').waitFor()
      await choose('Tea Break')
      await control.getByText('Next: Tea Break').waitFor({ state: 'detached' })
      await choose('Tea Break')
      await control.getByText('Next: Tea Break').waitFor()
      expect(telephony.agent({ agentId: 'agent2' }).status).toBe('incall')
      return ucid
    }
    const isOnBreak = async (): Promise<void> => {
      await page.getByRole('button', { name: /^Your state: Tea Break/ }).waitFor()
      expect(telephony.agent({ agentId: 'agent2' })).toMatchObject({ status: 'pause', pauseReason: 'Tea Break' })
      await control.getByText('Next:').waitFor({ state: 'detached' })
    }
    const first = await talk()
    await control.click()
    await opened.expectAccessible()
    await opened.screenshot('next-state')
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 800 })
    await control.getByText('Next: Tea Break').waitFor()
    await opened.screenshot('next-state-phone')
    await page.setViewportSize({ width: 1280, height: 800 })
    await control.click()
    await page.getByRole('menuitem', { name: 'Ready', exact: true }).click()
    await control.getByText('Next: Tea Break').waitFor({ state: 'detached' })
    await choose('Tea Break')
    await page.reload()
    await control.getByText('Next: Tea Break').waitFor()
    telephony.hangUp({ ucid: first })
    await page.getByRole('heading', { name: 'Wrap-up' }).waitFor()
    await page.getByRole('button', { name: 'Information Given' }).click()
    await page.getByRole('button', { name: 'Save, then Tea Break' }).click()
    await isOnBreak()
    // The outcome of a call that goes on comes without it.
    const second = await talk()
    await page.getByRole('button', { name: 'Information Given' }).click()
    await page.getByRole('button', { name: 'Save outcome' }).click()
    await page
      .getByText(/^Saved/)
      .first()
      .waitFor()
    telephony.hangUp({ ucid: second })
    await page.getByRole('button', { name: 'Finish, then Tea Break' }).click()
    await isOnBreak()
    // The provider ends the wrap-up.
    telephony.hangUp({ ucid: await talk() })
    await page.getByRole('heading', { name: 'Wrap-up' }).waitFor()
    stage.clock.advance(600_000)
    await isOnBreak()
  })

  test('is about the call that ended, also when the stream of calls opens again', async () => {
    const { telephony } = stage.app.standIns
    await endSession(stage, 'Ravi Kumar')
    await using opened = await stage.open()
    const { page } = opened
    const routes: WebSocketRoute[] = []
    await page.routeWebSocket('**/graphql', (route) => {
      routes.push(route)
      route.connectToServer()
    })
    await page.goto(`${stage.app.url}/console/desk`)
    await opened.signIn('agent2')
    const openAgain = async (): Promise<void> => {
      const before = routes.length
      const read = page.waitForResponse((response) => response.request().postData()?.includes('query LastCall') === true)
      await Promise.all(routes.map((route) => route.close({ code: 1013 })))
      await waitFor(() => routes.length > before)
      await read
      await page.getByText('Connection lost').waitFor({ state: 'detached' })
    }
    const wrapUp = page.getByRole('heading', { name: 'Wrap-up' })
    await page.getByText('Phone ready').waitFor()
    const { ucid } = telephony.ring({ from: '+919811177777', agentId: 'agent2' })
    telephony.answer({ ucid })
    await page.getByText('Connected').waitFor()
    await page.reload()
    await page.getByText('Connected').waitFor()
    telephony.hangUp({ ucid })
    await wrapUp.waitFor()
    await openAgain()
    expect(await wrapUp.count()).toBe(1)
    expect(await page.getByRole('heading', { level: 2, name: '+91 98111 77777' }).count()).toBe(1)
    expect(await page.getByText('Connected').count()).toBe(0)
  })

  test('counts down, saves before the provider ends the wrap-up, and says so; what is not complete stays', async () => {
    const { telephony } = stage.app.standIns
    await endSession(stage, 'Farah Khan')
    await using opened = await stage.open({ path: '/desk', as: 'agent3', hasClock: true })
    const { page } = opened
    const callUntilWrapUp = async (from: string): Promise<string> => {
      const { ucid } = telephony.ring({ from, agentId: 'agent3' })
      telephony.answer({ ucid })
      await page.getByText('Connected').waitFor()
      stage.clock.advance(2_000)
      telephony.hangUp({ ucid })
      await page.getByText('The wrap-up ends in').waitFor()
      return ucid
    }
    const dispositionOf = async (ucid: string): Promise<unknown> => {
      const { token } = await stage.app.signIn('manager@demo.example')
      const { data } = await stage.app.graphql(`{ callLookup(ucid: "${ucid}") { call { disposition } } }`, { token })
      return JSON.stringify(data)
    }
    const first = await callUntilWrapUp('+919811155555')
    await page.getByRole('button', { name: 'Information Given' }).click()
    await page.clock.runFor(92_000)
    await page.getByText('Then the desk saves this outcome').waitFor()
    await page.getByRole('button', { name: 'I need more time' }).click()
    await page.getByText(/^No call comes after it/).waitFor()
    await opened.expectAccessible()
    await opened.screenshot('desk-wrap-up-ends')
    await page.clock.runFor(25_000)
    await page.getByText('The wrap-up ended, so the desk saved: Information Given').waitFor()
    expect(await dispositionOf(first)).toContain('Information Given')
    expect(telephony.agent({ agentId: 'agent3' }).status).toBe('pause')
    // The agent corrects it, in their break.
    await page.getByRole('button', { name: 'Complaint' }).click()
    await page.getByRole('button', { name: 'Save correction' }).click()
    await waitFor(async () => String(await dispositionOf(first)).includes('Complaint'))
    const becomeReady = async (): Promise<void> => {
      stage.clock.advance(2_000)
      await page.getByRole('button', { name: /^Your state/ }).click()
      await page.getByRole('menuitem', { name: 'Ready', exact: true }).click()
      await page.getByRole('button', { name: /^Your state: Ready/ }).waitFor()
    }
    // The provider ends it while the agent looks at something else.
    await becomeReady()
    const second = await callUntilWrapUp('+919811155556')
    await page.getByRole('button', { name: 'Not Interested' }).click()
    await page.getByRole('link', { name: 'Callbacks' }).click()
    stage.clock.advance(121_000)
    await waitFor(async () => String(await dispositionOf(second)).includes('Not Interested'))
    await page.getByRole('link', { name: 'Calls', exact: true }).click()
    await page.getByText('The wrap-up ended, so the desk saved: Not Interested').waitFor()
    await page.getByRole('button', { name: 'That is right' }).click()
    await page.getByText('You are ready').waitFor()
    // Without an outcome.
    const third = await callUntilWrapUp('+919811155557')
    const notes = page.getByRole('textbox', { name: 'Notes' })
    await notes.fill('Asked for Dr Rao')
    await page.clock.runFor(2_000)
    await page.getByText('Saved', { exact: true }).waitFor()
    stage.clock.advance(121_000)
    await page.getByText('The wrap-up is over, and the call has no outcome yet').waitFor()
    expect(await notes.inputValue()).toBe('Asked for Dr Rao')
    const recorded = () => JSON.stringify(stage.app.standIns.platform.records('demo', 'call', { ucid: { eq: third } }))
    await waitFor(() => recorded().includes('Asked for Dr Rao'), { what: 'the notes in the CRM' })
    await page.getByRole('button', { name: 'Information Given' }).click()
    await page.getByRole('button', { name: 'Save outcome' }).click()
    await waitFor(async () => String(await dispositionOf(third)).includes('Information Given'))
    // What another device has chosen since is not overwritten.
    await becomeReady()
    const fourth = await callUntilWrapUp('+919811155558')
    const saved = page.waitForResponse((response) => response.request().postData()?.includes('saveCallNotes') === true)
    await page.getByRole('button', { name: 'Information Given' }).click()
    await saved
    const token = await tokenWithoutSession(
      { url: stage.app.url, workspaceUrl: stage.app.standIns.platform.workspaceUrl },
      'agent3@demo.example',
    )
    await stage.app.rest('PUT', `/api/calls/${fourth}/notes`, { token, body: { notes: '', disposition: 'Complaint' } })
    const sent: string[] = []
    page.on('request', (request) => void sent.push(request.postData() ?? ''))
    stage.clock.advance(121_000)
    await waitFor(() => sent.some((body) => /callLookup[^]*draftNotes/v.test(body) || body.includes('SubmitDisposition')))
    await page.getByText('The wrap-up is over, and the call has no outcome yet').waitFor()
    expect(sent.filter((body) => body.includes('SubmitDisposition'))).toEqual([])
    expect(await dispositionOf(fourth)).toContain('"disposition":null')
  })

  test('has what was entered in every tab, and sends it once, also if the tab is closed or the service away meanwhile', async () => {
    const { telephony, platform } = stage.app.standIns
    await endSession(stage, 'Ravi Kumar')
    await using opened = await stage.open({ path: '/desk', as: 'agent2' })
    const { page } = opened
    const other = await page.context().newPage()
    await other.goto(page.url())
    const { ucid } = telephony.ring({ from: '+919811144441', agentId: 'agent2' })
    telephony.answer({ ucid })
    for (const tab of [page, other]) await tab.getByRole('heading', { level: 2, name: '+91 98111 44441' }).waitFor()
    await page.getByRole('textbox', { name: 'Notes' }).fill('Wants a room')
    await page.getByRole('button', { name: 'Information Given' }).click()
    await other.getByRole('button', { name: 'Information Given', pressed: true }).waitFor()
    expect(await other.getByRole('textbox', { name: 'Notes' }).inputValue()).toBe('Wants a room')
    const sent: string[] = []
    for (const tab of [page, other])
      tab.on('request', (request) => request.postData()?.includes('SubmitDisposition') && sent.push(tab.url()))
    telephony.hangUp({ ucid })
    await other.getByRole('heading', { name: 'Wrap-up' }).waitFor()
    stage.clock.advance(121_000)
    for (const tab of [page, other]) await tab.getByText('The wrap-up ended, so the desk saved: Information Given').waitFor()
    expect(sent).toHaveLength(1)
    await other.close()

    // The end of the wrap-up finds no page, and no service.
    const second = telephony.ring({ from: '+919811144442', agentId: 'agent2' }).ucid
    telephony.answer({ ucid: second })
    await page.getByRole('heading', { level: 2, name: '+91 98111 44442' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('textbox', { name: 'Notes' }).fill('Comes on Monday')
    const next = await page.context().newPage()
    await page.close()
    telephony.hangUp({ ucid: second })
    stage.clock.advance(121_000)
    await next.context().setOffline(false)
    await next.goto(`${stage.app.url}/console/callbacks`)
    const recorded = () => JSON.stringify(platform.records('demo', 'call', { ucid: { eq: second } }))
    await waitFor(() => recorded().includes('Comes on Monday'), { what: 'the notes in the CRM' })
  })
})
