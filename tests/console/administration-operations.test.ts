import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { type ConsolePage, type ConsoleStage, openConsoleStage, refuse } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'
import { createChance, playCall } from '../prove/calls/traffic.ts'

const chromium = await realServer('chromium')
const [agent] = telephonyAccounts.demo.freeAgents
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary, { withDemo: true })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const permissions = ['clipboard-read', 'clipboard-write']
const copied = (opened: ConsolePage): Promise<unknown> => opened.page.evaluate('navigator.clipboard.readText()')

describe.skipIf(chromium === null)('the administration', () => {
  test('adds a member, who signs in with the temporary password; changes and removes them', async () => {
    await using opened = await stage.open({ path: '/administration/team', as: 'manager', permissions })
    const { page } = opened
    await page.getByRole('row').filter({ hasText: 'agent1@demo.example' }).waitFor()
    await opened.expectAccessible()
    await opened.screenshot('team')
    await page.getByRole('button', { name: 'Add member' }).click()
    await page.getByRole('button', { name: 'Create member' }).click()
    await page.getByText('Fill in this field').first().waitFor()
    await page.getByLabel('First name').fill('Meera')
    await page.getByLabel('Last name').fill('Iyer')
    await page.getByLabel('Email', { exact: true }).fill('agent1@demo.example')
    await opened.expectAccessible()
    await opened.screenshot('team-new')
    await page.getByRole('button', { name: 'Create member' }).click()
    await page.getByRole('alert').filter({ hasText: 'belongs to a member already' }).waitFor()
    await page.getByLabel('Email', { exact: true }).fill('meera@demo.example')
    await page.getByLabel('SIP extension').fill('3107')
    await page.getByRole('button', { name: 'Create member' }).click()
    const handout = page.getByRole('region', { name: 'Meera Iyer can sign in now' })
    await handout.getByRole('button', { name: 'Copy: Temporary password' }).click()
    await handout.getByText('Copied').waitFor()
    const password = String(await copied(opened))
    expect(password).toMatch(/^\S{12,}$/)
    await opened.expectAccessible()
    await opened.screenshot('team-password')
    await using theirs = await stage.open({ path: '/desk/callbacks' })
    await theirs.signIn('meera', { password })
    await theirs.page.getByRole('heading', { level: 1, name: 'Callbacks' }).waitFor()
    // Why no call can come, and the same after a reload, until a manager has entered what lacks.
    const noCalls = theirs.page.getByRole('alert').filter({ hasText: 'No calls can come' })
    await noCalls.getByText('The agent record has no provider agent id, password or SIP extension').waitFor()
    await theirs.expectAccessible()
    await theirs.screenshot('no-provider-agent')
    await theirs.page.reload()
    await noCalls.waitFor()
    await handout.getByRole('button', { name: 'Done' }).click()
    await page.getByLabel('Search by name or email').fill('meera')
    const row = page.getByRole('row').filter({ hasText: 'meera@demo.example' })
    await row.getByText('Ext. 3107').waitFor()
    await row.getByText('No agent ID at the provider').waitFor()
    await page.getByText('1 member', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Actions: Meera Iyer' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByRole('radio', { name: 'Manager' }).click()
    await page.getByLabel('Campaign').fill('Cardiology')
    await page.getByLabel('Agent ID at the provider').fill(agent?.id ?? '')
    await page.getByLabel('Password at the provider').fill(agent?.password ?? '')
    await page.getByLabel('SIP extension').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This can be changed, but not removed').waitFor()
    await opened.expectAccessible()
    await page.getByLabel('SIP extension').fill('3107')
    await page.getByRole('button', { name: 'Save' }).click()
    await row.getByText('Cardiology').waitFor()
    await row.getByText('Manager').first().waitFor()
    await noCalls.getByRole('button', { name: 'Try again now' }).click()
    await noCalls.waitFor({ state: 'detached' })
    await row.getByRole('button', { name: 'Actions: Meera Iyer' }).click()
    await page.getByRole('menuitem', { name: 'Remove from the team' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove from the team' }).click()
    await page.getByText('Nobody has this name').waitFor()
    await theirs.page.getByLabel('Password').waitFor()
  })

  test('makes a widget key that works on its pages, and shows the widget', async () => {
    await using opened = await stage.open({ path: '/administration/widget', as: 'manager', permissions })
    const { page } = opened
    await page.getByText('No site has the widget yet').waitFor()
    await opened.expectAccessible()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Addresses of the pages').fill('https://www.hospital.example/visit')
    await page.locator('form').getByRole('button', { name: 'Create key' }).click()
    await page.getByText('must be an origin such as').waitFor()
    await page.getByLabel('Addresses of the pages').fill('https://www.hospital.example')
    await page.locator('form').getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'Copy: Tag' }).click()
    await page.getByText('Copied').waitFor()
    const key = /data-widget-key="([^"]+)"/.exec(String(await copied(opened)))?.[1] ?? ''
    await opened.expectAccessible()
    const headers = { 'x-widget-key': key, origin: 'https://www.hospital.example' }
    expect((await fetch(`${stage.app.url}/api/widget/config`, { headers })).status).toBe(200)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Show the preview' }).click()
    const preview = page.frameLocator('iframe')
    const launcher = preview.locator('call-center-widget .launcher')
    await launcher.waitFor()
    // The browser scrolls to nothing that is fixed in a frame.
    await page.evaluate("document.querySelector('iframe').scrollIntoView({ block: 'end' })")
    await launcher.click()
    await preview.getByRole('dialog').waitFor()
    await page.getByText('Preview in this console').waitFor()
    await opened.expectAccessible()
    await opened.screenshot('widget')
    await page
      .getByRole('button', { name: /^Actions: / })
      .last()
      .click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The key is deleted').waitFor()
    await waitFor(async () => (await fetch(`${stage.app.url}/api/widget/config`, { headers })).status === 401)
  })

  test('shows a webhook that failed, with its reason, and replays it', async () => {
    await using opened = await stage.open({ path: '/administration/webhooks', as: 'manager', permissions })
    const { page } = opened
    await page.getByText('The provider sends live events').waitFor()
    await page.getByRole('button', { name: 'New address: Ozonetel' }).click()
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByRole('button', { name: 'Copy: Address' }).click()
    await page.getByRole('dialog').getByText('Copied').waitFor()
    await opened.expectAccessible()
    const address = String(await copied(opened))
    await page.getByRole('button', { name: 'Done' }).click()
    const { postings, expected } = playCall(1, createChance(2))
    const [report] = postings.slice(-1)
    if (!report) throw new Error('a call ends with a report')
    const post = async (): Promise<number> =>
      (await fetch(address, { method: 'POST', headers: { 'content-type': report.contentType }, body: report.body })).status
    const outbox = new DatabaseSync(join(stage.app.dataDir, 'outbox.sqlite'), { timeout: 10_000 })
    outbox.exec('BEGIN IMMEDIATE')
    expect(await post()).toBe(503)
    outbox.exec('ROLLBACK')
    outbox.close()
    await page.reload()
    const failed = page.getByRole('row').filter({ hasText: expected.ucid }).filter({ hasText: 'Failed' })
    await failed.getByText('The service could not store it').waitFor()
    await opened.expectAccessible()
    await opened.screenshot('webhooks')
    await failed.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('1 webhook was processed again').waitFor()
    await failed.getByText(/^Replayed /).waitFor()
    await page.getByRole('row').filter({ hasText: expected.ucid }).filter({ hasText: 'Accepted' }).waitFor()
    await waitFor(() => stage.app.standIns.platform.records('demo', 'call', { ucid: { eq: expected.ucid } })[0], { what: 'the record' })
    await page
      .getByRole('button', { name: `Only webhooks of call ${expected.ucid}` })
      .first()
      .click()
    await page.getByRole('button', { name: /All results/ }).click()
    await page.getByRole('option', { name: 'Refused' }).click()
    await page.getByText('No webhook fits').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await failed.waitFor()
  })

  test('shows events that failed, and replays them', async () => {
    const { app } = stage
    const lead = () => app.standIns.platform.records('demo', 'lead', { name: { eq: 'Rahul Verma' } })[0] ?? {}
    await using opened = await stage.open({ path: '/administration/dead-letters', as: 'manager' })
    const { page } = opened
    await page.getByText('No event has failed').waitFor()
    await opened.expectAccessible()
    app.standIns.models.malformNext({ times: 1_000 })
    const { token } = await app.signIn('agent1@demo.example')
    const ucids = [await endCall(token), await endCall(token)]
    for (const ucid of ucids) await waitFor(async () => (await deadLetters()).includes(ucid), { what: 'the dead letter' })
    await page.reload()
    const rows = page.getByRole('row').filter({ hasText: 'The language model refused the question' })
    await rows.nth(1).waitFor()
    await rows.nth(0).getByText('Rahul Verma').waitFor()
    await page.getByRole('button', { name: /All reasons/ }).click()
    await page.getByRole('option', { name: 'The language model refused the question' }).click()
    await page.getByRole('button', { name: 'Choose all shown' }).click()
    await opened.expectAccessible()
    await opened.screenshot('dead-letters')
    // One cannot be sent now, the other was replayed by somebody else.
    const refusals = [{}, { code: 'NOT_FOUND', reason: 'NOT_FOUND' }]
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('replayDeadLetter') ? refuse(route, refusals.shift()) : route.continue(),
    )
    await page.getByRole('button', { name: 'Replay 2' }).click()
    await page.getByText('1 could not be sent, and is still here. The service cannot be reached.').waitFor()
    await page.getByText('1 is no longer there').waitFor()
    await page.unroute('**/graphql')
    await page.getByRole('button', { name: 'Choose all shown' }).click()
    app.standIns.models.malformNext({ times: 1 })
    await page.getByRole('button', { name: 'Replay 2' }).click()
    await page.getByRole('status').filter({ hasText: '2 events were sent again' }).waitFor()
    await page.getByText('No event has failed').waitFor()
    await waitFor(() => lead()['aiSummary'], { what: 'the insight' })
    await opened.expectAccessible()

    async function endCall(token: string): Promise<string> {
      const agentId = telephonyAccounts.demo.agents[0]?.id ?? ''
      const { ucid } = app.standIns.telephony.inboundCall({ from: '+919820011111', agentId })
      const body = { disposition: 'Information Given', leadId: lead()['id'] }
      expect(await app.rest('POST', `/api/calls/${ucid}/disposition`, { token, body })).toMatchObject({ status: 200 })
      return ucid
    }
    async function deadLetters(): Promise<string> {
      const manager = await app.signIn('manager@demo.example')
      return JSON.stringify((await app.rest('GET', '/api/events/dead', { token: manager.token })).body)
    }
  })

  test('finds in the audit log what a person did, and what was done to somebody', async () => {
    const { app } = stage
    const { token } = await app.signIn('manager@demo.example')
    await app.signIn('agent2@demo.example')
    const { data } = await app.graphql('{ agentSessions { agentId agentName } }', { token })
    const agentId = /"agentId":"([^"]+)","agentName":"Ravi Kumar"/.exec(JSON.stringify(data))?.[1] ?? ''
    await app.rest('DELETE', `/api/sessions/${agentId}`, { token, body: { reason: 'The laptop broke' } })
    await app.rest('PUT', '/api/config/telephony', { token, body: { claimMinutes: 20 } })
    await using opened = await stage.open({ path: '/administration/audit', as: 'manager' })
    const { page } = opened
    const entry = page.getByRole('row').filter({ hasText: 'Ended a session' })
    await entry.getByText('The laptop broke').waitFor()
    await opened.expectAccessible()
    await opened.screenshot('audit')
    await entry.getByRole('button', { name: 'Only what was done to Ravi Kumar' }).click()
    await waitFor(async () => (await page.getByRole('row').count()) === 2)
    expect(await entry.count()).toBe(1)
    await page.getByRole('button', { name: 'Ravi Kumar: show others again' }).click()
    await page.getByRole('button', { name: /Everything/ }).click()
    await page.getByRole('option', { name: 'Widget keys' }).click()
    await page.getByRole('row').filter({ hasText: 'Created a widget key' }).first().waitFor()
    await entry.waitFor({ state: 'detached' })
    // Sections, fields and roles have the names that they have elsewhere.
    await page.getByRole('button', { name: 'Show all' }).click()
    const saved = page.getByRole('row').filter({ hasText: 'Saved the configuration' }).filter({ hasText: 'Minutes of a claim' })
    await saved.getByRole('button', { name: 'Only what was done to Telephony' }).waitFor()
    await page.getByLabel('To day').fill('2020-01-01')
    await page.getByText('No entry fits').waitFor()
    await opened.expectAccessible()
  })

  test('shows what does not work, and what to do', async () => {
    await using opened = await stage.open({ path: '/administration/health', as: 'manager' })
    const { page } = opened
    await page.getByText('CRM platform').waitFor()
    await opened.expectAccessible()
    const parts = {
      platform: { state: 'up', checkedAt: null, checkMs: 12 },
      store: { state: 'down', reason: 'It does not answer', checkedAt: null, checkMs: 2_000 },
      bus: { state: 'degraded', reason: 'Dead letters are stored (2)', checkedAt: null, checkMs: 1, detail: { events: 0, parked: 3 } },
      somethingNew: { state: 'down', reason: 'No', checkedAt: null, checkMs: 1 },
      upstreams: {
        state: 'up',
        checkedAt: null,
        checkMs: 0,
        detail: [
          { party: 'speech', works: false, seconds: 60 },
          { party: 'telephony', works: true, seconds: 60 },
        ],
      },
    }
    const tokens: (string | null)[] = []
    await page.route('**/health', async (route) => {
      tokens.push(await route.request().headerValue('authorization'))
      // Of a token that has ended: it is renewed.
      await route.fulfill({ json: tokens.length === 1 ? { status: 'up' } : { status: 'degraded', parts } })
    })
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText('3 parts need attention').waitFor()
    expect(tokens.slice(0, 2)).toEqual([expect.stringMatching(/^Bearer ./), expect.stringMatching(/^Bearer ./)])
    expect(await page.locator('.admin-finding h3').allInnerTexts()).toEqual(['Store', 'somethingNew', 'Events'])
    await page.getByRole('region', { name: 'Store' }).getByText('An operator must see to the disk or Redis').waitFor()
    const parties = page.getByRole('region', { name: 'Providers and models of all workspaces' }).getByRole('listitem')
    expect(await parties.allInnerTexts()).toEqual([
      expect.stringMatching(/^Speech provider\s+Does not work since \d/),
      expect.stringMatching(/^Telephony provider\s+Works since \d/),
      expect.stringMatching(/^Language model\s+Not used since/),
    ])
    await opened.expectAccessible()
    await opened.screenshot('health')
    await page.unroute('**/health')
    await page.route('**/health', (route) => route.abort())
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByRole('alert').filter({ hasText: 'The service does not answer' }).waitFor()
    await page.getByRole('link', { name: 'Open failed events' }).click()
    await page.getByRole('heading', { level: 1, name: 'Failed events' }).waitFor()
  })

  test('fits a phone, in Hindi and dark', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    await using opened = await stage.open({ as: 'manager', colorScheme: 'dark', ...phone })
    const { page } = opened
    await page.evaluate("localStorage.setItem('console-language', 'hi')")
    for (const name of ['team', 'widget', 'webhooks', 'dead-letters', 'audit', 'health']) {
      await page.goto(`${stage.app.url}/console/administration/${name}`)
      await page.locator('#content h1').waitFor()
      await waitFor(async () => (await page.locator('.ui-skeleton').count()) === 0)
      expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'), name).toBe(0)
      await opened.expectAccessible()
      await opened.screenshot(`phone-${name}`)
    }
  })
})
