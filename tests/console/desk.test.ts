import type { WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/kernel/ids.ts'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import { type ConsoleStage, openConsoleStage, refuse } from '../harness/console.ts'
import { createPlatformClient } from '../harness/platform-client.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary, { environment: choicesOfAccount('demo') })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe.skipIf(chromium === null)('the agent desk', () => {
  test('lets an agent become ready and take a break for a reason, by mouse and by keys', async () => {
    const { telephony } = stage.app.standIns
    await using opened = await stage.open({ path: '/desk', as: 'agent1' })
    const { page } = opened
    const control = page.getByRole('button', { name: /^Your state/ })
    await control.click()
    await opened.expectAccessible()
    await page.getByRole('menuitem', { name: 'Ready', exact: true }).click()
    await page.getByRole('button', { name: /^Your state: Ready/ }).waitFor()
    expect(telephony.agent({ agentId: 'agent1' }).status).toBe('IDLE')
    await control.click()
    await page.getByRole('menuitem', { name: 'Tea Break' }).click()
    await page.getByRole('button', { name: /^Your state: Tea Break/ }).waitFor()
    expect(telephony.agent({ agentId: 'agent1' })).toMatchObject({ status: 'pause', pauseReason: 'Tea Break' })
    await page.getByRole('heading', { level: 1 }).click()
    // Together: the second key counts for a moment only.
    await Promise.all([page.keyboard.press('s'), page.keyboard.press('r')])
    await page.getByText('You are ready').waitFor()
    await opened.expectAccessible()
  })

  test('shows who calls, keeps what is typed over a reload, and records the outcome and its correction', async () => {
    const { telephony } = stage.app.standIns
    await using opened = await stage.open({ path: '/desk/callbacks', as: 'agent2' })
    const { page } = opened
    const { ucid } = telephony.ring({ from: '+919814012345', agentId: 'agent2' })
    await page.getByRole('heading', { level: 2, name: 'Harpreet Kaur' }).waitFor()
    await page
      .getByRole('region', { name: 'What the assistant says' })
      .getByText(/Harpreet Kaur, status/)
      .waitFor()
    await page.getByRole('list', { name: 'Last calls' }).waitFor()
    await page.getByText('New', { exact: true }).waitFor()
    telephony.answer({ ucid })
    await page.getByRole('link', { name: 'Callbacks' }).click()
    const bar = page.getByRole('status').filter({ hasText: 'Connected' })
    await bar.getByText('Harpreet Kaur').waitFor()
    await bar.getByText('+91 98140 12345').waitFor()
    await bar.getByRole('link', { name: 'Open the call' }).click()
    await page.getByRole('button', { name: 'Hold' }).click()
    await page.getByText('On hold').waitFor()
    expect(telephony.call({ ucid }).held).toBe(true)
    await page.keyboard.press('h')
    await page.getByText('Connected').waitFor()
    const notes = page.getByRole('textbox', { name: 'Notes' })
    await notes.fill('Moves the visit to Monday')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('2')
    await page.reload()
    await page.getByRole('button', { name: 'Appointment Rescheduled', pressed: true }).waitFor()
    expect(await notes.inputValue()).toBe('Moves the visit to Monday')
    await opened.expectAccessible()
    await opened.screenshot('desk-call')
    // A call that rings in vain meanwhile has no wrap-up.
    telephony.missCall({ from: '+919811177777', agentId: 'agent2' })
    telephony.hangUp({ ucid })
    await page.getByRole('heading', { name: 'Wrap-up' }).waitFor()
    await page.getByRole('heading', { level: 2, name: 'Harpreet Kaur' }).waitFor()
    await page.getByRole('button', { name: 'Save outcome' }).click()
    await page.getByText('You can correct it until the wrap-up ends.').waitFor()
    expect(telephony.call({ ucid })).toMatchObject({ disposition: 'Appointment Rescheduled', comments: 'Moves the visit to Monday' })
    await page.getByRole('button', { name: 'Information Given' }).click()
    await page.getByText('What you changed is not saved yet.').waitFor()
    await page.getByRole('button', { name: 'Save correction' }).click()
    await page.getByText('Saved: Information Given').waitFor()
    await opened.expectAccessible()
    await page.getByRole('button', { name: 'Become ready' }).click()
    await page.getByText('You are ready').waitFor()
  })

  test('has the notes on another device, books a visit for the caller, and lists the call afterwards', async () => {
    const { telephony } = stage.app.standIns
    await endSession('Asha Menon')
    await using first = await stage.open({ path: '/desk', as: 'agent1' })
    const { ucid } = telephony.ring({ from: '+919814012345', agentId: 'agent1' })
    telephony.answer({ ucid })
    await first.page.getByRole('textbox', { name: 'Notes' }).fill('Prefers mornings')
    await first.page.getByText('Saved', { exact: true }).waitFor()
    await using opened = await stage.open({ path: '/desk' })
    const { page } = opened
    await opened.signIn('agent1')
    // What the first device wrote cannot be read at first: nothing overwrites it, and what is typed here is not lost.
    await page.route('**/graphql', (route) => (route.request().postData()?.includes('ScreenPop') ? refuse(route) : route.continue()))
    await page.getByRole('button', { name: 'Continue here' }).click()
    const notes = page.getByRole('textbox', { name: 'Notes' })
    await notes.fill('Has a car')
    await page.getByText('Not saved yet: only this tab has it.').waitFor()
    await page.unroute('**/graphql')
    await waitFor(async () => (await notes.inputValue()) === 'Prefers mornings\nHas a car')
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Book a visit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Book a visit for Harpreet Kaur' })
    const times = dialog.getByRole('button', { name: /Dr\. / })
    await times.first().waitFor()
    await opened.expectAccessible()
    await opened.screenshot('desk-booking')
    // Somebody is faster.
    await page.route('**/graphql', (route) => {
      if (!route.request().postData()?.includes('bookVisit')) return route.continue()
      return refuse(route, { code: 'CONFLICT', reason: 'SLOT_TAKEN' })
    })
    await times.first().click()
    await dialog.getByRole('button', { name: 'Book this time' }).click()
    await page.getByText('Somebody else has just taken this time').waitFor()
    await page.unroute('**/graphql')
    await times.first().click()
    await dialog.getByRole('button', { name: 'Book this time' }).click()
    const booked = page.getByText('The visit is booked: ')
    await booked.waitFor()
    const bookedAt = (await booked.innerText()).replace('The visit is booked: ', '')
    await page.getByText('No visit booked').waitFor({ state: 'detached' })
    // As the clinic reads it, wherever the agent is.
    const visit = page.getByRole('region', { name: 'Next visit' }).locator('time')
    expect(await visit.innerText()).toBe(bookedAt)
    telephony.hangUp({ ucid })
    await page.getByRole('button', { name: 'Appointment Booked' }).click()
    await page.getByRole('button', { name: 'Save and be ready' }).click()
    await page.getByText('You are ready').waitFor()
    // The list is open before the platform has the record.
    await page.getByRole('link', { name: 'Recent calls' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Prefers mornings' })
    await row.getByText('Appointment Booked').waitFor()
    await row.getByText('Harpreet Kaur').waitFor()
    await opened.expectAccessible()
    await opened.screenshot('desk-recent')
    await page.getByRole('button', { name: /In and out/ }).click()
    await page.getByRole('option', { name: 'Outgoing' }).click()
    await row.waitFor({ state: 'detached' })
  })

  test('transfers a call, promises a callback to an unknown caller, and calls a number', async () => {
    const { telephony } = stage.app.standIns
    await using opened = await stage.open({ path: '/desk', as: 'agent3' })
    const { page } = opened
    const { ucid } = telephony.ring({ from: '+919811177777', agentId: 'agent3' })
    telephony.answer({ ucid })
    await page.getByText('Nobody is known by this number').waitFor()
    await page.getByRole('button', { name: 'Transfer' }).click()
    await page.getByLabel('Phone number').fill('98450 12345')
    await opened.expectAccessible()
    await page.keyboard.press('Enter')
    await page.getByText('+91 98450 12345 is called.').waitFor()
    await page.getByRole('button', { name: 'Back to the customer' }).click()
    await waitFor(() => telephony.call({ ucid }).conference.length === 0)
    // The page moves when the transfer has ended, and would close the list.
    await page.getByText('+91 98450 12345 is called.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^No callback/ }).click()
    await page.getByRole('option', { name: 'Tomorrow at 10' }).click()
    await page.getByRole('button', { name: /^Tomorrow at 10/ }).waitFor()
    const moment = page.getByLabel('When')
    const tomorrow = await moment.inputValue()
    expect(tomorrow).toMatch(/T10:00$/)
    await moment.fill(tomorrow.replace('T10', 'T11'))
    await page.getByRole('button', { name: /^At a time…/ }).waitFor()
    await page.getByRole('button', { name: 'Call Back Later' }).click()
    await page.getByRole('button', { name: 'Hang up' }).click()
    await page.getByRole('button', { name: 'Save and be ready' }).click()
    await page.getByText('You are ready').waitFor()
    expect(telephony.call({ ucid }).callBackTime).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)
    const number = page.getByLabel('Call a number')
    await number.fill('98140 12345')
    await page.context().setOffline(true)
    await page.getByText('Connection lost').waitFor()
    expect(await number.inputValue()).toBe('98140 12345')
    await page.context().setOffline(false)
    await page.getByText('Connection lost').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.getByRole('heading', { level: 2, name: 'Harpreet Kaur' }).waitFor()
    await page.getByRole('button', { name: 'Hang up' }).click()
    await waitFor(() => telephony.agent({ agentId: 'agent3' }).status !== 'calling')
  })

  test('corrects when to call back, also that alone, and takes no time that is past', async () => {
    const { telephony, platform } = stage.app.standIns
    await endSession('Farah Khan')
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

  test('calls a person whose lead was deleted meanwhile', async () => {
    const { telephony, platform } = stage.app.standIns
    const onPlatform = (query: string, variables: Readonly<Record<string, unknown>>) =>
      createPlatformClient(platform).ask('/graphql', query, { token: platform.apiKeyOf('demo'), variables })
    await endSession('Farah Khan')
    await using opened = await stage.open({ path: '/desk/callbacks', as: 'agent3' })
    const { page } = opened
    const id = newId()
    const data = { id, name: 'Kavya Nair', phones: { primaryPhoneNumber: '+919811199999' } }
    await onPlatform('mutation ($data: LeadCreateInput!) { createLead(data: $data) { id } }', { data })
    telephony.missCall({ from: '+919811199999' })
    stage.clock.advance(60_000)
    const row = page.getByRole('row').filter({ hasText: 'Kavya Nair' })
    await row.waitFor()
    await onPlatform('mutation ($id: UUID!) { deleteLead(id: $id) { id } }', { id })
    const leads: boolean[] = []
    page.on('request', (request) => {
      const body = request.postData() ?? ''
      if (body.includes('mutation Dial')) leads.push(body.includes(id))
    })
    await row.getByRole('button', { name: 'Call +91 98111 99999' }).click()
    await page.getByRole('heading', { level: 2, name: '+91 98111 99999' }).waitFor()
    expect(leads).toEqual([true, false])
    await page.getByRole('button', { name: 'Hang up' }).click()
    await waitFor(() => telephony.agent({ agentId: 'agent3' }).status !== 'calling')
  })

  test('names who calls on every screen, also if the call gets its lead later', async () => {
    const { telephony } = stage.app.standIns
    const { token } = await stage.app.signIn('manager@demo.example')
    await stage.app.rest('PUT', '/api/config/telephony', { token, body: { newLeads: { enabled: true } } })
    await endSession('Ravi Kumar')
    await using opened = await stage.open({ path: '/desk/recent', as: 'agent2' })
    const { page } = opened
    let asked = 0
    page.on('request', (request) => {
      asked += Number(request.postData()?.includes('query ScreenPop') ?? false)
    })
    const { ucid } = telephony.ring({ from: '+919811155555', agentId: 'agent2' })
    await page.getByText('Nobody is known by this number').waitFor()
    await page.getByRole('link', { name: 'Recent calls' }).click()
    const bar = page.getByRole('status').filter({ hasText: '+91 98111 55555' })
    await bar.waitFor()
    const before = asked
    telephony.answer({ ucid })
    await bar.getByText(/^Unknown caller/).waitFor()
    expect(asked).toBe(before + 1)
    telephony.hangUp({ ucid })
    await stage.app.rest('PUT', '/api/config/telephony', { token, body: { newLeads: { enabled: false } } })
  })

  test('asks for the outcome of the call that the agent had, also if another one was missed meanwhile', async () => {
    const { telephony } = stage.app.standIns
    await endSession('Ravi Kumar')
    await using opened = await stage.open({ path: '/desk', as: 'agent2' })
    const { page } = opened
    const { ucid } = telephony.ring({ from: '+919811177777', agentId: 'agent2' })
    telephony.answer({ ucid })
    await page.getByText('Connected').waitFor()
    telephony.missCall({ from: '+919811188888', agentId: 'agent2' })
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
    await endSession('Ravi Kumar')
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
    await endSession('Ravi Kumar')
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
})

/** Of a test before. */
async function endSession(agentName: string): Promise<void> {
  const { token } = await stage.app.signIn('manager@demo.example')
  const { data } = await stage.app.graphql('{ agentSessions { agentName agentId } }', { token })
  const agentId = new RegExp(`"${agentName}","agentId":"([^"]+)"`).exec(JSON.stringify(data))?.[1]
  if (agentId !== undefined) await stage.app.rest('DELETE', `/api/sessions/${agentId}`, { token, body: { reason: 'The next test' } })
}
