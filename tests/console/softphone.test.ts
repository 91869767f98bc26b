import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { openSipCustomer, type SipCustomer } from '../harness/sip-customer.ts'
import { type SipServer, startSipServer } from '../harness/sip-server.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'

const [chromium, openssl] = [inject('chromium'), inject('openssl')]
const isPossible = chromium !== null && openssl !== null
const passwords = new Map([['5231', 'sandbox-sip-5231']])
let stage: ConsoleStage
let sip: SipServer
let running: AsyncDisposableStack
beforeAll(async () => {
  if (!chromium || !openssl) return
  running = new AsyncDisposableStack()
  const { path } = running.use(await createTempDir())
  const [key, cert] = [join(path, 'key.pem'), join(path, 'cert.pem')]
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=sip']
  await promisify(execFile)(openssl.binary, [...request, '-keyout', key, '-out', cert])
  sip = running.use(await startSipServer({ key: await readFile(key), cert: await readFile(cert) }, (user) => passwords.get(user) ?? ''))
  const environment = { ...choicesOfAccount('demo'), SIP_DOMAIN: '127.0.0.1', SIP_WS_PORT: String(sip.port) }
  stage = running.use(await openConsoleStage(chromium.binary, { environment }))
})
afterAll(() => running?.disposeAsync())

const browser = { ignoreHTTPSErrors: true, permissions: ['microphone'] }

/** The customer hears the agent. */
async function expectAudio(customer: SipCustomer): Promise<void> {
  const before = await customer.received()
  await waitFor(async () => (await customer.received()) > before + 10)
}

describe.skipIf(!isPossible)('the softphone', () => {
  test('registers, rings, is answered, mutes, sends tones, and has its audio back after a network cut and after a reload', async () => {
    await using opened = await stage.open({ path: '/desk', as: 'agent1', ...browser })
    await using other = await stage.open(browser)
    const { page } = opened
    const customer = await openSipCustomer(other.page)
    await page.getByText('Phone ready').waitFor()
    expect(sip.isRegistered('5231')).toBe(true)
    const { ucid } = stage.app.standIns.telephony.ring({ from: '+919814012345', agentId: 'agent1' })
    const call = await sip.ring('5231', '+919814012345', customer)
    await page.getByRole('alert').getByText('+91 98140 12345 calls').waitFor()
    await opened.expectAccessible()
    await opened.screenshot('phone-rings')
    await page.getByRole('button', { name: 'Answer' }).click()
    await waitFor(() => call.phase() === 'talking')
    stage.app.standIns.telephony.answer({ ucid })
    await expectAudio(customer)
    await page.getByRole('button', { name: 'Mute' }).click()
    await page.getByRole('button', { name: 'Unmute' }).click()
    await page.getByRole('button', { name: 'Keypad' }).click()
    await page.getByRole('button', { name: 'Send 5' }).click()
    await waitFor(() => call.tones.join('') === '5')
    await opened.screenshot('phone-talks')

    sip.cut()
    await page.getByText('Phone not reachable').waitFor()
    sip.mend()
    await page.getByText('Phone ready').waitFor()
    await waitFor(() => call.offers() === 1)
    await expectAudio(customer)

    await page.reload()
    await waitFor(() => call.offers() === 2)
    await expectAudio(customer)
    await page.getByRole('button', { name: 'Keypad' }).waitFor()
    sip.supportsReplaces = false
    await page.reload()
    await page.getByText('The reload ended the audio of your call').waitFor()
    await opened.expectAccessible()
    expect(sip.faults).toEqual([])
  })

  test('says that the server refuses the password, and registers when it takes it', async () => {
    passwords.set('5232', 'another')
    await using opened = await stage.open({ path: '/desk', as: 'agent2', ...browser })
    const { page } = opened
    await page.getByText('Phone refused').waitFor()
    passwords.set('5232', 'sandbox-sip-5232')
    await page.getByRole('button', { name: 'Phone refused' }).click()
    await opened.expectAccessible()
    await page.getByRole('menuitem', { name: 'Try again now' }).click()
    await page.getByText('Phone ready').waitFor()
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await tab.getByText('Phone in another tab').waitFor()
    await page.close()
    await tab.getByText('Phone ready').waitFor()
    expect(sip.isRegistered('5232')).toBe(true)
  })
})
