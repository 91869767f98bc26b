import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import { type ConsolePage, type ConsoleStage, openConsoleStage, refuse } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'
import { tokenWithoutSession } from '../harness/tokens-without-session.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary, { environment: choicesOfAccount('demo') })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const notesOf = (page: Page) => page.getByRole('textbox', { name: 'Notes' })
const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor()

/** The agent's desk with a call. */
async function openCall(agent: string): Promise<ConsolePage & { readonly ucid: string }> {
  const opened = await stage.open({ path: '/desk', as: agent })
  const { telephony } = stage.app.standIns
  const { ucid } = telephony.ring({ from: '+919814012345', agentId: agent })
  telephony.answer({ ucid })
  await notesOf(opened.page).waitFor()
  return { ...opened, ucid }
}

async function leaveAndReturn(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Callbacks' }).click()
  await page.getByRole('heading', { level: 1, name: 'Callbacks' }).waitFor()
  await page.getByRole('link', { name: 'Calls', exact: true }).click()
  await notesOf(page).waitFor()
  await saved(page)
}

describe.skipIf(chromium === null)('the notes of a call', () => {
  test('stay as they were corrected when the agent leaves the page and returns', async () => {
    await using opened = await openCall('agent1')
    const { page } = opened
    await notesOf(page).fill('Prefers Mondays')
    await saved(page)
    await leaveAndReturn(page)
    await notesOf(page).fill('Prefers Tuesdays')
    await saved(page)
    await leaveAndReturn(page)
    expect(await notesOf(page).inputValue()).toBe('Prefers Tuesdays')
  })

  test('are those of the device that wrote last, and of both if this one has text that is not saved', async () => {
    await using opened = await openCall('agent2')
    const { page, ucid } = opened
    await notesOf(page).fill('Wants a callback')
    await saved(page)
    const other = await otherDevice('agent2')
    await other.save(ucid, 'Wants no callback')
    await page.reload()
    await waitFor(async () => (await notesOf(page).inputValue()) === 'Wants no callback')
    await saved(page)
    // Until the answer is there, the agent goes on typing.
    let isReadable = false
    await page.route('**/graphql', (route) =>
      !isReadable && route.request().postData()?.includes('callLookup') ? refuse(route) : route.continue(),
    )
    await page.reload()
    await notesOf(page).fill('Wants a leaflet')
    await other.save(ucid, 'Wants an email')
    await page.getByText('Not saved yet: only this browser has it.').waitFor()
    isReadable = true
    await waitFor(async () => (await notesOf(page).inputValue()) === 'Wants an email\nWants a leaflet')
    await saved(page)
    expect(await other.read(ucid)).toEqual({ callLookup: { draftNotes: { notes: 'Wants an email\nWants a leaflet' } } })
  })

  test('say how much too long they are, and lose nothing', async () => {
    await using opened = await openCall('agent3')
    const { page, ucid } = opened
    const notes = notesOf(page)
    await notes.fill(`${'long '.repeat(1_600)}end`)
    await page.getByText('3 characters too many').waitFor()
    await page.getByRole('button', { name: 'Information Given' }).click()
    expect(await page.getByRole('button', { name: 'Save outcome' }).isDisabled()).toBe(true)
    await opened.expectAccessible()
    await opened.screenshot('desk-notes-too-long')
    expect(await notes.inputValue()).toMatch(/long end$/)
    await notes.fill('long enough')
    await saved(page)
    const other = await otherDevice('agent3')
    expect(await other.read(ucid)).toEqual({ callLookup: { draftNotes: { notes: 'long enough' } } })
  })
})

/** The same agent, signed in at the service without the console. */
async function otherDevice(agent: string) {
  const { app } = stage
  const place = { url: app.url, workspaceUrl: app.standIns.platform.workspaceUrl }
  const token = await tokenWithoutSession(place, `${agent}@demo.example`)
  return {
    async save(ucid: string, notes: string): Promise<void> {
      expect(await app.rest('PUT', `/api/calls/${ucid}/notes`, { token, body: { notes } })).toMatchObject({ status: 200 })
    },
    async read(ucid: string): Promise<unknown> {
      const query = 'query ($ucid: ID!) { callLookup(ucid: $ucid) { draftNotes { notes } } }'
      return (await app.graphql(query, { token, variables: { ucid } })).data
    },
  }
}
