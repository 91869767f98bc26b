import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { freePort } from '../../harness/free-port.ts'

/** The customer: a second phone in a page of its own, registered at the same server. */
export type Caller = {
  call(user: string): Promise<void>
  hangUp(): Promise<void>
  /** How many packets of sound have come from the agent's present phone. */
  received(): Promise<number>
  /** The energy of all sound that has come from the agent: it stands still where the agent is muted. */
  energy(): Promise<number>
  /** How often the agent's phone has offered its audio again in a call. */
  offers(): Promise<number>
  /** A phone that does not give its call to a reloaded page. */
  refuseReplaces(): Promise<void>
  isInCall(): Promise<boolean>
  tones(): Promise<string>
}

const script = (port: number): string => `{
  const phones = JsSIP.UA ? JsSIP : JsSIP.default
  let session, tones = '', refuses = false, offers = 0
  const audio = new Audio()
  audio.autoplay = true
  const sum = async (field) => {
    const reports = session?.connection ? [...(await session.connection.getStats()).values()] : []
    return reports.filter(({ type }) => type === 'inbound-rtp').reduce((total, report) => total + (report[field] ?? 0), 0)
  }
  const play = (connection) => connection.addEventListener('track', ({ track }) => (audio.srcObject = new MediaStream([track])))
  const ua = new phones.UA({
    sockets: [new phones.WebSocketInterface('ws://127.0.0.1:${port}')], uri: 'sip:9000@127.0.0.1', password: 'sandbox-sip-9000',
    session_timers: false, connection_recovery_min_interval: 1, connection_recovery_max_interval: 2,
  })
  const follow = (own) => {
    session = own
    own.on('newInfo', ({ originator, info }) => originator === 'remote' && (tones += /Signal=\\s*(\\S+)/.exec(info.body)?.[1] ?? ''))
    own.on('newDTMF', ({ originator, dtmf }) => originator === 'remote' && (tones += dtmf.tone))
    own.on('reinvite', () => (offers += 1))
    own.on('replaces', ({ accept, reject }) => {
      if (refuses) return reject()
      accept((next) => { follow(next); next.answer({ mediaConstraints: { audio: true, video: false } }) })
    })
    own.on('peerconnection', ({ peerconnection }) => play(peerconnection))
    if (own.connection) play(own.connection)
  }
  // Without a listener JsSIP refuses every INVITE.
  ua.on('newRTCSession', () => undefined)
  ua.start()
  window.caller = {
    isRegistered: () => ua.isRegistered(),
    call: (user) => follow(ua.call('sip:' + user + '@127.0.0.1', { mediaConstraints: { audio: true, video: false } })),
    hangUp: () => session.terminate(),
    offers: () => offers,
    isInCall: () => session?.isEstablished() ?? false,
    tones: () => tones,
    received: () => sum('packetsReceived'),
    energy: () => sum('totalAudioEnergy'),
    refuseReplaces: () => (refuses = true),
  }
}`

export async function openCaller(page: Page, port: number): Promise<Caller> {
  // A page that the browser knows to be on loopback: others may not connect to loopback.
  await using site = await servePage()
  await page.goto(site.url)
  await page.addScriptTag({ content: await bundle() })
  await page.evaluate(script(port))
  await page.waitForFunction('caller.isRegistered()')
  return {
    call: (user) => page.evaluate(`caller.call('${user}')`),
    hangUp: () => page.evaluate('caller.hangUp()'),
    received: () => page.evaluate<number>('caller.received()'),
    energy: () => page.evaluate<number>('caller.energy()'),
    offers: () => page.evaluate<number>('caller.offers()'),
    refuseReplaces: () => page.evaluate('caller.refuseReplaces()'),
    isInCall: () => page.evaluate<boolean>('caller.isInCall()'),
    tones: () => page.evaluate<string>('caller.tones()'),
  }
}

async function bundle(): Promise<string> {
  const lib = { entry: fileURLToPath(import.meta.resolve('jssip')), formats: ['iife' as const], name: 'JsSIP', fileName: 'jssip' }
  const built = await build({ configFile: false, logLevel: 'error', build: { write: false, lib } })
  const [output] = Array.isArray(built) ? built : [built]
  if (!output || !('output' in output)) throw new Error('JsSIP was not built')
  return output.output[0].code
}

async function servePage(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Customer</title>'),
  )
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()))
  return { url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: () => (server.closeAllConnections(), close()) }
}
