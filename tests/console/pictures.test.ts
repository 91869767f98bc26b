import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestSignIn } from '../harness/app.ts'
import { type ConsolePage, type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'
import { recordedCalls } from '../harness/recordings.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
let manager: TestSignIn
let ravi: TestSignIn
beforeAll(async () => {
  if (!chromium) return
  stage = await openConsoleStage(chromium.binary, { withDemo: true })
  manager = await stage.app.signIn('manager@demo.example')
  ravi = await stage.app.signIn('agent2@demo.example')
})
afterAll(() => stage?.[Symbol.asyncDispose]())

/** The pictures of docs/console.md, one of each area. `SCREENSHOTS=docs/images npm test -- tests/console/pictures` takes them again. */
describe.skipIf(chromium === null)('a picture of', () => {
  test('the desk of an agent during a call, and the wallboard meanwhile', async () => {
    const { app } = stage
    const { telephony } = app.standIns
    await using opened = await stage.open({ path: '/desk', as: 'agent1' })
    const { page } = opened
    await page.getByRole('button', { name: 'Become ready' }).click()
    const farah = await app.signIn('agent3@demo.example')
    await app.rest('PUT', '/api/agents/me/state', { token: ravi.token, body: { state: 'READY' } })
    await app.rest('PUT', '/api/agents/me/state', { token: farah.token, body: { state: 'NOT_READY', reason: 'Lunch' } })
    telephony.hangUp({ ucid: telephony.ring({ from: '+919820055555' }).ucid })
    await page.getByText('Phone ready').waitFor()
    telephony.ring({ from: '+919814012345', agentId: 'agent1' })
    await page.getByRole('heading', { level: 2, name: 'Harpreet Kaur' }).waitFor()
    await page.getByRole('button', { name: 'Answer' }).click()
    await page.getByText('Connected').waitFor()
    await page.getByRole('list', { name: 'Last calls' }).waitFor()
    await page.getByRole('textbox', { name: 'Notes' }).fill('Asks for Dr Rao on Saturday morning. Brings the reports of last week.')
    await page
      .getByRole('region', { name: 'What the assistant says' })
      .getByText(/Harpreet Kaur, status/)
      .waitFor()
    expect(documented).toContain(await take(opened, 'desk'))

    await using wallboard = await stage.open({ path: '/supervisor', as: 'manager' })
    telephony.ring({ from: '+919876543210' })
    await wallboard.page.getByRole('region', { name: 'Ringing now' }).getByRole('listitem').waitFor()
    await wallboard.page.getByRole('row').filter({ hasText: 'Farah Khan' }).getByText('Lunch').waitFor()
    expect(documented).toContain(await take(wallboard, 'wallboard'))
  })

  test('the history of a week', async () => {
    await using opened = await stage.open({ path: '/supervisor/history', as: 'manager' })
    const { page } = opened
    const figure = page.getByRole('region', { name: 'Figures' }).getByRole('definition').first()
    await waitFor(
      async () => {
        await page.reload()
        await figure.waitFor()
        return Number(await figure.innerText()) > 10
      },
      { what: 'the calls of the platform' },
    )
    await page.getByRole('img', { name: /^Calls: chart from/ }).waitFor()
    expect(documented).toContain(await take(opened, 'history'))
  })

  test('a recorded call', async () => {
    const [first, call] = await recordedCalls(stage.app, manager.token)
    for (const one of [first, call]) {
      await stage.app.rest('POST', '/api/recordings/analyze', { token: manager.token, body: { callId: one?.id } })
    }
    await using opened = await stage.open({ path: `/recordings/${first?.id}`, as: 'manager' })
    await opened.page.getByRole('slider', { name: 'Place in the recording' }).waitFor()
    expect(documented).toContain(await take(opened, 'recording'))
  })

  test('the setup, and a section of the configuration', async () => {
    const { app } = stage
    await using opened = await stage.open({ path: '/administration/setup', as: 'manager' })
    const { page } = opened
    expect(documented).toContain(await take(opened, 'setup'))
    await page.goto(`${app.url}/console/administration/configuration/telephony`)
    await page.getByText('No changes').waitFor()
    expect(documented).toContain(await take(opened, 'configuration'))
  })

  test('events that failed', async () => {
    const { app } = stage
    const { models, platform, telephony } = app.standIns
    models.malformNext({ times: 1_000 })
    const ucids: string[] = []
    for (const name of ['Rahul Verma', 'Harpreet Kaur', 'Ananya Sharma']) {
      const { ucid } = telephony.inboundCall({ from: '+919820011111', agentId: 'agent2' })
      const [lead] = platform.records('demo', 'lead', { name: { eq: name } })
      const body = { disposition: 'Information Given', leadId: lead?.['id'] }
      expect(await app.rest('POST', `/api/calls/${ucid}/disposition`, { token: ravi.token, body })).toMatchObject({ status: 200 })
      ucids.push(ucid)
    }
    const deadLetters = async (): Promise<string> =>
      JSON.stringify((await app.rest('GET', '/api/events/dead', { token: manager.token })).body)
    for (const ucid of ucids) await waitFor(async () => (await deadLetters()).includes(ucid), { what: 'the dead letter' })
    await using opened = await stage.open({ path: '/administration/dead-letters', as: 'manager' })
    await opened.page.getByRole('row').filter({ hasText: 'The language model refused' }).nth(2).waitFor()
    expect(documented).toContain(await take(opened, 'dead-letters'))
  })
})

const documented = [...readFileSync('docs/console.md', 'utf8').matchAll(/\(images\/console-([\w-]+)\.png\)/g)].map(([, name]) => name)

/** Returns the name. */
async function take(opened: ConsolePage, name: string): Promise<string> {
  await settled(opened.page)
  await opened.expectAccessible()
  await opened.screenshot(name)
  return name
}

/** Nothing is being loaded any more. */
async function settled(page: Page): Promise<void> {
  await page.locator('#content h1').waitFor()
  await waitFor(async () => (await page.locator('.ui-skeleton').count()) === 0, { what: 'the end of loading' })
}
