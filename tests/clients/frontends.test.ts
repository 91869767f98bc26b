import { createClient as createSseClient } from 'graphql-sse'
import { createClient as createSocketClient } from 'graphql-ws'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { type Browser, startBrowser } from '../harness/browser.ts'
import { createTestClock } from '../harness/clock.ts'
import { type BuiltFrontends, buildFrontends } from '../harness/frontends.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
/** It stands still, so that a dialled customer answers when the test says so. Events of one moment have no order. */
const clock = createTestClock()
const stack = new AsyncDisposableStack()
const environment = { ...choicesOfAccount('demo'), ALLOWED_ORIGINS: 'http://localhost:*' }
const missedNumbers = ['+919811100001', '+919811100002', '+919811100003']
const pastAccessTokenMs = 31 * 60_000
let app: TestApp
let manager: string
let browser: Browser
let frontends: BuiltFrontends

beforeAll(async () => {
  if (!chromium) return
  app = stack.use(await createTestApp({ clock, receivesWebhooks: true, environment }))
  manager = (await app.signIn('manager@demo.example')).token
  const [schema, started] = await Promise.all([app.rest('GET', '/schema.graphql', { token: manager }), startBrowser(chromium.binary)])
  browser = stack.use(started)
  frontends = stack.use(await buildFrontends(app.url, String(schema.body)))
})
afterAll(() => stack.disposeAsync())

const cases = [
  { client: 'Apollo Client over WebSocket', name: 'apollo', agentId: 'agent1', agent: 'Asha Menon' },
  { client: 'Apollo Client over server-sent events', name: 'apollo', agentId: 'agent1', agent: 'Asha Menon', search: '?sse' },
  { client: 'urql', name: 'urql', agentId: 'agent2', agent: 'Ravi Kumar' },
  { client: 'Relay', name: 'relay', agentId: 'agent3', agent: 'Farah Khan' },
] as const

