import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { live, lost, ringing } from '../harness/live-data.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
/** More than the six connections that a browser opens to one host over HTTP/1.1. */
const tabs = 8
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe.skipIf(chromium === null)('live data', () => {
  test('takes one connection for each tab, so that eight tabs leave requests through', async () => {
    await using opened = await stage.open({ path: '/supervisor', as: 'manager' })
    const context = opened.page.context()
    const sockets: string[] = []
    const streams: string[] = []
    const pages = [opened.page]
    context.on('response', (response) => {
      if (response.headers()['content-type']?.startsWith('text/event-stream') === true) streams.push(response.url())
    })
    while (pages.length < tabs) {
      const page = await context.newPage()
      page.on('websocket', (socket) => sockets.push(socket.url()))
      await page.goto(`${stage.app.url}/console/supervisor`)
      await live(page).waitFor()
      pages.push(page)
    }
    await Promise.all(pages.map(async (page) => live(page).waitFor()))
    const { ucid } = stage.app.standIns.telephony.ring({ from: '+919814012345' })
    await Promise.all(pages.map(async (page) => ringing(page).waitFor()))
    stage.app.standIns.telephony.hangUp({ ucid })
    for (const page of pages) {
      await page.getByRole('link', { name: 'Audit log' }).click()
      await page.getByRole('table', { name: 'Audit log' }).waitFor()
    }
    expect(sockets).toEqual(pages.slice(1).map(() => `${stage.app.url.replace('http', 'ws')}/graphql`))
    expect(streams).toEqual([])
  })

  test('goes on with a renewed token', async () => {
    await using opened = await stage.open({ path: '/supervisor', as: 'manager' })
    const { page } = opened
    await live(page).waitFor()
    const { standIns } = stage.app
    const renewals = standIns.platform.calls('renewToken').length
    const again = page.waitForEvent('websocket')
    stage.clock.advance(31 * 60_000)
    const { ucid } = standIns.telephony.ring({ from: '+919814012345' })
    await again
    await ringing(page).waitFor()
    expect(standIns.platform.calls('renewToken').length).toBe(renewals + 1)
    expect(await lost(page).count()).toBe(0)
    standIns.telephony.hangUp({ ucid })
    await page.getByText('No call rings').waitFor()
  })

  test('says that the console is open in too many tabs, and tries again', async () => {
    await using opened = await stage.open()
    const { page } = opened
    let isFull = true
    await page.routeWebSocket('**/graphql', (route) => {
      const server = route.connectToServer()
      route.onMessage((message) => {
        const text = String(message)
        if (!isFull || !text.includes('supervisionUpdates')) return server.send(message)
        const id = /"id":"(\d+)"/.exec(text)?.[1]
        const extensions = { code: 'RATE_LIMITED', reason: 'TOO_MANY_STREAMS', retryable: true }
        route.send(JSON.stringify({ id, type: 'error', payload: [{ message: 'You have 100 event streams open', extensions }] }))
      })
    })
    await page.reload()
    await opened.signIn('manager')
    await page.getByText('The console is open in too many tabs').waitFor()
    await opened.expectAccessible()
    await opened.screenshot('too-many-tabs')
    isFull = false
    await live(page).waitFor()
    await waitFor(async () => (await page.getByText('The console is open in too many tabs').count()) === 0)
    expect(await lost(page).count()).toBe(0)
  })
})
