import { connect } from 'node:net'
import { Agent, type buildConnector } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAddressGuard } from '../../src/kernel/address-guard.ts'
import { createOutboundTelephony } from '../../src/providers/telephony/registry.ts'
import { createRecordingSource } from '../../src/providers/recordings/recording-source.ts'
import { outboundAccounts } from '../../src/sandbox/accounts.ts'
import { recordingNamed } from '../../src/sandbox/speech/recordings.ts'
import { createTestApp, type RestAnswer, type TestApp } from '../harness/app.ts'
import { attackAddresses } from '../harness/attack-addresses.ts'
import { type MediaServer, recordedCalls, startMedia } from '../harness/recordings.ts'

/** The server with a call's recording redirects. Whoever asks for the recording, to hear it or to have it analysed, must not follow it inside. */

const wave = recordingNamed('call-003.wav') ?? Buffer.alloc(0)
let canary: MediaServer
let media: MediaServer
/** The headers of the requests to the recording server that say who asks. */
let credentials: unknown[] = []

beforeAll(async () => {
  canary = await startMedia((_request, response) => response.end(wave), '::')
  media = await startMedia(({ url, headers }, response) => {
    credentials.push(headers.authorization, headers.cookie, headers['x-widget-key'])
    const { pathname, searchParams } = new URL(url ?? '/', 'http://media')
    const to = searchParams.get('to')
    const status = Number(searchParams.get('status') ?? '302')
    if (to !== null) return void response.writeHead(status, { location: to, 'set-cookie': 'session=secret' }).end('moved')
    if (pathname === '/loop') return void response.writeHead(302, { location: '/loop' }).end()
    response.writeHead(200, { 'content-length': wave.length }).end(wave)
  })
})
beforeEach(() => void (credentials = []))
afterAll(async () => {
  await media[Symbol.asyncDispose]()
  await canary[Symbol.asyncDispose]()
})

const redirect = (to: string, status = 302): string => `${media.url}/?status=${status}&to=${encodeURIComponent(to)}`

describe("a call's recording", () => {
  let app: TestApp
  let token: string
  let callId: string
  beforeAll(async () => {
    const { resolve } = attackAddresses(canary.port, media.url)
    app = await createTestApp({ environment: { RECORDING_ORIGINS: media.url }, resolveHost: resolve })
    token = (await app.signIn('manager@demo.example')).token
    callId = (await recordedCalls(app, token))[0]?.id ?? ''
  })
  afterAll(() => app[Symbol.asyncDispose]())

  async function record(primaryLinkUrl: string): Promise<void> {
    const document = 'mutation ($id: UUID!, $data: CallUpdateInput!) { updateCall(id: $id, data: $data) { id } }'
    const variables = { id: callId, data: { recording: { primaryLinkUrl } } }
    expect(await app.graphql(document, { token, variables })).not.toHaveProperty('errors')
  }
  const uses: Readonly<Record<string, () => Promise<RestAnswer>>> = {
    'is played': () => app.rest('GET', `/api/recordings/${callId}/audio`, { token }),
    'is analysed': () => app.rest('POST', '/api/recordings/analyze', { token, body: { callId, force: true } }),
  }

  describe.each(Object.entries(uses))('that %s', (_use, ask) => {
    test('is not looked for inside, in files or under other schemes', async () => {
      const inside = (host: string): string => `http://${host}:${canary.port}/recording.wav`
      const targets = [
        ...['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', '2130706433', 'rebind-6.attack.example', 'mixed.attack.example'].map(
          inside,
        ),
        `//127.0.0.1:${canary.port}/recording.wav`,
        `http://user:password@127.0.0.1:${canary.port}/recording.wav`,
        'file:///etc/passwd',
        'ftp://127.0.0.1/recording.wav',
        'data:audio/wav;base64,UklGRg==',
        'http://[',
        redirect(inside('127.0.0.1'), 307),
      ]
      for (const target of targets) {
        for (const status of [301, 302, 303, 307, 308]) {
          await record(redirect(target, status))
          const { status: answered, body } = await ask()
          expect({ target, answered, body }).toMatchObject({ target, answered: 400, body: { code: 'BAD_USER_INPUT' } })
        }
      }
      expect(canary.connections()).toBe(0)
    })

    test('is given up after five redirects to itself', async () => {
      await record(`${media.url}/loop`)
      const message = 'redirects more than 5 times'
      expect(await ask()).toMatchObject({ status: 400, body: { data: { fields: [{ message }] } } })
      expect(credentials.length / 3).toBe(6)
    })

    test('is found after a redirect, and the servers learn nothing about who asks', async () => {
      await record(redirect('/recording.wav'))
      expect(await ask()).toMatchObject({ status: 200 })
      expect(credentials.filter((header) => header !== undefined)).toEqual([])
    })
  })
})

test('a recording that began encrypted is not fetched in clear', async () => {
  // Without TLS, which the redirect does not depend on.
  const toMedia: buildConnector.connector = (_options, callback) => {
    const socket = connect(media.port, '127.0.0.1', () => callback(null, socket))
  }
  const source = createRecordingSource({
    guard: { faultOf: async () => null, dispatcher: new Agent({ connect: toMedia }) },
    hostsOf: async () => [],
    outboundOf: async () => null,
    isPrivate: () => false,
  })
  const open = (to: string) => {
    const url = `https://recordings.example/?to=${encodeURIComponent(to)}`
    return source.open({ workspaceId: 'demo', url, signal: AbortSignal.timeout(60_000) }, {})
  }
  await expect(open('http://recordings.example/recording.wav')).rejects.toMatchObject({
    reason: 'INVALID_INPUT',
    data: { fields: [{ path: 'recordingUrl', message: 'redirects from https to http' }] },
  })
  expect(credentials.length / 3).toBe(1)
  const { body, status } = await open('https://other.example/recording.wav')
  for await (const _ of body) break
  expect(status).toBe(200)
})

test("the second provider's credentials go to no address to which it redirects, not even to its own host", async () => {
  const { sid, key, token, callerId } = outboundAccounts.demo
  const settings = { id: 'exotel', url: media.url, account: sid, apiKey: key, apiToken: token, callerId }
  const outbound = createOutboundTelephony(settings, { defaultCountry: 'IN' })
  const source = createRecordingSource({
    guard: createAddressGuard({ trusted: [media.url] }),
    hostsOf: async () => [],
    outboundOf: async () => outbound,
    isPrivate: () => false,
  })
  const before = canary.connections()
  for (const to of [`http://127.0.0.1:${canary.port}/`, '/recording.wav', '/v1/Accounts/demo1/Calls.json', '/loop', 'file:///etc/passwd']) {
    credentials = []
    const opening = source.open({ workspaceId: 'demo', url: redirect(to), signal: AbortSignal.timeout(60_000) }, {})
    await expect(opening).rejects.toMatchObject({ reason: 'PROVIDER_REFUSED' })
    expect(credentials.filter((header) => header !== undefined)).toHaveLength(1)
  }
  expect(canary.connections()).toBe(before)
})
