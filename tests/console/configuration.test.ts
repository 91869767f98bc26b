import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsolePage, type ConsoleStage, openConsoleStage, refuse } from '../harness/console.ts'
import { realServer } from '../harness/real-server.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
let token = ''
beforeAll(async () => {
  if (!chromium) return
  stage = await openConsoleStage(chromium.binary)
  token = (await stage.app.signIn('manager@demo.example')).token
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const openSection = (section: string, more: Parameters<ConsoleStage['open']>[0] = {}): Promise<ConsolePage> =>
  stage.open({ path: `/administration/configuration/${section}`, as: 'manager', ...more })

async function stored(section: string): Promise<unknown> {
  return (await stage.app.rest('GET', `/api/config/${section}`, { token })).body
}

/** As another manager would, by the API. */
async function put(section: string, body: unknown): Promise<void> {
  expect(await stage.app.rest('PUT', `/api/config/${section}`, { token, body })).toMatchObject({ status: 200 })
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review and save' }).click()
  await page.getByRole('dialog', { name: 'What changes' }).getByRole('button', { name: 'Save', exact: true }).click()
}

describe.skipIf(chromium === null)('the configuration', () => {
  test('lists the sections, and shows each as a form in both languages', async () => {
    await using opened = await stage.open({ path: '/administration/configuration', as: 'manager' })
    const { page } = opened
    const sections = page.getByRole('navigation', { name: 'Sections of the configuration' }).getByRole('link')
    await sections.first().waitFor()
    expect(await sections.count()).toBe(6)
    await opened.expectAccessible()
    await opened.screenshot('configuration')
    for (const section of ['Telephony', 'AI', 'Alerts', 'Chat widget', 'Theme', 'CRM platform']) {
      await sections.filter({ hasText: section }).first().click()
      await page.getByRole('heading', { level: 1, name: section }).waitFor()
      await page.getByText('No changes').waitFor()
      await opened.expectAccessible()
      await opened.screenshot(`configuration-${section.toLowerCase().replace(' ', '-')}`)
      await page.getByRole('link', { name: 'All sections' }).click()
      await sections.first().waitFor()
    }
  })

  test('says what is wrong before anything is sent, and where', async () => {
    await using opened = await openSection('alerts')
    const { page } = opened
    await page.getByLabel('Longest wait, minutes').fill('2000')
    await page.getByLabel('Wrap-up, minutes').fill('ten')
    await page.getByRole('button', { name: 'Add: Opening hours' }).click()
    const saves: string[] = []
    page.on('request', (request) => request.postData()?.includes('saveConfiguration') === true && saves.push(request.url()))
    await page.getByRole('button', { name: 'Review and save' }).click()
    const summary = page.getByRole('alert').filter({ hasText: 'fields need your attention' })
    await summary.getByText('Must be at most 1,440').waitFor()
    await summary.getByText('Enter a number').waitFor()
    await summary.getByText('Choose at least 1').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await opened.expectAccessible()
    await opened.screenshot('configuration-faults')
    await summary.getByRole('button', { name: 'Wrap-up, minutes' }).click()
    await page.locator('[data-field=wrapUpMinutes] input:focus').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('No changes').waitFor()
    await summary.waitFor({ state: 'detached' })
    expect(saves).toEqual([])
  })

  test('shows what changes, saves only that, and shows the service’s errors at their fields', async () => {
    await using opened = await openSection('alerts')
    const { page } = opened
    await page.getByLabel('Missed calls that wait').fill('7')
    await page.getByRole('button', { name: 'Add: Opening hours' }).click()
    const entry = page.getByRole('group', { name: 'Opening hours 1' })
    await entry.getByRole('button', { name: 'Mon' }).click()
    await entry.getByLabel('From').fill('18:00')
    await entry.getByLabel('To', { exact: true }).fill('09:00')
    await save(page)
    // Only the service knows it: the schema says nothing about it.
    await page.getByRole('alert').getByText('must be later than "from"', { exact: false }).waitFor()
    await entry.getByText('must be later than "from"', { exact: false }).waitFor()
    await entry.getByLabel('From').fill('08:00')
    await page.getByRole('button', { name: 'Review and save' }).click()
    const review = page.getByRole('dialog', { name: 'What changes' })
    expect(await review.getByRole('row').filter({ hasText: 'Missed calls that wait' }).innerText()).toContain('7')
    await review.getByRole('row').filter({ hasText: 'Mon · 08:00 · 09:00' }).waitFor()
    await opened.expectAccessible()
    await opened.screenshot('configuration-review')
    await review.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('alertdialog').getByText('Saved').waitFor()
    expect(await stored('alerts')).toMatchObject({
      waitingMissedCalls: 7,
      openHours: [{ days: ['MONDAY'], from: '08:00', to: '09:00' }],
      longestWaitMinutes: null,
    })
  })

  test('never has a secret: it can be replaced or removed, and a wrong one fails the test before it is saved', async () => {
    await using opened = await openSection('telephony')
    const { page } = opened
    const answers: string[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('/graphql'))
        response.text().then(
          (text) => answers.push(text),
          () => null,
        )
    })
    const key = page.getByRole('group', { name: 'API key' }).first()
    await key.getByText(/^fingerprint /).waitFor()
    await page.getByRole('button', { name: 'Test what is stored' }).click()
    await page.getByRole('status', { name: 'The test passed' }).waitFor()
    await opened.screenshot('configuration-test')
    await key.getByRole('button', { name: 'Replace' }).click()
    await page.getByLabel('API key').first().fill('a-wrong-key-of-mine')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    const failed = page.getByRole('status', { name: 'The test failed' })
    await failed.getByText('What to do:').first().waitFor()
    await opened.expectAccessible()
    await opened.screenshot('configuration-test-failed')
    expect(await stored('telephony')).toMatchObject({ _meta: { version: 1 } })
    await page.getByRole('button', { name: 'Do not change' }).click()
    await page.getByText('No changes').waitFor()
    // An address that decides where the key is sent.
    await page.getByLabel('API address').first().fill('https://in1-ccaas-api.ozonetel.com')
    await save(page)
    await key.getByText('must be sent again', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await key.getByRole('button', { name: 'Replace' }).click()
    await page.getByLabel('API key').first().fill('another-key-of-mine')
    await save(page)
    await page.getByText('No changes').waitFor()
    await key.getByText(/^fingerprint /).waitFor()
    const html = await page.content()
    const secrets = ['another-key-of-mine', 'a-wrong-key-of-mine', 'demo-telephony-key', '***masked***']
    expect(secrets.filter((secret) => html.includes(secret))).toEqual([])
    expect(secrets.slice(0, 3).filter((secret) => answers.join().includes(secret))).toEqual([])
    await stage.app.rest('POST', '/api/config/telephony/reset', { token })
  })

  test('refuses to overwrite what somebody else saved meanwhile, and shows both', async () => {
    await put('widget', { greeting: 'Hello!', placeholder: 'Write', dailyTokenBudget: 500_000 })
    await using opened = await openSection('widget')
    const { page } = opened
    await page.getByLabel('Greeting').fill('Namaste! How can we help?')
    await page.getByLabel('Tokens in a day').fill('1000')
    await put('widget', { greeting: 'Good morning!', placeholder: 'Your message' })
    // Their version cannot be read: the person learns of it, and nothing is lost.
    await page.route('**/graphql', (route) => (route.request().postData()?.includes('CurrentSection') ? refuse(route) : route.continue()))
    await save(page)
    await page.getByRole('alertdialog').getByText('Their version could not be read').waitFor()
    await page.unroute('**/graphql')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await save(page)
    await page.getByRole('alert').filter({ hasText: 'Somebody else changed this section' }).waitFor()
    const clash = page.getByRole('region', { name: 'Greeting' })
    expect((await clash.getByRole('definition').allInnerTexts()).map((text) => text.trim())).toEqual([
      'Hello!',
      'Good morning!',
      'Namaste! How can we help?',
    ])
    await page.getByRole('region', { name: 'They changed' }).getByText('Your message').waitFor()
    await page.getByRole('region', { name: 'You changed' }).getByText('1,000').waitFor()
    expect(await stored('widget')).toMatchObject({ greeting: 'Good morning!', dailyTokenBudget: 500_000 })
    await opened.expectAccessible()
    await opened.screenshot('configuration-conflict')
    await clash.getByRole('radio', { name: 'Yours' }).click()
    await page.getByRole('button', { name: 'Go on with this' }).click()
    await page.getByText('2 changes').waitFor()
    expect(await page.getByLabel('Text of the empty field').inputValue()).toBe('Your message')
    await save(page)
    await page.getByText('No changes').waitFor()
    expect(await stored('widget')).toMatchObject({
      greeting: 'Namaste! How can we help?',
      placeholder: 'Your message',
      dailyTokenBudget: 1_000,
    })
  })

  test('makes the secret that signs alerts, and says in the review that changes are not tested', async () => {
    await using opened = await openSection('alerts')
    const { page } = opened
    await page.getByRole('group', { name: 'Signing secret' }).getByRole('button', { name: 'Replace' }).click()
    await page.getByRole('button', { name: 'Make a secret' }).click()
    const secret = await page.getByLabel('Signing secret', { exact: true }).inputValue()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await page.getByRole('button', { name: /Copy it for the receiver|Copy: Signing secret/ }).waitFor()
    await opened.expectAccessible()
    await opened.screenshot('configuration-signing-secret')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.locator('[data-field="wrapUpMinutes"] input').fill('5')
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page.getByRole('dialog').getByText('These changes are not tested').waitFor()
    await opened.expectAccessible()
    await page.getByRole('button', { name: 'Go on editing' }).click()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByRole('status', { name: 'The test passed' }).waitFor()
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page.getByRole('dialog').getByText('These changes are not tested').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Go on editing' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  test('warns before changes are lost', async () => {
    await using opened = await openSection('theme')
    const { page } = opened
    await page.getByLabel("Hospital's name").fill('Lakeside Hospital')
    await page.locator('#content').getByRole('link', { name: 'History' }).click()
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Stay' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await page.getByLabel("Hospital's name").inputValue()).toBe('Lakeside Hospital')
    await page.locator('#content').getByRole('link', { name: 'History' }).click()
    await opened.expectAccessible()
    await question.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { level: 1, name: 'History of Theme' }).waitFor()
  })

  test('shows each version, what is different now, and restores it', async () => {
    await put('theme', { brand: { hospitalName: 'First Hospital' }, colors: { primary: '#aa2211' } })
    await put('theme', { brand: { hospitalName: 'Second Hospital' }, colors: { primary: '#1456c4' } })
    await using opened = await openSection('theme/history')
    const { page } = opened
    const difference = page.getByRole('table')
    const row = difference.getByRole('row').filter({ hasText: "Hospital's name" })
    await row.waitFor()
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(["Brand › Hospital's name", 'Second Hospital', 'First Hospital'])
    await opened.expectAccessible()
    await opened.screenshot('configuration-history')
    await page.getByRole('button', { name: 'Restore this version' }).click()
    await page.getByText('This version has the same values as the current one.').waitFor()
    expect(await stored('theme')).toMatchObject({ brand: { hospitalName: 'First Hospital' }, colors: { primary: '#aa2211' } })
    await page.getByRole('navigation', { name: 'Areas' }).getByText('First Hospital').waitFor()
  })

  test('is in Hindi too, on a phone, in the dark', async () => {
    await using opened = await openSection('telephony', { colorScheme: 'dark', viewport: { width: 390, height: 844 } })
    const { page } = opened
    await page.evaluate("localStorage.setItem('console-language', 'hi')")
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'फ़ोन सेवा' }).waitFor()
    await page.getByLabel('फ़ोन नंबर').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await opened.expectAccessible()
    await opened.screenshot('configuration-phone-dark')
  })
})