describe.skipIf(chromium === null)('a frontend of another origin', () => {
  test.each(cases)('with $client: signs in, shows who calls, dials, saves outcomes, renews its token and signs out', async (frontend) => {
    const { name, agentId, agent, search } = { search: '', ...frontend }
    const { platform, telephony } = app.standIns
    const { token } = await app.signIn('manager@demo.example')
    const reported = async (query: string): Promise<string> => JSON.stringify((await app.graphql(query, { token })).data)
    for (const from of missedNumbers) telephony.missCall({ from })
    clock.advance(60_000)
    await waitFor(async () => {
      const list = await reported('{ missedCalls { nodes { phoneNumber } } }')
      return missedNumbers.every((number) => list.includes(number))
    })
    await using watched = await browser.open()
    const { page } = watched
    await page.goto(frontends.pageOf(name) + search)
    await signIn(page, agentId)
    await page.getByText(agent).waitFor()

    // A list in pages of two.
    const missed = page.getByRole('region', { name: 'Missed calls' })
    await missed.getByRole('listitem').nth(1).waitFor()
    expect(await missed.getByRole('listitem').count()).toBe(2)
    await missed.getByRole('button', { name: 'Show more' }).click()
    await missed.getByRole('listitem').nth(2).waitFor()

    // Somebody calls. What the language model says comes later.
    using model = holdModel()
    const { ucid } = telephony.ring({ from: '+919814012345', agentId })
    const call = page.getByRole('region', { name: 'Calls', exact: true }).getByRole('listitem').last()
    await call.filter({ hasText: 'From +919814012345' }).filter({ hasText: 'RINGING' }).waitFor()
    const caller = page.getByRole('region', { name: 'Caller' })
    await caller.filter({ hasText: 'Harpreet Kaur' }).filter({ hasText: 'Asking the model' }).waitFor()
    model[Symbol.dispose]()
    // On a busy machine the model's 4 seconds may be over.
    await caller.getByText(/^Harpreet Kaur, .*source Phone|took longer than 4 seconds/).waitFor()
    expect(await caller.getByText('Asking the model').count()).toBe(0)
    // One client also reads the platform's own record of the lead.
    if (name === 'relay') await caller.getByText(/lead since \d{4}-/).waitFor()
    clock.advance(1_000)
    telephony.answer({ ucid })
    await call.filter({ hasText: 'ANSWERED' }).waitFor()
    await screenshot(page, `${name}-call`)
    clock.advance(1_000)
    telephony.hangUp({ ucid })
    await call.filter({ hasText: 'COMPLETED' }).waitFor()
    await saveOutcome(page, 'Information Given')

    await waitFor(async () =>
      (await reported('{ supervision { agents { providerAgentId state } } }')).includes(`"${agentId}","state":"READY"`),
    )

    clock.advance(1_000)

    // A call back, first with a number that is none.
    await dial(page, 'nobody')
    await page.getByRole('alert').filter({ hasText: 'input.phoneNumber' }).waitFor()
    await dial(page, '98140 12345')
    await call.filter({ hasText: 'To +919814012345' }).waitFor()
    await page.getByRole('alert').waitFor({ state: 'detached' })

    // The customer answers, talks and hangs up.
    clock.advance(60_000)
    await call.filter({ hasText: 'To +919814012345' }).filter({ hasText: 'COMPLETED' }).waitFor()
    await saveOutcome(page, 'Call Back Later')

    // The access token expires: the next call finds the stream refused, and with it the query of the screen pop.
    const renewals = platform.calls('renewToken').length
    clock.advance(pastAccessTokenMs)
    const second = telephony.ring({ from: '+919812345670', agentId })
    await call.filter({ hasText: 'From +919812345670' }).waitFor()
    telephony.hangUp({ ucid: second.ucid })
    await call.filter({ hasText: 'From +919812345670' }).filter({ hasText: 'MISSED' }).waitFor()
    expect(platform.calls('renewToken').length - renewals).toBe(1)
    await screenshot(page, `${name}-end`)

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Password').waitFor()
    expect(telephony.agent({ agentId }).status).toBe('loggedOut')

    // The same page serves the next sign-in.
    await signIn(page, agentId)
    await page.getByText(agent).waitFor()
    const third = telephony.ring({ from: '+919812345671', agentId })
    await call.filter({ hasText: 'From +919812345671' }).waitFor()
    telephony.hangUp({ ucid: third.ucid })
    await call.filter({ hasText: 'MISSED' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Password').waitFor()
    expect(watched.faults).toEqual([])
    expect(watched.warnings).toEqual([])
  })
})

test.skipIf(chromium === null)('Relay: the stream of calls begins again after a long outage', async () => {
  await using watched = await browser.open()
  const { page } = watched
  let refused = 0
  await page.clock.install()
  await page.route('**/graphql', (route) => {
    if (!route.request().postData()?.includes('subscription')) return route.continue()
    refused += 1
    return route.abort('connectionrefused')
  })
  await page.goto(frontends.pageOf('relay'))
  await signIn(page, 'agent3')
  await waitFor(async () => {
    await page.clock.runFor(30_000)
    return refused >= 8
  })
  await page.unroute('**/graphql')
  const { ucid } = app.standIns.telephony.ring({ from: '+919814012345', agentId: 'agent3' })
  const call = page.getByRole('region', { name: 'Calls', exact: true }).getByRole('listitem')
  await call.filter({ hasText: 'From +919814012345' }).waitFor()
  app.standIns.telephony.hangUp({ ucid })
  await call.filter({ hasText: 'MISSED' }).waitFor()
  expect(await call.count()).toBe(1)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Password').waitFor()
})

test.skipIf(chromium === null)('a dev server forwards requests, streams and sockets of its own origin', async () => {
  await using server = await frontends.startDevServer('urql')
  const headers = { authorization: `Bearer ${(await app.signIn('manager@demo.example')).token}` }
  expect((await fetch(`${server.url}/auth/me`, { headers })).status).toBe(200)
  const events = createSseClient({ url: `${server.url}/graphql`, headers })
  const socket = createSocketClient({ url: `${server.url.replace('http', 'ws')}/graphql`, connectionParams: headers })
  for (const client of [events, socket]) {
    const answers = client.iterate({ query: 'subscription { supervisionUpdates { at } }' })
    expect(await answers.next()).toMatchObject({ value: { data: { supervisionUpdates: {} } } })
    await answers.return?.()
    void client.dispose()
  }
})

/** The language model works on what it is asked, and answers when this is disposed of. */
function holdModel(): Disposable {
  const release = app.standIns.models.holdAnswers('')
  return { [Symbol.dispose]: release }
}

async function signIn(page: Page, agentId: string): Promise<void> {
  await page.getByLabel('E-mail').fill(`${agentId}@demo.example`)
  await page.getByLabel('Password').fill('sandbox-password')
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function dial(page: Page, phoneNumber: string): Promise<void> {
  await page.getByLabel('Phone number').fill(phoneNumber)
  await page.getByRole('button', { name: 'Dial' }).click()
}

async function saveOutcome(page: Page, disposition: string): Promise<void> {
  clock.advance(1_000)
  const form = page.getByRole('region', { name: 'Outcome' })
  await form.getByLabel('Outcome').selectOption(disposition)
  await form.getByRole('button', { name: 'Save outcome' }).click()
  await form.getByRole('status').filter({ hasText: disposition }).waitFor()
}

async function screenshot(page: Page, name: string): Promise<void> {
  const directory = process.env['SCREENSHOTS']
  if (directory !== undefined) await page.screenshot({ path: `${directory}/${name}.png` })
}
