import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp } from '../harness/app.ts'
import { type Browser, startBrowser } from '../harness/browser.ts'
import { realServer } from '../harness/real-server.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startWidgetSite } from '../harness/widget-site.ts'
import { openWidgetStage, widgetOn } from '../harness/widget-stage.ts'

const chromium = await realServer('chromium')
let browser: Browser

beforeAll(async () => {
  if (chromium) browser = await startBrowser(chromium.binary)
})
afterAll(async () => {
  if (chromium) await browser[Symbol.asyncDispose]()
})

const questionSchema = z.object({ id: z.string(), message: z.object({ id: z.string() }) })
const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true }

describe.skipIf(chromium === null)('the widget on a site of another origin, under a strict policy', () => {
  test('chats, shows doctors and times, holds one and books it; writes the lead and the slot', async () => {
    await using stage = await openWidgetStage()
    const { page, launcher, panel, say, faults, requests } = await stage.visit(browser)
    await launcher.click()
    await panel.getByText('Hello! How can we help you?').waitFor()
    await say('I need a cardiologist')
    await panel.locator('.card.doctor').first().click()
    await panel.getByRole('heading', { level: 3, name: /^Dr/ }).waitFor()
    const time = panel.locator('.time').first()
    const chosen = await time.getAttribute('aria-label')
    await time.click()
    await panel.getByRole('heading', { name: 'Confirm your visit' }).waitFor()
    await panel.locator('.countdown').waitFor()
    await panel.getByLabel('Your name').fill('Asha Pillai')
    await panel.getByLabel('Your phone number').fill('98140 55555')
    await panel.getByRole('button', { name: 'Confirm visit' }).click()
    await panel.getByRole('heading', { name: 'Your visit is booked' }).waitFor()
    const [at, day] = [chosen?.split(', ')[0] ?? 'no time', chosen?.split(', ').slice(1).join(', ') ?? 'no day']
    expect(await panel.locator('.summary').innerText()).toContain(day)
    expect(await panel.locator('.summary').innerText()).toContain(at)
    await panel.getByRole('button', { name: 'Done' }).click()
    await panel.getByText('Your visit is booked').waitFor()
    const leads = await stage.app.graphql(
      '{ leads(filter: { name: { like: "%Pillai%" } }) { edges { node { name visitSlots { edges { node { state } } } } } } }',
      { token: stage.token },
    )
    expect(JSON.stringify(leads.data ?? leads.errors)).toContain('"state":"BOOKED"')
    expect(faults).toEqual([])
    expect(requests.filter((url) => !url.startsWith(stage.proxy.url) && url !== `${stage.siteUrl}/` && !url.startsWith('data:'))).toEqual(
      [],
    )
    expect(await page.context().cookies()).toEqual([])
  })

  test('holds a time from the conversation, and releases it when the visitor goes back', async () => {
    await using stage = await openWidgetStage()
    const { launcher, panel, say } = await stage.visit(browser)
    await launcher.click()
    await say('When is a cardiologist free?')
    const first = panel.locator('.log .time').first()
    const label = (await first.getAttribute('aria-label')) ?? ''
    await first.click()
    await panel.getByRole('heading', { name: 'Confirm your visit' }).waitFor()
    await panel.getByRole('button', { name: 'Back' }).click()
    await first.click()
    await panel.getByRole('heading', { name: 'Confirm your visit' }).waitFor()
    expect(label).not.toBe('')
  })

  test('continues a reply that breaks off, and sends the message once', async () => {
    await using stage = await openWidgetStage()
    const { launcher, panel, say, message } = await stage.visit(browser)
    await launcher.click()
    stage.proxy.cutNext(2, 260)
    await say('Which doctors do you have?')
    await panel.locator('.card.doctor').first().waitFor()
    await panel.getByRole('button', { name: 'Send' }).waitFor()
    const asked = stage.proxy.chatRequests.map((body) => questionSchema.parse(JSON.parse(body)).message.id)
    expect(asked).toHaveLength(3)
    expect(new Set(asked).size).toBe(1)
    expect(await panel.locator('.message.user').count()).toBe(1)
    expect(await panel.locator('.message.assistant').count()).toBe(2)
    expect(await message.isEnabled()).toBe(true)
  })

  test('gives up on a reply that keeps breaking off, shows an error, and tries again on request', async () => {
    await using stage = await openWidgetStage()
    const { page, launcher, panel, say } = await stage.visit(browser)
    await page.clock.install()
    await launcher.click()
    stage.proxy.cutNext(6, 100)
    await say('Hello')
    const alert = panel.getByRole('alert')
    await waitFor(
      async () => {
        // The page's time stands still while a reply is under way, or a slow machine would look like a silent service.
        if (stage.proxy.openReplies() === 0) await page.clock.runFor(10_000)
        return alert.isVisible()
      },
      { what: 'the notice' },
    )
    expect(await alert.innerText()).toContain('We could not be reached')
    expect(stage.proxy.chatRequests).toHaveLength(6)
    await alert.getByRole('button', { name: 'Try again' }).click()
    await panel.getByText('I can show you our doctors').first().waitFor()
    expect(await panel.locator('.message.user').count()).toBe(1)
  })

  test('waits while offline, and continues when online', async () => {
    await using stage = await openWidgetStage()
    const { page, launcher, panel, say } = await stage.visit(browser)
    await launcher.click()
    await page.context().setOffline(true)
    await panel.getByText('You are offline').waitFor()
    await say('Hello')
    await panel.getByText('Connecting again …').waitFor()
    await page.context().setOffline(false)
    await panel.getByText('I can show you our doctors').first().waitFor()
    await panel.getByText('Online', { exact: true }).waitFor()
    expect(stage.proxy.chatRequests).toHaveLength(1)
  })

  test('restores the messages after a reload, without taking the focus', async () => {
    await using stage = await openWidgetStage()
    const { page, launcher, panel, say } = await stage.visit(browser)
    await launcher.click()
    await say('Hello')
    await panel.getByText('I can show you our doctors').first().waitFor()
    await panel.getByRole('button', { name: 'Send' }).waitFor()
    await page.reload()
    await panel.getByText('I can show you our doctors').first().waitFor()
    expect(await panel.locator('.message.user').innerText()).toContain('Hello')
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true)
  })

  test('starts a new conversation on request', async () => {
    await using stage = await openWidgetStage()
    const { page, launcher, panel, say } = await stage.visit(browser)
    await launcher.click()
    expect(await panel.getByRole('button', { name: 'New conversation' }).count()).toBe(0)
    for (const words of ['Hello', 'Which doctors do you have?']) {
      await say(words)
      await panel.getByRole('button', { name: 'Send' }).waitFor()
    }
    await panel.getByRole('button', { name: 'New conversation' }).click()
    await expect.poll(() => panel.locator('.message.user').count()).toBe(0)
    await expect
      .poll(() => page.evaluate("document.querySelector('call-center-widget').shadowRoot.activeElement?.ariaLabel"))
      .toBe('Your message')
    await say('Hello again')
    await panel.locator('.message.assistant', { hasText: 'I can show you our doctors' }).waitFor()
    await panel.getByRole('button', { name: 'Send' }).waitFor()
    const conversations = stage.proxy.chatRequests.map((body) => questionSchema.parse(JSON.parse(body)).id)
    expect([conversations.length, new Set(conversations).size, conversations[0] === conversations[1]]).toEqual([3, 2, true])
    await page.reload()
    await panel.locator('.message.assistant', { hasText: 'I can show you our doctors' }).waitFor()
    expect(await panel.locator('.message.user').allInnerTexts()).toEqual([expect.stringContaining('Hello again')])
  })

  test('stops a reply, and accepts the next message', async () => {
    await using stage = await openWidgetStage()
    const { launcher, panel, say } = await stage.visit(browser)
    await launcher.click()
    stage.proxy.stallNext(400)
    await say('Which doctors do you have?')
    await panel.getByRole('button', { name: 'Stop the reply' }).click()
    await panel.getByText('Stopped').waitFor()
    await say('Hello')
    await panel.getByText('I can show you our doctors').first().waitFor()
    await panel.getByRole('button', { name: 'Send' }).waitFor()
    expect(await panel.locator('.message.user').count()).toBe(2)
    expect(stage.proxy.chatRequests.length).toBeLessThan(6)
  })

  test('respects the service’s rate limit', async () => {
    await using stage = await openWidgetStage()
    const { page, launcher, panel, say } = await stage.visit(browser)
    let asked = 0
    await page.route('**/api/widget/chat', async (route) => {
      asked += 1
      const headers = { 'access-control-allow-origin': stage.siteUrl, 'access-control-expose-headers': 'retry-after', 'retry-after': '40' }
      await route.fulfill({ status: 429, headers, contentType: 'application/problem+json', body: '{}' })
    })
    await launcher.click()
    await say('Hello')
    const alert = panel.getByRole('alert')
    await alert.waitFor()
    expect(await alert.innerText()).toMatch(/Please try again in 40 seconds\./)
    expect(await alert.getByRole('button', { name: /Try again in \d+ seconds/ }).isDisabled()).toBe(true)
    expect(asked).toBe(1)
  })

  test('shows any reply of the model as text', async () => {
    await using stage = await openWidgetStage()
    const { page, launcher, panel, say, requests } = await stage.visit(browser)
    const said = '<img src=x onerror="document.title=1"> [link](javascript:alert(1)) **bold** <script>document.title=2</script>'
    const events = [
      { type: 'start', messageId: 'r1' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: said },
      { type: 'data-doctors', id: 'd', data: { doctors: [{ id: 'x', name: '<b>Dr</b>', languages: 'none', fee: 'free' }, null] } },
      { type: 'surprise', what: [] },
      { type: 'finish' },
    ]
    await page.route('**/api/widget/chat', (route) =>
      route.fulfill({
        headers: { 'access-control-allow-origin': stage.siteUrl },
        contentType: 'text/event-stream',
        body: events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(': a comment\n\n'),
      }),
    )
    await launcher.click()
    await say('Hello')
    await panel.getByText('[link](javascript:alert(1))').first().waitFor()
    expect(await panel.locator('.log img, .log script, .log a, .log b').count()).toBe(0)
    expect(await panel.locator('.log strong').first().innerText()).toBe('bold')
    await panel.getByRole('button', { name: '<b>Dr</b>' }).waitFor()
    expect(await page.title()).toBe('Hospital')
    expect(requests.filter((url) => url.endsWith('/x'))).toEqual([])
  })

  test('books without a model: doctors, a time, a name and a number', async () => {
    await using stage = await openWidgetStage({ environment: { AI_MODEL: '' } })
    const { launcher, panel, message } = await stage.visit(browser)
    expect(await launcher.innerText()).toBe('Book a visit')
    await launcher.click()
    await panel.getByRole('heading', { name: 'Book a visit' }).waitFor()
    expect(await message.count()).toBe(0)
    await panel.locator('.card.doctor', { hasText: 'Next free' }).first().click()
    await panel.locator('.time').first().click()
    await panel.getByLabel('Your name').fill('Binu')
    await panel.getByLabel('Your phone number').fill('123456')
    await panel.getByRole('button', { name: 'Confirm visit' }).click()
    await panel.getByText('Please check this number.').waitFor()
    expect(await panel.getByLabel('Your phone number').getAttribute('aria-invalid')).toBe('true')
    await panel.getByLabel('Your phone number').fill('+91 98140 66666')
    await panel.getByRole('button', { name: 'Confirm visit' }).click()
    await panel.getByRole('heading', { name: 'Your visit is booked' }).waitFor()
    const [saved] = await Promise.all([panel.page().waitForEvent('download'), panel.getByText('Add to your calendar').click()])
    expect(saved.suggestedFilename()).toBe('visit.ics')
  })

  test('reports a time that was taken meanwhile, and shows the others', async () => {
    await using stage = await openWidgetStage()
    const [one, other] = await Promise.all([stage.visit(browser), stage.visit(browser)])
    for (const { page, panel, launcher } of [one, other]) {
      await launcher.waitFor()
      await page.getByRole('button', { name: 'See a doctor' }).click()
      await panel.locator('.card.doctor', { hasText: 'Next free' }).first().click()
      await panel.locator('.time').first().waitFor()
    }
    const taken = (await one.panel.locator('.time').first().getAttribute('aria-label')) ?? ''
    await one.panel.locator('.time').first().click()
    await one.panel.getByRole('heading', { name: 'Confirm your visit' }).waitFor()
    await other.panel.locator('.time').first().click()
    expect(await other.panel.getByRole('alert').innerText()).toContain('choose another')
    await waitFor(async () => (await other.panel.locator('.time').first().getAttribute('aria-label')) !== taken)
  })

  test('continues after a reload with the held time, and can release it', async () => {
    await using stage = await openWidgetStage()
    const { page, panel, launcher } = await stage.visit(browser)
    await launcher.waitFor()
    await page.getByRole('button', { name: 'See a doctor' }).click()
    await panel.locator('.card.doctor', { hasText: 'Next free' }).first().click()
    const time = panel.locator('.time').first()
    const held = (await time.getAttribute('aria-label')) ?? 'no time'
    await time.click()
    const spoken = panel.locator('.countdown [role=status]')
    await waitFor(async () => (await spoken.textContent()) === 'This time is held for you for 5 minutes.')
    await page.reload()
    await panel.getByRole('heading', { name: 'Confirm your visit' }).waitFor()
    expect(await panel.locator('.summary').innerText()).toContain(held.split(', ').slice(1).join(', '))
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true)
    await panel.getByRole('button', { name: 'Choose another time' }).click()
    await panel.getByRole('button', { name: held }).waitFor()
    await page.reload()
    await panel.getByText('Hello! How can we help you?').waitFor()
    expect(await panel.getByRole('heading', { name: 'Confirm your visit' }).count()).toBe(0)
  })

  test('shows when a hold has expired', async () => {
    await using stage = await openWidgetStage()
    const { page, panel, launcher } = await stage.visit(browser)
    await launcher.waitFor()
    await page.getByRole('button', { name: 'See a doctor' }).click()
    await panel.locator('.card.doctor', { hasText: 'Next free' }).first().click()
    await page.clock.install()
    await panel.locator('.time').first().click()
    await panel.locator('.countdown').waitFor()
    await page.clock.runFor(245_000)
    await waitFor(async () => (await panel.locator('.countdown strong').innerText()).startsWith('0:'))
    await page.clock.runFor(60_000)
    expect(await panel.getByRole('alert').innerText()).toContain('not held for you any more')
    await panel.getByRole('button', { name: 'Show free times' }).click()
    await panel.locator('.time').first().waitFor()
  })

  test('works without session storage, and as a module', async () => {
    await using stage = await openWidgetStage({}, { isModule: true })
    const watched = await browser.open()
    await watched.page.addInitScript(
      "for (const name of ['sessionStorage', 'localStorage']) Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError') } })",
    )
    await watched.page.goto(stage.siteUrl)
    const { launcher, panel, say } = widgetOn(watched.page)
    await launcher.click()
    await say('Hello')
    await panel.getByText('I can show you our doctors').first().waitFor()
    expect(watched.faults).toEqual([])
  })

  test('is right-to-left if the page is', async () => {
    await using stage = await openWidgetStage({}, { direction: 'rtl' })
    const { page, launcher, panel, say } = await stage.visit(browser, phone)
    await launcher.click()
    await say('Which doctors do you have?')
    await panel.locator('.card.doctor').first().waitFor()
    const [user, answer, width] = [
      await panel.locator('.message.user .bubble').boundingBox(),
      await panel.locator('.message.assistant .bubble').first().boundingBox(),
      390,
    ]
    expect(user?.x).toBeLessThan(40)
    expect((answer?.x ?? 0) + (answer?.width ?? 0)).toBeGreaterThan(width - 40)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    if (process.env['SCREENSHOTS']) await page.screenshot({ path: `${process.env['SCREENSHOTS']}/widget-rtl.png` })
  })

  test('is not shown on a page of another origin, and the console says why', async () => {
    await using stage = await openWidgetStage()
    await using stranger = await startWidgetSite()
    const keys = z
      .array(z.object({ key: z.string() }))
      .parse((await stage.app.rest('GET', '/api/config/widget/keys', { token: stage.token })).body)
    stranger.carry({ from: stage.proxy.url, key: keys[0]?.key ?? '' })
    const { page, logged } = await browser.open()
    await page.clock.install()
    await page.goto(stranger.url)
    await waitFor(async () => {
      await page.clock.runFor(5_000)
      return logged.some((line) => line.startsWith('The chat widget is not shown'))
    })
    expect(await page.locator('call-center-widget .launcher').count()).toBe(0)
  })

  test('is not shown if it is switched off', async () => {
    await using stage = await openWidgetStage({ environment: { WIDGET_ENABLED: 'off' } })
    const { page, faults } = await stage.visit(browser)
    await Promise.all([page.waitForResponse((response) => response.url().endsWith('/api/widget/config')), page.reload()])
    expect(await page.locator('call-center-widget .launcher').count()).toBe(0)
    expect(faults).toEqual([])
  })
})

describe.skipIf(chromium === null)('the demo page', () => {
  test('includes the widget from its own origin, opened by its own buttons', async () => {
    await using app = await createTestApp({ withDemo: true })
    const { page, faults, requests } = await browser.open()
    await page.goto(`${app.url}/widget/demo`)
    const { panel, launcher } = widgetOn(page)
    await launcher.waitFor()
    await page.getByRole('button', { name: 'Book a visit' }).first().click()
    await panel.locator('.card.doctor', { hasText: 'Next free' }).first().waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Book a visit')
    await page.getByRole('button', { name: 'Ask a question' }).click()
    await panel.getByLabel('Your message').fill('Hello')
    await page.keyboard.press('Enter')
    await panel.getByText('I can show you our doctors').first().waitFor()
    expect(faults).toEqual([])
    expect(requests.filter((url) => !url.startsWith(app.url) && !url.startsWith('data:'))).toEqual([])
  })
})
