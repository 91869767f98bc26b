import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/kernel/ids.ts'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import { type ConsoleStage, openConsoleStage, refuse } from '../harness/console.ts'
import { endSession } from '../harness/end-session.ts'
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
    await page.keyboard.press('h')
    await page.getByText('On hold').waitFor()
    // A call that rings in vain meanwhile has no wrap-up.
    telephony.missCall({ from: '+919811177777', agentId: 'agent2' })
    // Its webhooks have whole seconds, and come in any order: not in the second of the wrap-up.
    stage.clock.advance(1_000)
    telephony.hangUp({ ucid })
    await page.getByRole('heading', { name: 'Wrap-up' }).waitFor()
    expect(await page.getByText('On hold').count()).toBe(0)
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
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('SubmitDisposition') === true ? refuse(route) : route.continue(),
    )
    await page.getByRole('button', { name: 'Save and be ready' }).click()
    await page.getByRole('alertdialog').waitFor()
    await page.unroute('**/graphql')
    // The message stays, and covers nothing that is pressed again.
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

  test('calls a person whose lead was deleted meanwhile', async () => {
    const { telephony, platform } = stage.app.standIns
    const onPlatform = (query: string, variables: Readonly<Record<string, unknown>>) =>
      createPlatformClient(platform).ask('/graphql', query, { token: platform.apiKeyOf('demo'), variables })
    await endSession(stage, 'Farah Khan')
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

  test('shows an extension that called, and calls it back', async () => {
    const { telephony } = stage.app.standIns
    await endSession(stage, 'Asha Menon')
    await using opened = await stage.open({ path: '/desk/callbacks', as: 'agent1' })
    const { page } = opened
    telephony.missCall({ from: '5232' })
    stage.clock.advance(60_000)
    await page.getByRole('button', { name: 'Call 5232' }).click()
    await page.getByRole('heading', { level: 2, name: '5232' }).waitFor()
    await page.getByText('Nobody is known by this number').waitFor()
    expect(await page.getByText('withh').count()).toBe(0)
    await page.getByRole('button', { name: 'Hang up' }).click()
    await waitFor(() => telephony.agent({ agentId: 'agent1' }).status !== 'calling')
  })

  test('names who calls on every screen, also if the call gets its lead later', async () => {
    const { telephony } = stage.app.standIns
    const { token } = await stage.app.signIn('manager@demo.example')
    await stage.app.rest('PUT', '/api/config/telephony', { token, body: { newLeads: { enabled: true } } })
    await endSession(stage, 'Ravi Kumar')
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

  test('shows that a call is over although its end was not reported: by the phone, and by what the agent does since', async () => {
    const { telephony } = stage.app.standIns
    await endSession(stage, 'Farah Khan')
    await using opened = await stage.open({ path: '/desk', as: 'agent3' })
    const { page } = opened
    await page.getByText('Phone ready').waitFor()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.getByText('Phone in another tab').waitFor()
    const { ucid } = telephony.ring({ from: '+919811166661', agentId: 'agent3' })
    await page.getByRole('button', { name: 'Answer' }).click()
    for (const tab of [page, other]) await tab.getByText('Connected').waitFor()
    telephony.accountMode({ delivery: 'lost' })
    telephony.hangUp({ ucid })
    for (const tab of [page, other]) await tab.getByRole('heading', { name: 'Wrap-up' }).waitFor()
    await other.close()
    await page.getByRole('button', { name: 'Information Given' }).click()
    await page.getByRole('button', { name: 'Save and be ready' }).click()
    await page.getByRole('heading', { name: 'Wrap-up' }).waitFor({ state: 'detached' })
    expect(telephony.agent({ agentId: 'agent3' }).status).toBe('IDLE')
    telephony.accountMode({ delivery: 'works' })

    stage.clock.advance(2_000)
    const second = telephony.ring({ from: '+919811166662', agentId: 'agent3' }).ucid
    telephony.answer({ ucid: second })
    await page.getByText('Connected').waitFor()
    stage.clock.advance(2_000)
    telephony.accountMode({ delivery: 'lost' })
    telephony.hangUp({ ucid: second })
    telephony.accountMode({ delivery: 'works' })
    stage.clock.advance(121_000)
    await page.getByText('The wrap-up is over, and the call has no outcome yet').waitFor()
    await page.getByRole('button', { name: /^Your state: Ready/ }).waitFor()
    // The service compares its calls with the provider's records.
    const { token } = await stage.app.signIn('manager@demo.example')
    const ended = `{ callLookup(ucid: "${second}") { call { phase } } }`
    await waitFor(async () => JSON.stringify(await stage.app.graphql(ended, { token })).includes('"COMPLETED"'), { what: 'the record' })
  })

  test('takes no typed key for a shortcut when the call ends, or another one rings', async () => {
    const { telephony } = stage.app.standIns
    await endSession(stage, 'Farah Khan')
    await using opened = await stage.open({ path: '/desk', as: 'agent3' })
    const { page } = opened
    const notes = page.getByRole('textbox', { name: 'Notes' })
    const { ucid } = telephony.ring({ from: '+919811166663', agentId: 'agent3' })
    telephony.answer({ ucid })
    await page.getByRole('heading', { level: 2, name: '+91 98111 66663' }).waitFor()
    await notes.press('A')
    telephony.hangUp({ ucid })
    await page.getByRole('heading', { name: 'Wrap-up' }).waitFor()
    await page.keyboard.type('t 4')
    expect(await notes.inputValue()).toBe('At 4')
    stage.clock.advance(121_000)
    await page.getByText('The wrap-up is over, and the call has no outcome yet').waitFor()
    telephony.ring({ from: '+919811166664', agentId: 'agent3' })
    await page.getByRole('heading', { level: 2, name: '+91 98111 66664' }).waitFor()
    await page.keyboard.type('8')
    expect(await notes.inputValue()).toBe('8')
    await page.getByRole('button', { name: 'Answer' }).waitFor()
    expect(await page.getByRole('button', { pressed: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Decline' }).click()
  })
})
