import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAddressGuard } from '../../src/kernel/address-guard.ts'
import { createOutboundTelephony } from '../../src/providers/outbound-telephony/registry.ts'
import { createRecordingSource } from '../../src/providers/recordings/recording-source.ts'
import type { RecordingSource } from '../../src/ports/recording-source.ts'
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

test('fetches a recording at the second provider with its credentials, and says so', async () => {
  expect(await source.inspect(asked(url))).toMatchObject({ url, contentType: 'audio/wav', channels: 1, needsCredentials: true })
  const { body, status } = await source.open(asked(url), { range: 'bytes=0-3' })
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  expect([status, Buffer.concat(chunks).toString()]).toEqual([206, 'RIFF'])
})

test('sends the credentials to no other host', async () => {
  await expect(source.inspect(asked(`${media.url}/exotelrecordings/${sid}/x.wav`))).rejects.toMatchObject({
    reason: 'NOT_FOUND',
    data: { retryAfterSeconds: 60 },
  })
  expect(seenByMedia).toEqual([undefined])
})

test('NOT_FOUND for a recording that the provider does not have yet', async () => {
  await expect(source.inspect(asked(url.replace(/\w+\.wav$/, 'unknown.wav')))).rejects.toMatchObject({ reason: 'NOT_FOUND' })
})
