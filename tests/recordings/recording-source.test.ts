import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAddressGuard } from '../../src/kernel/address-guard.ts'
import { createOutboundTelephony } from '../../src/providers/telephony/registry.ts'
import { createRecordingSource } from '../../src/providers/recordings/recording-source.ts'
import { audioTypeOf } from '../../src/providers/recordings/sniff-audio.ts'
import { maxRecordingBytes, type RecordingSource } from '../../src/ports/recording-source.ts'
import { outboundAccounts } from '../../src/sandbox/accounts.ts'
import { type OutboundStandIn, startOutboundTelephony } from '../../src/sandbox/outbound/outbound.ts'
import { createTestClock } from '../harness/clock.ts'
import { type Listener, startListener } from '../harness/listener.ts'
import { type MediaServer, startMedia } from '../harness/recordings.ts'
import { waitFor } from '../harness/wait-for.ts'

const { sid, key, token, callerId } = outboundAccounts.demo
const workspaceId = 'workspace'
let provider: OutboundStandIn
let listener: Listener
let media: MediaServer
let source: RecordingSource
let url: string
const seenByMedia: (string | undefined)[] = []

beforeAll(async () => {
  const clock = createTestClock()
  provider = await startOutboundTelephony({ clock })
  listener = await startListener()
  media = await startMedia((request, response) => {
    seenByMedia.push(request.headers.authorization)
    response.writeHead(404).end()
  })
  const settings = { id: 'exotel', url: provider.url, account: sid, apiKey: key, apiToken: token, callerId }
  const outbound = createOutboundTelephony(settings, { defaultCountry: 'IN' })
  source = createRecordingSource({
    guard: createAddressGuard({ trusted: [media.url] }),
    hostsOf: async () => [],
    outboundOf: async () => outbound,
    isPrivate: () => false,
  })
  const numbers = { agentPhoneNumber: '+919800000001', phoneNumber: '+919876543210' }
  const { callId } = await outbound.dial({ ...numbers, recorded: true, statusWebhookUrl: `${listener.url}/status`, reference: '' })
  provider.answer({ callId })
  clock.advance(60_000)
  provider.hangUp({ callId })
  url = await waitFor(
    () => /http[^"\s]+exotelrecordings[^"\s]+\.wav/.exec(listener.received.map(({ body }) => urlsIn(body)).join(' '))?.[0],
  )
})
afterAll(async () => {
  await media[Symbol.asyncDispose]()
  await listener[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

/** Callbacks are forms or JSON. */
function urlsIn(body: Buffer): string {
  return decodeURIComponent(body.toString().replaceAll('\\/', '/').replaceAll('&', ' '))
}

const asked = (address: string) => ({ workspaceId, url: address, signal: AbortSignal.timeout(60_000) })
const inspect = (address: string) => source.inspect(asked(address), { isRecent: false })

test('fetches a recording at the second provider with its credentials, and says so', async () => {
  expect(await inspect(url)).toMatchObject({ url, contentType: 'audio/wav', channels: 1, needsCredentials: true })
  const { body, status } = await source.open(asked(url), { range: 'bytes=0-3' })
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  expect([status, Buffer.concat(chunks).toString()]).toEqual([206, 'RIFF'])
})

test('sends the credentials to no other host', async () => {
  await expect(inspect(`${media.url}/exotelrecordings/${sid}/x.wav`)).rejects.toMatchObject({
    reason: 'NOT_FOUND',
    data: { retryAfterSeconds: 60 },
  })
  expect(seenByMedia).toEqual([undefined])
})

describe('a recording anywhere', () => {
  /** A server on which `/r/N` redirects N times, `/size/N` has audio of that size, and `/page/TEXT` the text. */
  async function openServer(hosts: readonly string[] = []) {
    const server = await startMedia(({ url: path = '' }, response) => {
      const [, kind, argument = ''] = path.split('/')
      if (kind === 'r' && argument !== '0') return void response.writeHead(302, { location: `/r/${Number(argument) - 1}` }).end()
      if (kind === 'page') return void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(decodeURIComponent(argument))
      if (kind === 'status') return void response.writeHead(Number(argument)).end()
      const total = kind === 'size' ? argument : '4'
      response.writeHead(206, { 'content-range': `bytes 0-3/${total}`, 'content-length': '4' }).end('OggS')
    })
    const anywhere = createRecordingSource({
      guard: createAddressGuard({ trusted: [server.url] }),
      hostsOf: async () => hosts,
      outboundOf: async () => null,
      isPrivate: () => false,
    })
    const inspectAt = (path: string, isRecent = false) => anywhere.inspect(asked(`${server.url}${path}`), { isRecent })
    return { inspect: inspectAt, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
  }
  const refusal = (message: string) => ({ reason: 'INVALID_INPUT', message: expect.stringContaining(message) as unknown })

  test('is found after five redirects, not after six', async () => {
    await using server = await openServer()
    expect(await server.inspect('/r/5')).toMatchObject({ contentType: 'audio/ogg', channels: 1, needsCredentials: false })
    await expect(server.inspect('/r/6')).rejects.toMatchObject(refusal('redirects more than 5 times'))
  })

  test('may have two gigabytes, no byte more', async () => {
    await using server = await openServer()
    expect(await server.inspect(`/size/${maxRecordingBytes}`)).toMatchObject({ bytes: maxRecordingBytes })
    await expect(server.inspect(`/size/${maxRecordingBytes + 1}`)).rejects.toMatchObject(refusal('more than 2 GB'))
  })

  test('is on a host of the list, if there is one', async () => {
    for (const hosts of [['127.0.0.1'], ['other.example', '127.0.0.1']]) {
      await using server = await openServer(hosts)
      expect(await server.inspect('/r/0')).toMatchObject({ bytes: 4 })
    }
    for (const hosts of [['other.example'], ['*.0.0.1.example']]) {
      await using server = await openServer(hosts)
      await expect(server.inspect('/r/0')).rejects.toMatchObject(refusal('recording hosts'))
    }
  })

  test.each([
    [403, { reason: 'NOT_FOUND', data: { retryAfterSeconds: 60 }, retryable: true }],
    [404, { reason: 'NOT_FOUND' }],
    [410, { reason: 'NOT_FOUND' }],
    [401, refusal('needs credentials')],
    [416, refusal('an empty recording')],
    [500, { reason: 'PROVIDER_UNAVAILABLE' }],
  ])('whose server answers with status %i is an error', async (status, error) => {
    await using server = await openServer()
    await expect(server.inspect(`/status/${status}`)).rejects.toMatchObject(error)
  })

  test.each([
    ['/page/', 'an empty recording'],
    ['/status/416', 'an empty recording'],
    ['/page/%3Chtml%3E', 'not audio'],
    ['/page/%7B%7D', 'not audio'],
  ])('with nothing or a page in its place is not ready at first, then that is said: %s', async (path, said) => {
    await using server = await openServer()
    await expect(server.inspect(path, true)).rejects.toMatchObject({ reason: 'NOT_FOUND', data: { retryAfterSeconds: 60 } })
    await expect(server.inspect(path)).rejects.toMatchObject(refusal(said))
  })
})

test('audio is known by its first bytes', () => {
  const typeOf = (head: string | number[]) => audioTypeOf(Buffer.from(typeof head === 'string' ? Buffer.from(head, 'latin1') : head))
  expect(['ID3', 'OggS', 'fLaC', '    ftyp', '#!AMR', '.snd', 'FORM    AIFF', 'FORM    XXXX', '<html>', ''].map(typeOf)).toEqual([
    'audio/mpeg',
    'audio/ogg',
    'audio/flac',
    'audio/mp4',
    'audio/amr',
    'audio/basic',
    'audio/aiff',
    null,
    null,
    null,
  ])
  expect(
    [
      [0xff, 0xe0, 0, 0],
      [0xff, 0xe0, 0],
      [0xff, 0xff, 0, 0],
      [0xff, 0xd0, 0, 0],
      [0xff, 0xfe, 0x3c, 0],
    ].map(typeOf),
  ).toEqual(['audio/mpeg', null, null, null, null])
  expect(
    [
      [0x1a, 0x45, 0xdf, 0xa3],
      [0x1a, 0x45, 0xdf],
    ].map(typeOf),
  ).toEqual(['audio/webm', null])
  expect(['RIFF    WAVE', 'RF64    WAVE', 'RIFF    AVI '].map(typeOf)).toEqual(['audio/wav', 'audio/wav', null])
})

test('NOT_FOUND for a recording that the provider does not have yet', async () => {
  const inspected = inspect(url.replace(/\w+\.wav$/, 'unknown.wav'))
  await expect(inspected).rejects.toThrow('The recording is not available yet')
  await expect(inspected).rejects.toMatchObject({ reason: 'NOT_FOUND', data: { retryAfterSeconds: 60 } })
})
