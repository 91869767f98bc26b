import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { type ConsoleStage, openConsoleStage, refuse } from '../harness/console.ts'
import { widerThanPhone } from '../harness/phone-in-hindi.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary, { withDemo: true })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe.skipIf(chromium === null)('the administration', () => {
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
    const rows = page.getByRole('row').filter({ hasText: 'The language model refused, or gave no usable answer' })
    await rows.nth(1).waitFor()
    await rows.nth(0).getByText('Rahul Verma').waitFor()
    await page.getByRole('button', { name: /All reasons/ }).click()
    await page.getByRole('option', { name: 'The language model refused, or gave no usable answer' }).click()
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
    expect(await widerThanPhone(stage, ['/administration/dead-letters', '/administration/health'])).toEqual([])
  })
})
