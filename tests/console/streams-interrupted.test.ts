import type { WebSocket, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { live, lost, ringing } from '../harness/live-data.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (chromium) stage = await openConsoleStage(chromium.binary)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe.skipIf(chromium === null)('live data', () => {
  test('says that the connection is lost, and shows what happened meanwhile when it is back', async () => {
    await using opened = await stage.open()
    const { page } = opened
    const routes: WebSocketRoute[] = []
    let isCut = false
    await page.routeWebSocket('**/graphql', (route) => {
      if (isCut) return void route.close({ code: 1013 })
      routes.push(route)
      route.connectToServer()
    })
    await page.reload()
    await opened.signIn('manager')
    await live(page).waitFor()
    isCut = true
    for (const route of routes) await route.close({ code: 1013 })
    await lost(page).waitFor()
    await page.getByText('Reconnecting').waitFor()
    const { ucid } = stage.app.standIns.telephony.ring({ from: '+919814012345' })
    isCut = false
    await live(page).waitFor()
    await ringing(page).waitFor()
    await lost(page).waitFor({ state: 'detached' })
    expect(routes).toHaveLength(2)
    stage.app.standIns.telephony.hangUp({ ucid })
  })

  test('comes by server-sent events if something in between refuses web sockets, at once after a reload', async () => {
    await using opened = await stage.open()
    const { page } = opened
    let sockets = 0
    await page.routeWebSocket('**/graphql', (route) => {
      sockets += 1
      void route.close({ code: 1002 })
    })
    await page.reload()
    await opened.signIn('manager')
    await live(page).waitFor()
    const { ucid } = stage.app.standIns.telephony.ring({ from: '+919814012345' })
    await ringing(page).waitFor()
    stage.app.standIns.telephony.hangUp({ ucid })
    await page.getByText('No call rings').waitFor()
    expect(await lost(page).count()).toBe(0)
    const before = sockets
    await page.reload()
    await live(page).waitFor()
    expect(sockets).toBe(before)
  })

  test('comes by server-sent events if web sockets are refused from some time on', async () => {
    await using opened = await stage.open()
    const { page } = opened
    const routes: WebSocketRoute[] = []
    let isRefused = false
    await page.routeWebSocket('**/graphql', (route) => {
      if (isRefused) return void route.close({ code: 1002 })
      routes.push(route)
      route.connectToServer()
    })
    await page.reload()
    await opened.signIn('manager')
    await live(page).waitFor()
    isRefused = true
    const streaming = page.waitForResponse((response) => response.headers()['content-type']?.startsWith('text/event-stream') === true)
    for (const route of routes) await route.close({ code: 1002 })
    await streaming
    await live(page).waitFor()
    await lost(page).waitFor({ state: 'detached' })
    expect(routes).toHaveLength(1)
  })

  test('stays on web sockets after an outage in which requests wait until the network is back', async () => {
    await using opened = await stage.open()
    const { page } = opened
    const routes: WebSocketRoute[] = []
    const back = Promise.withResolvers<void>()
    let isOut = false
    let failed = 0
    await page.routeWebSocket('**/graphql', (route) => {
      if (isOut) {
        failed += 1
        return void route.close({ code: 1002 })
      }
      routes.push(route)
      route.connectToServer()
    })
    await page.route('**', async (route) => {
      if (isOut) await back.promise
      await route.continue().catch(() => undefined)
    })
    await page.reload()
    await opened.signIn('manager')
    await live(page).waitFor()
    const streams: string[] = []
    page.on('response', (response) => {
      if (response.headers()['content-type']?.startsWith('text/event-stream') === true) streams.push(response.url())
    })
    isOut = true
    await Promise.all(routes.map((route) => route.close({ code: 1002 })))
    // The request that asks whether HTTP works has been given up, and the socket is tried again.
    await waitFor(() => failed >= 3)
    isOut = false
    back.resolve()
    await live(page).waitFor()
    await lost(page).waitFor({ state: 'detached' })
    expect(streams).toEqual([])
  })

  test('a message that the service refuses concerns its own stream only', async () => {
    await using opened = await stage.open()
    const { page } = opened
    let refusals = 0
    await page.routeWebSocket('**/graphql', (route) => {
      const server = route.connectToServer()
      route.onMessage((message) => {
        if (!String(message).includes('AlertChanges')) return server.send(message)
        refusals += 1
        void route.close({ code: 4400, reason: 'The message is not allowed' })
      })
    })
    await page.reload()
    const streaming = page.waitForResponse((response) => response.headers()['content-type']?.startsWith('text/event-stream') === true)
    await opened.signIn('manager')
    await streaming
    await live(page).waitFor()
    await lost(page).waitFor({ state: 'detached' })
    const { ucid } = stage.app.standIns.telephony.ring({ from: '+919814012345' })
    await ringing(page).waitFor()
    stage.app.standIns.telephony.hangUp({ ucid })
    await page.getByText('No call rings').waitFor()
    expect(refusals).toBe(1)
  })

  test('all sockets of a lost network are closed, also that of a token before', async () => {
    await using opened = await stage.open({ hasClock: true })
    const { page } = opened
    const [open, closed]: [WebSocket[], WebSocket[]] = [[], []]
    page.on('websocket', (socket) => {
      open.push(socket)
      socket.on('close', () => closed.push(socket))
    })
    await opened.signIn('manager')
    await live(page).waitFor()
    await page.getByRole('link', { name: 'Alerts', exact: true }).click()
    await page.getByText('No alert yet').waitFor()
    // The stream of the wallboard ends; later the token is renewed, and the stream of the alerts stays on its socket.
    await page.clock.fastForward(10_000)
    await page.clock.fastForward(29.5 * 60_000)
    await page.getByRole('link', { name: 'Wallboard', exact: true }).click()
    await live(page).waitFor()
    expect([open.length, closed.length]).toEqual([2, 0])
    await page.context().setOffline(true)
    await lost(page).waitFor()
    await waitFor(() => closed.length === 2)
  })
})
