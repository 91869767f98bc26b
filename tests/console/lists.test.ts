import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary, { environment: choicesOfAccount('demo') })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const alertsSchema = z.array(z.object({ id: z.string(), kind: z.string() }))

describe.skipIf(chromium === null)('a list that changes while it is on the screen', () => {
  test('alerts follow what happens, also after more were loaded', async () => {
    const { app, clock } = stage
    const { token } = await app.signIn('manager@demo.example')
    await app.rest('PUT', '/api/config/alerts', { token, body: { waitingMissedCalls: 1, longestWaitMinutes: 1 } })
    const readAlerts = async () => alertsSchema.parse((await app.rest('GET', '/api/alerts', { token })).body)
    app.standIns.telephony.missCall({ from: '+919811100001' })
    await waitFor(async () => (await readAlerts()).length === 1, { what: 'the first alert' })
    clock.advance(120_000)
    await waitFor(async () => (await readAlerts()).length === 2, { what: 'the second alert' })
    await using opened = await stage.open()
    const { page } = opened
    const lists = countLists(page)
    await page.goto(`${app.url}/console/supervisor/alerts`)
    await opened.signIn('manager')
    const rows = page.getByRole('table', { name: 'Alerts' }).getByRole('row').filter({ hasText: 'Active' })
    await page.getByText('2 alerts are active').waitFor()
    await rows.nth(1).waitFor()
    const [newer, older] = await readAlerts()
    const acknowledge = (id = '') => app.rest('POST', `/api/alerts/${id}/acknowledge`, { token })
    const atStart = lists()
    await acknowledge(newer?.id)
    await rows.nth(0).getByText('Seen by').waitFor()
    expect(lists()).toBe(atStart + 1)
    await page.route('**/graphql', (route) =>
      route.continue({ postData: (route.request().postData() ?? '').replace('first: 50', 'first: 1') }),
    )
    await page.getByRole('radio', { name: 'Active' }).click()
    await rows.nth(1).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Load more' }).click()
    await rows.nth(1).waitFor()
    await acknowledge(older?.id)
    await rows.nth(1).getByText('Seen by').waitFor()
    expect(await rows.count()).toBe(2)
  })

  test('dead letters that have not changed are not drawn again when they are read again', async () => {
    await using opened = await stage.open({ hasClock: true })
    const { page } = opened
    await page.addInitScript(countDates)
    const nodes = [deadLetter('one'), deadLetter('two')]
    let reads = 0
    await page.route('**/graphql', (route) => {
      if (route.request().postData()?.includes('query DeadLetters') !== true) return route.continue()
      reads += 1
      return route.fulfill({ json: { data: { deadLetters: { nodes, pageInfo: { hasNextPage: false, endCursor: null } } } } })
    })
    await page.goto(`${stage.app.url}/console/administration/dead-letters`)
    await opened.signIn('manager')
    const rows = page.getByRole('table', { name: 'Failed events' }).getByRole('row')
    await rows.nth(2).waitFor()
    const drawn = await page.evaluate('countedDates')
    nodes.push(deadLetter('three'))
    await page.clock.fastForward(15_000)
    await rows.nth(3).waitFor()
    expect(reads).toBe(2)
    // The day and the time of both moments of the new row.
    expect(await page.evaluate('countedDates')).toBe(Number(drawn) + 4)
  })
})

/** How many dates the page has written. */
const countDates = `
  globalThis.countedDates = 0
  const { prototype } = Intl.DateTimeFormat
  const { get } = Object.getOwnPropertyDescriptor(prototype, 'format')
  Object.defineProperty(prototype, 'format', { get() { globalThis.countedDates += 1; return get.call(this) } })
`

/** How often the page asked for the list of alerts. */
function countLists(page: Page): () => number {
  let lists = 0
  page.on('request', (request) => (lists += request.postData()?.includes('query Alerts(') === true ? 1 : 0))
  return () => lists
}

function deadLetter(key: string) {
  return {
    __typename: 'DeadLetter',
    id: key,
    topic: 'call.completed',
    eventId: key,
    key,
    leadId: null,
    phoneNumber: '+919814012345',
    occurredAt: '2026-11-20T09:00:00.000Z',
    receiver: 'insights',
    reason: 'MODEL_REFUSED',
    detail: null,
    deadAt: '2026-11-20T10:00:00.000Z',
  }
}
